package closures

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
)

// A Shadow runs some rows of a Program by closures, tells what they did, and takes
// it back: package machine compares that with what its code did with the same rows.
//
// The rows run in the world itself, one after the other, so that a row sees what
// those before it have stored, in whatever row that was. Nothing of it stays:
//
//   - values of other rows, and flips of tags, are undone, the last first, from the
//     same record that puts a single row back;
//   - events and commands are recorded and never made;
//   - registers, elements of tables and the budget are the Shadow's own;
//   - the stream of random numbers is put back.
//
// Fields of the rows themselves are the caller's to put back: it has a copy of them
// anyway. Stamps are not made; Dirty and Write tell which they would be.
type Shadow struct {
	kernel   *Kernel
	budget   sandbox.Budget
	tables   [][]float64
	entities []ecs.Entity
	dirty    []uint64
	stream   *ecs.Random
	before   ecs.RandomState
}

// NewShadow makes closures of a Program for watching.
func NewShadow(p *ir.Program) *Shadow {
	s := &Shadow{tables: make([][]float64, len(p.Tables))}
	s.kernel = Compile(p, &s.budget)
	return s
}

// Registers are those of the rows, to be set before Begin. The elements of tables
// are set by [Shadow.SetTable].
func (s *Shadow) Registers() kernel.Kernel { return s.kernel }

// SetTable gives a copy of the elements of a table.
func (s *Shadow) SetTable(i, from int, values []float64) {
	s.tables[i] = append(s.tables[i][:0], values...)
	s.kernel.SetTable(i, kernel.Elements{From: from, Values: s.tables[i]})
}

// Table returns the elements of a table as the rows have left them, valid until the
// next SetTable.
func (s *Shadow) Table(i int) []float64 { return s.tables[i] }

// Begin begins some rows, which may use that much fuel. The stream of random
// numbers is at a state, if the Program draws any.
func (s *Shadow) Begin(w *ecs.World, fuel int64, random ecs.RandomState) {
	k := s.kernel
	s.budget.Reset(max(1, fuel))
	s.dirty = s.dirty[:0]
	k.begin(w)
	if k.draws {
		s.stream, s.before = k.frame.random, ecs.Raw.RandomState(k.frame.random)
		ecs.Raw.PutBackRandom(s.stream, random)
	}
}

// Enter sets the table of the rows that follow. The columns of its views are those
// at the cursor; no entity of it shares a component.
func (s *Shadow) Enter(c *ecs.Cursor) {
	s.kernel.enter(c, c.Table())
	s.entities = c.Table().Entities()
	for _, view := range s.kernel.loose {
		s.kernel.frame.ptr[view&(ir.MaxViews-1)] = nil
	}
}

// A RowEnding says how a row of a [Shadow] ended.
type RowEnding uint8

// The endings of a row.
const (
	RowDone     RowEnding = iota // the next one follows
	RowBroke                     // it is done, and broke the loop
	RowReturned                  // it is done, and returned Results
	RowBailout                   // it was put back
	RowStarved                   // there was no fuel to begin it
)

// Row runs a row of the table.
func (s *Shadow) Row(row int) RowEnding {
	k := s.kernel
	for i := range k.moving {
		m := &k.moving[i]
		k.frame.ptr[m.view&(ir.MaxViews-1)] = unsafe.Add(m.base, uintptr(row)*m.stride)
	}
	k.frame.entity = numberOf(s.entities[row])
	return s.one(row)
}

// Event runs a loop over events for the event at an address.
func (s *Shadow) Event(p unsafe.Pointer) RowEnding {
	s.kernel.frame.ptr[0] = p
	return s.one(0)
}

func (s *Shadow) one(row int) RowEnding {
	k := s.kernel
	f := &k.frame
	f.row, f.dirty = row, 0
	if !f.burn(k.program.Price) {
		return RowStarved
	}
	m := f.mark()
	k.save()
	how := k.whole(f)
	if how == stopped || f.failed {
		k.restore(m)
		f.failed = false
		return RowBailout
	}
	s.dirty = append(s.dirty, f.dirty&k.stored)
	f.noteAll(f.dirty &^ k.stored)
	switch how {
	case broken:
		return RowBroke
	case returned:
		return RowReturned
	}
	return RowDone
}

// Used is the fuel that was used since Begin.
func (s *Shadow) Used() int64 { return s.budget.Used() + s.kernel.granted - s.kernel.frame.fuel }

// Dirty are the views of the loop that the i-th row that is done has stored, one bit
// each.
func (s *Shadow) Dirty(i int) uint64 { return s.dirty[i] }

// Effects is how many events and commands are recorded.
func (s *Shadow) Effects() int { return s.kernel.frame.effects.Len() }

// Effect returns a recorded event or command and its arguments.
func (s *Shadow) Effect(i int) (e *ir.Effect, args []kernel.Arg) {
	return s.kernel.frame.effects.At(i)
}

// Stores is how many values were stored in other rows, or in the rows themselves in
// the way in which other rows are reached.
func (s *Shadow) Stores() int { return len(s.kernel.frame.undo.bits) }

// Store returns where the i-th of them is, and of which type; before [Shadow.TakeBack]
// it has the new value.
func (s *Shadow) Store(i int) (unsafe.Pointer, ecs.FieldType) {
	b := &s.kernel.frame.undo.bits[i]
	return b.p, b.typ
}

// A Write is a row beyond those of the loop that is to be stamped.
type Write struct {
	Component  ecs.ComponentID
	Table, Row int
}

// Writes appends those rows to a list; a row may be in it several times.
func (s *Shadow) Writes(list []Write) []Write {
	for _, w := range s.kernel.frame.writes {
		list = append(list, Write{s.kernel.components[w.finder], w.table, w.row})
	}
	return list
}

// A Flip is a tag that was set on or taken off an entity which did not have, or had,
// it before.
type Flip struct {
	Set    ecs.TagSet
	Entity ecs.Entity
	Place  int // where in the list of its members it was; -1: the tag was set
}

// Flips appends the flips in their order to a list.
func (s *Shadow) Flips(list []Flip) []Flip {
	for _, t := range s.kernel.frame.undo.tags {
		list = append(list, Flip{t.set, t.entity, t.place})
	}
	return list
}

// Random is where the stream of random numbers is.
func (s *Shadow) Random() ecs.RandomState {
	if s.stream == nil {
		return ecs.RandomState{}
	}
	return ecs.Raw.RandomState(s.stream)
}

// TakeBack takes back what the rows did, except for the fields that are stored of
// the rows themselves, and for what is the Shadow's own.
func (s *Shadow) TakeBack() {
	f := &s.kernel.frame
	f.undo.puts = f.undo.puts[:0] // those are the Shadow's own
	f.undo.putBack(mark{})
	f.effects.DropTo(kernel.EffectsMark{})
	f.writes = f.writes[:0]
	if s.stream != nil {
		ecs.Raw.PutBackRandom(s.stream, s.before)
		s.stream = nil
	}
}

// End lets go of the world. Results and registers stay as they are.
func (s *Shadow) End() {
	s.entities = nil
	s.kernel.end()
}
