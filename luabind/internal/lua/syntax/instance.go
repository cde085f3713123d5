package syntax

import (
	"slices"

	"github.com/yuin/gopher-lua/ast"
)

// Copies of functions. A loop that uses functions of other files becomes one tree with copies of them
// (loops/link.go). Each copy has variables of its own.

// Instance copies a function of the tree that was resolved. The copy declares variables of its own, so that several
// copies of one function can be parts of one body. For a variable from around the function, or a global, the copy
// uses the one that free returns. The copy is bound in these Bindings, so no other goroutine may use them
// meanwhile. It returns the parameters and the body of the copy.
func (b *Bindings) Instance(fn *ast.FunctionExpr, free func(*Variable) *Variable) (params []*Variable, body []ast.Stmt) {
	outer := b.functions[fn]
	known := map[*Variable]*Variable{}
	of := func(v *Variable) *Variable {
		if known[v] == nil {
			if v.Function.within(outer) {
				own := *v
				known[v] = &own
			} else {
				known[v] = free(v)
			}
		}
		return known[v]
	}
	all := func(list []*Variable) []*Variable {
		list = slices.Clone(list)
		for i, v := range list {
			list[i] = of(v)
		}
		return list
	}
	params = all(outer.Params)
	body = (&Cloner{Bindings: b}).Block(fn.Stmts)
	Search(body, func(n ast.PositionHolder) Step {
		if id, ok := n.(*ast.IdentExpr); ok {
			b.idents[id] = of(b.idents[id])
		}
		if b.declared[n] != nil {
			b.declared[n] = all(b.declared[n])
		}
		return Deeper
	})
	return params, body
}

// within reports whether f is outer, or a function inside it.
func (f *Function) within(outer *Function) bool {
	for ; f != nil; f = f.Parent {
		if f == outer {
			return true
		}
	}
	return false
}
