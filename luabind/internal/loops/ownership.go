package loops

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Tables that only one loop uses, as far as the source shows it: local seen = {}, and then seen[e] in the body of one loop. What
// rows store in such a table need not be in it before other code could read it.

// An ownership says who may use the table of a variable.
type ownership uint8

const (
	sharedTable    ownership = iota // other code, too
	ownTable                        // only the rows of this loop, in each of its executions
	temporaryTable                  // only the rows of one execution of this loop: the table was made for it
	ownRecords                      // as ownTable, and the tables in it, if there are some, are nowhere else
)

// findTables finds the variables whose tables only the loop uses. It must be called before the tree is changed.
func (l *Loop) findTables() {
	for _, in := range l.Template.Inputs {
		if of := l.ownership(in.Variable); of != sharedTable && in.Member == "" {
			if l.tables == nil {
				l.tables = map[*syntax.Variable]ownership{}
			}
			l.tables[in.Variable] = of
		}
	}
}

// ownership returns who may use the table that a variable holds when the loop begins.
func (l *Loop) ownership(v *syntax.Variable) ownership {
	made, ok := v.Value.(*ast.TableExpr)
	if !ok || v.Kind != syntax.Local || v.Assigned || l.Outer != nil || len(made.Fields) > 0 {
		return sharedTable
	}
	if len(v.Uses) == 0 || l.elementUses(v) != len(v.Uses) {
		return sharedTable
	}
	if l.followsOnce(v) {
		return temporaryTable
	}
	if l.recordsStay(v) {
		return ownRecords
	}
	return ownTable
}

// ownership returns who may use the table of an input of a site.
func (r *Runner) ownership(s *site, input int) ownership {
	in := s.template.Inputs[input]
	if in.Member != "" {
		return sharedTable
	}
	return r.kernels[s.number].tables[in.Variable]
}

// elementUses counts how often the body uses an element of a variable at a computed key, its length, or table.insert at its end. Functions
// that the body defines do not count: they may be called later.
func (l *Loop) elementUses(v *syntax.Variable) (n int) {
	syntax.Search(l.stmt.Stmts, func(node ast.PositionHolder) syntax.Step {
		used := ast.Expr(nil)
		switch node := node.(type) {
		case *ast.FunctionExpr, *ast.FuncDefStmt:
			return syntax.Past
		case *ast.AttrGetExpr:
			if _, named := node.Key.(*ast.StringExpr); !named {
				used = node.Object
			}
		case *ast.UnaryLenOpExpr:
			used = node.Expr
		case *ast.FuncCallExpr:
			if l.inserts(node) {
				used = node.Args[0]
			}
		}
		if used != nil && l.names.Variable(used) == v {
			n++
		}
		return syntax.Deeper
	})
	return n
}

// inserts reports whether a call is table.insert(LIST, VALUE). Whether that is the function of the library is known when the loop begins.
func (l *Loop) inserts(call *ast.FuncCallExpr) bool {
	fn, ok := call.Func.(*ast.AttrGetExpr)
	if !ok || len(call.Args) != 2 {
		return false
	}
	library := l.names.Variable(fn.Object)
	name, ok := fn.Key.(*ast.StringExpr)
	return ok && name.Value == "insert" && library != nil && library.IsGlobal("table")
}

// followsOnce reports whether the loop is executed at most once in a call of the function that declares a variable: no loop of the function
// is around it, and nothing jumps back to a place in front of it.
func (l *Loop) followsOnce(v *syntax.Variable) bool {
	return v.Function.Node != nil && l.standsIn(v.Function.Node.Stmts)
}

// standsIn reports whether the loop is one of some statements, or stands in a block or a branch of one, but not in another loop, and whether
// there are no labels beside it or beside what is around it.
func (l *Loop) standsIn(stmts []ast.Stmt) bool {
	found := false
	for _, st := range stmts {
		switch st := st.(type) {
		case *ast.GenericForStmt:
			found = found || st == l.stmt
		case *ast.DoBlockStmt:
			found = found || l.standsIn(st.Stmts)
		case *ast.IfStmt:
			found = found || l.standsIn(st.Then) || l.standsIn(st.Else)
		}
	}
	return found && !slices.ContainsFunc(stmts, func(st ast.Stmt) bool { _, is := st.(*ast.LabelStmt); return is })
}
