package kernel

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/gopher-lua/ast"
)

// Before a loop is looked at, every local of it and of the functions it calls gets a name that nothing else in the template has: the name of
// the source, a zero byte, which no source can have in a name, and a number. From then on a name is one variable, whatever scope it is used
// in. Names that come from around the loop, and from around a function, stay as they are. Reasons leave the numbers out.

// isLocal reports whether a name is that of a local of the loop or of a function that it calls.
func isLocal(name string) bool { return strings.IndexByte(name, 0) >= 0 }

// added is what is added to the name of a local.
var added = regexp.MustCompile("\x00[0-9]+")

// written returns a text with the names that the source has.
func written(text string) string { return added.ReplaceAllString(text, "") }

// writtenAll is written for what is put into a text.
func writtenAll(args []any) []any {
	args = slices.Clone(args)
	for i, arg := range args {
		if text, ok := arg.(string); ok {
			args[i] = written(text)
		}
	}
	return args
}

// A namer renames the locals of one body, in place. What Prepare refuses it may leave alone.
type namer struct {
	given  *int              // names given to the template so far
	names  map[string]string // the local that a name of the source means here; a name that is missing means something from around the body
	hidden []hiding          // in the order of the declarations
}

// A hiding is a declaration: the name, and what it meant before, "" if that was nothing of the body.
type hiding struct{ name, before string }

// rename renames the locals of a body whose parameters, or variables of the loop, have these names, and returns their new names.
func (t *Template) rename(params []string, body []ast.Stmt) []string {
	n := &namer{given: &t.names, names: map[string]string{}}
	params = n.declare(params)
	n.block(body)
	return params
}

// declare begins the scope of some variables, and returns their new names.
func (n *namer) declare(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		*n.given++
		out[i] = name + "\x00" + strconv.Itoa(*n.given)
		n.hidden = append(n.hidden, hiding{name, n.names[name]})
		n.names[name] = out[i]
	}
	return out
}

// within runs fn in a scope of its own.
func (n *namer) within(fn func()) {
	outside := len(n.hidden)
	fn()
	for i := len(n.hidden) - 1; i >= outside; i-- {
		if h := n.hidden[i]; h.before == "" {
			delete(n.names, h.name)
		} else {
			n.names[h.name] = h.before
		}
	}
	n.hidden = n.hidden[:outside]
}

func (n *namer) block(stmts []ast.Stmt) { n.within(func() { n.stmts(stmts) }) }

func (n *namer) stmts(stmts []ast.Stmt) {
	for _, st := range stmts {
		n.stmt(st)
	}
}

func (n *namer) stmt(st ast.Stmt) {
	switch st := st.(type) {
	case *ast.LocalAssignStmt:
		n.exprs(st.Exprs...)
		st.Names = n.declare(st.Names)
	case *ast.AssignStmt:
		n.exprs(st.Lhs...)
		n.exprs(st.Rhs...)
	case *ast.FuncCallStmt:
		n.exprs(st.Expr)
	case *ast.DoBlockStmt:
		n.block(st.Stmts)
	case *ast.WhileStmt:
		n.exprs(st.Condition)
		n.block(st.Stmts)
	case *ast.RepeatStmt: // its condition sees the locals of the block
		n.within(func() {
			n.stmts(st.Stmts)
			n.exprs(st.Condition)
		})
	case *ast.IfStmt:
		n.exprs(st.Condition)
		n.block(st.Then)
		n.block(st.Else)
	case *ast.NumberForStmt:
		n.exprs(st.Init, st.Limit, st.Step)
		n.within(func() {
			st.Name = n.declare([]string{st.Name})[0]
			n.block(st.Stmts)
		})
	case *ast.GenericForStmt:
		n.exprs(st.Exprs...)
		n.within(func() {
			st.Names = n.declare(st.Names)
			n.block(st.Stmts)
		})
	case *ast.ReturnStmt:
		n.exprs(st.Exprs...)
	case *ast.BreakStmt, *ast.LabelStmt, *ast.GotoStmt:
	default: // a function, which Prepare refuses: its syntax is not a copy
	}
}

func (n *namer) exprs(list ...ast.Expr) {
	for _, e := range list {
		n.expr(e)
	}
}

func (n *namer) expr(e ast.Expr) {
	switch e := e.(type) {
	case *ast.IdentExpr:
		if local, ok := n.names[e.Value]; ok {
			e.Value = local
		}
	case *ast.AttrGetExpr:
		n.exprs(e.Object, e.Key)
	case *ast.FuncCallExpr:
		n.exprs(e.Func, e.Receiver)
		n.exprs(e.Args...)
	case *ast.TableExpr:
		for _, f := range e.Fields {
			n.exprs(f.Key, f.Value)
		}
	case *ast.LogicalOpExpr:
		n.exprs(e.Lhs, e.Rhs)
	case *ast.RelationalOpExpr:
		n.exprs(e.Lhs, e.Rhs)
	case *ast.StringConcatOpExpr:
		n.exprs(e.Lhs, e.Rhs)
	case *ast.ArithmeticOpExpr:
		n.exprs(e.Lhs, e.Rhs)
	case *ast.UnaryMinusOpExpr:
		n.expr(e.Expr)
	case *ast.UnaryNotOpExpr:
		n.expr(e.Expr)
	case *ast.UnaryLenOpExpr:
		n.expr(e.Expr)
	case nil, *ast.TrueExpr, *ast.FalseExpr, *ast.NilExpr, *ast.NumberExpr, *ast.StringExpr:
	default: // a function or …, which Prepare refuses: the syntax of a function is not a copy
	}
}
