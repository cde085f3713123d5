package machine

import (
	"fmt"
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/mathfn"
)

// The arguments of run.
const (
	argFrame = iota
	argRows
)

// emitter writes the code of one Program.
type emitter struct {
	*function
	m *module
	p *kernel.Program
	layout
	strides []uint32 // of the components, by view

	numbers, bools []int // locals of the registers
	texts          []int
	fuel, status   int
	exit           label

	walkers   []walker
	views     [mostViews]int // walker of each view, -1
	entities  int            // walker of the handles, -1
	marks     int            // walker of the marks, -1
	cells     []*cell
	others    uint64 // views that some rows store; their bits in a mark are counted from 0
	dirty     int    // mark of the row at hand
	brk       int    // whether the row broke the loop
	signs     signs
	constants []float64 // by place in the frame
	held      map[uint64]int

	direct     uint64   // views of the query loop that are reached in memory
	refs       []int    // locals with the addresses of the views beyond those
	refFar     []uint32 // behind the last byte that is touched there
	words      []word
	wordLocals map[word]int
	drawn      int   // whether the row has drawn a random number
	ring       int   // where the next effect is recorded; 0: there are none
	log        int   // where the next store is logged; 0: none is
	slots      []int // locals with the addresses of the slots of the views in refs that are stored
	emits      []*kernel.Stmt
	returns    []*kernel.Stmt
	strings    []string // constants
	nears      []*kernel.Stmt
	looked     int         // bytes of points that were gone through; 0: no loop asks who is near
	living     map[int]int // locals with the addresses of the slots of those who are, by register

	// of the row being written
	row     int   // how many rows after the walkers it is
	stop    label // where to go to put it back
	finish  label // where to go when it is done early
	breaks  []label
	targets map[int]label

	prepaid bool // rows are paid for when the call ends: they all cost the same
	from    int  // local, then: where the first row lies

	// of packed trips
	forms  []form
	anyway bool                    // even if that is slower than row by row
	packs  bool                    // there is one
	leaf   func(*kernel.Expr) bool // writes a field or register; false: as usual
	ahead  encoder                 // code in front of the loops over rows
	giveUp label                   // where to go to leave the rows of a trip to the next form
}

// mostViews is how many views a query loop can have.
const mostViews = 16

// cell is a stored or read field of a view of the query loop. It is kept in a local
// from the start of a row on.
type cell struct {
	view         int
	field        *ecs.Field
	local        int
	read, stored bool
	always       bool
}

// refusal is why there is no machine code for a Program.
type refusal string

func refuse(format string, args ...any) { panic(refusal(fmt.Sprintf(format, args...))) }

// A unit is the machine code of a Program.
type unit struct {
	code        []byte
	layout      layout
	constants   []float64
	walkers     []walker
	views       [mostViews]int
	entities    int
	marks       int
	others      []int // views by the bits of a mark, from bit 0 on
	always      []int // views that each row stores
	packed      bool  // rows are done by vectors where there are enough
	words       []word
	emits       []*kernel.Stmt
	returns     []*kernel.Stmt
	nears       []*kernel.Stmt
	effects     bool
	logs        bool // stores are logged
	strings     []string
	tolls       []toll  // none: rows are not to be shared out
	nanoseconds float64 // of a row, guessed
}

// emitAs writes the module of a Program. It may pack trips in some forms; anyway says
// that one is to be taken even if it is slower than row by row.
func emitAs(p *kernel.Program, strides []uint32, pages uint32, forms []form, anyway bool) (u *unit, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case refusal:
			err = fmt.Errorf("machine code: %s", string(r))
		default:
			panic(r)
		}
	}()
	if !p.Exact && canFail(p) {
		exact := *p
		exact.Exact = true
		p = &exact
	}
	e := &emitter{
		m: &module{pages: pages, imports: hostFunctions}, p: p, layout: layoutOf(p), strides: strides,
		function: &function{params: []byte{i32, i32}, results: []byte{i32}},
		entities: -1, marks: -1, held: map[uint64]int{}, targets: map[int]label{}, forms: forms, anyway: anyway,
	}
	e.living = map[int]int{}
	e.wordLocals, e.refFar = map[word]int{}, make([]uint32, len(p.Refs))
	e.check()
	e.survey()
	e.run()
	e.m.functions, e.m.exports = []*function{e.function}, []string{"run"}
	u = &unit{
		code: e.m.bytes(), layout: e.layout, constants: e.constants, walkers: e.walkers,
		views: e.views, entities: e.entities, marks: e.marks, packed: e.packs,
		words: e.words, emits: e.emits, returns: e.returns, nears: e.nears, effects: e.ring != 0, logs: e.log != 0, strings: e.strings,
	}
	if tolls, ok := e.independent(); ok {
		u.tolls, u.nanoseconds = tolls, e.nanoseconds(p.Body)
	}
	always := uint64(0)
	for _, t := range p.Stores {
		if t.Always && always&(1<<t.View) == 0 {
			always |= 1 << t.View
			u.always = append(u.always, t.View)
		}
	}
	for i := range p.Views {
		if e.others&(1<<i) != 0 {
			u.others = append(u.others, i)
		}
	}
	return u, nil
}

