package ir

import (
	"math"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// The fields of a component, a resource and an event, for programs made by hand.
var (
	x    = &ecs.Field{Name: "x", Type: ecs.F64}
	flag = &ecs.Field{Name: "flag", Type: ecs.Bool, Offset: 8}
	name = &ecs.Field{Name: "name", Type: ecs.String, Offset: 16}
	who  = &ecs.Field{Name: "who", Type: ecs.EntityField, Offset: 32}
)

func number(n float64) *Expr { return &Expr{Op: Const, N: n} }

func truth() *Expr { return &Expr{Op: Const, Type: Bool, N: 1} }

func load(view int, f *ecs.Field) *Expr {
	t, _ := TypeOf(f)
	return &Expr{Op: Load, Type: t, I: view, Field: f}
}

// sample is a Program with every statement.
func sample() *Program {
	spawn := &Effect{Op: QueueSpawn, Components: []ecs.ComponentID{3}, Relations: []ecs.RelationID{5}, Fields: []EffectField{{Field: name}}}
	send := &Effect{Op: Send, Index: 1, Line: 7, Fields: []EffectField{{Field: flag}}}
	despawn := &Effect{Op: QueueDespawn, Index: 2}
	return &Program{
		Price: 9, Numbers: 5, Bools: 2, Texts: 1,
		Inputs:  []Place{{Used: true, Type: Number, Reg: 0}, {}},
		Origins: []Origin{{}, {Input: 1}},
		Outputs: []Output{{Place: Place{Used: true, Type: Text}, Mark: 1, Input: 1}},
		Views:   2, Components: []ecs.ComponentID{3, 4}, Uses: 1,
		Refs:    []Ref{{Component: 3, Query: -1, Stored: true}, {Component: 4, Query: 0}},
		Queries: []Subquery{{Entity: 1, First: 3, Views: 1}},
		Tables:  []Table{{Input: 1, Stored: true}, {Input: 1, Members: []string{"a", "b"}}},
		Effects: []*Effect{spawn, send, despawn},
		Stores:  []Target{{Field: x}},
		Returns: 2, Sites: [][]int{nil, {1, -1}}, Random: true,
		Body: []*Stmt{
			{Op: Set, A: &Expr{Op: Add, A: load(0, x), B: &Expr{Op: Reg}}, Mark: 1},
			{Op: Store, A: &Expr{Op: Select, A: &Expr{Op: Less, Type: Bool, A: number(1), B: load(0, who)}, B: number(2), C: &Expr{Op: Entity}}, Field: x},
			{Op: Look, I: 2, A: &Expr{Op: Entity}},
			{Op: If, A: &Expr{Op: Present, Type: Bool, I: 2}, Body: []*Stmt{{Op: Store, I: 2, A: load(2, name), Field: name}}, Else: []*Stmt{{Op: Leave}}},
			{Op: Block, I: 1, Body: []*Stmt{
				{Op: While, A: truth(), Price: 1, Body: []*Stmt{{Op: Jump, I: 1}}},
				{Op: Repeat, A: &Expr{Op: Not, Type: Bool, A: truth()}, Price: 1},
			}},
			{Op: Count, I: 2, A: number(1), B: number(2), C: number(1), Price: 1, Body: []*Stmt{{Op: Break}}},
			{Op: Do, A: &Expr{Op: Tag, Type: Bool, ID: 1, A: &Expr{Op: Entity}}},
			{Op: Put, A: number(1), Member: -1, B: &Expr{Op: Element, I: 1, A: number(1), Member: 1}},
			{Op: Fit, I: 1, A: truth(), Field: flag},
			{Op: Emit, I: 3, Effect: spawn, Args: []*Expr{{Op: Const, Type: Text, S: "n"}, {Op: Reg, I: 1}}},
			{Op: Emit, I: -1, Effect: send, Args: []*Expr{truth()}},
			{Op: Emit, I: -1, Effect: despawn, Args: []*Expr{{Op: Entity}}},
			{Op: Each, Price: 1, Body: []*Stmt{{Op: Set, I: 4, Mark: -1, A: &Expr{Op: Call, Func: "floor", A: load(3, x), One: math.Floor}}}},
			{Op: Near, I: 3, J: -1, A: number(0), B: number(0), C: &Expr{Op: Random, A: number(6)}, Price: 1},
			{Op: Return, Args: []*Expr{number(1), {Op: Equal, Type: Bool, A: truth(), B: truth()}}},
		},
	}
}

// Each broken rule is found, and a Program that keeps all of them passes.
func TestVerify(t *testing.T) {
	if err := sample().Verify(); err != nil {
		t.Fatal(err)
	}
	b := func(p *Program, path ...int) *Stmt {
		s := p.Body[path[0]]
		for _, i := range path[1:] {
			s = s.Body[i]
		}
		return s
	}
	for i, keep := range []func(p *Program){
		func(p *Program) { p.Numbers, p.Bools, p.Texts = MaxRegisters, MaxRegisters, MaxRegisters },
		func(p *Program) { p.Refs = append(p.Refs, make([]Ref, MaxViews-4)...) },
		func(p *Program) {
			for len(p.Stores) < MaxStores {
				p.Stores = append(p.Stores, Target{Field: x})
			}
		},
		func(p *Program) { p.Queries = append(p.Queries, Subquery{Entity: -1, First: 2, Views: 2}) },
		func(p *Program) { p.Returns = 3 },
		func(p *Program) { b(p, 4).Body = []*Stmt{{Op: Block, I: 2, Body: []*Stmt{{Op: Jump, I: 1}}}} },
		func(p *Program) { p.Effects[2].Op, p.Effects[2].Relations = QueueUnrelate, make([]ecs.RelationID, 1) },
		func(p *Program) { b(p, 14).Args = b(p, 14).Args[:1] },
		func(p *Program) { b(p, 13).C = &Expr{Op: Random, A: number(1), B: number(6)} },
		func(p *Program) { b(p, 13).C = &Expr{Op: Random} },
		func(p *Program) {
			b(p, 0).A.A = &Expr{Op: Call, Func: "pow", A: number(1), B: number(2), Two: math.Pow}
		},
	} {
		p := sample()
		keep(p)
		if err := p.Verify(); err != nil {
			t.Errorf("variant %d: %v", i, err)
		}
	}
	for _, c := range []struct {
		spoil func(p *Program)
		want  string
	}{
		{func(p *Program) { p.Numbers = MaxRegisters + 1 }, "more than 128 registers"},
		{func(p *Program) { p.Bools = MaxRegisters + 1 }, "more than 128 registers"},
		{func(p *Program) { p.Uses = 0 }, "view 0 is used, and not listed"},
		{func(p *Program) { b(p, 0).A.B.I = 5 }, "no number register 5"},
		{func(p *Program) { b(p, 0).A.B = &Expr{Op: Neg, A: number(1), B: number(2)} }, "more than 1 operands"},
		{func(p *Program) { b(p, 0).A.B = &Expr{Op: Neg} }, "an operand is missing"},
		{func(p *Program) { b(p, 0).A.B = &Expr{Op: Entity, Type: Text} }, "the operation entity gives a number, not a text"},
		{func(p *Program) { b(p, 0).A.B = &Expr{Op: Load, Type: Text, Field: x} }, "the operation load gives a number, not a text"},
		{func(p *Program) { b(p, 0).A.B = &Expr{Op: Load, Field: x, A: number(1)} }, "more than 0 operands"},
		{func(p *Program) { b(p, 0).A = &Expr{Op: Equal, Type: Bool, A: &Expr{Type: 9}, B: number(1)} }, "an operand is missing"},
		{func(p *Program) { b(p, 0).A = &Expr{Op: Equal, Type: Bool, A: truth(), B: number(1)} }, "a number stands where a bool has to be"},
		{func(p *Program) { b(p, 0).A = &Expr{Op: Less, Type: Bool, A: truth(), B: number(1)} }, "a bool stands where a number has to be"},
		{func(p *Program) { b(p, 0).A = &Expr{Op: And, Type: Bool, A: truth(), B: number(1)} }, "a number stands where a bool has to be"},
		{func(p *Program) { b(p, 0).A = &Expr{Op: Alive, Type: Bool, A: truth()} }, "a bool stands where a number has to be"},
		{func(p *Program) { b(p, 0).A = &Expr{Op: Present, Type: Bool, I: 4} }, "no view 4 of 4"},
		{func(p *Program) { b(p, 0).A = &Expr{Op: Select, A: truth(), B: number(1), C: truth()} }, "a bool stands where a number has to be"},
		{func(p *Program) { b(p, 0).A = &Expr{Op: Element, I: 1, A: truth(), Member: 1} }, "a bool stands where a number has to be"},
		{func(p *Program) { b(p, 0).A = &Expr{Op: Element, I: 1, A: number(1), Member: 2} }, "no member of a table 2 of 2"},
		{func(p *Program) { b(p, 0).A = &Expr{Op: Random, A: truth()} }, "a bool stands where a number has to be"},
		{func(p *Program) { b(p, 0).A = &Expr{Op: Call, Func: "f", A: number(1), B: number(2), One: math.Floor} }, "more than 1 operands"},
		{func(p *Program) { b(p, 0).A = &Expr{Op: Call, Func: "f", A: number(1), Two: math.Pow} }, "an operand is missing"},
		{func(p *Program) { b(p, 0).A = &Expr{Op: Call, Func: "f", A: number(1), One: math.Floor, Two: math.Pow} }, "is not known"},
		{func(p *Program) { b(p, 0).A = &Expr{Op: Const, A: number(1)} }, "more than 0 operands"},
		{func(p *Program) { b(p, 0).A = &Expr{Op: Reg, A: number(1)} }, "more than 0 operands"},
		{func(p *Program) { b(p, 0).A = &Expr{Op: Not, Type: Bool, A: number(1)} }, "a number stands where a bool has to be"},
		{func(p *Program) { b(p, 0).A = &Expr{Op: Present, Type: Bool, I: 2, A: number(1)} }, "more than 0 operands"},
		{func(p *Program) { b(p, 0).A = &Expr{Op: Random, A: number(1), B: truth()} }, "a bool stands where a number has to be"},
		{func(p *Program) {
			p.Stores[0].View = 0
			p.Components = []ecs.ComponentID{3, 4}
			p.Uses = 3
			b(p, 1).I = 1
		}, `the field "x" of view 1 is stored`},
		{func(p *Program) {
			b(p, 4).Body = append([]*Stmt{{Op: Block, I: 2}}, b(p, 4).Body...)
			b(p, 4, 1, 0).I = 2
		}, "no block around a jump to label 2"},
		{func(p *Program) { b(p, 0).A = &Expr{Op: Load} }, "a field is missing"},
		{func(p *Program) { b(p, 0).A = load(0, &ecs.Field{Name: "list", Type: ecs.TableField}) }, "the operation load gives a any, not a number"},
		{func(p *Program) { b(p, 8).Field = nil }, "a field is missing"},
		{func(p *Program) { b(p, 2).A = truth() }, "a bool stands where a number has to be"},
		{func(p *Program) { b(p, 2).I = 4 }, "no view of another entity 2 of 2"},
		{func(p *Program) { b(p, 3, 0).I = 4 }, "no view 2 of 2"},
		{func(p *Program) { b(p, 4, 0).A = number(1) }, "a number stands where a bool has to be"},
		{func(p *Program) { b(p, 4, 1).A = number(1) }, "a number stands where a bool has to be"},
		{func(p *Program) { b(p, 4, 1).Price = 0 }, "an iteration has the price 0"},
		{func(p *Program) { b(p, 5).A = truth() }, "a bool stands where a number has to be"},
		{func(p *Program) { b(p, 5).B = truth() }, "a bool stands where a number has to be"},
		{func(p *Program) { b(p, 5).I = 5 }, "no number register 5"},
		{func(p *Program) { b(p, 5).Price = 0 }, "an iteration has the price 0"},
		{func(p *Program) { b(p, 5, 0).Op = Jump }, "no block around a jump to label 0"},
		{func(p *Program) { b(p, 6).A = nil }, "an operand is missing"},
		{func(p *Program) { b(p, 7).A = truth() }, "a bool stands where a number has to be"},
		{func(p *Program) { b(p, 7).B = truth() }, "a bool stands where a number has to be"},
		{func(p *Program) { b(p, 8).I = 2 }, "no bool register 2"},
		{func(p *Program) { b(p, 9).I = 5 }, "no number register 5"},
		{func(p *Program) { b(p, 9).Effect = nil }, "an effect is not listed"},
		{func(p *Program) { b(p, 9).Effect = &Effect{Op: QueueSpawn, Index: 3} }, "an effect is not listed"},
		{func(p *Program) { b(p, 9).Effect = &Effect{Op: QueueSpawn, Index: -1} }, "an effect is not listed"},
		{func(p *Program) { p.Effects[0].Op = QueueUnrelate }, "effect 0 gives an entity"},
		{func(p *Program) { p.Effects[2].Op = QueueSpawn }, "effect 2 has 1 arguments, not 0"},
		{func(p *Program) { p.Effects[2].Relations = make([]ecs.RelationID, 1) }, "effect 2 has 1 arguments, not 2"},
		{func(p *Program) { b(p, 12).Price = 0 }, "an iteration has the price 0"},
		{func(p *Program) { b(p, 12, 0).I = 5 }, "no number register 5"},
		{func(p *Program) { b(p, 13).A = truth() }, "a bool stands where a number has to be"},
		{func(p *Program) { b(p, 13).B = truth() }, "a bool stands where a number has to be"},
		{func(p *Program) { b(p, 13).C = truth() }, "a bool stands where a number has to be"},
		{func(p *Program) { b(p, 13).I = 5 }, "no number register 5"},
		{func(p *Program) { b(p, 13).Price = 0 }, "an iteration has the price 0"},
		{func(p *Program) { b(p, 14).Args = nil }, "a return has 0 values"},
		{func(p *Program) { b(p, 14).Args[1] = nil }, "an operand is missing"},
		{func(p *Program) { p.Sites[1][1] = -2 }, "no value -2 of 2"},
		{func(p *Program) { p.Price = 0 }, "a row has the price 0"},
		{func(p *Program) { p.Texts = MaxRegisters + 1 }, "more than 128 registers"},
		{func(p *Program) { p.Refs = make([]Ref, MaxViews-1) }, "more than 16 views"},
		{func(p *Program) { p.Stores = make([]Target, MaxStores+1) }, "more than 32 fields"},
		{func(p *Program) { p.Views = 3 }, "3 views have 2 components"},
		{func(p *Program) { p.Uses = 4 }, "a view without a component is used"},
		{func(p *Program) { p.Optional = 4 }, "a view without a component is used"},
		{func(p *Program) { p.Origins = nil }, "2 inputs with 0 origins"},
		{func(p *Program) { p.Inputs[0].Reg = 5 }, "no number register 5 of 5"},
		{func(p *Program) { p.Inputs[0].Type = 4 }, "unknown type 4"},
		{func(p *Program) { p.Outputs[0].Reg = 1 }, "no text register 1 of 1"},
		{func(p *Program) { p.Outputs[0].Mark = 2 }, "no bool register 2 of 2"},
		{func(p *Program) { p.Outputs[0].Input = 2 }, "no input 2 of 2"},
		{func(p *Program) { p.Tables[0].Input = -1 }, "no input -1 of 2"},
		{func(p *Program) { p.Stores[0].View = 2 }, "no view 2 of 2"},
		{func(p *Program) { p.Refs[1].Query = 1 }, "no query 1 of 1"},
		{func(p *Program) { p.Queries[0].Entity = 5 }, "no number register 5"},
		{func(p *Program) { p.Queries[0].First = 1 }, "a query has the views from 1 on, 1 of them"},
		{func(p *Program) { p.Queries[0].Views = 2 }, "a query has the views from 3 on, 2 of them"},
		{func(p *Program) { p.Effects[1].Index = 0 }, "effect 1 has the index 0"},
		{func(p *Program) { p.Sites[1][0] = 2 }, "no value 2 of 2"},
		{func(p *Program) { b(p, 0).I = 5 }, "no number register 5"},
		{func(p *Program) { b(p, 0).Mark = 2 }, "no bool register 2"},
		{func(p *Program) { b(p, 0).A = nil }, "an operand is missing"},
		{func(p *Program) { b(p, 0).A.C = number(1) }, "the operation + has more than 2 operands"},
		{func(p *Program) { b(p, 0).A.Type = Bool }, "the operation + gives a number, not a bool"},
		{func(p *Program) { b(p, 0).A.Type = 4 }, "unknown type 4"},
		{func(p *Program) { b(p, 0).A.B = truth() }, "a bool stands where a number has to be"},
		{func(p *Program) { b(p, 0).A.Op = Untag + 1 }, "the unknown operation 41"},
		{func(p *Program) { b(p, 0).A.A = load(1, x) }, "view 1 is used, and not listed"},
		{func(p *Program) { b(p, 0).A.A = load(4, x) }, "no view 4 of 4"},
		{func(p *Program) { b(p, 0).A.A = &Expr{Op: Element, I: 2, A: number(1), Member: -1} }, "no table 2 of 2"},
		{func(p *Program) { b(p, 0).A.A = &Expr{Op: Element, I: 0, A: number(1)} }, "no member of a table 0 of 0"},
		{func(p *Program) { b(p, 0).A.A = &Expr{Op: Element, I: 1, A: number(1), Member: -1} }, "no member of a table -1 of 2"},
		{func(p *Program) { b(p, 0).A.A = &Expr{Op: Equal, Type: Bool} }, "an operand is missing"},
		{func(p *Program) { b(p, 0).A.A = &Expr{Op: Call, Func: "f", A: number(1)} }, `the function "f" is not known`},
		{func(p *Program) { b(p, 0).A.A = &Expr{Op: Random, B: number(1)} }, "more than 0 operands"},
		{func(p *Program) { b(p, 1).Field = who }, `the field "who" of view 0 is stored, and not listed`},
		{func(p *Program) { b(p, 1).Field = name }, "a number stands where a text has to be"},
		{func(p *Program) { b(p, 1).A.C = truth() }, "a bool stands where a number has to be"},
		{func(p *Program) { b(p, 2).I = 3 }, "which a query moves"},
		{func(p *Program) { b(p, 2).I = 1 }, "no view of another entity -1 of 2"},
		{func(p *Program) { b(p, 3).A = number(1) }, "a number stands where a bool has to be"},
		{func(p *Program) { p.Refs[0].Stored = false }, "view 2 is stored, and not listed"},
		{func(p *Program) { b(p, 3).Else[0].Op = Untouched + 1 }, "the unknown operation 29"},
		{func(p *Program) { b(p, 4, 0).Price = 0 }, "an iteration has the price 0"},
		{func(p *Program) { b(p, 4, 0, 0).I = 2 }, "no block around a jump to label 2"},
		{func(p *Program) { b(p, 4).I, b(p, 4, 0, 0).I = 0, 0 }, "no block around a jump to label 0"},
		{func(p *Program) { p.Body = append(p.Body, &Stmt{Op: Jump, I: 1}) }, "no block around a jump to label 1"},
		{func(p *Program) { b(p, 5).C = nil }, "an operand is missing"},
		{func(p *Program) { b(p, 7).I = 1 }, "no member of a table -1 of 2"},
		{func(p *Program) { p.Tables[0].Stored = false }, "elements of table 0 are assigned, and not written back"},
		{func(p *Program) { b(p, 8).Field = x }, "a bool stands where a number has to be"},
		{func(p *Program) { b(p, 9).Args = b(p, 9).Args[:1] }, "effect 0 has 1 arguments, not 2"},
		{func(p *Program) { b(p, 9).Effect = &Effect{Op: QueueSpawn} }, "an effect is not listed"},
		{func(p *Program) { b(p, 10).I = 1 }, "effect 1 gives an entity"},
		{func(p *Program) { b(p, 11).Args[0] = truth() }, "a bool stands where a number has to be"},
		{func(p *Program) { b(p, 12).I = 1 }, "no query 1 of 1"},
		{func(p *Program) { b(p, 13).J = 5 }, "no number register 5"},
		{func(p *Program) { b(p, 14).Args[0] = load(0, x) }, "not the number of its source"},
		{func(p *Program) { p.Random = false }, "Random is false, and whether the body draws random numbers is true"},
		{func(p *Program) { b(p, 13).C = number(6) }, "Random is true, and whether the body draws random numbers is false"},
		{func(p *Program) { p.Returns = 1; p.Sites = nil }, "a return has 2 values of 1"},
	} {
		p := sample()
		c.spoil(p)
		if err := p.Verify(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("want %q, not %v", c.want, err)
		}
	}
}
