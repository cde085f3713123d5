package sandbox

import (
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// This file relates the compiled functions of a chunk to their syntax. Package loops uses it to look up the syntax
// of a Lua function value.

// Functions returns, for each compiled function of the file, its expression in tree, which [Chunk.Tree] has
// returned. A function that the passes have changed so much that the two do not correspond is left out, with all
// functions inside of it.
func (c *Chunk) Functions(tree *syntax.Chunk) map[*lua.FunctionProto]*ast.FunctionExpr {
	main := &functionNode{}
	at := []*functionNode{main}
	tree.Visit(syntax.Visitor{
		Enter: func(s syntax.Scope) {
			if fn, ok := s.Node.(*ast.FunctionExpr); ok && s.Function {
				outer := at[len(at)-1]
				outer.inner = append(outer.inner, &functionNode{fn: fn})
				at = append(at, outer.inner[len(outer.inner)-1])
			}
		},
		Leave: func(s syntax.Scope) {
			if s.Function && s.Node != nil {
				at = at[:len(at)-1]
			}
		},
	})
	out := map[*lua.FunctionProto]*ast.FunctionExpr{}
	main.pair(c.proto, out)
	return out
}

// A functionNode is a function of a tree, with the functions inside of it in the order of the source.
type functionNode struct {
	fn    *ast.FunctionExpr // nil: the file
	inner []*functionNode
}

// pair records which compiled function belongs to which expression.
func (n *functionNode) pair(p *lua.FunctionProto, out map[*lua.FunctionProto]*ast.FunctionExpr) {
	if len(n.inner) != len(p.FunctionPrototypes) {
		return
	}
	for i, inner := range n.inner {
		if of := p.FunctionPrototypes[i]; of.LineDefined == inner.fn.Line() && of.LastLineDefined == inner.fn.LastLine() {
			out[of] = inner.fn
			inner.pair(of, out)
		}
	}
}
