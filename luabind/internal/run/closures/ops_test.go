package closures

import (
	"math"
	"slices"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
)

// nested gives a program a query within and its views.
func (x *fixture) nested(p *ir.Program, f ecs.Filter, entity int) *ir.Program {
	q := x.query(f)
	p.Queries = append(p.Queries, ir.Subquery{Query: q, Entity: entity, First: p.Views + len(p.Refs), Views: len(q.Terms())})
	for i, id := range q.Terms() {
		p.Refs = append(p.Refs, ir.Ref{Component: id, Query: len(p.Queries) - 1, Stored: true, Optional: i >= q.Required()})
	}
	return p
}

// Each operation gives what it should for the first entity.
func TestValues(t *testing.T) {
	x := newFixture(t)
	nan := math.NaN()
	if _, err := x.w.Despawn(x.all[2]); err != nil {
		t.Fatal(err)
	}
	element := func(i, member int, at float64) *ir.Expr {
		return &ir.Expr{Op: ir.Element, I: i, Member: member, A: num(at)}
	}
	has := func(id ecs.ComponentID, e *ir.Expr) *ir.Expr {
		return &ir.Expr{Op: ir.Has, Type: ir.Bool, ID: uint32(id), A: e}
	}
	as := func(x *ir.Expr) *ir.Expr { return typed(ir.Number, ir.Select, x, num(1), num(0)) }
	for i, c := range []struct {
		x    *ir.Expr
		want float64
	}{
		{as(test(ir.Alive, self())), 1},
		{as(test(ir.Alive, x.entity(2))), 0},
		{as(test(ir.Alive, num(0))), 0},
		{as(test(ir.Alive, num(nan))), 0},
		{as(test(ir.Alive, op(ir.Add, self(), num(0.5)))), 0},
		{as(has(x.a, self())), 1},
		{as(has(x.b, self())), 0},
		{as(has(x.a, x.entity(6))), 1},
		{as(has(x.isA, x.entity(6))), 1},
		{as(has(x.isA, self())), 0},
		{as(has(x.a, x.entity(2))), 0},
		{as(has(x.a, num(1e300))), 0},
		{as(x.tag(ir.Tagged, x.red, self())), 1},
		{as(x.tag(ir.Tagged, x.red, x.entity(1))), 0},
		{as(x.tag(ir.Tagged, x.red, num(0))), 0},
		{as(x.tag(ir.Tag, x.blue, x.entity(2))), 0},
		{as(x.tag(ir.Tag, x.blue, x.entity(3))), 1},
		{as(x.tag(ir.Tagged, x.blue, x.entity(3))), 1},
		{as(x.tag(ir.Tag, x.blue, x.entity(3))), 1},
		{as(x.tag(ir.Untag, x.blue, x.entity(3))), 1},
		{as(x.tag(ir.Untag, x.blue, x.entity(3))), 0},
		{element(0, -1, 2), 11},
		{element(0, -1, 3), 12},
		{element(1, 1, -1), 23},
		{as(test(ir.Equal, word("a"), word("a"))), 1},
		{as(test(ir.Equal, typed(ir.Text, ir.Select, truth(false), word("a"), load(0, x.fieldA("s"))), word("s0"))), 1},
		{as(typed(ir.Bool, ir.Select, truth(true), truth(false), truth(true))), 0},
		{as(test(ir.Present, num(0))), 1},
		{load(0, x.fieldA("u64")), 0},
		{op(ir.Random, num(1)), 1},
		{op(ir.Random, num(2.9), num(2)), 2},
		{op(ir.Random, num(nan), num(0.5)), 0},
	} {
		p := x.program(let(3, c.x), &ir.Stmt{Op: ir.Break})
		p.Tables = []ir.Table{{}, {Members: []string{"a", "b"}}}
		k := x.kernel(p)
		k.SetTable(0, kernel.Elements{From: 2, Values: []float64{11, 12}})
		k.SetTable(1, kernel.Elements{From: -2, Values: []float64{20, 21, 22, 23}})
		if how, _ := x.run(p, k); how != kernel.Finished || k.Number(3) != c.want || math.Signbit(k.Number(3)) {
			t.Errorf("case %d: %v, %v, want %v", i, how, k.Number(3), c.want)
		}
	}
}

