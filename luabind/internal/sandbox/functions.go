package sandbox

import (
	"github.com/ecsrun/ecsrun/luabind/internal/syntax"
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// Functions says where the functions of a chunk stand in its syntax: for each compiled function of the file its expression in a tree that [Chunk.Tree] has returned.
// A function that the passes have changed so that both do not correspond is left out, with those in it.
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

// A functionNode is a function of a tree, with those that are made in it, in the order of the source.
type functionNode struct {
	fn    *ast.FunctionExpr // nil: the file
	inner []*functionNode
}

// pair notes which compiled function is which expression.
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
