package nearby

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// What records hold for the filters of loops ([ir.Stmt.Filter]): the fields and tags that they ask for. Lowering makes
// sure that nothing changes these as long as a run lasts. So a filter looks up nothing; it reads one record after another.
//
// A filter often demands one value of a field, or any other value: the enemies' side. Then most records come in runs that
// it leaves out. The end of each run is noted when a row of cells is cached, as ecs does for [ecs.Search].

// A value is a field in records: a float64, or a uint32 for a boolean; 0 if the entity lacks the component.
type value struct {
	component ecs.ComponentID
	field     *ecs.Field
	at        uint32 // offset
}

// A tag in records is a uint32: whether the entity has it.
type tag struct {
	id uint32
	at uint32
}

// A run in records is the address of a record: the first one after this one, in the same row of cells, that has another
// value of the field, or after the row. Of an entity without the component, it is the next record with it.
type run struct {
	value
	at uint32
}

// eachFilter calls visit for the filters of a Program.
func eachFilter(body []*ir.Stmt, visit func(s *ir.Stmt, x *ir.Expr)) {
	for _, s := range body {
		if x := s.Filter(); x != nil {
			visit(s, x)
		}
		eachFilter(s.Body, visit)
		eachFilter(s.Else, visit)
	}
}

// addFiltered lays out what filters read, from an offset on. It returns the offset after.
func (l *recordLayout) addFiltered(p *ir.Program, at uint32) uint32 {
	eachFilter(p.Body, func(s *ir.Stmt, x *ir.Expr) {
		l.addReads(p, s, x)
		if c, _ := Demands(p, s); c != nil && l.run(p, c) == nil {
			l.runs = append(l.runs, run{value: value{component: refComponent(p, c.I), field: c.Field}})
		}
	})
	for i := range l.tags {
		l.tags[i].at = at
		at += 4
	}
	for i := range l.runs {
		l.runs[i].at = at
		at += 4
	}
	for i := range l.values {
		l.values[i].at = (at + 7) &^ 7
		at = l.values[i].at + 8
	}
	for i := range l.runs {
		r := &l.runs[i]
		r.value.at = l.value(r.component, r.field).at
	}
	return at
}

// addReads adds the fields and tags that a filter reads.
func (l *recordLayout) addReads(p *ir.Program, s *ir.Stmt, x *ir.Expr) {
	if x == nil {
		return
	}
	switch {
	case x.Op == ir.Load && x.I >= p.Views:
		if id := refComponent(p, x.I); l.value(id, x.Field) == nil {
			l.values = append(l.values, value{component: id, field: x.Field})
		}
	case x.Op == ir.Tagged && !slices.ContainsFunc(l.tags, func(t tag) bool { return t.id == x.ID }):
		l.tags = append(l.tags, tag{id: x.ID})
	}
	l.addReads(p, s, x.A)
	l.addReads(p, s, x.B)
	l.addReads(p, s, x.C)
}

// refComponent returns the component of a view of another entity.
func refComponent(p *ir.Program, view int) ecs.ComponentID { return p.Refs[view-p.Views].Component }

// value returns the place of a field; nil if records do not hold it.
func (l *recordLayout) value(id ecs.ComponentID, f *ecs.Field) *value {
	i := slices.IndexFunc(l.values, func(v value) bool { return v.component == id && v.field.Offset == f.Offset })
	if i < 0 {
		return nil
	}
	return &l.values[i]
}

// run returns the place of the ends of runs for a field that is loaded; nil if records do not hold them.
func (l *recordLayout) run(p *ir.Program, load *ir.Expr) *run {
	i := slices.IndexFunc(l.runs, func(r run) bool {
		return r.component == refComponent(p, load.I) && r.field.Offset == load.Field.Offset
	})
	if i < 0 {
		return nil
	}
	return &l.runs[i]
}

// Demands returns what the filter of a loop demands of one field: the expression that loads the field, and the condition, a
// comparison for equality with something that is the same for all points, or the negation of one. Both are nil if it
// demands nothing of this kind. The filter demands the component, too.
func Demands(p *ir.Program, s *ir.Stmt) (load, condition *ir.Expr) {
	all := conjuncts(s.Filter())
	for _, x := range all {
		c := x
		if c.Op == ir.Not {
			c = c.A
		}
		if c.Op != ir.Equal || c.A.Type != ir.Number {
			continue
		}
		for _, sides := range [...][2]*ir.Expr{{c.A, c.B}, {c.B, c.A}} {
			load := sides[0]
			there := func(x *ir.Expr) bool { return x.Op == ir.Present && x.I == load.I }
			if load.Op == ir.Load && load.I >= p.Views && !Varies(p, s, sides[1]) && slices.ContainsFunc(all, there) {
				return load, x
			}
		}
	}
	return nil, nil
}

// conjuncts returns the conditions whose conjunction a condition is.
func conjuncts(x *ir.Expr) []*ir.Expr {
	if x.Op == ir.And {
		return append(conjuncts(x.A), conjuncts(x.B)...)
	}
	return []*ir.Expr{x}
}

// Varies reports whether an expression in the filter of a loop depends on the found entity.
func Varies(p *ir.Program, s *ir.Stmt, x *ir.Expr) bool {
	if x == nil {
		return false
	}
	switch {
	case x.Op == ir.Reg && x.Type == ir.Number && (x.I == s.I || x.I == s.J), (x.Op == ir.Load || x.Op == ir.Present) && x.I >= p.Views, x.Op == ir.Tagged:
		return true
	}
	return Varies(p, s, x.A) || Varies(p, s, x.B) || Varies(p, s, x.C)
}

