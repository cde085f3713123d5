package lint

import (
	"fmt"
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/host/alias"
	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Changes of structure inside a query loop or an observer, also by a function of the file that is called there.

// structural lists the functions of the world that change structure, with the command to use instead.
var structural = map[string]string{
	"spawn": "spawn", "spawn_many": "spawn", "instance": "instance", "despawn": "despawn", "add": "add", "remove": "remove", "relate": "relate", "unrelate": "unrelate",
}

func (c *checker) structure(f *file) {
	const loop, observer = "loop", "observer"
	around := []string{""}
	f.Chunk.Visit(syntax.Visitor{
		Enter: func(s syntax.Scope) {
			now := around[len(around)-1]
			switch n := s.Node.(type) {
			case *ast.GenericForStmt:
				if c.isQueryLoop(f, n) {
					now = loop
				}
			case *ast.FunctionExpr:
				now = ""
				if call := f.names.Argument(n); call != nil && call.Method == "on" && c.isWorld(f, call.Receiver) {
					now = observer
				}
			}
			around = append(around, now)
		},
		Leave: func(syntax.Scope) { around = around[:len(around)-1] },
		Expr: func(e ast.Expr) {
			call, ok := e.(*ast.FuncCallExpr)
			now := around[len(around)-1]
			if !ok || now == "" {
				return
			}
			if name := c.structural(f, call); name != "" {
				wrong, fix := surface.Locked(name, structural[name], now == observer)
				c.add("E206", f, call.Line(), wrong, fix)
				return
			}
			if fn := f.function(call); fn != nil {
				if at := c.surely(f, fn, c.structural); at != nil {
					wrong, fix := surface.Locked(at.name, structural[at.name], now == observer)
					c.add("E206", f, call.Line(), fmt.Sprintf("%s calls %s (line %d)", called(call), wrong, at.line), fix)
				}
			}
		},
	})
}

// isWorld reports whether an expression is surely the world.
func (c *checker) isWorld(f *file, e ast.Expr) bool {
	v := c.value(f, e)
	return v.sort == object && v.meaning.Kind == alias.World
}

// isQueryLoop reports whether a loop walks world:each.
func (c *checker) isQueryLoop(f *file, st *ast.GenericForStmt) bool {
	call, ok := st.Exprs[0].(*ast.FuncCallExpr)
	return ok && call.Method == "each" && c.isWorld(f, call.Receiver)
}

// structural returns the name of the function of the world that a call calls, if it changes structure.
func (c *checker) structural(f *file, call *ast.FuncCallExpr) string {
	if structural[call.Method] == "" || !c.isWorld(f, call.Receiver) {
		return ""
	}
	return call.Method
}

// function returns the function of the file that a call calls: a local function, or the only one that is assigned to that member of a table of the
// file. It is nil if the source does not show it.
func (f *file) function(call *ast.FuncCallExpr) *ast.FunctionExpr {
	if call.Func != nil {
		if fn := f.names.Function(call.Func); fn != nil {
			return fn
		}
	}
	on, name := call.Receiver, call.Method
	if get, ok := call.Func.(*ast.AttrGetExpr); ok {
		on, name = get.Object, member(get)
	}
	v := f.Chunk.Bindings.Variable(on)
	if v == nil || v.Assigned || f.keyed[v] || f.repeated[memberName{v, name}] {
		return nil
	}
	return f.names.Function(f.members[v][name])
}

// A memberName names a member of a table that a variable holds.
type memberName struct {
	table *syntax.Variable
	name  string
}

// A place of a call that a function makes in each of its calls, or whenever the state of the world is so.
type reached struct {
	name string
	line int
}

// surely returns the first call of a function that match names, if each call of the function may come to it: no argument and no variable of the
// file decides about it, only the world does. It also looks into the functions of the file that are called.
func (c *checker) surely(f *file, fn *ast.FunctionExpr, match func(*file, *ast.FuncCallExpr) string) *reached {
	s := &surelySearch{c: c, f: f, match: match}
	s.function(fn)
	return s.found
}

type surelySearch struct {
	c       *checker
	f       *file
	match   func(*file, *ast.FuncCallExpr) string
	within  []*ast.FunctionExpr
	found   *reached
	stopped bool // what comes next depends on more than the world
}

func (s *surelySearch) function(fn *ast.FunctionExpr) {
	if slices.Contains(s.within, fn) || len(s.within) > 8 {
		return
	}
	s.within = append(s.within, fn)
	s.block(fn.Stmts)
	s.within = s.within[:len(s.within)-1]
	s.stopped = false
}

func (s *surelySearch) block(stmts []ast.Stmt) {
	for _, st := range stmts {
		if s.found != nil || s.stopped {
			return
		}
		s.stmt(st)
	}
}

func (s *surelySearch) stmt(st ast.Stmt) {
	syntax.Parts(st, func(e *ast.Expr) { s.expr(*e) }, func(*[]ast.Stmt) {})
	switch st := st.(type) {
	case *ast.IfStmt:
		if s.worldly(st.Condition) {
			s.block(st.Then)
			s.stopped = false // the other branch, or what follows
			s.block(st.Else)
			s.stopped = false
			return
		}
		leaves := func(n ast.PositionHolder) syntax.Step {
			switch n := n.(type) {
			case *ast.ReturnStmt, *ast.BreakStmt, *ast.GotoStmt:
				return syntax.Found
			case *ast.FunctionExpr, *ast.FuncDefStmt:
				return syntax.Past
			case *ast.FuncCallExpr:
				if text(n.Func) == "error" {
					return syntax.Found
				}
			}
			return syntax.Deeper
		}
		s.stopped = syntax.Search(st.Then, leaves) || syntax.Search(st.Else, leaves)
	case *ast.DoBlockStmt:
		s.block(st.Stmts)
	case *ast.NumberForStmt:
		s.block(st.Stmts)
		s.stopped = false
	case *ast.GenericForStmt:
		if !s.c.isQueryLoop(s.f, st) { // what is in such a loop is reported there
			s.block(st.Stmts)
			s.stopped = false
		}
	case *ast.ReturnStmt, *ast.BreakStmt, *ast.GotoStmt:
		s.stopped = true
	}
}

// expr looks for calls in what is always evaluated of an expression.
func (s *surelySearch) expr(e ast.Expr) {
	if s.found != nil {
		return
	}
	switch e := e.(type) {
	case *ast.FunctionExpr:
		return
	case *ast.LogicalOpExpr:
		s.expr(e.Lhs)
		return
	case *ast.FuncCallExpr:
		if name := s.match(s.f, e); name != "" {
			s.found = &reached{name, e.Line()}
			return
		}
		if text(e.Func) == "pcall" {
			return
		}
		if fn := s.f.function(e); fn != nil {
			s.function(fn)
		}
	}
	syntax.Children(e, func(e *ast.Expr) { s.expr(*e) }, func(*[]ast.Stmt) {})
}

// worldly reports whether only the world decides about a condition.
func (s *surelySearch) worldly(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.TrueExpr, *ast.NumberExpr, *ast.StringExpr, *ast.NilExpr:
		return true
	case *ast.UnaryNotOpExpr:
		return s.worldly(e.Expr)
	case *ast.LogicalOpExpr:
		return s.worldly(e.Lhs) && s.worldly(e.Rhs)
	case *ast.RelationalOpExpr:
		return s.worldly(e.Lhs) && s.worldly(e.Rhs)
	case *ast.FuncCallExpr:
		return e.Method != "" && s.c.isWorld(s.f, e.Receiver)
	case *ast.AttrGetExpr:
		return s.c.schemaOf(s.f, e.Object) != nil
	case *ast.IdentExpr:
		v := s.f.Chunk.Bindings.Of(e)
		if v == nil || v.Kind != syntax.Local || v.Assigned || v.Value == nil {
			return false
		}
		if _, again := v.Value.(*ast.IdentExpr); again {
			return false
		}
		return s.worldly(v.Value)
	}
	return false
}
