package loops

import (
	"slices"

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
	off   without.Set
	names map[lua.LValue]string // names of functions of math, by the functions that environments hold
	files map[string][]*known   // by the name of the file in messages; there are two while a file is replaced
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
}

// learn adds a file that is about to be loaded into an environment. No script has run in the environment, so its
// math functions are the original ones.
func (l *Library) learn(f *File, env *sandbox.Env) {
	if list, ok := env.Table.RawGetString("table").(*lua.LTable); ok {
		l.names[list.RawGetString("insert")] = "table.insert"
		l.names[list.RawGetString("remove")] = "table.remove"
		l.names[list.RawGetString("sort")] = "table.sort"
	}
	for _, name := range []string{"ipairs", "pairs"} {
		l.names[env.Table.RawGetString(name)] = name
	}
	env.Originals(func(o sandbox.Original) {
		if o.Group == "ecs" && (o.Name == "name" || o.Name == "query") {
			l.names[o.Value] = "ecs." + o.Name
		}
	})
	for module, names := range lower.Invoked() {
		from, prefix := env.Table, ""
		if module != "" {
			from, prefix = env.Table.RawGetString(module).(*lua.LTable), module+"."
		}
		for _, name := range names {
			if fn, ok := from.RawGetString(name).(*lua.LFunction); ok {
				l.names[fn] = prefix + name
			}
		}
	}
	library, _ := env.Table.RawGetString("math").(*lua.LTable)
	for k, v := library.Next(lua.LNil); k != lua.LNil; k, v = library.Next(k) {
		if name, ok := k.(lua.LString); ok {
			if fn, ok := v.(*lua.LFunction); ok && fn.IsG {
				l.names[fn] = string(name)
			}
		}
	}
	if f.Code == nil {
		return
	}
	name := f.Code.Name
	if !slices.ContainsFunc(l.files[name], func(k *known) bool { return k.file == f }) {
		l.files[name] = append(l.files[name], &known{file: f})
	}
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
