package lint

// The list of codes. A code keeps its meaning for ever: a new rule gets a new code, and a rule that is dropped leaves a gap.

// A Code describes one sort of finding.
type Code struct {
	ID    string // "W101"
	Title string // what the finding is, as the heading in docs/check.md
	Error bool   // it fails a check even without --strict
}

// Codes lists all codes that check reports, sorted by ID. Those that need the config file are found by package app.
var Codes = []Code{
	{"E101", "a mistake in the config", true},
	{"E201", "a script that does not load", true},
	{"E202", "a name that nothing declares", true},
	{"E203", "an operation that a value does not have", true},
	{"E204", "a value that a field cannot hold", true},
	{"E205", "an argument that a function does not take", true},
	{"E206", "a change of structure in a query loop", true},
	{"E207", "a call at a place where it is not possible", true},
	{"W101", "an unused local", false},
	{"W102", "an unused parameter", false},
	{"W103", "a local that is assigned and never read", false},
	{"W104", "a local that hides a library", false},
	{"W105", "a library function that Lua 5.1 lacks", false},
	{"W106", "a weak table", false},
	{"W107", "something that Lua 5.1 does in another way", false},
	{"W108", "a global that nothing declares, in a file that does not require `ecs`", false},
	{"W201", "a declared name that nothing uses", false},
	{"W202", "a component that is read and never spawned or added", false},
	{"W203", "a tag that is asked for and never given", false},
	{"W204", "an event that is read and never sent", false},
	{"W205", "a query that contradicts itself", false},
	{"W206", "a system that can never match", false},
	{"W207", "a system that never has a turn", false},
	{"W301", "a variable kept between frames outside `state`", false},
	{"W302", "a kept coroutine that cannot be saved", false},
	{"W303", "an iterator kept between frames", false},
	{"W304", "a changed table that is never stored", false},
	{"W401", "two systems that write one field in an order that only their places fix", false},
	{"W402", "`impl: closures` left in", false},
	{"W403", "a loop of a hot system that is not compiled", true},
	{"W501", "an entity field as a condition", false},
	{"W502", "a field that is never nil as a condition", false},
	{"W503", "an entity printed as a number", false},
	{"W504", "arithmetic with an entity", false},
	{"W901", "an ignore that silences nothing", false},
}
