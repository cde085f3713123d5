package machine

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
	"github.com/tetratelabs/wazero/api"
)

// A Kernel is machine code for a Program, in one world. It is a [kernel.Code].
type Kernel struct {
	program  *kernel.Program
	unit     *unit
	budget   *sandbox.Budget
	memory   *Memory
	run      api.Function
	ctx      call
	stack    [2]uint64
	closures *kernel.Kernel // for columns that lie elsewhere; made when there are such

	frame     uint32 // address
	marks     uint32 // address of the marks, mostRows
	fuel      *int64
	granted   int64
	ptr       *[mostWalkers]uint32
	table     *ecs.Table
	column    [mostViews]*ecs.Column
	base      [mostWalkers]uint32 // of row 0
	from, to  int                 // rows of table to be stamped for the views that each row stores
	outMarks  []*uint32
	markBytes *[mostRows]uint8

	present  [mostViews]uint32
	words    *[mostWords]uint32
	site     *uint32 // which return it was
	ring     uint32  // address of the records of effects
	ringAt   *uint32
	log      uint32 // address of the log of stores
	logAt    *uint32
	undoAt   *uint32
	outside  *outside
	given    []kernel.Elements // by table
	brought  bool              // they are in memory, and may have changed there
	texts    []string          // by register
	strings  []string          // those that code knows, by its numbers for them
	pool     ecs.Pool          // nil: one core
	instance api.Module
	sharing  sharing
	taken    *taken
	effects  kernel.Effects
	args     []kernel.Arg
	results  []kernel.Result
	random   *ecs.Random
	before   ecs.RandomState // of the row that draws
}

// mostRows is how many rows a call does at most. What bounds the time of a call is
// the fuel.
const mostRows = 1 << 14

// Compile makes machine code of a Program that runs over a query of a world with a
// [Memory]. The error says why there is none: the closures can do all of it.
// pool, if it is not nil, shares the rows of large tables.
func Compile(p *kernel.Program, q *ecs.Query, w *ecs.World, b *sandbox.Budget, pool ecs.Pool) (*Kernel, error) {
	k, err := compileAs(p, q, w, b, forms, false)
	if err != nil {
		return nil, err
	}
	k.pool = pool
	return k, nil
}

// Refusal says why Compile gives no code for a Program, as far as that is known
// without compiling it; nil when it would.
func Refusal(p *kernel.Program, q *ecs.Query, w *ecs.World) error {
	_, err := emitFor(p, q, w, forms, false)
	return err
}

// emitFor makes the module of a Program for a query of a world.
func emitFor(p *kernel.Program, q *ecs.Query, w *ecs.World, forms []form, anyway bool) (*unit, error) {
	m, ok := w.Options().Memory.(*Memory)
	if !ok || m.mapping == nil {
		return nil, errors.New("machine code: the world's memory is Go's")
	}
	if asksForFlipped(p, q) {
		return nil, errors.New("machine code: it asks for a tag that it flips")
	}
	schemas, err := schemasOf(p, q, w)
	if err != nil {
		return nil, err
	}
	strides := make([]uint32, len(schemas))
	for i, s := range schemas {
		if s != nil {
			strides[i] = uint32(s.Size())
		}
	}
	return emitAs(p, strides, uint32(len(m.mapping)/page), forms, anyway)
}

// compileAs is Compile with a choice of forms: see emitAs.
func compileAs(p *kernel.Program, q *ecs.Query, w *ecs.World, b *sandbox.Budget, forms []form, anyway bool) (*Kernel, error) {
	u, err := emitFor(p, q, w, forms, anyway)
	if err != nil {
		return nil, err
	}
	m := w.Options().Memory.(*Memory)
	c, err := compile(u.code)
	if err != nil {
		return nil, err
	}
	c.check.Do(func() { c.fault = check(p, u, c, q, w, forms, anyway) })
	if err = c.fault; err != nil {
		c.drop(u.code)
		return nil, err
	}
	k, done, err := newKernel(p, u, c, m, b)
	if err != nil {
		c.drop(u.code)
		return nil, err
	}
	runtime.AddCleanup(k, func(code []byte) {
		done()
		c.drop(code)
	}, u.code)
	return k, nil
}

