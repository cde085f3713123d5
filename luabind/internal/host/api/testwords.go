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
	{"context", Text{Params: "name, fn", Types: body, Doc: "The same as describe."}},
	{"describe", Text{Params: "name, fn", Types: body, Doc: "A group of tests. Its function runs when the turn of the group comes."}},
	{"expose", Text{Params: "name, fn", Types: body, Doc: "A group whose globals and modules stay after the insulated group around it."}},
	{"finally", Text{Params: "fn", Types: block, Doc: "Runs after the test that calls it, even if the test failed."}},
	{"insulate", Text{Params: "name, fn", Types: body, Doc: "A group after which globals, library tables and modules are what they were before it."}},
	{"it", Text{Params: "name, fn?", Types: body, Doc: "A test: it passes if the function returns without an error. Without a function it is pending."}},
	{"lazy_setup", Text{Params: "fn", Types: block, Doc: "Runs once, before the first test of this group that is run."}},
	{"lazy_teardown", Text{Params: "fn", Types: block, Doc: "Runs once, after the last test of this group, if one was run."}},
	{"pending", Text{Params: "name?, fn?", Types: body, Doc: "A test that is not written yet. Inside of a test it ends that test as pending."}},
	{"randomize", Text{Params: "seed?", Types: map[string]string{"seed": "number|boolean"}, Doc: "Runs what is in this group in an order that follows from the seed, that of the run unless one is given."}},
	{"setup", Text{Params: "fn", Types: block, Doc: "Runs once, before the first test of this group. Worlds that it makes live until the group ends."}},
	{"spec", Text{Params: "name, fn?", Types: body, Doc: "The same as it."}},
	{"strict_setup", Text{Params: "fn", Types: block, Doc: "The same as setup."}},
	{"strict_teardown", Text{Params: "fn", Types: block, Doc: "The same as teardown."}},
	{"teardown", Text{Params: "fn", Types: block, Doc: "Runs once, after the last test of this group."}},
	{"test", Text{Params: "name, fn?", Types: body, Doc: "The same as it."}},
}

// A WordTable is a global of test files whose functions are called as in spy.on(t, "key").
type WordTable struct {
	Name  string
	Doc   string
	Call  []string // how it can be called itself, as types of functions
	Words []Word   // sorted
	Open  string   // the type of all other members; "" if there are none
}

var (
	spied  = map[string]string{"fn": "function", "table": "table", "key": "any", "…": "any", "stubs": "boolean", "value": "any"}
	aSpy   = []string{"ecs.test.Spy spy"}
	aStub  = []string{"ecs.test.Stub stub"}
	aTable = []string{"table table"}
	aTruth = []string{"boolean yes"}
)

// TestTables lists the tables among the globals of a test file, sorted. assert is not among them.
var TestTables = []WordTable{
	{"match", "Matchers: values that stand for arguments in called_with, as in match.is_table(), match.is_not_nil() or match._ for any.", nil, []Word{
		{"is_matcher", Text{Params: "value", Types: spied, Returns: aTruth, Doc: "Reports whether a value is a matcher."}},
		{"is_ref_matcher", Text{Params: "value", Types: spied, Returns: aTruth, Doc: "Reports whether a value is a matcher that match.is_ref has made."}},
	}, "any"},
	{"mock", "Makes spies of all functions in a table and in the tables below it. They are put back after the test.", []string{"fun(table: table, stubs?: boolean, fn?: function): table"}, []Word{
		{"clear", Text{Params: "table", Types: spied, Returns: aTable, Doc: "Forgets the calls of all spies in the table."}},
		{"new", Text{Params: "table, stubs?, fn?", Types: spied, Returns: aTable, Doc: "The same as mock(table)."}},
		{"revert", Text{Params: "table", Types: spied, Returns: aTable, Doc: "Puts back what the spies stand in place of."}},
	}, ""},
	{"spy", "Makes a table that can be called like a function, and counts its calls.", []string{"fun(fn?: function): ecs.test.Spy"}, []Word{
		{"is_spy", Text{Params: "value", Types: spied, Returns: aTruth, Doc: "Reports whether a value is a spy."}},
		{"new", Text{Params: "fn?", Types: spied, Returns: aSpy, Doc: "The same as t.spy(fn)."}},
		{"on", Text{Params: "table, key", Types: spied, Returns: aSpy, Doc: "Puts a spy in place of a function of a table. The function is put back after the test."}},
	}, ""},
	{"stub", "Puts a spy into a table that does not call what was there, but returns values or calls another function.", []string{"fun(table?: table, key?: any, ...: any): ecs.test.Stub"}, []Word{
		{"new", Text{Params: "table?, key?, …", Types: spied, Returns: aStub, Doc: "The same as stub(table, key)."}},
	}, ""},
}

