package loops

import (
	"cmp"
	"slices"

	"github.com/yuin/gopher-lua/ast"
)

// Find lists the query loops of a file, by line. It changes nothing.
func Find(chunk []ast.Stmt) []*Loop {
	f := &finder{}
	f.file(chunk)
	return f.loops
}

// file walks a file. What may become a kernel is known at its end only, when all
// assignments have been seen.
func (f *finder) file(chunk []ast.Stmt) {
	f.block(chunk)
	left, found := &copies{file: mostCopiedOfFile}, 0
	for _, n := range f.nests {
		if found >= mostLoops || left.file < 0 {
			n.leave(tooManyLoops(n.root))
			continue
		}
		n.prepare(left)
		if n.root.Kernel != nil {
			found++
		}
	}
	slices.SortStableFunc(f.loops, func(a, b *Loop) int { return cmp.Compare(a.Line, b.Line) })
}

// finder walks a file, keeps what names mean, and looks closely at every query
// loop.
type finder struct {
	scopes
	loops  []*Loop
	nests  []*nest // in the order of the source
	around *nest   // the one whose body is being looked at for loops of their own
}

func (f *finder) block(stmts []ast.Stmt) {
	f.within(func() {
		for i := range stmts {
			f.stmt(&stmts[i])
		}
	})
}

func (f *finder) exprs(list []ast.Expr) {
	for _, e := range list {
		f.expr(e)
	}
}

// expr looks for functions: only they hold statements.
func (f *finder) expr(e ast.Expr) {
	switch e := e.(type) {
	case *ast.FunctionExpr:
		f.function(e, false)
	case *ast.AttrGetExpr:
		f.exprs([]ast.Expr{e.Object, e.Key})
	case *ast.TableExpr:
		for _, field := range e.Fields {
			if field.Key != nil {
				f.expr(field.Key)
			}
			f.expr(field.Value)
		}
	case *ast.FuncCallExpr:
		if e.Func != nil {
			f.expr(e.Func)
		} else {
			f.expr(e.Receiver)
		}
		f.exprs(e.Args)
	case *ast.LogicalOpExpr:
		f.exprs([]ast.Expr{e.Lhs, e.Rhs})
	case *ast.RelationalOpExpr:
		f.exprs([]ast.Expr{e.Lhs, e.Rhs})
	case *ast.StringConcatOpExpr:
		f.exprs([]ast.Expr{e.Lhs, e.Rhs})
	case *ast.ArithmeticOpExpr:
		f.exprs([]ast.Expr{e.Lhs, e.Rhs})
	case *ast.UnaryMinusOpExpr:
		f.expr(e.Expr)
	case *ast.UnaryNotOpExpr:
		f.expr(e.Expr)
	case *ast.UnaryLenOpExpr:
		f.expr(e.Expr)
	}
}

func (f *finder) function(fn *ast.FunctionExpr, method bool) {
	f.within(func() {
		if method {
			f.declare("self")
		}
		for _, p := range fn.ParList.Names {
			f.declare(p)
		}
		if fn.ParList.HasVargs {
			f.declare("arg")
		}
		f.block(fn.Stmts)
	})
}

func (f *finder) stmt(slot *ast.Stmt) {
	switch st := (*slot).(type) {
	case *ast.LocalAssignStmt:
		if len(st.Names) == 1 && len(st.Exprs) == 1 {
			if fn, ok := st.Exprs[0].(*ast.FunctionExpr); ok {
				v := f.declare(st.Names[0])
				v.maker, v.fn, v.sees = true, fn, f.inner
				f.function(fn, false)
				v.maker = false
				return
			}
		}
		f.exprs(st.Exprs)
		for i, n := range st.Names {
			v := f.declare(n)
			switch {
			case i < len(st.Exprs):
				v.value = st.Exprs[i]
			case len(st.Exprs) == 0:
				v.value = &ast.NilExpr{}
			}
		}
	case *ast.AssignStmt:
		for _, lhs := range st.Lhs {
			f.assigns(lhs)
		}
		f.exprs(st.Lhs)
		f.exprs(st.Rhs)
	case *ast.FuncCallStmt:
		f.expr(st.Expr)
	case *ast.FuncDefStmt:
		f.assigns(st.Name.Func)
		f.function(st.Func, st.Name.Func == nil)
	case *ast.ReturnStmt:
		f.exprs(st.Exprs)
	case *ast.DoBlockStmt:
		f.block(st.Stmts)
	case *ast.WhileStmt:
		f.expr(st.Condition)
		f.block(st.Stmts)
	case *ast.RepeatStmt:
		f.within(func() {
			for i := range st.Stmts {
				f.stmt(&st.Stmts[i])
			}
			f.expr(st.Condition)
		})
	case *ast.IfStmt:
		f.expr(st.Condition)
		f.block(st.Then)
		f.block(st.Else)
	case *ast.NumberForStmt:
		f.exprs([]ast.Expr{st.Init, st.Limit})
		if st.Step != nil {
			f.expr(st.Step)
		}
		f.within(func() {
			f.declare(st.Name)
			f.block(st.Stmts)
		})
	case *ast.GenericForStmt:
		f.exprs(st.Exprs)
		f.generic(slot, st)
	}
}

// assigns notes that a variable is assigned.
func (f *finder) assigns(lhs ast.Expr) {
	if id, ok := lhs.(*ast.IdentExpr); ok {
		if v, _ := f.lookup(id.Value); v != nil {
			v.assigned = true
		}
	}
}

// generic looks at a for … in: a query loop is tried as the outermost of a nest.
// When it is not simple, those in its body are tried by themselves, too.
func (f *finder) generic(slot *ast.Stmt, st *ast.GenericForStmt) {
	call := eachCall(st)
	if call == nil && eventCall(st) != nil {
		f.events(slot, st)
		return
	}
	if call == nil {
		f.within(func() {
			for _, name := range st.Names {
				f.declare(name)
			}
			f.block(st.Stmts)
		})
		return
	}
	n := &nest{scopes: &f.scopes, base: f.depth(), slot: slot, sees: f.inner, outer: f.around}
	f.within(func() { n.root = n.loop(st, call, nil) })
	n.check()
	if n.reason != nil {
		n.root.Reason, n.root.Inner, n.loops = n.reason, nil, n.loops[:1]
	}
	f.enter(st, n)
}

// enter adds a nest, and looks at its body.
func (f *finder) enter(st *ast.GenericForStmt, n *nest) {
	f.nests = append(f.nests, n)
	f.loops = append(f.loops, n.loops...)
	for _, l := range n.loops {
		l.nest = n
	}
	saved := f.around
	f.around = n
	f.within(func() {
		for _, name := range st.Names {
			f.declare(name)
		}
		f.inside(st, n)
	})
	f.around = saved
}

// inside looks for what the body of a query loop holds: loops of their own, when it
// is not simple, and assignments.
func (f *finder) inside(st *ast.GenericForStmt, n *nest) {
	if n.reason != nil {
		f.block(st.Stmts)
		return
	}
	for v := range n.assigned {
		v.assigned = true
	}
}

// eachCall is the call of each that a loop runs over, nil if it is no query loop.
func eachCall(st *ast.GenericForStmt) *ast.FuncCallExpr {
	if len(st.Exprs) != 1 {
		return nil
	}
	call, ok := st.Exprs[0].(*ast.FuncCallExpr)
	if !ok || call.Func != nil || call.Method != "each" {
		return nil
	}
	return call
}
