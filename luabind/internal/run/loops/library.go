package loops

import (
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/lower"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/ecsrun/ecsrun/luabind/internal/without"
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// The Library: from a Lua function to its syntax. Loops can inline functions of other files because of it.

// A Library knows the functions that loops can inline or call: those of math and a few others in every environment, and
// the Lua functions of every loaded file. The Runners of one Lua state share one Library.
type Library struct {
	off     without.Set
	names   map[lua.LValue]string // names of functions of math, and of others that loops know, by the functions
	files   map[string][]*known   // by the name of the file in messages; there are two while a file is replaced
	strings []stringMethods       // of all environments
}

// NewLibrary returns an empty Library, for loops that do not use some mechanisms.
func NewLibrary(off without.Set) *Library {
	return &Library{off: off, names: map[lua.LValue]string{}, files: map[string][]*known{}}
}

// A known is a file whose functions loops of other files may call. Its syntax is parsed when the first of its
// functions is called.
type known struct {
	file      *File
	tree      *syntax.Chunk
	functions map[*lua.FunctionProto]*ast.FunctionExpr
	loaded    map[*lua.LTable]int // how often the file was loaded into an environment
}

// learn adds a file that is about to be loaded into an environment, and the functions of Lua that loops know, whatever scripts have put
// into their places.
func (l *Library) learn(f *File, state *sandbox.State, env *sandbox.Env) {
	wanted := lower.Invoked()
	wanted[""] = append(wanted[""], "ipairs", "pairs")
	wanted["table"] = append(wanted["table"], "insert", "remove", "sort")
	wanted["ecs"] = []string{"name", "normal", "query"}
	visit := func(o sandbox.Original) {
		switch {
		case o.Group == "math":
			l.names[o.Value] = o.Name
		case o.Group == "bit":
			l.names[o.Value] = "bit." + o.Name
		case slices.Contains(wanted[o.Group], o.Name) && o.Value.Type() == lua.LTFunction:
			l.names[o.Value] = strings.TrimPrefix(o.Group+"."+o.Name, ".")
		}
	}
	state.Originals(visit)
	env.Originals(visit)
	l.learnStrings(state, env)
	if f.Code == nil {
		return
	}
	name := f.Code.Name
	at := slices.IndexFunc(l.files[name], func(k *known) bool { return k.file == f })
	if at < 0 {
		at = len(l.files[name])
		l.files[name] = append(l.files[name], &known{file: f, loaded: map[*lua.LTable]int{}})
	}
	l.files[name][at].loaded[env.Table]++
}

// stringMethods are the methods that strings have in an environment.
type stringMethods struct{ table, originals *lua.LTable }

// learnStrings adds an environment.
func (l *Library) learnStrings(state *sandbox.State, env *sandbox.Env) {
	table, originals := state.Strings(env)
	if m := (stringMethods{table, originals}); table != nil && !slices.Contains(l.strings, m) {
		l.strings = append(l.strings, m)
	}
}

// original reports whether strings have the methods of these names that Lua has, in all environments.
func (l *Library) original(methods []string) bool {
	for _, name := range methods {
		for _, m := range l.strings {
			if m.table.RawGetString(name) != m.originals.RawGetString(name) {
				return false
			}
		}
	}
	return true
}

// Forget drops a file that is no longer loaded.
func (l *Library) Forget(f *File) {
	if f == nil || f.Code == nil {
		return
	}
	name := f.Code.Name
	l.files[name] = slices.DeleteFunc(slices.Clone(l.files[name]), func(k *known) bool { return k.file == f })
	if len(l.files[name]) == 0 {
		delete(l.files, name)
	}
}

// nameOf returns the name of a function of math, or of another function of Lua that loops know; "" for any other
// value.
func (l *Library) nameOf(v lua.LValue) string {
	if l == nil {
		return ""
	}
	return l.names[v]
}

// function returns the syntax of a Lua function, and its file; nil if no known file contains it.
func (l *Library) function(fn *lua.LFunction) (*ast.FunctionExpr, *known) {
	if l == nil || fn.IsG {
		return nil, nil
	}
	for _, of := range l.files[fn.Proto.SourceName] {
		if of.functions == nil {
			of.tree = of.file.Code.Tree()
			of.functions = of.file.Code.Functions(of.tree)
		}
		if expr := of.functions[fn.Proto]; expr != nil {
			return expr, of
		}
	}
	return nil, nil
}
