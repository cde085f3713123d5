package syntax

import (
	"fmt"

	"github.com/yuin/gopher-lua/ast"
)

// Limits of trees. Everything after this step walks trees recursively. So a tree that is too deep is refused before anything walks it.

// The limits. They hold for the tree that Parse returns, and are checked again before a tree is compiled, because a
// pass may have added nodes.
const (
	maxDepth   = 300         // nesting of expressions
	maxLevels  = 1000        // nesting of statements; each elseif is a level
	maxMethods = 400_000_000 // calls of methods × their names: the compiler searches them linearly
)

// CheckLimits refuses a tree that is too deep for recursive code. It is not recursive itself: it keeps
// its own stack. The error has a line and no file; it is nil if the tree is within the limits.
func CheckLimits(stmts []ast.Stmt) *Error {
	t := &treeCheck{}
	t.push(stmts, 0)
	for len(t.stack) > 0 && t.err == nil {
		n := t.stack[len(t.stack)-1]
		t.stack = t.stack[:len(t.stack)-1]
		t.visit(n)
	}
	return t.err
}

// A treeNode is an expression or a statement that is still to be visited.
type treeNode struct {
	expr          ast.Expr
	stmt          ast.Stmt
	depth, levels int
}

// A treeCheck is the state of CheckLimits.
type treeCheck struct {
	stack []treeNode
	err   *Error
}

// fail keeps the first error.
func (t *treeCheck) fail(line int, format string, args ...any) {
	if t.err == nil {
		t.err = &Error{Line: line, Message: fmt.Sprintf(format, args...)}
	}
}

// push adds the statements of a block.
func (t *treeCheck) push(stmts []ast.Stmt, levels int) {
	for _, st := range stmts {
		t.stack = append(t.stack, treeNode{stmt: st, levels: levels + 1})
	}
}

// visit checks the depth of a node, and adds the nodes directly below it.
func (t *treeCheck) visit(n treeNode) {
	expr := func(e *ast.Expr) {
		t.stack = append(t.stack, treeNode{expr: *e, depth: n.depth + 1, levels: n.levels})
	}
	block := func(b *[]ast.Stmt) { t.push(*b, n.levels) }
	if n.stmt != nil {
		if n.levels > maxLevels {
			t.fail(n.stmt.Line(), "more than %d statements within each other", maxLevels)
			return
		}
		Parts(n.stmt, expr, block)
		return
	}
	if n.depth > maxDepth {
		t.fail(n.expr.Line(), "expression too long: more than %d parts within each other; use several statements", maxDepth)
		return
	}
	Children(n.expr, expr, block)
}