var (
	inTest = map[string]string{"world": "ecs.test.World", "name": "string", "snapshot": "ecs.test.Snapshot"}
	ranged = map[string]string{"min": "number", "max": "number", "max_length": "integer", "values": "table", "fields": "table"}
	made   = []string{"ecs.test.Generator generator"}
)

// TestModule lists the functions of the module ecs.test, sorted.
var TestModule = []Word{
	{"bench", Text{Params: "name, fn", Types: body, Doc: "Measures a function when --bench is given. It never fails a run."}},
	{"bool", Text{Returns: made, Doc: "A generator of false and true."}},
	{"entity", Text{Params: "fields", Types: ranged, Returns: made, Doc: "A generator of what world:spawn takes: t.entity{ Health = { current = t.int(1, 9) }, \"tag\" }."}},
	{"events", Text{Params: "world, name", Types: inTest, Returns: []string{"table[] list"}, Doc: "Returns a list that grows with each event of that name from now on."}},
	{"golden", Text{Params: "world, name", Types: inTest, Doc: "Compares the world with a file beside the test, __golden__/FILE/name.txt. --update writes it."}},
	{"int", Text{Params: "min?, max?", Types: ranged, Returns: made, Doc: "A generator of whole numbers."}},
	{"list", Text{Params: "…", Types: map[string]string{"…": "any"}, Returns: []string{"any values"}, Doc: "Returns the values over which a loop would iterate, views and events as plain tables: t.list(world:peek(\"Died\")). With a generator and a maximal length, a generator of lists."}},
	{"number", Text{Params: "min?, max?", Types: ranged, Returns: made, Doc: "A generator of numbers."}},
	{"one_of", Text{Params: "values", Types: ranged, Returns: made, Doc: "A generator of one of the values, or of what one of the generators among them makes."}},
	{"property", Text{Params: "name, generators, fn, options?", Types: map[string]string{"name": "string", "generators": "any[]", "fn": "fun(...: any)", "options": "{ runs?: integer }"}, Doc: "A test that runs with random arguments. A case that fails is made simpler, and shown as code."}},
	{"restore", Text{Params: "world, snapshot", Types: inTest, Doc: "Puts a world back to a snapshot of it."}},
	{"snapshot", Text{Params: "world", Types: inTest, Returns: []string{"ecs.test.Snapshot snapshot"}, Doc: "Returns the whole state of a world, for t.restore."}},
	{"spy", Text{Params: "fn?", Types: map[string]string{"fn": "function"}, Returns: []string{"ecs.test.Spy spy"}, Doc: "Returns a table that can be called like the function, and counts its calls."}},
	{"string", Text{Params: "max_length?", Types: ranged, Returns: made, Doc: "A generator of strings."}},
	{"table", Text{Params: "fields", Types: ranged, Returns: made, Doc: "A generator of tables: t.table{ key = generator }."}},
	{"world", Text{Params: "spec?", Types: map[string]string{"spec": "ecs.test.WorldSpec"}, Returns: []string{"ecs.test.World world"}, Doc: "Makes a world with its systems, and runs startup and init. It ends with its test."}},
}

// TestWorld lists the methods that a world of a test has besides those of World, sorted.
var TestWorld = []Word{
	{"step", Text{Params: "frames?, dt?", Types: map[string]string{"frames": "integer", "dt": "number"}, Returns: []string{"integer ran", "string? reason"}, Doc: "Runs frames: 1, and with the dt of the config, unless told. It returns how many ran and, if a system has stopped the world, the reason."}},
}

var (
	two     = map[string]string{"expected": "any", "actual": "any", "message": "any"}
	one     = map[string]string{"value": "any", "message": "any"}
	raises  = map[string]string{"fn": "fun()", "expected": "string|table", "pattern": "string", "message": "any"}
	search  = map[string]string{"pattern": "string", "text": "string", "init": "integer|any", "plain": "boolean|any", "message": "any"}
	numbers = map[string]string{"expected": "number", "actual": "number", "tolerance": "number", "number": "number", "message": "any"}
	some    = map[string]string{"number": "integer", "…": "any", "list": "table", "deep": "boolean|any", "message": "any", "spy": "ecs.test.Spy"}
	further = []string{"ecs.test.Assert assert"}

	registers = map[string]string{"kind": "\"assertion\"|\"modifier\"|\"matcher\"", "name": "string", "value": "any", "args": "table", "level": "any", "callback": "function", "positive": "string", "negative": "string"}
)

