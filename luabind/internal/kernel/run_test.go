package kernel

import (
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
)

// With any budget the loop stops at a row whose fuel is not there, and what came
// before is charged.
func TestBudget(t *testing.T) {
	for limit := int64(1); limit < 60; limit++ {
		x := newFixture(t)
		p := x.program(store(0, x.fieldA("x"), num(-1)), &Stmt{Op: Count, I: 3, Price: 2, A: num(1), B: num(3), C: num(1)})
		p.Price = 3
		b := &sandbox.Budget{}
		b.Reset(limit)
		how, at := x.run(p, p.Closures(b))
		done := int(limit / 9)
		order := []int{0, 2, 4, 1, 3, 5}
		switch {
		case done >= 6:
			if how != Finished || b.Used() != 54 {
				t.Errorf("limit %d: %v, used %d", limit, how, b.Used())
			}
		case how != Left || at != x.all[order[done]] || b.Used() > limit || b.Spent() != nil:
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
	p := x.program(&Stmt{Op: Near, I: -1, J: -1, Price: 4, Grid: x.grid, A: num(0), B: num(0), C: num(1e3), Body: []*Stmt{{Op: Break}}}, &Stmt{Op: Break})
	b := &sandbox.Budget{}
	b.Reset(1000)
	if how, _ := x.run(p, p.Closures(b)); how != Finished || b.Used() != 1+5+4 {
		t.Errorf("%v, used %d", how, b.Used())
	}
}

// Loops with everything in them allocate nothing once they have run.
func TestAllocates(t *testing.T) {
	x := newFixture(t)
	p := x.nested(x.program(
		store(0, x.fieldA("x"), op(Random)), look(2, x.entity(3)), when(&Expr{Op: Present, Type: Bool, I: 2}, store(2, x.fieldA("f"), num(3)), store(2, x.fieldA("s"), word("a"))),
		&Stmt{Op: Each, Price: 1, Body: []*Stmt{store(1, x.fieldB("v"), op(Add, load(1, x.fieldB("v")), num(1)))}},
		&Stmt{Op: Near, I: 4, J: 5, Price: 1, Grid: x.grid, A: num(0), B: num(0), C: num(100), Body: []*Stmt{let(6, reg(5))}},
		&Stmt{Op: Do, A: x.tag(Tag, x.blue, self())}, &Stmt{Op: Do, A: x.tag(Untag, x.blue, self())}, &Stmt{Op: Put, Member: -1, A: num(1), B: num(2)},
		emit(&Effect{Op: Send, Event: x.hit, Fields: []EffectField{x.hitField(0), x.hitField(3)}}, -1, num(1), word("b")),
		emit(&Effect{Op: QueueSpawn, Components: []ecs.ComponentID{x.b}, Tags: []ecs.TagID{x.red}, Fields: []EffectField{given(0, x.fieldB("v"), 0)}}, 7, num(1)),
		emit(&Effect{Op: QueueDespawn}, -1, reg(7)), emit(&Effect{Op: QueueSet, Components: []ecs.ComponentID{x.a}, Fields: []EffectField{given(2, x.fieldA("i8"), 0)}}, -1, self(), num(1)),
	), ecs.Filter{Required: []ecs.ComponentID{x.b}}, 8)
	p.Refs = append(p.Refs, *x.ref(x.a, -1))
	p.Tables = []Table{{}}
	k := x.kernel(p)
	k.SetTable(0, Elements{From: 1, Values: []float64{1}})
	frame := func() {
		x.w.BeginFrame(1)
		c := x.loop.Begin()
		if how := k.Run(&c); how != Finished {
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
