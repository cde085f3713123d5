package coverage

import (
	"strconv"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// This file puts the marks into the syntax tree of a file.

// hiddenMark is the name of the function that a mark calls. No source can contain it.
const hiddenMark = "\x00mark"

// markInstructions is the number of instructions of a mark: the function, its argument, the call.
const markInstructions = 3

// Pass returns the pass that puts marks into a file, and sets the Counts to those of the file: nothing has run.
func (c *Counts) Pass() sandbox.Pass {
	return func(file *syntax.Chunk) error {
		c.lines = nil
		c.block(&file.Stmts)
		c.ran = make([]uint64, len(c.lines))
		return nil
	}
}

// block puts marks into a block and everything inside it.
func (c *Counts) block(b *[]ast.Stmt) {
	out := make([]ast.Stmt, 0, 2*len(*b))
	for _, st := range *b {
		if executes(st) {
			out = append(out, c.mark(st))
		}
		syntax.Parts(st, c.expr, c.block)
		if loop, ok := st.(*ast.RepeatStmt); ok {
			loop.Stmts = append(loop.Stmts, c.mark(loop.Condition))
		}
		out = append(out, st)
	}
	*b = out
}

// expr puts marks into the functions of an expression.
func (c *Counts) expr(e *ast.Expr) { syntax.Children(*e, c.expr, c.block) }

// executes reports whether a statement does something where it begins.
func executes(st ast.Stmt) bool {
	switch st.(type) {
	case *ast.LabelStmt, *ast.DoBlockStmt, *ast.RepeatStmt:
		return false
	}
	return true
}

// mark returns the mark of what begins at a node.
func (c *Counts) mark(at ast.PositionHolder) ast.Stmt {
	number := syntax.At(&ast.NumberExpr{Value: strconv.Itoa(len(c.lines))}, at)
	c.lines = append(c.lines, at.Line())
	return syntax.At(&ast.FuncCallStmt{Expr: syntax.At(&ast.FuncCallExpr{
		Func: syntax.At(&ast.IdentExpr{Value: hiddenMark}, at),
		Args: []ast.Expr{number},
	}, at)}, at)
}
