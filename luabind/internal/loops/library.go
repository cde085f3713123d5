package loops

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/syntax"
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// A Library knows the functions that loops can have as parts of their bodies: those of math in every environment, and the Lua functions of every file that was
// loaded. The Runners of one Lua state share one Library.
type Library struct {
	names map[lua.LValue]string // functions of math, by what the environments hold
	files map[string][]*known   // by the name that messages show: there are two while a file is replaced
}

// NewLibrary returns a Library that knows nothing.
func NewLibrary() *Library {
	return &Library{names: map[lua.LValue]string{}, files: map[string][]*known{}}
}

// A known file is one whose functions may be called by loops of other files. Its syntax is parsed when the first of its functions is called.
type known struct {
	file      *File
	tree      *syntax.Chunk
	functions map[*lua.FunctionProto]*ast.FunctionExpr
}

// learn notes a file that is about to be loaded into an environment that no script has run in.
func (l *Library) learn(f *File, env *sandbox.Env) {
	if list, ok := env.Table.RawGetString("table").(*lua.LTable); ok {
		l.names[list.RawGetString("insert")] = "table.insert"
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

// function returns the syntax of a Lua function, and the file that it is in; nil for one of no file that is known.
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
