package api

// A Word is a function of test files. Package luatest binds these names; a test there compares them with its own lists.
type Word struct {
	Name string
	Text Text
}

var (
	body  = map[string]string{"name": "string", "fn": "fun()"}
	block = map[string]string{"fn": "fun()"}
)

// TestWords lists the globals of a test file, sorted. assert is not among them.
var TestWords = []Word{
	{"after_each", Text{Params: "fn", Types: block, Doc: "Runs after each test of this group and of the groups in it, even if the test failed."}},
	{"before_each", Text{Params: "fn", Types: block, Doc: "Runs before each test of this group and of the groups in it."}},
	{"describe", Text{Params: "name, fn", Types: body, Doc: "A group of tests. Its function runs while the file loads."}},
	{"it", Text{Params: "name, fn?", Types: body, Doc: "A test: it passes if the function returns without an error. Without a function it is pending."}},
	{"pending", Text{Params: "name?, fn?", Types: body, Doc: "A test that is not written yet. Inside of a test it ends that test as pending."}},
}

// TestModule lists the functions of the module ecs.test, sorted.
var TestModule = []Word{
	{"list", Text{Params: "…", Types: map[string]string{"…": "any"}, Returns: []string{"any[] values"}, Doc: "Returns the values over which a loop would iterate, views and events as plain tables: t.list(world:peek(\"Died\"))."}},
	{"world", Text{Params: "spec?", Types: map[string]string{"spec": "ecs.test.WorldSpec"}, Returns: []string{"ecs.test.World world"}, Doc: "Makes a world with its systems, and runs startup and init. It ends with its test."}},
}

// TestWorld lists the methods that a world of a test has besides those of World, sorted.
var TestWorld = []Word{
	{"step", Text{Params: "frames?, dt?", Types: map[string]string{"frames": "integer", "dt": "number"}, Returns: []string{"integer ran", "string? reason"}, Doc: "Runs frames: 1, and with the dt of the config, unless told. It returns how many ran and, if a system has stopped the world, the reason."}},
}

var (
	two = map[string]string{"expected": "any", "actual": "any", "message": "any"}
	one = map[string]string{"value": "any", "message": "any"}
)

// Asserts lists the words of assert, sorted.
var Asserts = []Word{
	{"equal", Text{Params: "expected, actual, message?", Types: two, Doc: "Passes if the two are equal by ==."}},
	{"error", Text{Params: "fn, expected?, message?", Types: map[string]string{"fn": "fun()", "expected": "string|table", "message": "any"}, Returns: []string{"any error"}, Doc: "Passes if the function raises an error that contains the text. It returns the error."}},
	{"falsy", Text{Params: "value, message?", Types: one, Doc: "Passes if the value is nil or false."}},
	{"is_false", Text{Params: "value, message?", Types: one, Doc: "Passes if the value is exactly false."}},
	{"is_nil", Text{Params: "value, message?", Types: one, Doc: "Passes if the value is nil."}},
	{"is_not_nil", Text{Params: "value, message?", Types: one, Doc: "Passes if the value is not nil."}},
	{"is_true", Text{Params: "value, message?", Types: one, Doc: "Passes if the value is exactly true."}},
	{"matches", Text{Params: "pattern, text, message?", Types: map[string]string{"pattern": "string", "text": "string", "message": "any"}, Returns: []string{"string? capture"}, Doc: "Passes if the Lua pattern matches somewhere in the text. It returns the captures."}},
	{"near", Text{Params: "expected, actual, tolerance, message?", Types: map[string]string{"expected": "number", "actual": "number", "tolerance": "number", "message": "any"}, Doc: "Passes if the two numbers differ by at most the tolerance."}},
	{"no_error", Text{Params: "fn, message?", Types: map[string]string{"fn": "fun()", "message": "any"}, Doc: "Passes if the function raises no error."}},
	{"not_equal", Text{Params: "expected, actual, message?", Types: two, Doc: "Passes if the two are not equal by ==."}},
	{"not_same", Text{Params: "expected, actual, message?", Types: two, Doc: "Passes if the two have different content."}},
	{"same", Text{Params: "expected, actual, message?", Types: two, Doc: "Passes if the two have the same content; views and events are compared as tables of their fields."}},
	{"truthy", Text{Params: "value, message?", Types: one, Doc: "Passes if the value is neither nil nor false."}},
}

// AssertFillers are the words that may stand between assert and its words: assert.are.equal.
var AssertFillers = []string{"are", "has", "is"}