// value returns the text of an assertion about one value, which it returns.
func value(doc string) Text {
	return Text{Params: "value, message?", Types: one, Returns: []string{"any value"}, Doc: "Passes if the value is " + doc + "."}
}

// Asserts lists the words of assert that stand for themselves, sorted, with the modifiers that take an argument.
// Modifiers may be put before each: see AssertFillers.
var Asserts = []Word{
	{"array", Text{Params: "list", Types: some, Returns: further, Doc: "Begins an assertion about a list: assert.array(list).has.no.holes()."}},
	{"boolean", value("a boolean")},
	{"called", Text{Params: "number?, message?", Types: some, Doc: "After assert.spy(s): passes if there were so many calls; without a number, if there was one."}},
	{"called_at_least", Text{Params: "number, message?", Types: some, Doc: "After assert.spy(s): passes if there were at least so many calls."}},
	{"called_at_most", Text{Params: "number, message?", Types: some, Doc: "After assert.spy(s): passes if there were at most so many calls."}},
	{"called_less_than", Text{Params: "number, message?", Types: some, Doc: "After assert.spy(s): passes if there were fewer calls."}},
	{"called_more_than", Text{Params: "number, message?", Types: some, Doc: "After assert.spy(s): passes if there were more calls."}},
	{"called_with", Text{Params: "…", Types: some, Doc: "After assert.spy(s): passes if a call had arguments of the same content."}},
	{"equal", Text{Params: "expected, actual, message?", Types: two, Doc: "Passes if the two are equal by ==."}},
	{"equals", Text{Params: "expected, actual, message?", Types: two, Doc: "The same as equal."}},
	{"error", Text{Params: "fn, expected?, message?", Types: raises, Returns: []string{"any error"}, Doc: "Passes if the function raises an error that contains the text. It returns the error."}},
	{"error_match", Text{Params: "fn, pattern, message?", Types: raises, Returns: []string{"string? capture"}, Doc: "The same as error_matches."}},
	{"error_matches", Text{Params: "fn, pattern, message?", Types: raises, Returns: []string{"string? capture"}, Doc: "Passes if the function raises an error that the Lua pattern matches."}},
	{"errors", Text{Params: "fn, expected?, message?", Types: raises, Returns: []string{"any error"}, Doc: "The same as error."}},
	{"falsy", value("nil or false")},
	{"has_error", Text{Params: "fn, expected?, message?", Types: raises, Returns: []string{"any error"}, Doc: "The same as error."}},
	{"has_no_error", Text{Params: "fn, message?", Types: raises, Doc: "The same as no_error."}},
	{"holes", Text{Params: "length?", Types: map[string]string{"length": "integer"}, Returns: []string{"integer? index"}, Doc: "After assert.array(list): passes if an item up to the length, or the last one, is nil. It returns where."}},
	{"is_boolean", value("a boolean")},
	{"is_false", value("exactly false")},
	{"is_falsy", value("nil or false")},
	{"is_function", value("a function")},
	{"is_nil", value("nil")},
	{"is_not_nil", value("not nil")},
	{"is_number", value("a number")},
	{"is_string", value("a string")},
	{"is_table", value("a table")},
	{"is_true", value("exactly true")},
	{"is_truthy", value("neither nil nor false")},
	{"match", Text{Params: "pattern, text, init?, plain?, message?", Types: search, Returns: []string{"string? capture"}, Doc: "The same as matches."}},
	{"match_error", Text{Params: "fn, pattern, message?", Types: raises, Returns: []string{"string? capture"}, Doc: "The same as error_matches."}},
	{"matches", Text{Params: "pattern, text, init?, plain?, message?", Types: search, Returns: []string{"string? capture"}, Doc: "Passes if the Lua pattern matches somewhere in the text. It returns the captures."}},
	{"matches_error", Text{Params: "fn, pattern, message?", Types: raises, Returns: []string{"string? capture"}, Doc: "The same as error_matches."}},
	{"message", Text{Params: "message", Types: one, Returns: further, Doc: "Puts a message in front of what the assertion after it says: assert.message(\"why\").is_true(x)."}},
	{"near", Text{Params: "expected, actual, tolerance, message?", Types: numbers, Doc: "Passes if the two numbers differ by at most the tolerance."}},
	{"no_error", Text{Params: "fn, message?", Types: raises, Doc: "Passes if the function raises no error."}},
	{"no_match", Text{Params: "pattern, text, init?, plain?, message?", Types: search, Doc: "Passes if the Lua pattern matches nowhere in the text."}},
	{"not_equal", Text{Params: "expected, actual, message?", Types: two, Doc: "Passes if the two are not equal by ==."}},
	{"not_same", Text{Params: "expected, actual, message?", Types: two, Doc: "Passes if the two have different content."}},
	{"number", value("a number")},
	{"returned_arguments", Text{Params: "number, …", Types: some, Doc: "Passes if there are so many values: assert.returned_arguments(2, f())."}},
	{"returned_with", Text{Params: "…", Types: some, Doc: "After assert.spy(s): passes if a call has returned values of the same content."}},
	{"same", Text{Params: "expected, actual, message?", Types: two, Doc: "Passes if the two have the same content; views and events are compared as tables of their fields."}},
	{"spy", Text{Params: "spy", Types: some, Returns: further, Doc: "Begins an assertion about a spy: assert.spy(s).was.called(1)."}},
	{"string", value("a string")},
	{"stub", Text{Params: "spy", Types: some, Returns: further, Doc: "The same as spy."}},
	{"table", value("a table")},
	{"thread", value("a coroutine")},
	{"truthy", value("neither nil nor false")},
	{"unique", Text{Params: "list, deep?, message?", Types: some, Doc: "Passes if no two values of the table are equal; if deep is true, by their content."}},
	{"userdata", value("an object of ecsrun, such as a view")},
	{"was_called", Text{Params: "number?, message?", Types: some, Doc: "The same as called."}},
	{"was_called_with", Text{Params: "…", Types: some, Doc: "The same as called_with."}},
	{"was_not_called", Text{Params: "message?", Types: some, Doc: "After assert.spy(s): passes if there was no call."}},
}