// canFail reports whether a row may have to be put back.
func canFail(p *kernel.Program) bool {
	found := p.Random || p.Optional != 0 || len(p.Refs) > 0 || len(p.Tables) > 0 || len(p.Effects) > 0
	walk(p.Body, func(*kernel.Stmt) {}, func(x *kernel.Expr) { found = found || flips(x) })
	return found
}

// check refuses what there is no code for.
func (e *emitter) check() {
	p := e.p
	switch {
	case p.Views+len(p.Refs) > mostViews:
		refuse("it uses too many components")
	}
	for _, ref := range p.Refs {
		if ref.Stored && ref.Query >= 0 {
			refuse("it stores components of other rows of a query within")
		}
		if ref.Schema != nil && !ref.Schema.PointerFree() {
			refuse("it reads components with strings or tables")
		}
	}
	for _, q := range p.Queries {
		f := q.Query.Filter()
		if len(f.Tagged)+len(f.Untagged)+len(f.Changed)+len(f.Added) > 0 || f.Where != nil {
			refuse("it has a query within that looks at rows")
		}
	}
}

// survey finds the fields, the registers and the functions in use.
func (e *emitter) survey() {
	for i := range e.views {
		e.views[i] = -1
	}
	var names []string
	e.findDirect()
	if logs(e.p) {
		e.log = e.local(i32)
	}
	if nears(e.p) > 0 {
		e.looked = e.local(i32)
	}
	walk(e.p.Body, func(s *kernel.Stmt) {
		switch s.Op {
		case kernel.Store:
			if e.uses(s.I, s.Field) {
				e.cell(s.I, s.Field).stored = true
			}
		case kernel.Emit, kernel.Do:
			if e.ring == 0 && (s.Op == kernel.Emit || flips(s.A)) {
				e.ring = e.local(i32)
			}
		}
	}, func(x *kernel.Expr) {
		switch x.Op {
		case kernel.Load:
			if e.uses(x.I, x.Field) {
				e.cell(x.I, x.Field).read = true
			}
		case kernel.Mod:
			names = append(names, "%")
		case kernel.Pow:
			names = append(names, "^")
		case kernel.Call:
			switch {
			case mathfn.Inline(x.Func) != nil:
			case mathfn.Has(x.Func):
				names = append(names, x.Func)
			default:
				refuse("it calls math.%s", x.Func)
			}
		}
	})
	e.m.math = mathfn.Closure(names...)
	always := uint64(0)
	for _, t := range e.p.Stores {
		if t.Always {
			if e.cached(t.View) {
				e.cell(t.View, t.Field).always = true
			}
			always |= 1 << t.View
		} else {
			e.others |= 1 << t.View
		}
	}
	e.others &^= always
	for range e.p.Refs {
		e.refs = append(e.refs, e.local(i32))
	}
	e.slots = make([]int, len(e.p.Refs))
	for i, ref := range e.p.Refs {
		if ref.Stored {
			e.slots[i] = e.local(i32)
		}
	}
	e.signs = signsOf(e.p)
	for _, c := range e.cells {
		c.local = e.local(valueType(c.field))
	}
	if e.p.Entity {
		e.entities = e.walker(8)
		e.walkers[e.entities].far = 8
	}
	if e.others != 0 {
		e.marks = e.walker(markSize)
		e.walkers[e.marks].far = markSize
		e.dirty = e.local(i32)
	}
	if len(e.walkers) == 0 {
		e.walker(1) // it only counts
	}
}

// uses notes that a field is used. It is held in a local, or reached in memory.
func (e *emitter) uses(view int, f *ecs.Field) (cached bool) {
	far := uint32(f.Offset + f.Type.Size())
	if !e.within(view) {
		ref := view - e.p.Views
		e.refFar[ref] = max(e.refFar[ref], far)
		return false
	}
	w := e.views[view]
	if w < 0 {
		w = e.walker(e.strides[view])
		e.views[view] = w
	}
	e.walkers[w].far = max(e.walkers[w].far, far)
	return e.cached(view)
}

func (e *emitter) walker(stride uint32) int {
	if len(e.walkers) == mostWalkers {
		refuse("it uses too many components")
	}
	e.walkers = append(e.walkers, walker{ptr: e.local(i32), stride: stride})
	return len(e.walkers) - 1
}

// markSize is how many bytes the mark of a row has: a bit per view that some rows store.
const markSize = 1

