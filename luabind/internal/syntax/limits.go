package syntax

import (
	"fmt"

	"github.com/yuin/gopher-lua/ast"
)

// Limits of a tree. They hold for what Parse returns, and again for what is compiled: a pass may have put something in.
const (
	maxNodes     = 200_000
	maxDepth     = 300         // expressions within each other
	maxLevels    = 1000        // statements within each other; an elseif is one level
	maxItems     = 25_000      // items of one table constructor; beyond, gopher-lua stores them in wrong places
	maxConstants = 400_000_000 // uses × distinct constants of a function: the compiler searches linearly
)

// CheckLimits refuses a tree that is too large or too deep for code that walks it recursively. It keeps its own stack. The error is nil or says
// the line, not the file.
func CheckLimits(stmts []ast.Stmt) *Error {
	t := &treeCheck{consts: map[string]bool{}}
	t.push(stmts, 0)
	for len(t.stack) > 0 && t.err == nil {
		n := t.stack[len(t.stack)-1]
		t.stack = t.stack[:len(t.stack)-1]
		t.visit(n)
	}
	if t.err == nil && int64(t.uses)*int64(len(t.consts)) > maxConstants {
		t.fail(1, "too many different names and constants in one file; split it")
	}
	return t.err
}

type treeNode struct {
	expr          ast.Expr
	stmt          ast.Stmt
	depth, levels int
}

type treeCheck struct {
	stack  []treeNode
	nodes  int
	uses   int
	consts map[string]bool
	err    *Error
}

func (t *treeCheck) fail(line int, format string, args ...any) {
	if t.err == nil {
		t.err = &Error{Line: line, Message: fmt.Sprintf(format, args...)}
	}
}

func (t *treeCheck) push(stmts []ast.Stmt, levels int) {
	for _, st := range stmts {
		t.stack = append(t.stack, treeNode{stmt: st, levels: levels + 1})
	}
}

func (t *treeCheck) visit(n treeNode) {
	if t.nodes++; t.nodes > maxNodes {
		t.fail(1, "file too large: more than %s parts; split it", Grouped(maxNodes))
		return
	}
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
	switch e := n.expr.(type) {
	case *ast.StringExpr:
		t.constant(e.Value)
	case *ast.NumberExpr:
		t.constant(e.Value)
	case *ast.IdentExpr:
		t.constant(e.Value)
	case *ast.TableExpr:
		if len(e.Fields) > maxItems {
			t.fail(e.Line(), "table constructor too long: %s items, at most %s", Grouped(int64(len(e.Fields))), Grouped(maxItems))
			return
		}
	}
	Children(n.expr, expr, block)
}

func (t *treeCheck) constant(s string) {
	t.uses++
	t.consts[s] = true
}
