package closures

import (
	"math/bits"
	"slices"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
)

// Running: the second half of this package. A [Kernel] gets its inputs, walks a cursor (walk.go) or events
// (events.go), calls the closures for each row, and charges the budget. Here is what happens once for a run, for a
// grant of fuel, and for each table.

// A Kernel is a Program as Go closures. It implements [kernel.Kernel] and [kernel.EventKernel]. Compile sets the
// upper part; the lower part changes while it runs.
type Kernel struct {
	program *ir.Program
	whole   step // the body
	body    step // the body without the products at its beginning
	frame   frame

	products []product // the products at the beginning of the body, computed for many rows at once
	made     uint64    // the views that the products store, one bit each

	touched   []tableField // see touch
	pages     recentPages  // where the tables of touched were last
	scattered bool         // the tables of the last rows that were judged are scattered
	group     int          // the number of the next group of rows, modulo judgedGroups

	exact  bool   // rows may have to be restored
	draws  bool   // random numbers are drawn
	entity bool   // the entity is used
	logs   bool   // rows may have entries in the undo log or in frame.writes
	used   uint64 // views of the loop that closures use, one bit each
	stored uint64 // views of the loop that the body stores
	always uint64 // views that each row stores
	others uint64 // views that only some rows store

	settles bool   // rows change the structure of the world
	before  before // copy of the current row

	nests      []*nested
	tags       []ecs.TagID
	components []ecs.ComponentID
	writes     []ecs.ComponentID // see Program.Writes
	tables     kernel.TableWriter

	budget  *sandbox.Budget
	granted int64 // fuel that was granted and is not charged yet
	handed  bool  // HandOver has set granted and frame.fuel for the next Resume

	table      *ecs.Table // the current one
	columnView []columnView
	stride     [ir.MaxViews]uintptr
	loose      []int // used views that the current table has no column for: each row inherits the component from another entity, or has none
	from, to   int   // rows of the table that have to be stamped for the views in always
	done       int   // rows that the last run has finished
	starved    bool  // the budget was used up in this run
}

// Compile makes closures of a Program. They charge the budget b. The Program must not change afterwards.
func Compile(p *ir.Program, b *sandbox.Budget) *Kernel { return newCompiler(p).kernel(p, b) }

// kernel compiles the body, and puts together what the Kernel needs.
func (c *compiler) kernel(p *ir.Program, b *sandbox.Budget) *Kernel {
	k := &Kernel{program: p, whole: c.sequence(p.Body), budget: b, before: newBefore(p)}
	k.body = k.whole
	if k.products = c.leading(); len(k.products) > 0 {
		k.body = c.sequence(p.Body[len(k.products):])
		for _, made := range k.products {
			k.made |= made.bit
		}
	}
	k.exact, k.draws, k.entity = c.exact, p.Random, c.entity
	k.nests, k.tags, k.components = c.nests, c.tags, c.components
	k.touched = c.touches()
	k.writes = p.Writes()
	k.used = c.used & (1<<p.Views - 1)
	for _, t := range p.Stores {
		k.stored |= 1 << t.View
		if t.Always {
			k.always |= 1 << t.View
		}
	}
	k.others = k.stored &^ k.always
	k.logs = len(p.Refs)+len(p.Tables)+len(p.Layers)+len(p.Keyed)+len(k.tags) > 0 || c.setsResources
	k.settles = slices.ContainsFunc(p.Effects, func(e *ir.Effect) bool { return e.Now })
	k.frame.refuel = k.refuel
	k.frame.effects.PayTo(b)
	k.frame.a = make([]anyRegister, p.Anys)
	k.frame.t, k.frame.tables, k.frame.keyed = make([]string, p.Texts), make([]table, len(p.Tables)), newKeyed(p)
	return k
}

// SetPrinter sets what prints the lines of ir.Print. It is called before the first Run, if the Program has that effect.
func (k *Kernel) SetPrinter(print func(line string)) { k.frame.effects.PrintTo(print) }

// grain is how much fuel is granted at once. It suffices for some thousand rows, so the budget is asked rarely.
const grain = 1 << 16

