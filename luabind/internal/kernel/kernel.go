package kernel

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
)

// A Kernel is what a back end makes of the Program of a query loop. Package loops sets the
// inputs, each in the register that its ir.Place says, calls Run, and reads the outputs. A Kernel
// belongs to one goroutine at a time; it keeps its registers from one Run to the next.
type Kernel interface {
	SetNumber(reg int, v float64)
	SetBool(reg int, v bool)
	SetText(reg int, v string)
	// SetTable gives the elements of Program.Tables[i]. Run writes to its Values.
	SetTable(i int, e Elements)
	// SetKeyed gives the table of Program.Keyed[i].
	SetKeyed(i int, t Keyed)
	// SetTableWriter sets what makes the effects on Lua tables. It is called once, before the first Run, for a Program that has some.
	SetTableWriter(w TableWriter)

	// Run walks a cursor from its next row on ([ecs.Cursor.NextRows]), until the rows end, a row
	// leaves the loop or a row cannot be done. After Bailout and Starved the cursor stands on a row
	// that was not begun, or was restored, and everything before that row is done: the interpreter
	// continues there. After the other endings the cursor has ended.
	Run(c *ecs.Cursor) Ending
	// Rows returns how many rows the last Run has finished.
	Rows() int

	Number(reg int) float64
	Bool(reg int) bool
	Text(reg int) string
	// Results are the values of the Return that ended the loop, valid until the next
	// Run.
	Results() []Result
}

// An EventKernel is what a back end makes of the Program of a loop over events. It is a
// [Kernel] whose Run is never called.
type EventKernel interface {
	Kernel
	// RunEvents is Run for events, which are view 0. After Bailout and Starved the walk stands on an event
	// that was not begun, or was restored; after a break or return it is past the event.
	RunEvents(w *ecs.World, events Events) Ending
}

// Watched is a [Kernel] that is compared with closures while it runs.
type Watched interface {
	Kernel
	// Watch sets the function that is told, once, of the first Difference. When it is called,
	// the world is as it was before the rows that differ. Closures do them next.
	Watch(report func(*Difference))
}

// Elements are the elements of a Lua table at the keys From, From+1 and so on: one value
// for each, or one for each of ir.Table.Members.
type Elements struct {
	From   int
	Values []float64
}

// Events is the walk of a loop over events.
type Events interface {
	// Event returns the address of the current event, valid until something is sent; false at the end.
	Event() (unsafe.Pointer, bool)
	// Next moves past the current event.
	Next()
	// Rest returns the address of the current event, and how many events there are from it on, one after the
	// other in memory. It is valid until something is sent.
	Rest() (first unsafe.Pointer, n int)
	// Skip moves past n events.
	Skip(n int)
}

// An Ending says how a loop ended.
type Ending uint8

// The endings.
const (
	Finished Ending = iota // all rows are done, or a row broke the loop
	Bailout                // a row is left to the interpreter
	Returned               // a row returned, with Results
	Starved                // the budget of the turn is used up; the rest is left to the interpreter
)

// Leaves reports whether rows are left to the interpreter.
func (e Ending) Leaves() bool { return e == Bailout || e == Starved }

// A Result is a value of a Return. The field for its Type is set.
type Result struct {
	Type ir.Type
	N    float64 // also of a Bool: 0 or 1
	S    string
}

// A Difference is something that machine code did in another way than closures. It is a
// fault of ecsrun.
type Difference struct {
	Entity    ecs.Entity // of the row; None if it is not known, and for a loop over events
	Row       int        // in the table, or number of the event in the walk; -1 if it is not known
	Component string     // of the field; "" if it is no field
	Field     string
	Input     int    // of a variable from around the loop; -1 if it is none
	What      string // what else differs, such as "the fuel it uses"

	Code, Closures string // both values as text
}
