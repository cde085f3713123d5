package lower

import (
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/yuin/gopher-lua/ast"
)

// Exits: a statement that no kernel can do does not keep the others from being compiled, if not each row comes to it. It becomes an ir.Leave: a row
// that comes there is restored, and the interpreter runs it as a whole. Which statements these are is found by trial: where Prepare or Lower refuses
// something, they note the innermost statement around it that may be left, and begin again. Nothing behind such a statement in its block is looked at.

// exits are the statements of a body that are left to the interpreter, with the reasons.
type exits map[ast.Stmt]*Reason

// mostExits bounds how often a body is looked at again.
const mostExits = 24

// add notes a statement that is left because something in it is refused; false if that does not help.
func (x exits) add(st ast.Stmt, why *Reason) bool {
	if st == nil || why.whole || why.Text == tooLarge || len(x) >= mostExits || x[st] != nil {
		return false
	}
	x[st] = why
	return true
}

// position is where a pass over a body is.
type position struct {
	// rare says that not each row comes here, as far as the function shows it whose body this is: it is in an if, or behind a statement that may jump.
	rare bool
	// exit is the innermost statement around the position that not each row comes to, in this function or one that calls it; nil if each row comes here.
	exit ast.Stmt
}

// enter begins a statement. The caller sets the position back to before when it is done; it does not if something in the statement is refused.
func (p *position) enter(st ast.Stmt) (before position) {
	before = *p
	if p.rare {
		p.exit = st
	}
	return before
}

// pass moves behind a statement of a block.
func (p *position) pass(st ast.Stmt) { p.rare = p.rare || jumps(st, true) }

// jumps reports whether a row may leave the block that a statement stands in, there. A break counts if breaks is true: else it only ends a loop
// within the statement.
func jumps(st ast.Stmt, breaks bool) bool {
	list := func(stmts []ast.Stmt, breaks bool) bool {
		for _, st := range stmts {
			if jumps(st, breaks) {
				return true
			}
		}
		return false
	}
	switch st := st.(type) {
	case *ast.GotoStmt, *ast.ReturnStmt:
		return true
	case *ast.BreakStmt:
		return breaks
	case *ast.IfStmt:
		return list(st.Then, breaks) || list(st.Else, breaks)
	case *ast.DoBlockStmt:
		return list(st.Stmts, breaks)
	case *ast.WhileStmt:
		return list(st.Stmts, false)
	case *ast.RepeatStmt:
		return list(st.Stmts, false)
	case *ast.NumberForStmt:
		return list(st.Stmts, false)
	case *ast.GenericForStmt:
		return list(st.Stmts, false)
	}
	return false
}

// leaves emits the exit that a statement is.
func (c *lowerer) leaves(why *Reason) {
	c.p.Exact = true
	file := why.File
	if file == "" {
		file = c.file
	}
	c.departure(ir.Departure{File: file, Line: why.Line, Text: why.Text, Statement: true})
	c.emit(&ir.Stmt{Op: ir.Leave})
}