// schemasOf are those of the components that are used, by view.
func schemasOf(p *kernel.Program, q *ecs.Query, w *ecs.World) ([]*ecs.Schema, error) {
	schemas := make([]*ecs.Schema, p.Views)
	for i := range schemas {
		if p.Uses&(1<<i) == 0 {
			continue
		}
		info, ok := w.ComponentInfo(q.Terms()[i])
		if !ok {
			panic("machine: a query of another world")
		}
		if !info.Schema.PointerFree() {
			return nil, fmt.Errorf("machine code: component %q has a field of type string or table", info.Name)
		}
		schemas[i] = info.Schema
	}
	return schemas, nil
}

// newKernel puts a unit into a memory. done gives back what it takes there.
func newKernel(p *kernel.Program, u *unit, c *compiled, m *Memory, b *sandbox.Budget) (k *Kernel, done func(), err error) {
	size := uintptr(u.layout.size) + mostRows
	if u.effects {
		size += ringSize
	}
	if u.logs {
		size += logSize
	}
	frame := m.Alloc(size)
	if frame == nil {
		return nil, nil, errors.New("machine code: no memory is left")
	}
	instance, err := c.instantiate(m)
	if err != nil {
		m.Free(frame, size)
		return nil, nil, fmt.Errorf("machine code: %w", err)
	}
	k = &Kernel{program: p, unit: u, budget: b, memory: m, run: instance.ExportedFunction("run")}
	k.ctx = call{context.Background(), k}
	k.base[0] = lowest // of a walker that only counts: the loops go back below the first row
	k.frame, _ = m.address(frame)
	k.marks = k.frame + u.layout.size
	k.fuel = (*int64)(unsafe.Add(frame, frameFuel))
	k.ptr = (*[mostWalkers]uint32)(unsafe.Add(frame, framePtr))
	k.markBytes = (*[mostRows]uint8)(m.at(k.marks))
	for i, n := range u.constants {
		*(*float64)(unsafe.Add(frame, u.layout.constants+8*uint32(i))) = n
	}
	for _, out := range p.Outputs {
		if out.Mark >= 0 {
			k.outMarks = append(k.outMarks, k.bool(out.Mark))
		}
	}
	k.words = (*[mostWords]uint32)(unsafe.Add(frame, u.layout.words))
	k.site = (*uint32)(unsafe.Add(frame, frameSite))
	k.ring, k.ringAt = k.marks+mostRows, (*uint32)(unsafe.Add(frame, frameRing))
	*k.ringAt = k.ring
	k.log, k.logAt, k.undoAt = k.ring, (*uint32)(unsafe.Add(frame, frameLog)), (*uint32)(unsafe.Add(frame, frameUndo))
	if u.effects {
		k.log += ringSize
	}
	*k.logAt = k.log
	o := &outside{columns: map[int]*list{}, walks: map[int]*list{}, rows: map[int]int64{}}
	more := &taken{marks: list{memory: m}, tables: make([]list, len(p.Tables))}
	more.nears = make([]list, len(u.nears))
	for i := range more.nears {
		more.nears[i].memory = m
	}
	for i := range more.tables {
		more.tables[i].memory = m
	}
	k.given, k.texts = make([]kernel.Elements, len(p.Tables)), make([]string, p.Texts)
	k.outside, k.taken, k.instance = o, more, instance
	return k, func() {
		_ = instance.Close(context.Background()) // never fails
		m.Free(frame, size)
		for _, lists := range [...]map[int]*list{o.columns, o.walks} {
			for _, l := range lists {
				l.free()
			}
		}
		more.marks.free()
		for i := range more.tables {
			more.tables[i].free()
		}
		for i := range more.nears {
			more.nears[i].free()
		}
		for _, p := range more.frames {
			m.Free(p, uintptr(u.layout.size))
		}
	}, nil
}

func (k *Kernel) number(reg int) *float64 {
	return (*float64)(k.memory.at(k.frame + k.unit.layout.numbers + 8*uint32(reg)))
}

func (k *Kernel) bool(reg int) *uint32 {
	return (*uint32)(k.memory.at(k.frame + k.unit.layout.bools + 4*uint32(reg)))
}

// Registers: see [kernel.Code].

// SetNumber sets a register.
func (k *Kernel) SetNumber(reg int, v float64) { *k.number(reg) = v }

// SetBool sets a register.
func (k *Kernel) SetBool(reg int, v bool) {
	*k.bool(reg) = 0
	if v {
		*k.bool(reg) = 1
	}
}

// SetTable gives the elements of a table.
func (k *Kernel) SetTable(i int, e kernel.Elements) { k.given[i] = e }

