package alias

import (
	"path"
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// A parameter called world is the world only if the calls of its function give the world. Other files may have these calls, so the
// meaning has a condition. [Names.Gifts] lists what the calls of a file give, and [Meet] finds which conditions the files meet together.

// A Condition says when a meaning holds. It holds always if the Condition is zero, and otherwise if one of its parts does.
type Condition struct {
	Entry bool     // the file is that of a system: there the first parameter of the functions of the system is the world
	Given Argument // all calls give what the parameter is taken for
}

// An Argument is one argument of the functions of one name.
type Argument struct {
	Name  string // the member under which a function is kept, as f of M.f; "" for the function that the file returns
	Local int    // for a function that no table keeps under a constant name: its place among the functions of its file, counted from 1; otherwise 0
	Index int    // counted from 1, with self; 0 for no Argument, and in a Gift for all arguments
}

// argument returns the Argument that a parameter gets; ok is false if the function may be called under a name that the source does not show.
func (a *Names) argument(v *syntax.Variable) (arg Argument, ok bool) {
	fn, _ := v.Node.(*ast.FunctionExpr)
	of := a.names.Function(fn)
	if of == nil {
		return Argument{}, false
	}
	for i, p := range of.Params {
		if p == v {
			arg, ok = a.called(fn)
			arg.Index = i + 1
			return arg, ok
		}
	}
	return Argument{}, false
}

// called returns the name under which a function is called.
func (a *Names) called(fn *ast.FunctionExpr) (name Argument, ok bool) {
	kept := a.kept[fn]
	switch {
	case len(kept) == 0, len(kept) == 1 && kept[0] == computed:
		return Argument{Local: a.number[fn]}, a.number[fn] != 0
	case len(kept) == 1:
		holder := a.stored[fn]
		return Argument{Name: kept[0]}, holder == nil || !a.spreads(holder, map[*syntax.Variable]bool{})
	}
	return Argument{}, false
}

// computed is the name of a member whose key is no constant.
const computed = "[]"

// keep notes under which member a function is kept.
func (a *Names) keep(key, value ast.Expr) {
	fn := a.only(value)
	if fn == nil {
		return
	}
	if id, ok := value.(*ast.IdentExpr); ok {
		a.placed[id] = true
	}
	name := computed
	if text, ok := key.(*ast.StringExpr); ok {
		name = text.Value
	}
	a.keepAs(fn, name)
}

func (a *Names) keepAs(fn *ast.FunctionExpr, name string) {
	for _, known := range a.kept[fn] {
		if known == name {
			return
		}
	}
	a.kept[fn] = append(a.kept[fn], name)
}

// A Met says which conditions some files meet.
type Met struct {
	own map[string]bool
	met map[Argument]bool
	of  map[string]int // the files, by their places in the list
}

// A Given is what the calls of a file give.
type Given struct {
	Path  string
	Own   bool // it is the file of a system
	Gifts []Gift
}

// Meet returns which conditions these files, which are all that call each other, meet.
func Meet(files []Given) *Met {
	m := &Met{own: map[string]bool{}, met: map[Argument]bool{}, of: map[string]int{}}
	gifts, doubtful := map[Argument][]held{}, map[Argument]bool{}
	names, unseen := map[string]bool{}, map[Argument]bool{}
	for i, f := range files {
		m.own[f.Path], m.of[f.Path] = f.Own, i
	}
	for _, f := range files {
		for _, g := range f.Gifts {
			to := m.global(f.Path, g.To)
			switch {
			case g.To.Index == 0 && to.Local == 0:
				names[to.Name] = true
			case g.To.Index == 0: // in the file of a system, whoever gets the function is trusted to give the world
				unseen[to] = !f.Own
			case !g.World:
				doubtful[to] = true
			default:
				gifts[to] = append(gifts[to], held{f.Path, g.If})
			}
		}
	}
	for to := range gifts {
		doubtful[to] = doubtful[to] || to.Local == 0 && names[to.Name] || unseen[Argument{Name: to.Name, Local: to.Local}]
	}
	for again := true; again; { // what somebody gives in doubt is doubtful
		again = false
		for to, list := range gifts {
			for _, g := range list {
				if given, sure := m.depends(g.path, g.on); !doubtful[to] && !sure && (doubtful[given] || gifts[given] == nil) {
					doubtful[to], again = true, true
				}
			}
		}
	}
	for again := true; again; { // and something has to give it first
		again = false
		for to, list := range gifts {
			for _, g := range list {
				if given, sure := m.depends(g.path, g.on); !doubtful[to] && !m.met[to] && (sure || m.met[given]) {
					m.met[to], again = true, true
				}
			}
		}
	}
	return m
}

// A held is the condition of a gift in a file.
type held struct {
	path string
	on   Condition
}

// depends returns the Argument that decides about a condition in a file; sure if none does.
func (m *Met) depends(file string, on Condition) (given Argument, sure bool) {
	if on == (Condition{}) || on.Entry && m.own[file] {
		return Argument{}, true
	}
	return m.global(file, on.Given), false
}

// Holds reports whether a condition is met in a file.
func (m *Met) Holds(file string, on Condition) bool {
	given, sure := m.depends(file, on)
	return sure || m.met[given]
}

// global returns an Argument of a file as one of all files: the function that a file returns has the name of the file, as in require.
func (m *Met) global(file string, a Argument) Argument {
	switch {
	case a.Local != 0:
		a.Name = file
	case a.Name == "":
		a.Name = moduleName(strings.TrimSuffix(file, ".lua"))
	}
	return a
}

// moduleName returns the last part of the name of a module, or of the path of its file.
func moduleName(name string) string {
	name = strings.TrimSuffix(strings.ReplaceAll(name, ".", "/"), "/init")
	return path.Base(name)
}
