package kernel

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
)

// Code is what a back end makes of a Program: it runs the query loop. It belongs
// to one goroutine at a time. Inputs are set before Run, each in the register its
// Place says, and outputs are read after it.
type Kernel interface {
	SetNumber(reg int, v float64)
	SetBool(reg int, v bool)
	SetText(reg int, v string)
	// SetTable gives the elements of Program.Tables[i]. Run writes to its Values.
	SetTable(i int, e Elements)

	// Run walks a cursor that has just begun. After Left it stands on a row that was
	// not begun, or was put back as it had been, and everything before that row is
	// done: the interpreter goes on there. After the others the cursor has ended.
	Run(c *ecs.Cursor) Ending

	Number(reg int) float64
	Bool(reg int) bool
	Text(reg int) string
	// Results are the values of the Return that ended the loop, valid until the next
	// Run.
	Results() []Result
}

// EventCode is what a back end makes of the Program of a loop over events: a [Kernel] whose Run is never called.
type EventKernel interface {
	Kernel
	RunEvents(w *ecs.World, events Events) Ending
}

// Watched is a [Kernel] that is compared with closures while it runs.
type Watched interface {
	Kernel
	// Watch sets who is told, once, of the first Difference. The world is then as it was
	// before the rows that differ, which closures do next.
	Watch(report func(*Difference))
}

// Elements are the elements of a table at the keys From, From+1 and so on: one
// value each, or one per member.
type Elements struct {
	From   int
	Values []float64
}

// Events are what a loop over events walks.
type Events interface {
	// Event returns the address of the event the walk stands on, valid until something is sent; false at the end.
	Event() (unsafe.Pointer, bool)
	// Next moves past it.
	Next()
	// Rest returns the address of the event the walk stands on, and how many there are from it on, one after the other; valid as Event's is.
	Rest() (first unsafe.Pointer, n int)
	// Skip moves past n of them.
	Skip(n int)
}

// An Ending says how a loop ended.
type Ending uint8

// The endings.
const (
	Finished Ending = iota // all rows, or a break
	Bailout                // the rest is the interpreter's
	Returned               // a Return, with Results
)

// A Result is a value of a Return, in the field of its Type.
type Result struct {
	Type ir.Type
	N    float64 // also of a Bool: 0 or 1
	S    string
}

// A Difference is something that code did otherwise than closures do. It is a fault
// of the compiler.
type Difference struct {
	Entity    ecs.Entity // whose row it was; None where that is not known, and of a loop over events
	Row       int        // of the table, or of the events that were walked; -1 where that is not known
	Component string     // whose field it is; "" of anything else
	Field     string
	Input     int    // of a variable from around the loop; -1 otherwise
	What      string // of anything else, as "the fuel it uses"

	Code, Closures string // both values
}
