-- For luacheck, written by ecsrun init: the globals of scripts and of tests.
std = "ecsrun"
max_line_length = 160
ignore = {
  "212", -- an unused argument: world, dt
  "213", -- an unused loop variable: every query loop begins with the entity
}
exclude_files = { "types" }

stds.ecsrun = {
  read_globals = {
    "_G",
    "_VERSION",
    assert = { fields = {} },
    "collectgarbage",
    coroutine = { fields = { "create", "resume", "running", "status", "wrap", "yield" } },
    "error",
    "getmetatable",
    "ipairs",
    math = { fields = { "abs", "acos", "asin", "atan", "atan2", "ceil", "cos", "cosh", "deg", "exp", "floor", "fmod", "frexp", "huge", "ldexp", "log", "log10", "max", "min", "mod", "modf", "pi", "pow", "rad", "random", "randomseed", "sin", "sinh", "sqrt", "tan", "tanh" } },
    "next",
    "pairs",
    "pcall",
    "print",
    "rawequal",
    "rawget",
    "rawset",
    "require",
    "select",
    "setmetatable",
    string = { fields = { "byte", "char", "find", "format", "gmatch", "gsub", "len", "lower", "match", "rep", "reverse", "sub", "upper" } },
    table = { fields = { "concat", "getn", "insert", "maxn", "remove", "sort" } },
    "tonumber",
    "tostring",
    "type",
    "unpack",
    "xpcall",
  },
}

stds.ecsrun_test = {
  read_globals = {
    "after_each",
    "before_each",
    "describe",
    "it",
    "pending",
    assert = {
      fields = {
        "equal", "error", "falsy", "is_false", "is_nil", "is_not_nil", "is_true", "matches", "near", "no_error", "not_equal", "not_same", "same", "truthy",
        are = { fields = { "equal", "error", "falsy", "is_false", "is_nil", "is_not_nil", "is_true", "matches", "near", "no_error", "not_equal", "not_same", "same", "truthy" } },
        has = { fields = { "equal", "error", "falsy", "is_false", "is_nil", "is_not_nil", "is_true", "matches", "near", "no_error", "not_equal", "not_same", "same", "truthy" } },
        is = { fields = { "equal", "error", "falsy", "is_false", "is_nil", "is_not_nil", "is_true", "matches", "near", "no_error", "not_equal", "not_same", "same", "truthy" } },
      },
    },
  },
}

files["**/*_test.lua"] = { std = "ecsrun+ecsrun_test" }
