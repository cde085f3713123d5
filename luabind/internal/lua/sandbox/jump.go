package sandbox

import (
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// gopher-lua's compiler shortens a jump to a jump: it takes over the target of the second. If the second one is
// further up in the code, its target has already been replaced by a distance, so the result is wrong, and the loop
// continues somewhere in the function:
//
//	for e in next_enemy do break end -- starts the function again
//
// A loop jumps back to the first instruction of its body. So that instruction must not be a jump; if it would be,
// repair.go puts a pause before it.

// startsWithJump reports whether the code of a block may begin with a jump.
func startsWithJump(block []ast.Stmt) bool {
	for _, st := range block {
		switch st := st.(type) {
		case *ast.BreakStmt, *ast.GotoStmt:
			return true
		case *ast.LabelStmt:
			continue // no code
		case *ast.DoBlockStmt:
			if len(st.Stmts) == 0 {
				continue
			}
			return startsWithJump(st.Stmts)
		case *ast.WhileStmt:
			return decided(st.Condition) || mayJump(st.Condition)
		case *ast.RepeatStmt:
			return len(st.Stmts) == 0 && decided(st.Condition) || startsWithJump(st.Stmts)
		case *ast.IfStmt:
			return decided(st.Condition) || mayJump(st.Condition)
		}
		found := false
		syntax.Parts(st, func(e *ast.Expr) { found = found || mayJump(*e) }, func(*[]ast.Stmt) {})
		return found
	}
	return false
}

// mayJump reports whether an expression contains one like (8 or x), whose code is a jump; the expressions to its
// left may have no code.
func mayJump(e ast.Expr) bool {
	if l, ok := e.(*ast.LogicalOpExpr); ok && decided(l.Lhs) {
		return true
	}
	found := false
	syntax.Children(e, func(e *ast.Expr) { found = found || mayJump(*e) }, func(*[]ast.Stmt) {})
	return found
}

// decided reports whether the compiler may decide a condition without generating code.
func decided(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.TrueExpr, *ast.FalseExpr, *ast.NilExpr, *ast.NumberExpr, *ast.StringExpr:
		return true
	case *ast.UnaryNotOpExpr:
		return decided(e.Expr)
	case *ast.LogicalOpExpr:
		return decided(e.Lhs) || decided(e.Rhs)
	}
	return false
}

// pause returns a statement that does nothing and has one instruction.
func pause(like ast.PositionHolder) ast.Stmt {
	local := syntax.At(&ast.LocalAssignStmt{Names: []string{hiddenTemp}, Exprs: []ast.Expr{syntax.At(&ast.NilExpr{}, like)}}, like)
	return syntax.At(&ast.DoBlockStmt{Stmts: []ast.Stmt{local}}, like)
}