// AssertMethods lists the functions of assert that are called with a colon, as in luassert, sorted.
var AssertMethods = []Word{
	{"add_formatter", Text{Params: "callback", Types: registers, Doc: "Makes a function show values in luassert's texts: it returns a text, or nil for values of other kinds."}},
	{"add_spy", Text{Params: "value", Types: registers, Doc: "Does nothing: all spies are known."}},
	{"format", Text{Params: "args", Types: registers, Returns: []string{"table args"}, Doc: "Shows the values of a list in place, as luassert's texts do."}},
	{"get_level", Text{Params: "value", Types: registers, Returns: []string{"integer? level"}, Doc: "Returns the level of a value that assert:level has made."}},
	{"get_parameter", Text{Params: "name", Types: registers, Returns: []string{"any value"}, Doc: "Returns a parameter of luassert's texts."}},
	{"level", Text{Params: "level", Types: registers, Returns: []string{"table level"}, Doc: "Makes a value that stands for a level of error."}},
	{"register", Text{Params: "kind, name, callback, positive?, negative?", Types: registers, Doc: "Adds an assertion, a modifier or a matcher. The last two are keys of the module say."}},
	{"remove_formatter", Text{Params: "callback", Types: registers, Doc: "Takes away what add_formatter has added."}},
	{"set_parameter", Text{Params: "name, value", Types: registers, Doc: "Sets a parameter of luassert's texts, such as TableFormatLevel."}},
	{"snapshot", Text{Returns: []string{"table snapshot"}, Doc: "Returns an object whose method revert puts back what spies replace from here on, and the formatters and parameters of now."}},
	{"state", Text{Returns: []string{"table state"}, Doc: "Returns the state that registered functions get."}},
	{"unregister", Text{Params: "kind, name", Types: registers, Doc: "Takes away an assertion, a modifier or a matcher."}},
}

// AssertFillers are the modifiers that may stand before a word of assert, sorted: assert.are.equal, assert.is_not.equal,
// assert.has.no.errors. Those that end in no or not negate it.
var AssertFillers = []string{"Not", "a", "an", "are", "are_not", "does", "does_not", "has", "has_no", "is", "is_not", "no", "was", "was_not", "were"}
