package lower

import (
	"fmt"
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
)

// openStmts and openExprs are the operations on tables and values of any kind, for which there is no machine code.
var (
	openStmts = []ir.StmtOp{ir.Invoke, ir.Make, ir.PutItem, ir.Insert, ir.Remove, ir.Sort, ir.Items, ir.Entries, ir.Recurse, ir.Again}
	openExprs = []ir.Op{ir.Item, ir.As, ir.Wrap, ir.Box, ir.Truth, ir.Length, ir.Join, ir.Shown}
)

// openWork returns the first statement, not within another one, in which each row does such an operation; nil if there is none.
func openWork(p *ir.Program) *ir.Stmt {
	results := ir.TextResultsOf(p)
	var is func(x *ir.Expr) bool
	is = func(x *ir.Expr) bool {
		chooses := x != nil && (x.Op == ir.Select || x.Op == ir.And || x.Op == ir.Or)
		return x != nil && !results.Makes(x) && (slices.Contains(openExprs, x.Op) || is(x.A) || !chooses && (is(x.B) || is(x.C)))
	}
	i := slices.IndexFunc(p.Body, func(s *ir.Stmt) bool {
		if results.Calls(s) {
			return false
		}
		return slices.Contains(openStmts, s.Op) || is(s.A) || is(s.B) || is(s.C) || slices.ContainsFunc(s.Args, is)
	})
	if i < 0 {
		return nil
	}
	return p.Body[i]
}

// workText says that rows do what openWork has found, and where if that is known.
func workText(s *ir.Stmt) string {
	const text = "does what only closures can do"
	switch {
	case s.Line == 0:
		return text
	case s.File == "":
		return fmt.Sprintf("%s (line %d)", text, s.Line)
	}
	return fmt.Sprintf("%s (%s:%d)", text, s.File, s.Line)
}
