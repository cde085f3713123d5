package loops

import (
	"github.com/ecsrun/ecsrun/luabind/internal/compile/lower"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// A loop of a file, as it was found in the source.

// A Loop is a query loop of a file, for … in world:each(…), or a loop over events or over the cells of a layer. It does not change
// after its file was compiled.
type Loop struct {
	Line  int
	World string // the name of the variable before :each; "" if it is not a variable
	// Events is the method of world whose events are walked: read, peek or drain; "" for a loop over something else.
	Events string
	// Cells is the method of a layer that is walked: each or around; "" for a loop over something else.
	Cells string
	Args  []ast.Expr // the arguments of each, or of that method
	Outer *Loop      // the innermost loop of these around it; nil if there is none
	last  bool       // nothing of the function around it follows the loop

	Template *lower.Template // the loop for lowering; nil if the interpreter always runs the loop
	Reason   *Reason         // why Template is nil
	guess    []guessed       // for each input: what the source shows of it
	terms    *terms          // the terms of the query; nil if they are not known
	returns  []int           // how many values its return statements may give: those for which there is code behind RUN

	file  *File
	names *syntax.Bindings
	stmt  *ast.GenericForStmt
	slot  *ast.Stmt        // the place of the loop in the tree
	world *syntax.Variable // the variable that holds the world: the one before :each, or that of the layer; nil if it is not known
	layer ast.Expr         // the layer of a loop over cells
}

// A Reason says why the interpreter runs a loop, where, and what to change.
type Reason = lower.Reason