// grant grants fuel for the next rows, at most what the budget has left.
func (k *Kernel) grant() {
	k.granted = grain
	if limit := k.budget.Limit(); limit > 0 {
		k.granted = max(0, min(grain, limit-k.budget.Used()))
	}
	k.frame.fuel = k.granted
}

// HandOver passes on fuel to the next Resume: how much machine code was granted, and how much of it is left. The
// row at which a budget ends depends on when fuel was granted. With this it is the same row as if closures had run
// from the start.
func (k *Kernel) HandOver(granted, fuel int64) {
	k.granted, k.frame.fuel, k.handed = granted, fuel, true
}

// refuel charges the portion of fuel, of which more was used than there was, and grants the next one. What was used
// beyond a portion belongs to the next one: so it does not matter in which steps fuel is used. It returns false when the
// budget does not suffice. Then the portion is not charged: the interpreter continues at this row with what is left, and
// ends at the line of the script where the budget ends.
func (k *Kernel) refuel() bool {
	used := k.budget.Used() + k.granted - k.frame.fuel
	limit := k.budget.Limit()
	if limit > 0 && used > limit || !k.next() {
		k.granted, k.frame.fuel, k.starved = 0, 0, true
		return false
	}
	for k.frame.fuel < 0 && k.next() {
	}
	return true
}

// next charges a portion and grants another one. It returns false if the turn was interrupted.
func (k *Kernel) next() bool {
	goes, left := k.budget.Charge(k.granted), k.frame.fuel
	k.grant()
	k.frame.fuel += left
	return goes
}

// Registers of the inputs and outputs, to be set before and read after Run.

// SetNumber sets a number register.
func (k *Kernel) SetNumber(reg int, v float64) { k.frame.n[reg] = v }

// SetBool sets a boolean register.
func (k *Kernel) SetBool(reg int, v bool) { k.frame.b[reg] = v }

// SetText sets a text register.
func (k *Kernel) SetText(reg int, v string) { k.frame.t[reg] = v }

// Number returns a number register.
func (k *Kernel) Number(reg int) float64 { return k.frame.n[reg] }

// Bool returns a boolean register.
func (k *Kernel) Bool(reg int) bool { return k.frame.b[reg] }

// Text returns a text register.
func (k *Kernel) Text(reg int) string { return k.frame.t[reg] }

// Rows implements [kernel.Kernel].
func (k *Kernel) Rows() int { return k.done }

// Results are the values of the Return that ended the loop.
func (k *Kernel) Results() []kernel.Result { return k.frame.results }

// Run implements [kernel.Kernel].
func (k *Kernel) Run(c *ecs.Cursor) kernel.Ending {
	k.unmark()
	rows, mask := c.NextRows()
	return k.Resume(c, rows, mask)
}

// unmark sets the marks of outputs to what they are when the loop begins.
func (k *Kernel) unmark() {
	for _, out := range k.program.Outputs {
		if out.Mark >= 0 {
			k.frame.b[out.Mark] = out.Given
		}
	}
}

// Resume runs the rest of a walk that machine code has begun, or all of it for Run. rows and mask are what the last
// call of [ecs.Cursor.NextRows] has returned; the cursor stands on the first of these rows. The registers of
// outputs, and their marks, must have the values that machine code has left in them.
func (k *Kernel) Resume(c *ecs.Cursor, rows int, mask uint64) kernel.Ending {
	if rows == 0 { // the cursor has ended
		k.done = 0
		if k.handed {
			k.budget.Charge(k.granted - k.frame.fuel)
			k.handed = false
		}
		clear(k.frame.a)
		return kernel.Finished
	}
	k.begin(c.World())
	how := k.walk(c, rows, mask)
	k.flush()
	k.budget.Charge(k.granted - k.frame.fuel)
	k.end()
	if !how.Leaves() {
		c.End()
	}
	return how
}