// What would raise leaves the row as it was, for the interpreter.
func TestLeaves(t *testing.T) {
	for name, program := range map[string]func(x *fixture) *ir.Program{
		"element before the first": func(x *fixture) *ir.Program {
			return x.program(let(3, &ir.Expr{Op: ir.Element, Member: -1, A: num(0)}))
		},
		"element after the last": func(x *fixture) *ir.Program {
			return x.program(let(3, &ir.Expr{Op: ir.Element, Member: -1, A: num(3)}))
		},
		"element between": func(x *fixture) *ir.Program {
			return x.program(let(3, &ir.Expr{Op: ir.Element, Member: -1, A: num(1.5)}))
		},
		"element NaN": func(x *fixture) *ir.Program {
			return x.program(let(3, &ir.Expr{Op: ir.Element, Member: -1, A: num(math.NaN())}))
		},
		"element far": func(x *fixture) *ir.Program {
			return x.program(let(3, &ir.Expr{Op: ir.Element, Member: -1, A: num(-1 << 63)}))
		},
		"put": func(x *fixture) *ir.Program {
			return x.program(&ir.Stmt{Op: ir.Put, Member: -1, A: num(3), B: num(1)})
		},
		"random":        func(x *fixture) *ir.Program { return x.program(let(3, op(ir.Random, num(0)))) },
		"random bounds": func(x *fixture) *ir.Program { return x.program(let(3, op(ir.Random, num(3), num(2)))) },
		"if": func(x *fixture) *ir.Program {
			return x.program(when(test(ir.Less, op(ir.Random, num(0)), num(1)), &ir.Stmt{Op: ir.Break}))
		},
		"while": func(x *fixture) *ir.Program {
			return x.program(&ir.Stmt{Op: ir.While, Price: 1, A: test(ir.Less, op(ir.Random, num(0)), num(-1)), Body: []*ir.Stmt{{Op: ir.Break}}})
		},
		"until": func(x *fixture) *ir.Program {
			return x.program(&ir.Stmt{Op: ir.Repeat, Price: 1, A: test(ir.Less, op(ir.Random, num(0)), num(1))})
		},
		"count": func(x *fixture) *ir.Program {
			return x.program(&ir.Stmt{Op: ir.Count, I: 3, Price: 1, A: num(5), B: op(ir.Random, num(0)), C: num(1)})
		},
		"near": func(x *fixture) *ir.Program {
			return x.program(&ir.Stmt{Op: ir.Near, I: 3, J: 4, Price: 1, Grid: x.grid, A: num(0), B: num(0), C: op(ir.Random, num(0))})
		},
		"return": func(x *fixture) *ir.Program {
			return x.program(&ir.Stmt{Op: ir.Return, Args: []*ir.Expr{num(1), op(ir.Random, num(0))}})
		},
		"nil view": func(x *fixture) *ir.Program {
			p := x.program(look(1, num(0)), let(3, load(1, x.fieldB("v"))))
			p.Refs = []ir.Ref{*x.ref(x.b, -1)}
			return p
		},
		"nil view's text": func(x *fixture) *ir.Program {
			p := x.program(look(1, num(0)), let(3, load(1, x.fieldB("s"))))
			p.Refs = []ir.Ref{*x.ref(x.b, -1)}
			return p
		},
		"store to nil": func(x *fixture) *ir.Program {
			p := x.program(look(1, self()), store(1, x.fieldB("v"), num(1)))
			p.Refs = []ir.Ref{*x.ref(x.b, -1)}
			return p
		},
		"store to an inherited component": func(x *fixture) *ir.Program {
			p := x.program(look(1, self()), look(1, x.entity(6)), store(1, x.fieldA("x"), num(1)))
			p.Refs = []ir.Ref{*x.ref(x.a, -1)}
			return p
		},
		"store to an inherited component within": func(x *fixture) *ir.Program {
			return x.nested(x.program(&ir.Stmt{Op: ir.Each, Price: 1, Body: []*ir.Stmt{store(1, x.fieldA("x"), num(9))}}), ecs.Filter{Required: []ecs.ComponentID{x.a}, Inherited: true}, -1)
		},
		"store to an optional component within": func(x *fixture) *ir.Program {
			return x.nested(x.program(&ir.Stmt{Op: ir.Each, Price: 1, Body: []*ir.Stmt{store(2, x.fieldB("v"), num(9))}}), ecs.Filter{Required: []ecs.ComponentID{x.a}, Optional: []ecs.ComponentID{x.b}}, -1)
		},
		"jump": func(x *fixture) *ir.Program {
			return x.nested(x.program(&ir.Stmt{Op: ir.Block, I: 1, Body: []*ir.Stmt{{Op: ir.Each, Price: 1, Body: []*ir.Stmt{{Op: ir.Jump, I: 1}}}}}, let(3, op(ir.Random, num(0)))), ecs.Filter{Required: []ecs.ComponentID{x.a}}, -1)
		},
		"event": func(x *fixture) *ir.Program {
			return x.program(emit(&ir.Effect{Op: ir.Send, Event: x.hit, Fields: []ir.EffectField{x.hitField(1)}}, -1, num(256)))
		},
		"event later": func(x *fixture) *ir.Program {
			return x.program(emit(&ir.Effect{Op: ir.QueueSend, Event: x.hit, Fields: []ir.EffectField{x.hitField(1)}}, -1, num(0.5)))
		},
		"no entity": func(x *fixture) *ir.Program {
			return x.program(emit(&ir.Effect{Op: ir.Send, Event: x.hit, Fields: []ir.EffectField{x.hitField(2)}}, -1, num(3)))
		},
		"relation to none": func(x *fixture) *ir.Program {
			return x.program(emit(&ir.Effect{Op: ir.QueueRelate, Relations: []ecs.RelationID{x.likes}}, -1, self(), num(0)))
		},
		"argument": func(x *fixture) *ir.Program {
			return x.program(emit(&ir.Effect{Op: ir.QueueDespawn}, -1, op(ir.Random, num(0))))
		},
		"room": func(x *fixture) *ir.Program {
			return x.program(&ir.Stmt{Op: ir.Count, I: 3, Price: 1, A: num(1), B: num(float64(ecs.Raw.Room(x.w) + 1)), C: num(1), Body: []*ir.Stmt{emit(&ir.Effect{Op: ir.QueueSpawn}, -1)}})
		},
		"fit": func(x *fixture) *ir.Program {
			return x.program(&ir.Stmt{Op: ir.Fit, I: 3, Field: x.fieldA("u8"), A: num(-1)})
		},
	} {
		t.Run(name, func(t *testing.T) {
			x := newFixture(t)
			before := x.after()
			p := program(x)
			p.Body = append([]*ir.Stmt{store(0, x.fieldA("x"), num(77))}, p.Body...)
			p.Stores = append(p.Stores, ir.Target{View: 0, Field: x.fieldA("x"), Always: true})
			p.Tables = []ir.Table{{}}
			k := x.kernel(p)
			k.SetTable(0, kernel.Elements{From: 1, Values: []float64{11, 12}})
			if how, at := x.run(p, k); how != kernel.Bailout || at != x.all[0] {
				t.Errorf("ended as %v at %v", how, at)
			}
			if now := x.after(); now != before {
				t.Errorf("it was\n%snow\n%s", before, now)
			}
		})
	}
	for _, c := range []struct {
		field   string
		fit, no []float64
	}{
		{"i8", []float64{-128, 127}, []float64{-129, 128, 0.5}},
		{"u8", []float64{0, 255}, []float64{-1, 256}},
		{"i16", []float64{-1 << 15, 1<<15 - 1}, []float64{-1<<15 - 1, 1 << 15}},
		{"u16", []float64{0, 1<<16 - 1}, []float64{-1, 1 << 16}},
		{"i32", []float64{-1 << 31, 1<<31 - 1}, []float64{-1<<31 - 1, 1 << 31}},
		{"u32", []float64{0, 1<<32 - 1}, []float64{-1, 1 << 32}},
		{"i64", []float64{-1 << 53, 1 << 53}, []float64{1<<53 + 2, math.Inf(1)}},
		{"u64", []float64{0, 1 << 53}, []float64{-1, math.NaN()}},
		{"e", []float64{0, 1 << 32}, []float64{1, 1 << 53, 1<<32 + 0.5}},
		{"f", []float64{math.MaxFloat64, 0.1}, nil},
		{"x", []float64{math.Inf(-1)}, nil},
	} {
		x := newFixture(t)
		for i, v := range append(c.fit, c.no...) {
			for _, s := range []*ir.Stmt{store(0, x.fieldA(c.field), num(v)), {Op: ir.Fit, I: 3, Field: x.fieldA(c.field), A: num(v)}} {
				p := x.program(s, let(3, op(ir.Add, num(0), load(0, x.fieldA(c.field)))), &ir.Stmt{Op: ir.Break})
				if s.Op == ir.Fit {
					p = x.program(s, &ir.Stmt{Op: ir.Break})
				}
				k := x.kernel(p)
				want := v
				if c.field == "f" {
					want = float64(float32(v))
				}
				if how, _ := x.run(p, k); (how == kernel.Bailout) != (i >= len(c.fit)) || how == kernel.Finished && k.Number(3) != want {
					t.Errorf("%v into %s: %v, %v", v, c.field, how, k.Number(3))
				}
			}
		}
	}
}

