package sandbox

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// The globals that a file uses, and those of them that are not there.

// globals is what the source of a chunk shows of its globals.
type globals struct {
	uses     []GlobalUse     // in the order of the source
	declares []string        // names that it gives to rawset(_G, "name", …)
	computed bool            // a function gives rawset(_G, …) a name that the source does not show
	asked    map[string]bool // names that it gives to rawget(_G, "name")
	ecs      bool            // it requires "ecs", so it is written for this program
}

// A GlobalUse is one place where a chunk reads or writes a name that is not a local.
type GlobalUse struct {
	Name   string
	Line   int
	Write  bool
	Needed bool // it is called or indexed there, so it must not be nil
	Unsure bool // a test for another Lua or another program decides whether it is reached, or pcall catches its error
}

func globalsOf(file *syntax.Chunk) globals {
	s := &globalSearch{file: file, needed: map[ast.Expr]bool{}, unsure: map[*ast.IdentExpr]bool{}, known: map[asking]bool{}, globals: globals{asked: map[string]bool{}}}
	s.depth = -1 // the file itself is a function
	file.Visit(syntax.Visitor{
		Enter: func(x syntax.Scope) {
			if x.Function {
				s.depth++
			}
		},
		Leave: func(x syntax.Scope) {
			if x.Function {
				s.depth--
			}
		},
		Stmt: func(st ast.Stmt) {
			if st, ok := st.(*ast.IfStmt); ok && s.asks(st.Condition, mostLocals) {
				s.doubt(st.Then)
				s.doubt(st.Else)
			}
		},
		Expr: s.expr,
		Ident: func(id *ast.IdentExpr, assigned bool, _ ast.Expr) {
			if file.Bindings.Of(id).Kind == syntax.Global {
				s.uses = append(s.uses, GlobalUse{Name: id.Value, Line: id.Line(), Write: assigned, Needed: s.needed[id]})
				s.found = append(s.found, id)
			}
		},
	})
	for i, id := range s.found {
		s.uses[i].Unsure = s.unsure[id]
	}
	return s.globals
}

// A globalSearch looks at one file.
type globalSearch struct {
	globals
	file   *syntax.Chunk
	depth  int              // how many functions are around the node that is visited
	found  []*ast.IdentExpr // of uses
	needed map[ast.Expr]bool
	unsure map[*ast.IdentExpr]bool
	known  map[asking]bool // by asks
}

func (s *globalSearch) expr(e ast.Expr) {
	switch e := e.(type) {
	case *ast.LogicalOpExpr:
		if s.asks(e.Lhs, mostLocals) {
			s.doubt([]ast.Stmt{&ast.ReturnStmt{Exprs: []ast.Expr{e.Rhs}}})
		}
	case *ast.AttrGetExpr:
		s.needed[e.Object] = true
	case *ast.FuncCallExpr:
		s.needed[e.Func], s.needed[e.Receiver] = true, true
		if e.Func != nil && len(e.Args) > 0 {
			s.call(e)
		}
	}
}

func (s *globalSearch) call(e *ast.FuncCallExpr) {
	switch {
	case s.is(e.Func, "require"):
		name, ok := e.Args[0].(*ast.StringExpr)
		s.ecs = s.ecs || ok && name.Value == "ecs"
	case s.is(e.Func, "pcall"), s.is(e.Func, "xpcall"):
		fn := e.Args[0]
		if v := s.file.Bindings.Variable(fn); v != nil && v.Value != nil {
			fn = v.Value
		}
		if fn, ok := fn.(*ast.FunctionExpr); ok {
			s.doubt(fn.Stmts)
		}
	case len(e.Args) > 1 && s.is(e.Args[0], "_G") && (s.is(e.Func, "rawset") || s.is(e.Func, "rawget")):
		name, ok := e.Args[1].(*ast.StringExpr)
		switch {
		case s.is(e.Func, "rawget") && ok:
			s.asked[name.Value] = true
		case s.is(e.Func, "rawget"):
		case ok:
			s.declares = append(s.declares, name.Value)
		default:
			s.computed = s.computed || s.depth > 0 // otherwise it has run when the file is loaded
		}
	}
}

// is reports whether an expression is the global of that name, or a local that gets it.
func (s *globalSearch) is(e ast.Expr, name string) bool {
	v := s.file.Bindings.Variable(e)
	if v != nil && v.Kind == syntax.Local && !v.Assigned && v.Value != nil {
		v = s.file.Bindings.Variable(v.Value)
	}
	return v != nil && v.IsGlobal(name)
}

// mostLocals is how many locals in a row are followed.
const mostLocals = 3