// begin prepares the frame for a walk in a world: it tells the world's journal what will be written, looks up tags
// and components if the world is another one than before, and grants fuel.
func (k *Kernel) begin(w *ecs.World) {
	w.BeforeWrite(k.writes...)
	f := &k.frame
	f.failed, f.dirty, f.own, f.at = false, 0, 0, nil
	k.done, k.starved = 0, false
	f.results = f.results[:0]
	if w != f.world {
		f.world, f.sets, f.finders = w, nil, nil
		f.layers = layersOf(k.program, w)
		for _, id := range k.tags {
			f.sets = append(f.sets, w.TagSet(id))
		}
		for _, id := range k.components {
			f.finders = append(f.finders, ecs.Raw.Finder(w, id))
		}
	}
	if k.draws {
		f.random = w.Random()
	}
	if len(k.program.Effects) > 0 {
		f.effects.Begin(w, k.tables)
	}
	k.table, k.from, k.to = nil, 0, 0
	if !k.handed {
		k.grant()
	}
	k.handed = false
}

// end writes keyed tables back, and clears addresses and strings, so that the garbage collector can free what they
// point at.
func (k *Kernel) end() {
	k.table = nil
	clear(k.columnView[:cap(k.columnView)])
	for _, n := range k.nests {
		n.table = nil
		clear(n.columnView[:cap(n.columnView)])
	}
	clear(k.frame.ptr[:])
	clear(k.frame.column[:])
	for i := range k.frame.keyed {
		t := &k.program.Keyed[i]
		k.frame.keyed[i].end(t.Stored, t.Rows)
	}
	if k.program.Anys > 0 {
		clear(k.frame.a)
		k.frame.pool.Clear()
	}
	if k.exact {
		k.frame.undo.end()
		k.frame.effects.End()
	}
}

// flush stamps the rows since k.from, for the views that each row stores.
func (k *Kernel) flush() {
	if k.from == k.to {
		return
	}
	for views := k.always; views != 0; views &= views - 1 {
		k.frame.column[bits.TrailingZeros64(views)&(ir.MaxViews-1)].StampRange(k.from, k.to)
	}
	k.from, k.to = 0, 0
}

// place sets the views to the row that the cursor stands on. It returns false if the row inherits a component that
// the body stores: the interpreter has to give the entity a component of its own.
func (k *Kernel) place(c *ecs.Cursor) bool {
	f := &k.frame
	if t := c.Table(); t != k.table {
		k.flush()
		k.enter(c, t)
	}
	row := c.RowIndex()
	for i := range k.columnView {
		m := &k.columnView[i]
		f.ptr[m.view&(ir.MaxViews-1)] = unsafe.Add(m.base, uintptr(row)*m.stride)
	}
	for _, view := range k.loose {
		p := ecs.Raw.Row(c.Row(view))
		if p != nil && k.stored&(1<<view) != 0 {
			return false
		}
		f.ptr[view&(ir.MaxViews-1)] = p
	}
	if row != k.to { // a walk in an order goes back and forth
		k.flush()
	}
	if k.from == k.to {
		k.from, k.to = row, row
	}
	return true
}

// enter looks up the columns of a table that the cursor has come to.
func (k *Kernel) enter(c *ecs.Cursor, t *ecs.Table) {
	k.table, k.columnView, k.loose = t, k.columnView[:0], k.loose[:0]
	for used := k.used; used != 0; used &= used - 1 {
		view := bits.TrailingZeros64(used)
		col := c.Column(view)
		k.frame.column[view&(ir.MaxViews-1)] = col
		if col == nil {
			k.loose = append(k.loose, view)
			continue
		}
		base, stride := ecs.Raw.Column(col)
		k.columnView, k.stride[view&(ir.MaxViews-1)] = append(k.columnView, columnView{view, base, stride}), stride
	}
}

// advance moves the views to the next row of the table.
func (k *Kernel) advance() {
	f := &k.frame
	for i := range k.columnView {
		m := &k.columnView[i]
		p := &f.ptr[m.view&(ir.MaxViews-1)]
		*p = unsafe.Add(*p, m.stride)
	}
}

// skip moves the views n rows forward.
func (k *Kernel) skip(n int) {
	f := &k.frame
	for i := range k.columnView {
		m := &k.columnView[i]
		p := &f.ptr[m.view&(ir.MaxViews-1)]
		*p = unsafe.Add(*p, uintptr(n)*m.stride)
	}
}

// stamp stamps one row for some views, one bit each.
func (k *Kernel) stamp(views uint64, row int) {
	for ; views != 0; views &= views - 1 {
		k.frame.column[bits.TrailingZeros64(views)&(ir.MaxViews-1)].Stamp(row)
	}
}