// noTags returns a local for each tag, set to 0.
func (e *Writer) noTags() (locals []int) {
	for range e.record.tags {
		l := e.Local(wasm.I32)
		e.I32(0)
		e.Set(l)
		locals = append(locals, l)
	}
	return locals
}

// askTags sets these locals. handle is the local with the entity's handle, whose index is below the number of slots.
func (e *Writer) askTags(handle int, locals []int) {
	for i, t := range e.record.tags {
		e.around.HasTag(handle, t.id, locals[i])
	}
}

// cacheFiltered writes the values and tags of a record. to is the local with its address; columns are the locals with the
// addresses of the components' rows.
func (e *Writer) cacheFiltered(to int, columns, tags []int) {
	for i, t := range e.record.tags {
		e.Get(to)
		e.Get(tags[i])
		e.Memory(wasm.I32Store, t.at)
	}
	for _, v := range e.record.values {
		typ, store := byte(wasm.F64), byte(wasm.F64Store)
		if v.field.Type == ecs.Bool {
			typ, store = wasm.I32, wasm.I32Store
		}
		column := columns[slices.Index(e.record.components, v.component)]
		e.Get(to)
		e.Get(column)
		e.Then(typ)
		e.Get(column)
		e.around.ReadField(v.field, uint32(v.field.Offset))
		e.Otherwise()
		if typ == wasm.I32 {
			e.I32(0)
		} else {
			e.around.Zero()
		}
		e.End()
		e.Memory(store, v.at)
	}
}

// findRuns writes the ends of runs of the records from one address to another, which it goes through backwards. begin and
// end are locals; there is at least one record.
func (e *Writer) findRuns(r run, begin, end int) {
	p, some, other := e.Local(wasm.I32), e.Local(wasm.I32), e.Local(wasm.I32) // the record; the next one with the component, and with another value than that
	v, last := e.Local(wasm.F64), e.Local(wasm.F64)
	for _, l := range [...]int{p, some, other} {
		e.Get(end)
		e.Set(l)
	}
	e.around.Zero()
	e.Set(last)
	next := e.Loop()
	e.Get(p)
	e.I32(int32(e.record.size))
	e.Op(wasm.I32Sub)
	e.Tee(p)
	e.Memory(wasm.F64Load, r.value.at)
	e.Set(v)
	e.Get(p)
	e.Memory(wasm.I32Load, e.record.component(r.component))
	e.Then(wasm.Void)
	e.Get(v)
	e.Get(last)
	e.Op(wasm.F64Ne)
	e.Then(wasm.Void)
	e.Get(some)
	e.Set(other)
	e.Get(v)
	e.Set(last)
	e.End()
	e.Get(p)
	e.Get(other)
	e.Memory(wasm.I32Store, r.at)
	e.Get(p)
	e.Set(some)
	e.Otherwise()
	e.Get(p)
	e.Get(some)
	e.Memory(wasm.I32Store, r.at)
	e.End()
	e.Get(p)
	e.Get(begin)
	e.Op(wasm.I32GtU)
	e.Again(next)
}

// A Filter writes the code of a filter. Its functions put a condition on the stack, 1 or 0.
type Filter struct {
	Reach int // local of 32 bits: gets the number of points in the cells that the loop reaches

	// Holds writes the whole condition, for the record at an offset from the address in local record, whose squared distance
	// is in local d2.
	Holds func(record int, offset uint32, d2 int)
	// Demand writes the condition that Demands returns. It is nil if that is none.
	Demand func(record int)
	load   *ir.Expr
}

// NewFilter returns the filter of a loop, without its functions; nil if the loop has none.
func (e *Writer) NewFilter(s *ir.Stmt) *Filter {
	if s.Filter() == nil {
		return nil
	}
	f := &Filter{Reach: e.Local(wasm.I32)}
	f.load, _ = Demands(e.program, s)
	return f
}

// LoadValue puts a field of a found entity on the stack, 0 if it lacks the component.
func (e *Writer) LoadValue(record int, offset uint32, x *ir.Expr) {
	v := e.record.value(refComponent(e.program, x.I), x.Field)
	e.Get(record)
	if v.field.Type == ecs.Bool {
		e.Memory(wasm.I32Load, offset+v.at)
		return
	}
	e.Memory(wasm.F64Load, offset+v.at)
}

// LoadPresent puts a number on the stack that is 0 if a found entity lacks the component of a view.
func (e *Writer) LoadPresent(record int, offset uint32, view int) {
	e.Get(record)
	e.Memory(wasm.I32Load, offset+e.record.component(refComponent(e.program, view)))
}

// LoadTag puts 1 or 0 on the stack: whether a found entity has a tag.
func (e *Writer) LoadTag(record int, offset, id uint32) {
	i := slices.IndexFunc(e.record.tags, func(t tag) bool { return t.id == id })
	e.Get(record)
	e.Memory(wasm.I32Load, offset+e.record.tags[i].at)
}

// leave writes code that moves p to the first record before end that may fulfil a demand. Both are locals.
func (e *Writer) leave(f *Filter, p, end int) {
	if f.Demand == nil {
		return
	}
	r := e.record.run(e.program, f.load)
	found := e.Block()
	next := e.Loop()
	e.Get(p)
	e.Get(end)
	e.Op(wasm.I32GeU)
	e.JumpIf(found)
	e.LoadPresent(p, 0, f.load.I)
	e.Op(wasm.I32Eqz, wasm.I32Eqz)
	f.Demand(p)
	e.Op(wasm.I32And)
	e.JumpIf(found)
	e.Get(p)
	e.Memory(wasm.I32Load, r.at)
	e.Set(p)
	e.Jump(next)
	e.End()
	e.End()
}
