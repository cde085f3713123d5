-- An output handler of busted: one line per outcome, as outcomes of busted_test.go.
return function()
  local busted = require("busted")
  local message -- of the running test

  local function line(kind, name, text)
    text = text and (": " .. tostring(text):gsub("\n.*", ""):gsub("^[^:]*/", "")) or ""
    io.write(kind, " ", name, text, "\n")
  end

  local function full_name(element)
    local names = {}
    while element and element.descriptor ~= "file" and element.descriptor ~= "suite" do
      table.insert(names, 1, element.name or "")
      element = busted.parent(element)
    end
    return table.concat(names, " ")
  end

  local function wrong(element, _, text)
    if element.descriptor == "it" then
      message = text
    elseif element.descriptor == "describe" then
      line("error", "load", text)
    else
      line("error", element.descriptor, text)
    end
    return nil, true
  end

  return { subscribe = function()
    busted.subscribe({ "test", "start" }, function() message = nil return nil, true end)
    busted.subscribe({ "failure" }, wrong)
    busted.subscribe({ "error" }, wrong)
    busted.subscribe({ "pending" }, function(_, _, text) message = text and text:gsub("^.-:%d+: ", "") return nil, true end)
    busted.subscribe({ "test", "end" }, function(element, _, status)
      line(status == "success" and "ok" or status, full_name(element), status ~= "success" and message or nil)
      return nil, true
    end)
  end }
end
