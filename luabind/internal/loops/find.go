package loops

import "github.com/yuin/gopher-lua/ast"

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
	for _, l := range f.loops {
		if found >= mostLoops || left.file < 0 {
			l.leave(tooManyLoops(l))
			continue
		}
		l.prepare(left)
		if l.Kernel != nil {
			found++
		}
	}
}

// finder walks a file, keeps what names mean, and notes every query loop.
type finder struct {
	scopes
	loops  []*Loop // in the order of the source
	around *Loop   // the innermost one around the place that is looked at
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
				v.fn, v.sees = fn, f.inner
				f.function(fn, false)
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

// generic looks at a for … in, which may be a query loop or one over events.
func (f *finder) generic(slot *ast.Stmt, st *ast.GenericForStmt) {
	saved := f.around
	if l := loopOf(st); l != nil {
		l.slot, l.sees, l.Outer = slot, f.inner, f.around
		f.loops = append(f.loops, l)
		f.around = l
	}
	f.within(func() {
		for _, name := range st.Names {
			f.declare(name)
		}
		f.block(st.Stmts)
	})
	f.around = saved
}

// loopOf is the query loop or event loop that a for … in is; nil if it is another.
func loopOf(st *ast.GenericForStmt) *Loop {
	call := eachCall(st)
	l := &Loop{Line: st.Line(), stmt: st}
	if call == nil {
		if call = eventCall(st); call == nil {
			return nil
		}
		l.Events = call.Method
	}
	l.Args = call.Args
	if id, ok := call.Receiver.(*ast.IdentExpr); ok {
		l.World = id.Value
	}
	return l
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
