package loops

import (
	"github.com/ecsrun/ecsrun/luabind/internal/lower"
	"github.com/ecsrun/ecsrun/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// A Loop is a for … in world:each(…) of a file, or one over events.
type Loop struct {
	Line  int
	World string // the name of the variable in front of :each, "" if it is none
	// Events is the function of world whose events are walked, read, peek or drain;
	// "" for a loop over entities.
	Events string
	Args   []ast.Expr // of each, or of that function
	Outer  *Loop      // the innermost query or event loop around it, nil if there is none

	Template *lower.Template // what may be compiled; nil: the interpreter always runs the loop
	Reason   *Reason         // why, if Template is nil
	guess    []guessed       // by input
	terms    *terms          // of the query, nil when they are not known

	file  *File
	names *syntax.Bindings
	stmt  *ast.GenericForStmt
	slot  *ast.Stmt        // where the loop stands
	world *syntax.Variable // in front of :each, nil if that is none
}

// A Reason says why the interpreter runs a loop, where, and what to change.
type Reason = lower.Reason
