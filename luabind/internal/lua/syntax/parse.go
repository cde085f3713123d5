package syntax

import (
	"fmt"
	"strings"

	"github.com/yuin/gopher-lua/ast"
	"github.com/yuin/gopher-lua/parse"
)

// Parsing: the text of a file comes in, a [Chunk] with a bound tree goes out, or an [Error]. The steps are: scan,
// gopher-lua's parser, limits, resolve.

// A Chunk is a parsed file: its tree, and what its identifiers mean. Passes of packages script and loops read and
// change the tree before it is compiled.
type Chunk struct {
	Name  string     // of the file, as positions show it
	Stmts []ast.Stmt // the tree; its positions are those of the text

	// Bindings are those of the tree as it was parsed. Nodes that are added later are not bound, except copies that
	// a [Cloner] has bound.
	Bindings *Bindings

	values functionValues
}

// A functionValues has the statements written as local f = function … end. gopher-lua's tree does not distinguish
// them from local function f … end. In Lua the f inside the function is another variable in the first case.
type functionValues map[*ast.LocalAssignStmt]bool

// An Error says why a text is not valid Lua, or is too large. Line is at least 1. Column is counted from 1 in
// bytes; it is 0 if it is not known.
type Error struct {
	File         string
	Line, Column int
	Message      string // one line without the position
}

func (e *Error) Error() string {
	if e.Column > 0 {
		return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Message)
}

// Parse makes a Chunk of a text. name is the name of the file in positions. The time is linear in the length of the
// text. The error is nil or an [*Error].
func Parse(name, text string) (*Chunk, error) {
	c, err := parseText(name, text)
	if err != nil {
		err.File, err.Line = name, max(err.Line, 1)
		return nil, err
	}
	return c, nil
}

// parseText is Parse without the name in the error.
func parseText(name, text string) (*Chunk, *Error) {
	tokens, e := scan(text)
	if e != nil {
		return nil, e
	}
	stmts, err := parse.Parse(strings.NewReader(tokens.clean), name)
	if err != nil {
		return nil, parseError(err, tokens.clean)
	}
	if e := CheckLimits(stmts); e != nil {
		return nil, e
	}
	c := &Chunk{Name: name, Stmts: stmts, values: functionValuesOf(stmts, tokens.locals)}
	c.Bindings = resolve(stmts, c.values)
	return c, nil
}

// Visit walks the tree as [Visit] does, and distinguishes local f = function from local function f.
func (c *Chunk) Visit(v Visitor) { visit(c.Stmts, v, c.values) }

// HoldsItself reports whether a statement is written as local f = function … end, and the function uses the name f,
// which is another variable there. gopher-lua's compiler would take the statement for a local function.
func (c *Chunk) HoldsItself(st *ast.LocalAssignStmt) bool {
	return c.values[st] && mentions(st.Exprs[0].(*ast.FunctionExpr).Stmts, st.Names[0])
}

// functionValuesOf finds the statements written as local f = function. isFunction has an element for each word
// local of the text, in order: whether the word function follows it.
func functionValuesOf(stmts []ast.Stmt, isFunction []bool) functionValues {
	out := functionValues{}
	n := 0
	var expr func(*ast.Expr)
	var block func(*[]ast.Stmt)
	expr = func(e *ast.Expr) { Children(*e, expr, block) }
	block = func(b *[]ast.Stmt) {
		for _, st := range *b {
			if st, ok := st.(*ast.LocalAssignStmt); ok {
				if n < len(isFunction) && !isFunction[n] && functionOf(st) != nil {
					out[st] = true
				}
				n++
			}
			Parts(st, expr, block)
		}
	}
	block(&stmts)
	return out
}

// functionOf returns the function of local f = function or of local function f; nil for any other statement.
func functionOf(st *ast.LocalAssignStmt) *ast.FunctionExpr {
	if len(st.Names) != 1 || len(st.Exprs) != 1 {
		return nil
	}
	fn, _ := st.Exprs[0].(*ast.FunctionExpr)
	return fn
}

// mentions reports whether an identifier with that name occurs below stmts.
func mentions(stmts []ast.Stmt, name string) bool {
	return Search(stmts, func(n ast.PositionHolder) Step {
		if id, ok := n.(*ast.IdentExpr); ok && id.Value == name {
			return Found
		}
		return Deeper
	})
}

// usesVarargs reports whether the file itself, not a function in it, uses "...".
func usesVarargs(stmts []ast.Stmt) bool {
	return Search(stmts, func(n ast.PositionHolder) Step {
		switch n.(type) {
		case *ast.Comma3Expr:
			return Found
		case *ast.FunctionExpr, *ast.FuncDefStmt:
			return Past
		}
		return Deeper
	})
}
