package lower

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Blocks with labels, and goto. What stands before a label becomes an ir.Block, to whose end a goto jumps that comes before
// the label. What follows a label to which a goto jumps back becomes an ir.While, which such a goto begins again.

// A label is a goto label that can be reached, with the number of its ir.Block; 0 if no jump to it can be lowered.
type label struct {
	name string
	id   int
}

// stmts lowers the statements of a block.
func (c *lowerer) stmts(stmts []ast.Stmt) {
	before, labels := c.position, len(c.labels)
	for _, st := range stmts {
		if l, ok := st.(*ast.LabelStmt); ok { // it hides a label of the same name around the block
			c.labels = append(c.labels, label{name: l.Name})
		}
	}
	c.upTo(stmts)
	c.labels, c.position = c.labels[:labels], before
}

// upTo lowers stmts, the first statements of a block. Those before the last label become an ir.Block, to whose end a goto jumps; those
// after it follow, in a loop if they jump back to the label.
func (c *lowerer) upTo(stmts []ast.Stmt) {
	last := len(stmts) - 1
	for last >= 0 && !isLabel(stmts[last]) {
		last--
	}
	if last < 0 {
		c.run(stmts)
		return
	}
	name, rest, labels := stmts[last].(*ast.LabelStmt).Name, stmts[last+1:], len(c.labels)
	id := c.newLabel(name)
	c.emit(&ir.Stmt{Op: ir.Block, I: id, Body: c.collect(func() { c.branching(func() { c.upTo(stmts[:last]) }) })})
	c.labels = c.labels[:labels]
	if !jumpsTo(rest, name) {
		c.run(rest)
		return
	}
	c.again(name, rest)
}

// again lowers the statements after a label to which they jump back.
func (c *lowerer) again(name string, stmts []ast.Stmt) {
	labels := len(c.labels)
	again := c.newLabel(name)
	s := &ir.Stmt{Op: ir.While, A: boolean(true)}
	c.iteration(s, func() {
		c.breaks[len(c.breaks)-1] = noBreak
		body := c.collect(func() {
			c.run(stmts)
		})
		s.Body = []*ir.Stmt{{Op: ir.Block, I: again, Body: append(body, &ir.Stmt{Op: ir.Break})}}
	})
	c.labels = c.labels[:labels]
	c.emit(s)
}

// noBreak stands in lowerer.breaks for a loop that the source does not have, from which a break cannot be lowered.
const noBreak = -1

// newLabel makes a label that a goto can reach.
func (c *lowerer) newLabel(name string) (id int) {
	c.jumps++
	c.labels = append(c.labels, label{name, c.jumps})
	return c.jumps
}

// run lowers statements without labels among them.
func (c *lowerer) run(stmts []ast.Stmt) {
	for _, st := range stmts {
		c.stmt(st)
		if c.exits[st] != nil {
			break // no row comes after an exit
		}
		c.pass(st)
	}
}

// jump lowers a goto.
func (c *lowerer) jump(st *ast.GotoStmt) {
	for i := len(c.labels) - 1; i >= 0; i-- {
		if l := c.labels[i]; l.name == st.Label && l.id != 0 {
			c.emit(&ir.Stmt{Op: ir.Jump, I: l.id})
			return
		} else if l.name == st.Label {
			break
		}
	}
	refuse(st, "jumps back to %q, over another label", st.Label)
}

// isLabel reports whether a statement is a label.
func isLabel(st ast.Stmt) bool {
	_, ok := st.(*ast.LabelStmt)
	return ok
}

// jumpsTo reports whether some statements contain a goto to a label, outside of functions that they make.
func jumpsTo(stmts []ast.Stmt, name string) (found bool) {
	syntax.Search(stmts, func(n ast.PositionHolder) syntax.Step {
		switch n := n.(type) {
		case *ast.GotoStmt:
			found = found || n.Label == name
		case *ast.FunctionExpr:
			return syntax.Past
		}
		return syntax.Deeper
	})
	return found
}

// behind returns the statements behind an exit that rows may still reach: those from the next label on.
func behind(stmts []ast.Stmt) []ast.Stmt {
	if i := slices.IndexFunc(stmts, isLabel); i >= 0 {
		return stmts[i:]
	}
	return nil
}
