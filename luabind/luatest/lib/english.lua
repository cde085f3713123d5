-- luassert's texts of failed assertions, in English.
local say = ...
local function set(key, positive, negative)
  say:set("assertion." .. key .. ".positive", positive)
  if negative then say:set("assertion." .. key .. ".negative", negative) end
end
local function pair(key, what, negation, negated)
  set(key, what .. "\nPassed in:\n%s\nExpected:\n%s" .. (negated or ""), negation .. "\nPassed in:\n%s\nDid not expect:\n%s" .. (negated or ""))
end
pair("same", "Expected objects to be the same.", "Expected objects to not be the same.")
pair("equals", "Expected objects to be equal.", "Expected objects to not be equal.")
pair("near", "Expected values to be near.", "Expected values to not be near.", " +/- %s")
pair("matches", "Expected strings to match.", "Expected strings not to match.")
set("unique", "Expected object to be unique:\n%s", "Expected object to not be unique:\n%s")
set("error", "Expected a different error.\nCaught:\n%s\nExpected:\n%s", "Expected no error, but caught:\n%s")
set("truthy", "Expected to be truthy, but value was:\n%s", "Expected to not be truthy, but value was:\n%s")
set("falsy", "Expected to be falsy, but value was:\n%s", "Expected to not be falsy, but value was:\n%s")
set("called", "Expected to be called %s time(s), but was called %s time(s)", "Expected not to be called exactly %s time(s), but it was.")
for word, text in pairs({ at_least = "at least", at_most = "at most", more_than = "more than", less_than = "less than" }) do
  set("called_" .. word, "Expected to be called " .. text .. " %s time(s), but was called %s time(s)")
end
set("called_with", "Function was never called with matching arguments.\nCalled with (last call if any):\n%s\nExpected:\n%s",
  "Function was called with matching arguments at least once.\nCalled with (last matching call):\n%s\nDid not expect:\n%s")
set("returned_with", "Function never returned matching arguments.\nReturned (last call if any):\n%s\nExpected:\n%s",
  "Function returned matching arguments at least once.\nReturned (last matching call):\n%s\nDid not expect:\n%s")
set("returned_arguments", "Expected to be called with %s argument(s), but was called with %s", "Expected not to be called with %s argument(s), but was called with %s")
set("array_holes", "Expected array to have holes, but none was found.\n", "Expected array to not have holes, hole found at position: %s\n")
say:set("assertion.internal.argtolittle", "the '%s' function requires a minimum of %s arguments, got: %s")
say:set("assertion.internal.badargtype", "bad argument #%s to '%s' (%s expected, got %s)")
return say
