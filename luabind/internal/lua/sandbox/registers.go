package sandbox

import (
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// How many registers gopher-lua's compiler needs for a function: never fewer than it uses.

const (
	mostRegisters = 195 // the compiler has 200
	perFlush      = 50  // list items of a constructor that are in registers together
)

// A measure walks one function with a number of locals that stay in registers.
type measure struct {
	keep int // locals from this one on are spilled
	most int // registers
}

// registersOf returns the registers that a function needs if the locals from number keep on are spilled.
func registersOf(fn *ast.FunctionExpr, method bool, keep int) int {
	m := &measure{keep: keep}
	fixed := len(fn.ParList.Names)
	if method {
		fixed++
	}
	if fn.ParList.HasVargs {
		fixed++ // arg
	}
	m.block(fn.Stmts, fixed, 0)
	return m.most
}

// use notes that n registers are in use beside those that stay.
func (m *measure) use(n int) { m.most = max(m.most, n) }

// block measures a block; fixed registers are in use, among them those of locals.
func (m *measure) block(stmts []ast.Stmt, fixed, locals int) (int, int) {
	holds := false
	for _, st := range stmts {
		switch st := st.(type) {
		case *ast.LabelStmt:
			holds = false
		case *ast.LocalAssignStmt:
			m.list(st.Exprs, fixed)
			if spills(st, locals, m.keep) {
				if !holds {
					fixed++
				}
				holds = true
				m.use(fixed + 2 + min(len(st.Names), mostTemporary))
				continue
			}
			fixed += len(st.Names)
			locals += len(st.Names)
			m.use(fixed)
		default:
			m.stmt(st, fixed, locals)
		}
	}
	return fixed, locals
}

// spills reports whether the variables of a statement are spilled, if there are so many locals already. The table of an assignment is not,
// because layout.go marks it.
func spills(st *ast.LocalAssignStmt, locals, keep int) bool {
	return locals+len(st.Names) > keep && !strings.HasPrefix(st.Names[0], hiddenObject)
}

func (m *measure) stmt(st ast.Stmt, fixed, locals int) {
	switch st := st.(type) {
	case *ast.AssignStmt:
		n := fixed
		for _, lhs := range st.Lhs {
			if get, ok := lhs.(*ast.AttrGetExpr); ok {
				m.use(n + max(m.expr(get.Object), 1+m.expr(get.Key)))
				n += 2
			} else {
				n += 2 // it may be spilled
			}
		}
		m.list(st.Rhs, n)
	case *ast.FuncDefStmt:
		m.use(fixed + 4)
		if st.Name.Func != nil {
			m.use(fixed + 2 + m.expr(st.Name.Func))
		} else {
			m.use(fixed + 2 + m.expr(st.Name.Receiver))
		}
	case *ast.NumberForStmt:
		m.use(fixed + max(m.expr(st.Init), 1+m.expr(st.Limit)))
		if st.Step != nil {
			m.use(fixed + 2 + m.expr(st.Step))
		}
		m.block(st.Stmts, fixed+4, locals)
	case *ast.GenericForStmt:
		m.list(st.Exprs, fixed)
		m.use(fixed + 6)
		m.block(st.Stmts, fixed+3+len(st.Names), locals)
	case *ast.ReturnStmt:
		m.list(st.Exprs, fixed)
	case *ast.RepeatStmt:
		inner, _ := m.block(st.Stmts, fixed, locals)
		m.use(inner + m.expr(st.Condition))
	default:
		syntax.Parts(st, func(e *ast.Expr) { m.use(fixed + m.expr(*e)) }, func(b *[]ast.Stmt) { m.block(*b, fixed, locals) })
	}
}

// list measures expressions whose values stand beside each other.
func (m *measure) list(exprs []ast.Expr, fixed int) {
	for i, e := range exprs {
		m.use(fixed + i + m.expr(e))
	}
}

// expr returns the registers for the value of an expression.
func (m *measure) expr(e ast.Expr) int {
	switch e := e.(type) {
	case *ast.TableExpr:
		n, items := 2, 0
		for _, f := range e.Fields {
			if f.Key != nil {
				n = max(n, 1+items+max(m.expr(f.Key), 1+m.expr(f.Value)))
				continue
			}
			n = max(n, 1+items+m.expr(f.Value))
			items = (items + 1) % perFlush
		}
		return n
	case *ast.FuncCallExpr:
		n, before := 2, 1
		if e.Func != nil {
			n = max(n, m.expr(e.Func))
		} else {
			n, before = max(3, m.expr(e.Receiver)), 2
		}
		for i, arg := range e.Args {
			n = max(n, before+i+m.expr(arg))
		}
		return n
	case *ast.FunctionExpr:
		return 1
	case *ast.IdentExpr:
		return 2 // it may be spilled
	}
	n, before := 1, 0
	syntax.Children(e, func(e *ast.Expr) { n = max(n, before+m.expr(*e)); before++ }, func(*[]ast.Stmt) {})
	return n
}