// The entity of a queued spawn is known in the row.
func TestSpawnedEntity(t *testing.T) {
	x := newFixture(t)
	if _, err := x.w.Despawn(x.all[3]); err != nil {
		t.Fatal(err)
	}
	p := x.program(emit(&ir.Effect{Op: ir.QueueSpawn}, 5), emit(&ir.Effect{Op: ir.QueueSpawn, Components: []ecs.ComponentID{x.b}, Fields: []ir.EffectField{given(0, x.fieldB("v"), 0)}}, 5, load(0, x.fieldA("x"))), store(0, x.fieldA("e"), reg(5)))
	if how, _ := x.run(p, x.kernel(p)); how != kernel.Finished || x.w.Commands().Len() != 5*3 {
		t.Fatalf("%v, %d commands", how, x.w.Commands().Len())
	}
	x.after()
	for c := ecs.Raw.Begin(x.loop); c.Next(); {
		spawned := c.Row(0).Get(11).Entity()
		if row, err := x.w.Ref(spawned, x.b).Row(); err != nil || row.Number(0) != c.Row(0).Number(0) {
			t.Errorf("%v of %v: %v", spawned, c.Entity(), err)
		}
	}
	if x.w.Len() != 7+10 {
		t.Errorf("%d live", x.w.Len())
	}
}

