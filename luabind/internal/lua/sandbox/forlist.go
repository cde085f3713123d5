package sandbox

import (
	"strconv"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// The list behind in of a generic for. Lua adjusts it to three values: function, state, control. gopher-lua adjusts it to the number of the
// loop's variables, so with one or two of them it leaves what was in the registers, or takes a function for its values:
//
//	for i, v in next, t do       the control value is not nil
//	for v in f, values() do      the state is the function values
//
// With three variables it is right for up to three expressions; more go through locals. One call alone, as in pairs(t), is always right.

// hiddenFor begins the names that are added.
const hiddenFor = "\x00for"

// adjustList repairs the list of a loop. It returns the statement that comes before the loop, if there is one.
func adjustList(st *ast.GenericForStmt) (before ast.Stmt) {
	if len(st.Exprs) == 1 && (syntax.GivesSeveral(st.Exprs[0]) || isHandedOver(st.Exprs[0])) {
		return nil
	}
	if len(st.Exprs) > 3 {
		names, exprs := make([]string, 3), make([]ast.Expr, 3)
		for i := range names {
			names[i] = hiddenFor + strconv.Itoa(i)
			exprs[i] = syntax.At(&ast.IdentExpr{Value: names[i]}, st)
		}
		before = syntax.At(&ast.LocalAssignStmt{Names: names, Exprs: st.Exprs}, st)
		st.Exprs = exprs
	}
	for i := len(st.Names); i < 3; i++ {
		st.Names = append(st.Names, hiddenFor+"v"+strconv.Itoa(i))
	}
	return before
}

// isHandedOver reports whether an expression is the rest of a compiled loop (package loops), whose generator needs neither state nor control.
func isHandedOver(e ast.Expr) bool {
	or, ok := e.(*ast.LogicalOpExpr)
	if !ok {
		return false
	}
	id, ok := or.Lhs.(*ast.IdentExpr)
	return ok && isHidden(id.Value)
}
