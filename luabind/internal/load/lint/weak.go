package lint

import (
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Weak tables, which hold what is in them like all others, and loops that wait until the collector has emptied one.

const (
	weakAdvice = "set entries to nil where they end, such as when an entity is despawned"
	waitAdvice = "remove the loop; collectgarbage does nothing, and next(t) has what the script has put there"
)

func (c *checker) weak(f *file) {
	weak := map[*syntax.Variable]bool{} // metatables with __mode, and tables that have one
	found := false
	note := func(n ast.PositionHolder) {
		found = true
		c.add("W106", f, n.Line(), "__mode makes no weak table here: when a collector runs does not repeat, so every table holds what is in it", weakAdvice)
	}
	isWeak := func(e ast.Expr) bool {
		if call, ok := e.(*ast.FuncCallExpr); ok && call.Func != nil && text(call.Func) == "setmetatable" && len(call.Args) == 2 {
			e = call.Args[1]
		}
		v := f.Chunk.Bindings.Variable(e)
		return v != nil && weak[v] || hasMode(e)
	}
	f.Chunk.Visit(syntax.Visitor{
		Stmt: func(st ast.Stmt) {
			switch st := st.(type) {
			case *ast.LocalAssignStmt:
				for i, v := range f.Chunk.Bindings.Declared(st) {
					weak[v] = i < len(st.Exprs) && isWeak(st.Exprs[i])
				}
			case *ast.AssignStmt:
				for _, target := range st.Lhs {
					if get, ok := target.(*ast.AttrGetExpr); ok && isMode(get.Key) {
						note(get)
						if v := f.Chunk.Bindings.Variable(get.Object); v != nil {
							weak[v] = true
						}
					}
				}
			case *ast.WhileStmt:
				c.waits(f, st, st.Condition, st.Stmts, weak, found)
			case *ast.RepeatStmt:
				c.waits(f, st, st.Condition, st.Stmts, weak, found)
			}
		},
		Expr: func(e ast.Expr) {
			if hasMode(e) {
				note(e)
			}
			if call, ok := e.(*ast.FuncCallExpr); ok && len(call.Args) == 2 && isWeak(call) {
				if v := f.Chunk.Bindings.Variable(call.Args[0]); v != nil {
					weak[v] = true
				}
			}
		},
	})
}

// waits reports a loop that runs until the collector has removed something: it calls collectgarbage, or only asks for the next entry of a weak
// table.
func (c *checker) waits(f *file, loop ast.Stmt, condition ast.Expr, body []ast.Stmt, weak map[*syntax.Variable]bool, found bool) {
	collects, asks, sets := false, false, false
	syntax.Search(append([]ast.Stmt{&ast.ReturnStmt{Exprs: []ast.Expr{condition}}}, body...), func(n ast.PositionHolder) syntax.Step {
		switch n := n.(type) {
		case *ast.FuncCallExpr:
			if n.Func != nil && text(n.Func) == "collectgarbage" {
				collects = true
			}
			if n.Func != nil && text(n.Func) == "next" && len(n.Args) > 0 && weak[f.Chunk.Bindings.Variable(n.Args[0])] {
				asks = true
			}
		case *ast.AssignStmt:
			for _, target := range n.Lhs {
				_, ok := target.(*ast.AttrGetExpr)
				sets = sets || ok
			}
		}
		return syntax.Deeper
	})
	if found && collects || asks && !sets {
		c.add("W106", f, loop.Line(), "the loop waits for the collector, which removes nothing from a table", waitAdvice)
	}
}

// hasMode reports whether an expression is a table constructor with __mode.
func hasMode(e ast.Expr) bool {
	t, ok := e.(*ast.TableExpr)
	if !ok {
		return false
	}
	for _, field := range t.Fields {
		if isMode(field.Key) {
			return true
		}
	}
	return false
}

func isMode(key ast.Expr) bool {
	s, ok := key.(*ast.StringExpr)
	return ok && s.Value == "__mode"
}
