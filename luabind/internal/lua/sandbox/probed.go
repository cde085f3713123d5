package sandbox

import (
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// Globals that libraries ask for to find out in which Lua, or in which program, they run: jit, love, setfenv. Reading one
// gives nil, so that the question has an answer. Calling or indexing that nil is an error that says what to write.

// probed says, for each of these names, what to write instead.
var probed = func() map[string]string {
	out := map[string]string{}
	for _, of := range []struct{ hint, names string }{
		{"write world.time for the time; scripts do not reach the system", "os"},
		{"write print(text), and ecs.data(name) for a data file of the config; scripts do not reach other files", "io"},
		{"write error(text), whose message names file, line and calls", "debug"},
		{"it is not available to scripts", "newproxy jit ffi lpeg gcinfo"},
		{"use require", "dofile loadfile"},
		{"return a table from the file", "module"},
		{"environments cannot be changed; load(text, name, \"t\", env) gives a text one of its own", "getfenv setfenv _ENV"},
		{"write bit, as LuaJIT has it: bit.band, bor, bxor, bnot, lshift, rshift, arshift, rol, ror", "bit32"},
		{"this is Lua 5.1, which has no utf8 library", "utf8"},
		{"write ecs.log.warn(text)", "warn"},
		{"write #t", "rawlen"},
		{"scripts get no arguments of the command line", "arg"},
		{"ecsrun test runs tests: see testing.md", "_TEST"},
		{"init and update are given the world, whose functions are the game: see coming-from.md", "game workspace core minetest love playdate system"},
		{"the schedule calls a script, and for event in world:read(\"Event\") do reads what happened: see coming-from.md", "script"},
		{"the program has no window: see coming-from.md", "display"},
		{"scripts do not reach the program around them", "ngx redis vim sys"},
		{"a vector is two number fields, such as x and y", "vmath"},
		{"a system with every: 60 in the config runs every 60 frames; a field that counts down is a timer", "task wait"},
		{"write world.time; scripts do not reach the clock", "tick"},
		{"write world:spawn{ … }", "Instance"},
		{"write type(x)", "typeof"},
		{"require gives a library: local class = require(\"class\")", "common class_commons LibStub"},
	} {
		for name := range strings.FieldsSeq(of.names) {
			out[name] = of.hint
		}
	}
	return out
}()

// Probed reports whether reading the undeclared global of that name gives nil.
func Probed(name string) bool { return probed[name] != "" }

// unprobed returns the message about a use of nil in a register: that of an undeclared global of a name that libraries ask for, or of a
// local or field that has its name. It is "" if the register has no such name.
func (s *State) unprobed(p *lua.FunctionProto, pc, reg int, text string) string {
	kind, name := s.origin(p, pc, reg, 0)
	hint := probed[name]
	switch {
	case hint == "":
		return ""
	case kind == "global":
		return undeclared(name, hint)
	case kind == "local" || kind == "field":
		return withName(text, naming{kind, name}) + "; " + hint
	}
	return ""
}
