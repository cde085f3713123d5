package kernel

import "github.com/ecsrun/ecsrun/ecs"

// Code is what a back end makes of a Program: it runs the query loop. It belongs
// to one goroutine at a time. Inputs are set before Run, each in the register its
// Place says, and outputs are read after it.
type Code interface {
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

// Elements are the elements of a table at the keys From, From+1 and so on: one
// value each, or one per member.
type Elements struct {
	From   int
	Values []float64
}

// An Ending says how a loop ended.
type Ending uint8

// The endings.
const (
	Finished Ending = iota // all rows, or a break
	Left                   // the rest is the interpreter's
	Returned               // a Return, with Results
)

// A Result is a value of a Return, in the field of its Type.
type Result struct {
	Type Type
	N    float64 // also of a Bool: 0 or 1
	S    string
}