// asks reports whether a condition asks in which Lua or in which program the file runs: love, _VERSION == "Lua 5.1", rawget(_G, "x"), also through a local.
func (s *globalSearch) asks(condition ast.Expr, locals int) bool {
	key := asking{condition, locals}
	known, ok := s.known[key]
	if !ok {
		known = syntax.Search([]ast.Stmt{&ast.ReturnStmt{Exprs: []ast.Expr{condition}}}, func(n ast.PositionHolder) syntax.Step {
			found, step := false, syntax.Deeper
			switch n := n.(type) {
			case *ast.FunctionExpr:
				step = syntax.Past
			case *ast.LogicalOpExpr: // so that each part of a long chain is looked at once
				if ast.Expr(n) != condition {
					found, step = s.asks(n, locals), syntax.Past
				}
			case *ast.IdentExpr:
				switch v := s.file.Bindings.Of(n); v.Kind {
				case syntax.Global:
					found = Probed(v.Name) || slices.Contains(surroundings, v.Name)
				case syntax.Local:
					found = v.Value != nil && locals > 0 && s.asks(v.Value, locals-1)
				case syntax.LocalFunction, syntax.Parameter, syntax.Self, syntax.Arg, syntax.LoopVariable:
				}
			}
			if found {
				step = syntax.Found
			}
			return step
		})
		s.known[key] = known
	}
	return known
}

// An asking is a question that was answered.
type asking struct {
	condition ast.Expr
	locals    int
}

// surroundings are the globals that say where a file runs.
var surroundings = []string{"_VERSION", "_G", "package"}

// doubt notes that it is not sure whether statements run, or what happens if they fail.
func (s *globalSearch) doubt(stmts []ast.Stmt) {
	syntax.Search(stmts, func(n ast.PositionHolder) syntax.Step {
		if id, ok := n.(*ast.IdentExpr); ok {
			s.unsure[id] = true
		}
		return syntax.Deeper
	})
}

// assigns reports whether the chunk assigns a global.
func (c *Chunk) assigns(name string) bool {
	return c != nil && slices.ContainsFunc(c.globals.uses, func(g GlobalUse) bool { return g.Name == name && g.Write })
}

// counts reports whether the chunk assigns a global in a line that reads it, as n = n + 1 does.
func (c *Chunk) counts(name string) bool {
	if c == nil {
		return false
	}
	read := map[int]bool{}
	for _, g := range c.globals.uses {
		if !g.Write && g.Name == name {
			read[g.Line] = true
		}
	}
	return slices.ContainsFunc(c.globals.uses, func(g GlobalUse) bool { return g.Write && g.Name == name && read[g.Line] })
}

// probes reports whether the chunk reads a global where it may be nil.
func (c *Chunk) probes(name string) bool {
	return slices.ContainsFunc(c.globals.uses, func(g GlobalUse) bool { return g.Name == name && !g.Write && !g.Needed })
}

// Declares returns the names of the globals that the chunk declares with rawset(_G, "name", …), and whether it may declare others.
func (c *Chunk) Declares() (names []string, others bool) {
	return c.globals.declares, c.globals.computed
}

// Globals returns the uses of names that are not locals, in the order of the source.
func (c *Chunk) Globals() []GlobalUse { return c.globals.uses }

// Undeclared returns, as errors in the order of the source and each name once, the globals that c uses and e does
// not have: what would raise an error when that line runs. declared are names that other files declare later.
func (e *Env) Undeclared(c *Chunk, declared map[string]bool) []*Error {
	return e.undeclared(c, declared, func(GlobalUse) bool { return false })
}

// RequiresEcs reports whether the chunk requires "ecs", and so is written for this program.
func (c *Chunk) RequiresEcs() bool { return c.globals.ecs }

// UndeclaredOfModule is Undeclared for a file that others require. It may be written for several programs, so it counts only what fails wherever it is
// reached in this one, and what no test in the file decides about.
func (e *Env) UndeclaredOfModule(c *Chunk, declared map[string]bool) []*Error {
	return e.undeclared(c, declared, func(g GlobalUse) bool {
		return g.Unsure || !g.Write && (c.globals.asked[g.Name] || Probed(g.Name) && !c.globals.ecs)
	})
}

func (e *Env) undeclared(c *Chunk, declared map[string]bool, except func(GlobalUse) bool) []*Error {
	var out []*Error
	seen := map[string]bool{}
	for _, g := range c.globals.uses {
		if seen[g.Name] || declared[g.Name] || e.Table.RawGetString(g.Name) != lua.LNil || !g.Write && Probed(g.Name) && c.probes(g.Name) || except(g) {
			continue
		}
		seen[g.Name] = true
		text := e.unreadable(c, g.Name)
		if g.Write {
			text = unwritable(c, g.Name)
		}
		x := &Error{Pos: Pos{File: c.Name, Line: g.Line}, Message: text, chunk: c}
		x.Value = lua.LString(x.Error())
		out = append(out, x)
	}
	return out
}
