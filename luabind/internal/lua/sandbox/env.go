package sandbox

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/config/suggest"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	lua "github.com/yuin/gopher-lua"
)

// This file makes the globals of the scripts of a mod. The libraries are made once per State (openLibraries); each
// Env gets copies of their tables. The metatable of an Env raises errors for globals that are not declared.

// Random is the generator behind math.random: one stream for each system.
type Random interface {
	Float64() float64       // in [0, 1)
	Int(lo, hi int64) int64 // in [lo, hi]; lo <= hi
	Seed(n float64)         // starts the stream again
}

// EnvOptions are the options that differ between environments.
type EnvOptions struct {
	Print   io.Writer // where print writes, one Write per line; nil: nowhere
	Random  Random    // behind math.random; nil: it raises
	Open    bool      // assigning a global declares it; it is nil before, for the code that assigns it
	Scripts bool      // it is for scripts, which may add to the table string: strings in their code have these methods
}

// An Env holds the globals of the scripts of one mod, with its own copies of the library tables. The tables are
// filled in sorted order, so that pairs visits them in the same order in every run. What a script does to its Env
// is not visible in another one. Reading or writing a global that is not declared raises an error; rawset declares one.
type Env struct {
	Table *lua.LTable // _G
	state *State
	print io.Writer
	own   []Original
	open  bool

	libraries map[string]*lua.LTable
}

// NewEnv makes an environment with Lua's libraries, without the functions that reach outside (see the package
// documentation).
func (s *State) NewEnv(o EnvOptions) *Env {
	e := &Env{Table: s.base.CreateTable(0, 64), state: s, print: o.Print, open: o.Open, libraries: map[string]*lua.LTable{}}
	if e.print == nil {
		e.print = io.Discard
	}
	for _, m := range s.library.modules {
		t := s.base.CreateTable(0, len(m.entries))
		entries := m.entries
		if m.name == "math" {
			random := s.randomEntries(o.Random)
			for _, en := range random {
				e.Own("math", en.name, en.value, false)
			}
			entries = withEntries(entries, random)
		}
		for _, en := range entries {
			t.RawSetString(en.name, en.value)
		}
		if m.name == "string" && o.Scripts {
			s.strings[e.Table] = t
		}
		e.libraries[m.name] = t
		e.Table.RawSetString(m.name, t)
		e.Own("", m.name, t, true)
	}
	print := e.printEntries()
	for _, en := range withEntries(s.library.base, print) {
		e.Table.RawSetString(en.name, en.value)
	}
	for _, en := range print {
		e.Own("", en.name, en.value, false)
	}
	e.Table.RawSetString("_G", e.Table)
	mt := s.base.CreateTable(0, 3)
	mt.RawSetString("__index", s.base.NewFunction(e.read))
	if !o.Open {
		mt.RawSetString("__newindex", s.base.NewFunction(e.write))
	}
	mt.RawSetString("__metatable", lua.LString("locked"))
	e.Table.Metatable = mt
	e.Own("", "_G", e.Table, true)
	e.Own("_G", "metatable", mt, false)
	return e
}

// Print prints a line, as the function print does.
func (e *Env) Print(line string) error {
	_, err := e.print.Write(append([]byte(line), '\n'))
	return err
}

// Set declares a global, or replaces it.
func (e *Env) Set(name string, v lua.LValue) { e.Table.RawSetString(name, v) }

// Library returns the table of a library of Lua, as the environment has it from its beginning.
func (e *Env) Library(name string) *lua.LTable { return e.libraries[name] }

// Names lists the declared globals, sorted.
func (e *Env) Names() []string {
	var out []string
	for k, _ := e.Table.Next(lua.LNil); k != lua.LNil; k, _ = e.Table.Next(k) {
		if name, ok := k.(lua.LString); ok {
			out = append(out, string(name))
		}
	}
	slices.Sort(out)
	return out
}

// Load instantiates a chunk: it returns the file as a function, whose arguments are the "..." of the file. fill
// gives values to the names that a [Pass] has introduced; it may be nil if there are none. Load panics if one is
// missing.
func (e *Env) Load(c *Chunk, fill map[string]lua.LValue) *lua.LFunction {
	e.state.learn(c)
	return e.state.instantiate(c, e.Table, fill)
}

// LoadText instantiates a chunk of [CompileText]. Nothing is kept of it when the function is no longer used.
func (e *Env) LoadText(c *Chunk) *lua.LFunction {
	e.state.texts++
	return e.state.instantiate(c, e.Table, nil)
}

// instantiate makes the function that a chunk is, in an environment: see Env.Load.
func (s *State) instantiate(c *Chunk, env *lua.LTable, fill map[string]lua.LValue) *lua.LFunction {
	fn := &lua.LFunction{Env: env, Proto: c.proto, Upvalues: make([]*lua.Upvalue, c.proto.NumUpvalues)}
	for i, name := range c.proto.DbgUpvalues {
		v, ok := s.hidden[name]
		if !ok {
			v, ok = fill[name]
		}
		if !ok {
			panic(fmt.Sprintf("sandbox: no value for the hidden name %q of %s", name, c.Name))
		}
		fn.Upvalues[i] = closedUpvalue(v)
	}
	return fn
}

func closedUpvalue(v lua.LValue) *lua.Upvalue {
	uv := &lua.Upvalue{}
	uv.Close()
	uv.SetValue(v)
	return uv
}

func (e *Env) read(L *lua.LState) int {
	switch k := L.Get(2).(type) {
	case lua.LString:
		if c := e.state.caller(L); !Probed(string(k)) && !(e.open && c.assigns(string(k))) {
			L.RaiseError("%s", e.unreadable(c, string(k)))
		}
		L.Push(lua.LNil)
	default:
		L.Push(lua.LNil) // _G[1]: no name, and not there
	}
	return 1
}