// Number returns a register.
func (k *Kernel) Number(reg int) float64 { return *k.number(reg) }

// Bool returns a register.
func (k *Kernel) Bool(reg int) bool { return *k.bool(reg) != 0 }

// Results are the values of the return that ended the loop.
func (k *Kernel) Results() []kernel.Result { return k.results }

// Fuel is granted and charged as closures do it (kernel.Kernel), so that a budget
// is spent at the same row.

const grain = 1 << 16

func (k *Kernel) grant() {
	k.granted = grain
	if limit := k.budget.Limit(); limit > 0 {
		k.granted = max(0, min(grain, limit-k.budget.Used()))
	}
	*k.fuel = k.granted
}

// refuel charges what was used; false when the turn must end.
func (k *Kernel) refuel() bool {
	need := k.granted - *k.fuel
	limit := k.budget.Limit()
	if limit > 0 && k.budget.Used()+need > limit || !k.budget.Charge(need) {
		k.granted, *k.fuel = 0, 0
		return false
	}
	k.grant()
	return true
}

// Run is that of [kernel.Code].
func (k *Kernel) Run(c *ecs.Cursor) kernel.Ending {
	k.table, k.from, k.to = nil, 0, 0
	k.grant()
	k.forgetPictures()
	for _, m := range k.outMarks {
		*m = 0
	}
	k.results = k.results[:0]
	var how kernel.Ending
	w := c.World()
	if k.unit.effects {
		k.effects.Begin(w)
	}
	if k.program.Random {
		k.random = w.Random()
	}
	if k.bringInputs() && k.look(w) {
		how = k.walk(c)
	} else {
		how = k.byClosures(c)
	}
	k.flush()
	k.returnInputs()
	k.budget.Charge(k.granted - *k.fuel)
	k.table = nil
	clear(k.column[:])
	if k.unit.effects {
		k.effects.End()
	}
	return how
}

func (k *Kernel) walk(c *ecs.Cursor) kernel.Ending {
	for {
		if k.unit.effects && !k.room() {
			return k.byClosures(c)
		}
		before := *c
		rows := c.NextRows()
		if rows == 0 {
			return kernel.Finished
		}
		if t := c.Table(); t != k.table {
			if !k.enter(c, t) {
				*c = before
				return k.byClosures(c)
			}
		}
		for rest := rows; rest > 0; {
			row := c.RowIndex()
			if k.share(row, rest) {
				k.stampAll(row, rest)
				break
			}
			if k.ahead(row, rest) {
				break
			}
			status, done := k.rows(row, min(rest, mostRows))
			k.settleStores(status)
			k.stamp(row, done)
			k.apply()
			rest -= done
			if status != broke && status != returned {
				c.Skip(done)
			}
			switch {
			case status == broke:
				c.End()
				return kernel.Finished
			case status == returned:
				k.result()
				c.End()
				return kernel.Returned
			case status == failed, status == starved && !k.refuel():
				return kernel.Left
			case status == starved:
				*k.fuel += k.program.Price // it is paid for, and will be charged by the call
			}
		}
		if rows == 1 { // a condition on rows may look at what this one stored
			k.flush()
		}
	}
}

// room reports whether the effects of some rows can be recorded whatever they are:
// closures look at the bounds one by one.
func (k *Kernel) room() bool {
	commands, entities := k.effects.Room()
	return commands > 1<<20 && entities > 1<<14
}

// result takes the values of a return from the frame.
func (k *Kernel) result() {
	for i, x := range k.unit.returns[*k.site].Args {
		n, s := k.valueOf(x, *(*float64)(k.memory.at(k.frame + k.unit.layout.results + 8*uint32(i))))
		k.results = append(k.results, kernel.Result{Type: x.Type, N: n, S: s})
	}
}

// rows runs the code over some rows of the table. It returns how that ended, and
// how many rows are done.
func (k *Kernel) rows(row, n int) (status, done int) {
	for i, w := range k.unit.walkers {
		k.ptr[i] = k.base[i] + uint32(row)*w.stride
	}
	if k.unit.marks >= 0 {
		k.ptr[k.unit.marks] = k.marks
	}
	first := k.ptr[0]
	k.stack = [2]uint64{uint64(k.frame), uint64(n)}
	if err := k.run.CallWithStack(&k.ctx, k.stack[:]); err != nil {
		panic("machine: " + err.Error()) // the code does nothing that could trap
	}
	return int(uint32(k.stack[0])), int((k.ptr[0] - first) / k.unit.walkers[0].stride)
}

