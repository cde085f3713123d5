package sandbox

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/yuin/gopher-lua/ast"
	"github.com/yuin/gopher-lua/parse"
)

const (
	maxNodes     = 200_000
	maxDepth     = 300         // expressions within each other
	maxLevels    = 1000        // statements within each other; an elseif is one level
	maxItems     = 25_000      // items of one table constructor; beyond, gopher-lua stores them in wrong places
	maxConstants = 400_000_000 // uses × distinct constants of a function: the compiler searches linearly
)

// syntaxError puts the parser's error into words.
func (c *Chunk) syntaxError(err error, source string) error {
	var pe *parse.Error
	if !errors.As(err, &pe) {
		return err
	}
	e := &Error{Pos: Pos{Line: pe.Pos.Line}, Column: pe.Pos.Column}
	near := pe.Token
	if pe.Pos.Line < 0 { // at the end of the file
		e.Pos.Line, e.Column = endOf(source)
		near = ""
	}
	what := strings.TrimSpace(pe.Message)
	unexpected := what == "syntax error" || what == "parse error"
	if unexpected {
		e.Message = syntaxHint(source, e.Pos.Line, e.Column, pe.Pos.Line < 0)
	}
	switch {
	case e.Message != "":
	case unexpected && near == "":
		e.Message = "unexpected end of file"
	case unexpected:
		e.Message = fmt.Sprintf("unexpected %q%s", cutName(near), hint(near, lineOf(source, e.Pos.Line)))
	case strings.HasPrefix(what, "Invalid"):
		e.Message = fmt.Sprintf("unexpected character %q%s", near, hint(near, ""))
	default:
		e.Message = what
		if near != "" && !strings.Contains(what, near) {
			e.Message += fmt.Sprintf(" near %q", cutName(near))
		}
	}
	return e
}

// hint knows what people used to other languages write.
func hint(near, line string) string {
	switch near {
	case "!":
		return `; Lua writes "not", and "~=" for unequal`
	case "=":
		for _, word := range []string{"if", "elseif", "while", "until", "return"} {
			if slices.Contains(strings.Fields(line), word) {
				return `; a comparison is "=="`
			}
		}
	case "&", "|":
		return `; Lua writes "and" and "or"`
	case "?":
		return `; Lua writes a ? b : c as "a and b or c"`
	}
	return ""
}

func lineOf(source string, n int) string {
	for range n - 1 {
		_, source, _ = strings.Cut(source, "\n")
	}
	line, _, _ := strings.Cut(source, "\n")
	return line
}

// endOf is the position after the last character that is no space.
func endOf(source string) (line, column int) {
	trimmed := strings.TrimRight(source, " \t\r\n\v\f")
	line = strings.Count(trimmed, "\n") + 1
	return line, len(trimmed) - strings.LastIndexByte(trimmed, '\n')
}

// checkTree bounds the syntax before anything recursive walks it. It keeps its
// own stack.
func checkTree(stmts []ast.Stmt) *Error {
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
		t.err = &Error{Pos: Pos{Line: line}, Message: fmt.Sprintf(format, args...)}
	}
}

func (t *treeCheck) push(stmts []ast.Stmt, levels int) {
	for _, st := range stmts {
		t.stack = append(t.stack, treeNode{stmt: st, levels: levels + 1})
	}
}

func (t *treeCheck) visit(n treeNode) {
	if t.nodes++; t.nodes > maxNodes {
		t.fail(1, "file too large: more than %s parts; split it", grouped(maxNodes))
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
		parts(n.stmt, expr, block)
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
			t.fail(e.Line(), "table constructor too long: %s items, at most %s", grouped(int64(len(e.Fields))), grouped(maxItems))
			return
		}
	}
	children(n.expr, expr, block)
}

func (t *treeCheck) constant(s string) {
	t.uses++
	t.consts[s] = true
}
