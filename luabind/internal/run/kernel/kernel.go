package kernel

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
)

// The interfaces between package loops, which runs loops, and the back ends, which make kernels. doc.go has the
// rules that every implementation keeps.

// A Kernel is a compiled loop body that can run: what a back end makes of the Program of a query loop. For each
// execution of the loop, package loops sets the inputs, each in the register that its ir.Place says, and the
// tables; calls Run; and reads the outputs. A Kernel belongs to one goroutine at a time, and keeps its registers
// from one Run to the next.
type Kernel interface {
	SetNumber(reg int, v float64)
	SetBool(reg int, v bool)
	SetText(reg int, v string)
	// SetTable sets the elements of Program.Tables[i]. Run reads and writes Values in place.
	SetTable(i int, e Elements)
	// SetKeyed sets the Lua table of Program.Keyed[i].
	SetKeyed(i int, t Keyed)
	// SetTableWriter sets what performs the effects on Lua tables. It is called once, before the first Run, if the
	// Program has such effects.
	SetTableWriter(w TableWriter)

	// Run walks a cursor from its next row on ([ecs.Cursor.NextRows]), until there are no more rows, a row leaves
	// the loop, or a row cannot be done. After Bailout and Starved, the cursor stands on a row that was not begun,
	// or was restored, and all rows before it are done: the interpreter continues there. After the other endings,
	// the cursor has ended.
	Run(c *ecs.Cursor) Ending
	// Rows returns how many rows the last Run has finished, without one that was restored.
	Rows() int

	Number(reg int) float64
	Bool(reg int) bool
	Text(reg int) string
	// Results returns the values of the Return that ended the loop. They are valid until the next Run.
	Results() []Result
}

// An EventKernel is what a back end makes of the Program of a loop over events. It is a [Kernel] whose RunEvents is
// called instead of Run.
type EventKernel interface {
	Kernel
	// RunEvents runs the body for each event; view 0 is the event. After Bailout and Starved, the walk stands on an
	// event that was not begun, or was restored. After a break or return, it is past the event.
	RunEvents(w *ecs.World, events Events) Ending
}

// A Watched is a [Kernel] that is compared with closures while it runs. Machine code is one.
type Watched interface {
	Kernel
	// Watch sets the function that is called with the first Difference, at most once. When it is called, the world
	// is as it was before the rows that differ; closures run these rows next.
	Watch(report func(*Difference))
}

// A Sealing is a [Kernel] that can seal the turn: see [ecs.RawAccess.Seal].
type Sealing interface {
	Kernel
	// NothingFollows says that the next Run is the last thing that its turn does. If no row can fail either, Run seals
	// the turn.
	NothingFollows()
}

// Elements are the elements of a Lua table at the keys From, From+1 and so on. Each has one value, or one value for
// each of ir.Table.Members.
type Elements struct {
	From   int
	Values []float64
}

// Events is the position of a loop over events in the events that it has not read yet.
type Events interface {
	// Event returns the address of the current event; false at the end. The address is valid until something is
	// sent.
	Event() (unsafe.Pointer, bool)
	// Next moves past the current event.
	Next()
	// Rest returns the address of the current event, and the number of events from it on that follow one another in
	// memory. The address is valid until something is sent.
	Rest() (first unsafe.Pointer, n int)
	// Skip moves past n events.
	Skip(n int)
}

// An Ending says how a loop ended.
type Ending uint8

// The endings.
const (
	Finished Ending = iota // all rows are done, or a row has left the loop by break
	Bailout                // a row is left to the interpreter
	Returned               // a row has left the loop by return: see Results
	Starved                // the budget of the turn is used up; the rest is left to the interpreter
)

// Leaves reports whether rows are left to the interpreter.
func (e Ending) Leaves() bool { return e == Bailout || e == Starved }

// A Result is a value of a Return. Which field has it depends on Type.
type Result struct {
	Type ir.Type
	N    float64 // also of a Bool: 0 or 1
	S    string
}

// A Difference is something that machine code did differently from closures. It is a bug of ecsrun. Package luabind
// makes its exported Difference of it.
type Difference struct {
	Entity    ecs.Entity // the entity of the row; None if it is not known, and for a loop over events
	Row       int        // row in the table, or the number of the event in the walk; -1 if it is not known
	Component string     // the component of the field; "" if the difference is not in a field
	Field     string
	Input     int    // index of the variable declared outside the loop that differs; -1 if it is something else
	What      string // what else differs, such as "the fuel it uses"

	Code, Closures string // both values as text
}