// Loops within see what they should, in order.
func TestWithin(t *testing.T) {
	x := newFixture(t)
	digit := func(e *ir.Expr) *ir.Stmt {
		return let(3, op(ir.Add, op(ir.Mul, reg(3), num(10)), op(ir.Add, num(1), op(ir.Sub, e, x.entity(0)))))
	}
	near := &ir.Stmt{Op: ir.Near, I: 4, J: 5, Price: 1, Grid: x.grid, A: num(45), B: num(0), C: num(20), Body: []*ir.Stmt{digit(reg(4)), let(6, op(ir.Add, reg(6), reg(5))), store(1, x.fieldB("v"), num(45))}}
	for name, c := range map[string]struct {
		p    *ir.Program
		want float64 // one more than the place of each entity that is met
	}{
		"all with B":    {x.nested(x.program(&ir.Stmt{Op: ir.Each, Price: 1, Body: []*ir.Stmt{digit(reg(7))}}), ecs.Filter{Required: []ecs.ComponentID{x.b}}, 7), 24678},
		"red":           {x.nested(x.program(&ir.Stmt{Op: ir.Each, Price: 1, Body: []*ir.Stmt{digit(reg(7))}}), ecs.Filter{Required: []ecs.ComponentID{x.a}, Tagged: []ecs.TagID{x.red}, Inherited: true}, 7), 147},
		"tag on the go": {x.nested(x.program(&ir.Stmt{Op: ir.Do, A: x.tag(ir.Tag, x.blue, x.entity(5))}, &ir.Stmt{Op: ir.Each, Price: 1, Body: []*ir.Stmt{digit(reg(7))}}), ecs.Filter{Required: []ecs.ComponentID{x.a}, Tagged: []ecs.TagID{x.blue}}, 7), 6},
		"shared":        {x.nested(x.program(&ir.Stmt{Op: ir.Each, Price: 1, Body: []*ir.Stmt{digit(reg(7)), let(6, op(ir.Add, reg(6), load(1, x.fieldA("x"))))}}), ecs.Filter{Required: []ecs.ComponentID{x.a}, Inherited: true}, 7), 13524678},
		"optional":      {x.nested(x.program(&ir.Stmt{Op: ir.Each, Price: 1, Body: []*ir.Stmt{when(test(ir.Not, &ir.Expr{Op: ir.Present, Type: ir.Bool, I: 2}), digit(reg(7)))}}), ecs.Filter{Required: []ecs.ComponentID{x.a}, Optional: []ecs.ComponentID{x.b}}, 7), 135},
		"near":          {x.nested(x.program(&ir.Stmt{Op: ir.Each, Price: 1, Body: []*ir.Stmt{near, {Op: ir.Break}}}), ecs.Filter{Required: []ecs.ComponentID{x.b}}, -1), 467},
	} {
		c.p.Body = append(append([]*ir.Stmt{let(3, num(0))}, c.p.Body...), &ir.Stmt{Op: ir.Break})
		k := x.kernel(c.p)
		if how, _ := x.run(c.p, k); how != kernel.Finished || k.Number(3) != c.want {
			t.Errorf("%s: %v, met %v, want %v", name, how, k.Number(3), c.want)
		}
		if name == "near" && k.Number(6) != 225+25+225 {
			t.Errorf("squared distances %v", k.Number(6))
		}
	}
}

// A return ends the loop with its values.
func TestReturn(t *testing.T) {
	x := newFixture(t)
	p := x.nested(x.program(&ir.Stmt{Op: ir.Each, Price: 1, Body: []*ir.Stmt{when(test(ir.Equal, load(0, x.fieldA("x")), load(1, x.fieldA("x"))), when(test(ir.Equal, self(), x.entity(2)),
		&ir.Stmt{Op: ir.Return, Args: []*ir.Expr{load(1, x.fieldA("x")), truth(true), load(1, x.fieldA("s")), self()}}))}}), ecs.Filter{Required: []ecs.ComponentID{x.a}}, -1)
	k := x.kernel(p)
	how, _ := x.run(p, k)
	want := []kernel.Result{{Type: ir.Number, N: 2, S: ""}, {Type: ir.Bool, N: 1, S: ""}, {Type: ir.Text, N: 0, S: "s2"}, {Type: ir.Number, N: float64(x.all[2]), S: ""}}
	if how != kernel.Returned || !slices.Equal(k.Results(), want) {
		t.Errorf("%v, %v", how, k.Results())
	}
}
