package lower

import (
	"fmt"

	"github.com/yuin/gopher-lua/ast"
)

// Tables that a body passes to functions it does not know. Such a function may change the table, so it is no constant; what is
// refused then stands elsewhere in the body, and the call is the reason.

// passes notes that an argument of a call is no constant.
func (p *preparer) passes(k known, e *ast.FuncCallExpr) {
	note := func(pl Place) {
		if pl.Variable == nil {
			return
		}
		if _, known := p.passed[pl]; !known {
			name := pl.Variable.Name
			p.passed[pl] = &Reason{File: p.file(), Line: e.Line(), Text: fmt.Sprintf("passes a table of %q to %s", name, callee(e)), Advice: writeElements}
		}
	}
	for _, c := range k.constants {
		note(p.origins[c])
	}
	note(k.place)
	note(k.object)
}

// refusePassed refuses a use of the table in an input that is no constant because the body passes it, or a table in it, to a function.
func (c *lowerer) refusePassed(input int) {
	in := c.t.Inputs[input]
	if r := c.t.passed[Place{in.Variable, in.Member}]; r != nil {
		out := *r
		out.placed = true
		panic(&out)
	}
}
