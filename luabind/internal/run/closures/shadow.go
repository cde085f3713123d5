package closures

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
)

// Shadows: closures that run rows for a comparison and undo them. The watch of package machine uses them.

// A Shadow runs some rows of a Program with closures, reports what they did, and undoes it. The watch of package
// machine compares this with what machine code did in the same rows.
//
// The rows run in the world itself, one after the other, so that a row sees everything that the rows before it have
// stored. Nothing of it stays:
//
//   - values of other rows, and changes of tags, are reverted with the undo log;
//   - events and commands are recorded, and never performed;
//   - registers, elements of tables and the budget belong to the Shadow;
//   - the state of the random stream is restored.
//
// The caller restores the fields of the rows themselves, of which it has a copy. Nothing is stamped: Dirty and
// Writes say what would be. The order of use is: Registers, SetTable and SetKeyed for the inputs; Begin; Enter and
// Row, or Event; the questions; TakeBack; End.
type Shadow struct {
	kernel   *Kernel
	budget   sandbox.Budget
	tables   [][]float64     // elements, by Program.Tables
	entities []ecs.Entity    // of the current table
	dirty    []uint64        // see Dirty
	stream   *ecs.Random     // between Begin and TakeBack, if the Program draws numbers
	before   ecs.RandomState // of stream, when Begin was called
}

// NewShadow compiles a Program for watching.
func NewShadow(p *ir.Program) *Shadow {
	s := &Shadow{tables: make([][]float64, len(p.Tables))}
	s.kernel = Compile(p, &s.budget)
	return s
}

// Registers returns the kernel whose registers the rows use. The caller sets them before Begin. Elements of tables
// are set with [Shadow.SetTable].
func (s *Shadow) Registers() kernel.Kernel { return s.kernel }

// SetTable sets the elements of a table to a copy of values. from is the key of the first one.
func (s *Shadow) SetTable(i, from int, values []float64) {
	s.tables[i] = append(s.tables[i][:0], values...)
	s.kernel.SetTable(i, kernel.Elements{From: from, Values: s.tables[i]})
}

// SetKeyed sets a table that rows look up by key. End calls its Put.
func (s *Shadow) SetKeyed(i int, t kernel.Keyed) { s.kernel.SetKeyed(i, t) }

// EachKey calls visit for each key that the rows have looked up in a table. What was there before the rows counts as there
// before the run. It must be called before TakeBack.
func (s *Shadow) EachKey(i int, visit func(key kernel.Key, e kernel.Entry)) {
	s.kernel.frame.keyed[i].each(visit)
}

// Table returns the elements of a table after the rows, valid until the next SetTable.
func (s *Shadow) Table(i int) []float64 { return s.tables[i] }

// Begin must be called before the first of some rows. They may use that much fuel. If the Program draws random
// numbers, the stream begins in the given state.
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

// Enter sets the table of the following rows to that of the cursor. Its entities must not inherit a component that
// the body uses.
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
	RowDone     RowEnding = iota // the row is done
	RowBroke                     // the row is done, and has left the loop by break
	RowReturned                  // the row is done, and has left the loop by return
	RowBailout                   // the row could not be done, and was restored
	RowStarved                   // there was not enough fuel to begin the row
)

// Row runs one row of the table that Enter has set.
func (s *Shadow) Row(row int) RowEnding {
	k := s.kernel
	for i := range k.columnView {
		m := &k.columnView[i]
		k.frame.ptr[m.view&(ir.MaxViews-1)] = unsafe.Add(m.base, uintptr(row)*m.stride)
	}
	k.frame.entity = numberOf(s.entities[row])
	return s.one(row)
}

// Event runs the body of a loop over events for the event at address p.
func (s *Shadow) Event(p unsafe.Pointer) RowEnding {
	s.kernel.frame.ptr[0] = p
	return s.one(0)
}

// one runs the row that the views are set to. In contrast to Kernel.one, it performs and stamps nothing.
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

// Used returns the fuel that the rows have used since Begin.
func (s *Shadow) Used() int64 { return s.budget.Used() + s.kernel.granted - s.kernel.frame.fuel }

// Dirty returns the views of the loop that the i-th row has stored, one bit each. Rows that were restored are not
// counted.
func (s *Shadow) Dirty(i int) uint64 { return s.dirty[i] }

// Effects returns how many events, commands and assignments are recorded.
func (s *Shadow) Effects() int { return s.kernel.frame.effects.Len() }

// Effect returns a recorded effect and its arguments.
func (s *Shadow) Effect(i int) (e *ir.Effect, args []kernel.Arg) {
	return s.kernel.frame.effects.At(i)
}

// Stores returns how many values were stored through views of other entities, without strings. The entity may be
// that of the row itself.
func (s *Shadow) Stores() int { return len(s.kernel.frame.undo.bits) }

// Store returns the address and the type of the i-th of these values. The new value is there until
// [Shadow.TakeBack].
func (s *Shadow) Store(i int) (unsafe.Pointer, ecs.FieldType) {
	b := &s.kernel.frame.undo.bits[i]
	return b.p, b.typ
}

// StoredTexts calls yield with the place of each string that was stored through views of other entities. The new string is there
// until [Shadow.TakeBack].
func (s *Shadow) StoredTexts(yield func(*string) bool) {
	for _, t := range s.kernel.frame.undo.texts {
		if !t.element && !yield(t.p) {
			return
		}
	}
}

// A Write is a row of another entity that has to be stamped.
type Write struct {
	Component  ecs.ComponentID
	Table, Row int
}

// Writes appends the rows to be stamped to a list. The list may have a row several times.
func (s *Shadow) Writes(list []Write) []Write {
	for _, w := range s.kernel.frame.writes {
		list = append(list, Write{s.kernel.components[w.finder], w.table, w.row})
	}
	return list
}

// A Flip is the change of a tag: it was set on an entity that did not have it, or removed from one that had it.
type Flip struct {
	Set    ecs.TagSet
	Entity ecs.Entity
	Place  int // where the entity was in the list of members; -1 if the tag was set
}

// Flips appends the changes of tags to a list, in their order.
func (s *Shadow) Flips(list []Flip) []Flip {
	for _, t := range s.kernel.frame.undo.tags {
		list = append(list, Flip{t.set, t.entity, t.place})
	}
	return list
}

// Random returns the state of the random stream after the rows; the zero value if the Program draws none.
func (s *Shadow) Random() ecs.RandomState {
	if s.stream == nil {
		return ecs.RandomState{}
	}
	return ecs.Raw.RandomState(s.stream)
}

// TakeBack undoes what the rows did, except for the fields of the rows themselves, which the caller restores, and
// for registers and tables, which belong to the Shadow.
func (s *Shadow) TakeBack() {
	f := &s.kernel.frame
	f.undo.puts = f.undo.puts[:0] // the elements of tables belong to the Shadow
	f.undo.revert(mark{})
	f.effects.DropTo(kernel.EffectsMark{})
	f.writes, f.moves = f.writes[:0], f.moves[:0]
	if s.stream != nil {
		ecs.Raw.PutBackRandom(s.stream, s.before)
		s.stream = nil
	}
}

// End clears the addresses of rows. Results and registers stay as they are.
func (s *Shadow) End() {
	s.entities = nil
	s.kernel.end()
}
