package sandbox

import (
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// Values that no script has made, with names: library functions and tables, the environment itself, and what programs
// around the sandbox add. A snapshot has the name in place of the value, because loading makes the value again.

// An Original is a value that a State or an environment has by itself.
type Original struct {
	Group, Name string
	Value       lua.LValue
	Open        bool // scripts can change it: a table without a protected metatable
}

// Text returns the name of an original, which no other one of the same State or environment has.
func (o Original) Text() string { return strings.TrimPrefix(o.Group+"."+o.Name, ".") }

// Originals calls visit for the values that all environments share.
func (s *State) Originals(visit func(Original)) {
	group := func(name string, entries []entry) {
		for _, en := range entries {
			if fn, ok := en.value.(*lua.LFunction); ok {
				visit(Original{Group: name, Name: en.name, Value: fn})
			}
		}
	}
	group("", s.library.base)
	for _, m := range s.library.modules {
		group(m.name, m.entries)
	}
	group("step of", s.library.steps)
	visit(Original{Group: "frozen", Name: "metatable", Value: s.frozen})
	for _, name := range []string{hiddenConcat, hiddenLen, hiddenPow, hiddenSpread} {
		visit(Original{Group: "hidden", Name: name, Value: s.hidden[name]})
	}
}

// Hidden returns the value that a name has in all chunks that no source can contain; nil for any other name.
func (s *State) Hidden(name string) lua.LValue { return s.hidden[name] }

// Own makes a value an original of the environment. It is called before a script runs in it.
func (e *Env) Own(group, name string, v lua.LValue, open bool) {
	e.own = append(e.own, Original{group, name, v, open})
}

// Originals calls visit for the values that only this environment has. Of two with the same name the last one counts.
func (e *Env) Originals(visit func(Original)) {
	for _, o := range e.own {
		visit(o)
	}
}

// Prototypes returns all functions of a chunk: the file, and the functions inside of each function behind it.
func (c *Chunk) Prototypes() []*lua.FunctionProto {
	list := []*lua.FunctionProto{c.proto}
	for i := 0; i < len(list); i++ {
		list = append(list, list[i].FunctionPrototypes...)
	}
	return list
}

// DeclaredAt returns the line in which the variable begins that inner, a function of the chunk, uses as an upvalue with this
// name; 0 if that is not known.
func (c *Chunk) DeclaredAt(inner *lua.FunctionProto, upvalue string) int {
	around := map[*lua.FunctionProto]*lua.FunctionProto{}
	for _, p := range c.Prototypes() {
		for _, in := range p.FunctionPrototypes {
			around[in] = p
		}
	}
	for p := around[inner]; p != nil; p = around[p] {
		line := 0
		for _, l := range p.DbgLocals {
			if l.Name != upvalue || l.StartPc > len(p.DbgSourcePositions) {
				continue
			}
			at := p.LineDefined // a parameter
			if l.StartPc > 0 {
				at = p.DbgSourcePositions[l.StartPc-1]
			}
			if line == 0 || at <= inner.LineDefined {
				line = at
			}
		}
		if line != 0 {
			return line
		}
	}
	return 0
}
