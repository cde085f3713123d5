package closures

import (
	"testing"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
)

// With any budget the loop stops at a row whose fuel is not there, and what came
// before is charged.
func TestBudget(t *testing.T) {
	for limit := int64(1); limit < 60; limit++ {
		x := newFixture(t)
		p := x.program(store(0, x.fieldA("x"), num(-1)), &ir.Stmt{Op: ir.Count, I: 3, Price: 2, A: num(1), B: num(3), C: num(1)})
		p.Price = 3
		b := &sandbox.Budget{}
		b.Reset(limit)
		how, at := x.run(p, Compile(p, b))
		done := int(limit / 9)
		order := []int{0, 2, 4, 1, 3, 5}
		switch {
		case done >= 6:
			if how != kernel.Finished || b.Used() != 54 {
				t.Errorf("limit %d: %v, used %d", limit, how, b.Used())
			}
		case how != kernel.Starved || at != x.all[order[done]] || b.Used() > limit || b.Spent() != nil:
			t.Errorf("limit %d: %v at %v, used %d", limit, how, at, b.Used())
		}
		for i, at := range order {
			row, _ := x.w.Ref(x.all[at], x.a).Row()
			if (row.Number(0) == -1) != (i < done) {
				t.Errorf("limit %d: row %d is %v", limit, i, row.Number(0))
			}
		}
	}
}

// A list of neighbours costs one each when it is taken.
func TestNearCosts(t *testing.T) {
	x := newFixture(t)
	p := x.program(&ir.Stmt{Op: ir.Near, I: -1, J: -1, Price: 4, Grid: x.grid, A: num(0), B: num(0), C: num(1e3), Body: []*ir.Stmt{{Op: ir.Break}}}, &ir.Stmt{Op: ir.Break})
	b := &sandbox.Budget{}
	b.Reset(1000)
	if how, _ := x.run(p, Compile(p, b)); how != kernel.Finished || b.Used() != 1+5+4 {
		t.Errorf("%v, used %d", how, b.Used())
	}
}

