// Package nearby writes the code that finds entities near a point in the snapshot of a grid, as [ecs.Grid.Near] does. It is
// used by package scalar for loops over near entities, which runs the body of such a loop for each entry of the list that
// this code makes.
//
// # Cache
//
// A point of a snapshot is a position and a handle. What a loop asks about the entity, whether it lives and where its
// components are, is the same during a whole run: nobody dies or moves to another row while a loop runs. So it is looked up
// once a run and kept in a cache of records, one for each point. A row of cells is cached when it is first visited.
//
//	host      fills in the abi.GridView: snapshot, room for the cache and for the list
//	record.go writes the records of a row of cells
//	filter.go adds what filters ask for, and the ends of runs of records that they leave out
//	list.go   walks the cells within the radius, and lists the records that are near
package nearby

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// Around is what a [Writer] needs of the code around it. Package scalar implements it.
type Around interface {
	// Zero puts the number 0 on the stack.
	Zero()
	// Word returns the local that holds a word of the host.
	Word(kind abi.WordKind, id int) int
	// IfLives runs the code that do writes if the entity of a handle lives. handle is a local of 64 bits whose lower half
	// is the index of a slot; the local at gets the address of the slot.
	IfLives(handle, at int, do func())
	// ColumnRow sets the local at to the address of the entity's row in the column of a component, 0 if it lacks that.
	// slot is the local with the address of its slot, size the bytes of a row.
	ColumnRow(slot int, id ecs.ComponentID, size int32, at int)
	// HasTag sets the local result to 1 if the entity of a handle has a tag, and otherwise does not change it.
	HasTag(handle int, id uint32, result int)
	// ReadField replaces the address on the stack by the value of the field at an offset from it.
	ReadField(f *ecs.Field, at uint32)
}

// A Writer writes this code for one function.
type Writer struct {
	*wasm.Function
	program *ir.Program
	around  Around
	record  recordLayout
	looked  int // local: points that the call has visited
}

// New returns a writer for the function of a Program that has loops over near entities.
func New(f *wasm.Function, p *ir.Program, around Around) *Writer {
	return &Writer{Function: f, program: p, around: around, record: layoutOf(p), looked: f.Local(wasm.I32)}
}

// Visited puts on the stack how many points the call has visited so far. Points that are not near cost no fuel, so the time
// of a call is limited by this number, too.
func (e *Writer) Visited() { e.Get(e.looked) }