// cell is that of a field.
func (e *emitter) cell(view int, f *ecs.Field) *cell {
	for _, c := range e.cells {
		if c.view == view && c.field.Offset == f.Offset {
			return c
		}
	}
	c := &cell{view: view, field: f}
	e.cells = append(e.cells, c)
	return c
}

// walk visits all statements and expressions, in order.
func walk(body []*kernel.Stmt, stmt func(*kernel.Stmt), expr func(*kernel.Expr)) {
	var visit func(x *kernel.Expr)
	visit = func(x *kernel.Expr) {
		if x != nil {
			visit(x.A)
			visit(x.B)
			visit(x.C)
			expr(x)
		}
	}
	for _, s := range body {
		stmt(s)
		visit(s.A)
		visit(s.B)
		visit(s.C)
		for _, x := range s.Args {
			visit(x)
		}
		walk(s.Body, stmt, expr)
		walk(s.Else, stmt, expr)
	}
}

// run writes the function that does some rows.
func (e *emitter) run() {
	e.fuel, e.status = e.local(i64), e.local(i32)
	e.get(argFrame)
	e.memory(opI64Load, frameFuel)
	e.set(e.fuel)
	for i, w := range e.walkers {
		e.get(argFrame)
		e.memory(opI32Load, framePtr+4*uint32(i))
		e.set(w.ptr)
	}
	for range e.p.Numbers {
		e.numbers = append(e.numbers, e.local(f64))
	}
	for range e.p.Bools {
		e.bools = append(e.bools, e.local(i32))
	}
	for range e.p.Texts {
		e.texts = append(e.texts, e.local(i32))
	}
	for _, in := range e.p.Inputs {
		if in.Used {
			e.fetch(in)
		}
	}
	for _, out := range e.p.Outputs {
		e.fetch(out.Place)
		if out.Mark >= 0 {
			e.fetch(kernel.Place{Type: kernel.Bool, Reg: out.Mark})
		}
	}
	if e.ring != 0 {
		e.get(argFrame)
		e.memory(opI32Load, frameRing)
		e.set(e.ring)
	}
	if e.log != 0 {
		e.get(argFrame)
		e.memory(opI32Load, frameLog)
		e.set(e.log)
	}
	e.holdConstants()
	start := len(e.encoder)
	e.rowLoop(e.trips())
	e.encoder = slices.Insert(e.encoder, start, e.ahead...)
	for _, out := range e.p.Outputs {
		e.put(out.Place)
		if out.Mark >= 0 {
			e.put(kernel.Place{Type: kernel.Bool, Reg: out.Mark})
		}
	}
	e.get(argFrame)
	e.get(e.fuel)
	e.memory(opI64Store, frameFuel)
	if e.ring != 0 {
		e.get(argFrame)
		e.get(e.ring)
		e.memory(opI32Store, frameRing)
	}
	if e.log != 0 {
		e.get(argFrame)
		e.get(e.log)
		e.memory(opI32Store, frameLog)
	}
	e.get(argFrame)
	e.get(e.walkers[0].ptr)
	e.memory(opI32Store, framePtr)
	e.get(e.status)
}

// register is the local of a register, and where in the frame it is.
func (e *emitter) register(p kernel.Place) (local int, typ byte, at uint32) {
	switch p.Type {
	case kernel.Bool:
		return e.bools[p.Reg], i32, e.layout.bools + 4*uint32(p.Reg)
	case kernel.Text:
		return e.texts[p.Reg], i32, e.layout.texts + 4*uint32(p.Reg)
	}
	return e.numbers[p.Reg], f64, e.layout.numbers + 8*uint32(p.Reg)
}

// fetch loads a register from the frame; put stores it there.
func (e *emitter) fetch(p kernel.Place) {
	local, typ, at := e.register(p)
	e.get(argFrame)
	if typ == i32 {
		e.memory(opI32Load, at)
	} else {
		e.memory(opF64Load, at)
	}
	e.set(local)
}

func (e *emitter) put(p kernel.Place) {
	local, typ, at := e.register(p)
	e.get(argFrame)
	e.get(local)
	if typ == i32 {
		e.memory(opI32Store, at)
	} else {
		e.memory(opF64Store, at)
	}
}

// trips are the forms of the row loop, those of several rows first.
func (e *emitter) trips() []trip {
	loops := e.turns()
	one := trip{1, func() { e.rowAt(0, 1) }}
	if t, ok := e.packed(); ok {
		return []trip{t, one}
	}
	loops = loops || len(e.p.Refs) > 0
	n := 0
	switch {
	case loops, e.p.Price > 100:
	case e.p.Price > 50:
		n = 2
	default:
		n = 4
	}
	if n == 0 {
		return []trip{one}
	}
	return []trip{{n, func() {
		for i := range n {
			e.rowAt(i, n)
		}
	}}, one}
}