// enter looks up the columns of a table; false when machine code cannot reach
// them, or components are those of another entity.
func (k *Kernel) enter(c *ecs.Cursor, t *ecs.Table) bool {
	k.flush()
	for i := range k.program.Views {
		if k.program.Uses&(1<<i) == 0 {
			continue
		}
		col := c.Column(i)
		if col == nil && (k.program.Optional&(1<<i) == 0 || k.outside.inherit) {
			return false
		}
		k.column[i] = col
		var at uint32
		if !k.addressOf(col, t, &at) {
			return false
		}
		if w := k.unit.views[i]; w >= 0 {
			k.base[w] = max(at, lowest)
		}
		k.present[i] = at
	}
	if w := k.unit.entities; w >= 0 {
		at, ok := k.memory.address(t.RawEntities())
		if !ok {
			return false
		}
		k.base[w] = at
	}
	for i, word := range k.unit.words {
		if word.kind == wordPresent {
			k.words[i] = k.present[word.id]
		}
	}
	k.table = t
	return true
}

// stamp notes what the rows stored.
func (k *Kernel) stamp(row, n int) {
	if n == 0 {
		return
	}
	k.stampAll(row, n)
	if k.unit.marks >= 0 {
		k.stampMarked(row, k.markBytes[:n])
	}
}

// stampAll notes rows of the views that each row stores.
func (k *Kernel) stampAll(row, n int) {
	if len(k.unit.always) > 0 {
		if row != k.to || k.from == k.to {
			k.flush()
			k.from = row
		}
		k.to = row + n
	}
}

// stampMarked stamps what the marks of rows say, and clears them.
func (k *Kernel) stampMarked(row int, marks []uint8) {
	n := len(marks)
	for i := 0; i < n; i++ {
		for i+32 <= n {
			m := (*[4]uint64)(unsafe.Pointer(&marks[i]))
			if m[0]|m[1]|m[2]|m[3] != 0 {
				break
			}
			i += 32
		}
		if i == n {
			break
		}
		if i+8 <= n && *(*uint64)(unsafe.Pointer(&marks[i])) == 0 {
			i += 7
			continue
		}
		for bit, view := range k.unit.others {
			if marks[i]&(1<<bit) != 0 {
				k.column[view].Stamp(row + i)
			}
		}
		marks[i] = 0 // a packed trip writes what is not
	}
}

// flush stamps the rows of the components that each row stores.
func (k *Kernel) flush() {
	if k.from == k.to {
		return
	}
	for _, view := range k.unit.always {
		k.column[view].StampRange(k.from, k.to)
	}
	k.from, k.to = 0, 0
}

// byClosures does the rest of a walk that comes to a table whose columns machine
// code cannot reach.
func (k *Kernel) byClosures(c *ecs.Cursor) kernel.Ending {
	if k.closures == nil {
		k.closures = k.program.Closures(k.budget)
	}
	k.returnInputs()
	set := func(p kernel.Place) {
		switch p.Type {
		case kernel.Bool:
			k.closures.SetBool(p.Reg, k.Bool(p.Reg))
		case kernel.Text:
			k.closures.SetText(p.Reg, k.Text(p.Reg))
		default:
			k.closures.SetNumber(p.Reg, k.Number(p.Reg))
		}
	}
	for _, in := range k.program.Inputs {
		if in.Used {
			set(in)
		}
	}
	for _, out := range k.program.Outputs {
		set(out.Place)
		if out.Mark >= 0 {
			k.closures.SetBool(out.Mark, k.Bool(out.Mark))
		}
	}
	for i := range k.given {
		k.closures.SetTable(i, k.given[i])
	}
	k.flush()
	k.budget.Charge(k.granted - *k.fuel)
	k.granted, *k.fuel = 0, 0
	how := k.closures.Resume(c)
	k.results = append(k.results, k.closures.Results()...)
	for _, out := range k.program.Outputs {
		if out.Mark >= 0 {
			if !k.closures.Bool(out.Mark) {
				continue
			}
			k.SetBool(out.Mark, true)
		}
		switch out.Type {
		case kernel.Bool:
			k.SetBool(out.Reg, k.closures.Bool(out.Reg))
		case kernel.Text:
			k.SetText(out.Reg, k.closures.Text(out.Reg))
		default:
			k.SetNumber(out.Reg, k.closures.Number(out.Reg))
		}
	}
	return how
}
