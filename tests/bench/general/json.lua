-- A parser of JSON that goes through the text character by character.
local Parser = {}
Parser.__index = Parser

function Parser.new(text)
  return setmetatable({ text = text, at = 0, line = 1, current = nil, capture = "", from = nil }, Parser)
end

function Parser:read()
  if self.current == "\n" then self.line = self.line + 1 end
  self.at = self.at + 1
  if self.at <= #self.text then
    self.current = self.text:sub(self.at, self.at)
  else
    self.current = nil
  end
end

function Parser:fail(what) error("line " .. self.line .. ": " .. what .. " expected") end

function Parser:skip(c)
  if self.current ~= c then return false end
  self:read()
  return true
end

function Parser:require(c)
  if not self:skip(c) then self:fail(c) end
end

function Parser:white()
  local c = self.current
  while c == " " or c == "\t" or c == "\n" or c == "\r" do
    self:read()
    c = self.current
  end
end

function Parser:begin() self.from = self.at end

function Parser:taken() return self.text:sub(self.from, self.at - 1) end

function Parser:word(word, value)
  for i = 1, #word do self:require(word:sub(i, i)) end
  return value
end

local escapes = { ['"'] = '"', ["/"] = "/", ["\\"] = "\\", b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" }

function Parser:string()
  self:read()
  self:begin()
  local parts = {}
  while self.current ~= '"' do
    if not self.current then self:fail("end of string") end
    if self.current == "\\" then
      parts[#parts + 1] = self:taken()
      self:read()
      local c = escapes[self.current]
      if not c then self:fail("escape") end
      parts[#parts + 1] = c
      self:read()
      self:begin()
    else
      self:read()
    end
  end
  parts[#parts + 1] = self:taken()
  self:read()
  return table.concat(parts)
end

local digits = {}
for i = 0, 9 do digits[tostring(i)] = true end

function Parser:digits()
  if not digits[self.current] then self:fail("digit") end
  while digits[self.current] do self:read() end
end

function Parser:number()
  self:begin()
  self:skip("-")
  self:digits()
  if self:skip(".") then self:digits() end
  if self:skip("e") or self:skip("E") then
    if not self:skip("+") then self:skip("-") end
    self:digits()
  end
  return tonumber(self:taken())
end

function Parser:array()
  local list = {}
  self:read()
  self:white()
  if self:skip("]") then return list end
  repeat
    self:white()
    list[#list + 1] = self:value()
    self:white()
  until not self:skip(",")
  self:require("]")
  return list
end

function Parser:object()
  local object = {}
  self:read()
  self:white()
  if self:skip("}") then return object end
  repeat
    self:white()
    if self.current ~= '"' then self:fail("name") end
    local name = self:string()
    self:white()
    self:require(":")
    self:white()
    object[name] = self:value()
    self:white()
  until not self:skip(",")
  self:require("}")
  return object
end

function Parser:value()
  local c = self.current
  if c == '"' then return self:string() end
  if c == "{" then return self:object() end
  if c == "[" then return self:array() end
  if c == "t" then return self:word("true", true) end
  if c == "f" then return self:word("false", false) end
  if c == "n" then return self:word("null", nil) end
  if c == "-" or digits[c] then return self:number() end
  self:fail("value")
end

local records = {}
for i = 1, 40 do
  records[i] = string.format('{ "id": %d, "name": "record \\"%d\\"", "at": [%d.5, -%de2, true, false],\n  "inside": { "kind": "leaf", "tags": ["a", "bc", "def"] } }', i, i, i * 3, i)
end
local text = '{ "count": 40, "list": [\n' .. table.concat(records, ",\n") .. "\n] }"

return function()
  local p = Parser.new(text)
  p:read()
  p:white()
  local result = p:value()
  return #result.list .. result.list[40].name
end