// Loops with everything in them allocate nothing once they have run.
func TestAllocates(t *testing.T) {
	x := newFixture(t)
	p := x.nested(x.program(
		store(0, x.fieldA("x"), op(ir.Random)), look(2, x.entity(3)), when(&ir.Expr{Op: ir.Present, Type: ir.Bool, I: 2}, store(2, x.fieldA("f"), num(3)), store(2, x.fieldA("s"), word("a"))),
		&ir.Stmt{Op: ir.Each, Price: 1, Body: []*ir.Stmt{store(1, x.fieldB("v"), op(ir.Add, load(1, x.fieldB("v")), num(1)))}},
		&ir.Stmt{Op: ir.Near, I: 4, J: 5, Price: 1, Grid: x.grid, A: num(0), B: num(0), C: num(100), Body: []*ir.Stmt{let(6, reg(5))}},
		&ir.Stmt{Op: ir.Do, A: x.tag(ir.Tag, x.blue, self())}, &ir.Stmt{Op: ir.Do, A: x.tag(ir.Untag, x.blue, self())}, &ir.Stmt{Op: ir.Put, Member: -1, A: num(1), B: num(2)},
		emit(&ir.Effect{Op: ir.Send, Event: x.hit, Fields: []ir.EffectField{x.hitField(0), x.hitField(3)}}, -1, num(1), word("b")),
		emit(&ir.Effect{Op: ir.QueueSpawn, Components: []ecs.ComponentID{x.b}, Tags: []ecs.TagID{x.red}, Fields: []ir.EffectField{given(0, x.fieldB("v"), 0)}}, 7, num(1)),
		emit(&ir.Effect{Op: ir.QueueDespawn}, -1, reg(7)), emit(&ir.Effect{Op: ir.QueueSet, Components: []ecs.ComponentID{x.a}, Fields: []ir.EffectField{given(2, x.fieldA("i8"), 0)}}, -1, self(), num(1)),
	), ecs.Filter{Required: []ecs.ComponentID{x.b}}, 8)
	p.Refs = append(p.Refs, *x.ref(x.a, -1))
	p.Tables = []ir.Table{{}}
	k := x.kernel(p)
	k.SetTable(0, kernel.Elements{From: 1, Values: []float64{1}})
	frame := func() {
		x.w.BeginFrame(1)
		c := ecs.Raw.Begin(x.loop)
		if how := k.Run(&c); how != kernel.Finished {
			t.Fatal(how)
		}
		if err := x.w.Commands().Apply(); err != nil {
			t.Fatal(err)
		}
		x.w.EndFrame()
	}
	for range 5 {
		frame()
	}
	if n := testing.AllocsPerRun(50, frame); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// What other code has used of the fuel that it hands over is charged, also when no row is left; a run that follows has a grant of its own.
func TestHandOverAtTheEnd(t *testing.T) {
	x := newFixture(t)
	p := x.program(let(3, num(1)))
	k := x.kernel(p)
	if how, _ := x.run(p, k); how != kernel.Finished {
		t.Fatal(how)
	}
	used := k.budget.Used()
	k.HandOver(100, 40)
	c := ecs.Raw.Begin(x.loop)
	c.End()
	if how := k.Resume(&c, 0, 0); how != kernel.Finished || k.budget.Used() != used+60 {
		t.Errorf("ending %v, %d charged, want %d", how, k.budget.Used()-used, 60)
	}
	if how, _ := x.run(p, k); how != kernel.Finished || k.budget.Used() != used+60+used {
		t.Errorf("ending %v, a run after that uses %d, want %d", how, k.budget.Used()-used-60, used)
	}
}

// A kernel that has run holds no rows, whatever it has walked: the collector may take them.
func TestKernelsLetGoOfRows(t *testing.T) {
	x := newFixture(t)
	p := x.nested(x.program(store(0, x.fieldA("x"), num(1)), &ir.Stmt{Op: ir.Each, Price: 1, Body: []*ir.Stmt{store(1, x.fieldB("v"), num(3)), store(1, x.fieldB("s"), word("a"))}},
		emit(&ir.Effect{Op: ir.Send, Event: x.hit, Fields: []ir.EffectField{x.hitField(3)}}, -1, word("b"))), ecs.Filter{Required: []ecs.ComponentID{x.b}}, -1)
	k := x.kernel(p)
	if how, _ := x.run(p, k); how != kernel.Finished {
		t.Fatal(how)
	}
	list := [][]columnView{k.columnView[:cap(k.columnView)]}
	tables := []*ecs.Table{k.table}
	for _, n := range k.nests {
		list, tables = append(list, n.columnView[:cap(n.columnView)]), append(tables, n.table)
	}
	for i, columnView := range list {
		if len(columnView) == 0 || tables[i] != nil {
			t.Errorf("loop %d: %d views, table %v", i, len(columnView), tables[i] != nil)
		}
		for _, m := range columnView {
			if m.base != nil {
				t.Errorf("loop %d holds rows of view %d", i, m.view)
			}
		}
	}
	for view := range k.frame.ptr {
		if k.frame.ptr[view] != nil || k.frame.column[view] != nil {
			t.Errorf("view %d is held", view)
		}
	}
	u := &k.frame.undo
	for _, b := range u.bits[:cap(u.bits)] {
		if b.p != nil {
			t.Error("a stored number is held")
		}
	}
	for _, s := range u.texts[:cap(u.texts)] {
		if s.p != nil || s.old != "" {
			t.Error("a stored string is held")
		}
	}
}

// Nor does one that has walked events.
func TestKernelsLetGoOfEvents(t *testing.T) {
	x := newFixture(t)
	schema := x.w.EventSchema(x.hit)
	p := &ir.Program{
		Body: []*ir.Stmt{let(3, op(ir.Add, reg(3), load(0, &schema.Fields()[0])))}, Price: 1, Numbers: 8, Views: 1, Components: []ecs.ComponentID{ir.NoComponent}, Uses: 1, Events: schema,
		Outputs: []ir.Output{{Place: ir.Place{Used: true, Type: ir.Number, Reg: 3}, Mark: -1, Input: 0}},
	}
	ecs.Raw.AppendEvent(x.w, x.hit)
	ecs.Raw.AppendEvent(x.w, x.hit)
	k := x.kernel(p)
	if how := k.RunEvents(x.w, &twoEvents{x.w.Peek(x.hit), 0}); how != kernel.Finished || k.Number(3) != 14 || k.frame.ptr[0] != nil {
		t.Errorf("%v, sum %v, an event is held: %v", how, k.Number(3), k.frame.ptr[0] != nil)
	}
}

// twoEvents walks events.
type twoEvents struct {
	ecs.Events
	at int
}

func (e *twoEvents) Event() (unsafe.Pointer, bool) {
	if e.at == e.Len() {
		return nil, false
	}
	return ecs.Raw.Row(e.Row(e.at)), true
}

func (e *twoEvents) Next() { e.at++ }

func (e *twoEvents) Rest() (unsafe.Pointer, int) {
	p, _ := e.Event()
	return p, e.Len() - e.at
}

func (e *twoEvents) Skip(n int) { e.at += n }