func (e *Env) write(L *lua.LState) int {
	name, ok := L.Get(2).(lua.LString)
	if !ok {
		L.RaiseError("a global needs a name, not a %s value", L.Get(2).Type())
	}
	L.RaiseError("%s", unwritable(e.state.caller(L), string(name)))
	return 0
}

// undeclared returns the message about a global that is not there, with what to write.
func undeclared(name, why string) string {
	return fmt.Sprintf("undeclared global %q; %s", syntax.CutName(name), why)
}

// unreadable returns the message about a global that c reads; c is nil if it is not known.
func (e *Env) unreadable(c *Chunk, name string) string {
	text := fmt.Sprintf("undeclared global %q", syntax.CutName(name))
	if why, ok := absent[name]; ok {
		return undeclared(name, why)
	}
	if why, ok := probed[name]; ok {
		return undeclared(name, why)
	}
	if c.assigns(name) {
		return unwritable(c, name)
	}
	if near, ok := suggest.Closest(name, e.Names()); ok {
		return text + fmt.Sprintf("; did you mean %q?", near)
	}
	return text + "; no local of this name is visible here"
}

// unwritable returns the message about a global that c assigns.
func unwritable(c *Chunk, name string) string {
	if asSystem[name] {
		return fmt.Sprintf("undeclared global %q; the schedule runs what the file returns: return function(world, dt) … end, or local M = {} function M.update(world, dt) … end return M", name)
	}
	text := fmt.Sprintf("undeclared global %q; use local", syntax.CutName(name))
	if isName(name) && len(name) < 60 {
		text += fmt.Sprintf(": local %s = …", name)
	}
	if c.counts(name) {
		text += "; what lasts from frame to frame belongs in state"
	}
	return text
}

// asSystem are the names of functions that other engines call when a file sets them.
var asSystem = map[string]bool{"update": true, "init": true, "Update": true, "Init": true, "on_update": true, "on_init": true, "on_tick": true, "_update": true, "_init": true}

func isName(s string) bool {
	for i := range len(s) {
		if !syntax.IsLetter(s[i]) && (i == 0 || !syntax.IsDigit(s[i])) {
			return false
		}
	}
	return s != ""
}

// entry is one name of a library. Entries are sorted by name.
type entry struct {
	name  string
	value lua.LValue
}

type module struct {
	name    string
	entries []entry
}

// library is the original from which every Env gets its copies.
type library struct {
	base    []entry
	modules []module
	steps   []entry // what loops over pairs and ipairs call
}

func withEntries(a, b []entry) []entry {
	out := slices.Concat(a, b)
	slices.SortFunc(out, func(x, y entry) int { return strings.Compare(x.name, y.name) })
	return out
}

// entries makes sorted entries of Go functions. forms has their native forms, by module and name.
func (s *State) entries(module string, m map[string]lua.LGFunction, forms forms) []entry {
	out := make([]entry, 0, len(m))
	for name, fn := range m {
		if kind, ok := controls[module+name]; ok {
			out = append(out, entry{name, interp.NewControl(s.base.Env, fn, nil, kind)})
			continue
		}
		f := forms[module+name]
		v := s.NewNative(fn, f.one)
		if f.many != nil {
			v = interp.NewMulti(s.base.Env, fn, f.one, f.many)
		}
		out = append(out, entry{name, v})
	}
	return withEntries(out, nil)
}

// NewNative makes a Lua function of fn and its native form, nil if it has none.
func (s *State) NewNative(fn lua.LGFunction, native interp.Native) *lua.LFunction {
	if native == nil {
		return s.base.NewFunction(fn)
	}
	return interp.NewNative(s.base.Env, fn, native)
}

// NewMulti makes a Lua function of fn and its form for package interp, which gives any number of results.
func (s *State) NewMulti(fn lua.LGFunction, multi interp.Multi) *lua.LFunction {
	return interp.NewMulti(s.base.Env, fn, nil, multi)
}

// NewShaped is NewNative with a form for calls whose last argument is a table constructor, nil if it has none.
func (s *State) NewShaped(fn lua.LGFunction, native interp.Native, shaped interp.Shaped) *lua.LFunction {
	if shaped == nil {
		return s.NewNative(fn, native)
	}
	return interp.NewShaped(s.base.Env, fn, native, shaped)
}

func (s *State) openLibraries() {
	natives := s.natives()
	str := s.entries("string.", s.stringFunctions(), natives)
	loops, steps := s.pairsEntries()
	s.library = &library{
		steps: steps,
		base:  withEntries(s.entries("", s.baseFunctions(), natives), append(loops, entry{"_VERSION", lua.LString("Lua 5.1")})),
		modules: []module{
			{"bit", s.entries("bit.", bitFunctions(), natives)},
			{"coroutine", s.entries("coroutine.", s.coroutineFunctions(), natives)},
			{"math", withEntries(s.entries("math.", mathFunctions(), natives), mathConstants())},
			{"string", str},
			{"table", s.tableEntries(natives)},
		},
	}
	s.hidden = map[string]lua.LValue{
		hiddenConcat:    interp.NewControl(s.base.Env, s.concat, s.nativeConcat, interp.Concat),
		hiddenLen:       interp.NewOperator(s.base.Env, s.listLen, s.nativeLen, "__len"),
		hiddenSpread:    s.NewFunction(s.spread),
		hiddenPow:       interp.NewOperator(s.base.Env, s.power, nativePower, "__pow"),
		hiddenMinusZero: minusZero,
		hiddenConstant:  lua.LNil, // no code reads it
	}
	s.openStrings(str)
}
