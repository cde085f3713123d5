package loops

import (
	"github.com/ecsrun/ecsrun/luabind/internal/compile/lower"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// A loop of a file, as it was found in the source.

// A Loop is a query loop of a file, for … in world:each(…), or a loop over events. It does not change after its
// file was compiled.
type Loop struct {
	Line  int
	World string // the name of the variable before :each; "" if it is not a variable
	// Events is the method of world whose events are walked: read, peek or drain; "" for a loop over entities.
	Events string
	Args   []ast.Expr // the arguments of each, or of that method
	Outer  *Loop      // the innermost query or event loop around it; nil if there is none
	last   bool       // nothing of the function around it follows the loop

	Template *lower.Template // the loop for lowering; nil if the interpreter always runs the loop
	Reason   *Reason         // why Template is nil
	guess    []guessed       // for each input: what the source shows of it
	terms    *terms          // the terms of the query; nil if they are not known
	returns  []int           // how many values its return statements may give: those for which there is code behind RUN

	file  *File
	names *syntax.Bindings
	stmt  *ast.GenericForStmt
	slot  *ast.Stmt        // the place of the loop in the tree
	world *syntax.Variable // the variable before :each; nil if it is not a variable
}

// A Reason says why the interpreter runs a loop, where, and what to change.
type Reason = lower.Reason
