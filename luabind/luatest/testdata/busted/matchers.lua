-- Matchers.
local function holds(matcher, value) assert.is_true(matcher(value)) end
local function not_holds(matcher, value) assert.is_false(matcher(value)) end

it("are values", function()
  assert.is_true(match.is_matcher(match._))
  assert.is_true(match.is_matcher(match.is_table()))
  assert.is_false(match.is_matcher({}))
  assert.is_true(match.is_ref_matcher(match.is_ref({})))
  assert.is_false(match.is_ref_matcher(match._))
end)
it("stand for kinds", function()
  holds(match._, nil) holds(match.is_true(), true) holds(match.is_false(), false) holds(match.truthy(), 0) holds(match.falsy(), nil) holds(match.is_nil(), nil)
  holds(match.is_number(), 1) holds(match.is_string(), "") holds(match.is_boolean(), false) holds(match.is_table(), {}) holds(match.is_function(), print)
  holds(match.is_thread(), coroutine.create(function() end)) not_holds(match.is_userdata(), 1) not_holds(match.is_number(), "1") not_holds(match.is_true(), 1)
end)
it("are negated", function()
  holds(match.is_not_nil(), 1) holds(match.Not.equals(1), 2) holds(match.is_not_same({ 1 }), { 2 }) not_holds(match.no_table(), {}) holds(match.is_not.near(1, 0.5), 2)
end)
it("compare", function()
  local t = { 1 }
  holds(match.equals(1), 1) holds(match.equal("a"), "a") not_holds(match.equals({}), {}) holds(match.same({ 1 }), { 1 }) not_holds(match.same({ 1 }), { 2 })
  holds(match.is_ref(t), t) not_holds(match.is_ref(t), { 1 }) holds(match.near(1, 0.5), 1.5) holds(match.near("1", 0), "1") not_holds(match.near(1, 0.5), "x")
  holds(match.matches("^a"), "abc") holds(match.match("b", 2, true), "abc") holds(match.matches("%d"), 5) not_holds(match.matches("x"), {})
  holds(match.unique(), { 1, 2, {}, {} }) not_holds(match.unique(true), { {}, {} })
end)
it("are put together", function()
  holds(match.any_of(match.is_number(), match.is_string()), "x") not_holds(match.any_of(match.is_number()), "x")
  holds(match.all_of(match.is_number(), match.equals(1)), 1) not_holds(match.all_of(match.is_number(), match.equals(1)), 2)
  holds(match.none_of(match.is_number(), match.is_string()), {}) not_holds(match.none_of(match.is_number()), 1)
end)
it("need their arguments", function()
  for _, name in ipairs({ "equals", "same", "near", "matches", "ref", "any_of", "all_of", "none_of" }) do
    assert.has_error(function() match[name]() end)
  end
  assert.has_error(function() match.is_ref(1) end)
  assert.has_error(function() match.any_of(1) end)
  assert.has_error(function() match.is_tabel() end)
end)
