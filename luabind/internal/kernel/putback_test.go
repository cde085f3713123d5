package kernel

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// changes are bodies that change what a row can change, with what their programs
// need.
func changes(x *fixture) map[string]func() *Program {
	refs := func(p *Program, list ...*Ref) *Program {
		for _, r := range list {
			p.Refs = append(p.Refs, *r)
		}
		return p
	}
	other := op(Add, num(float64(x.all[0])), op(Mod, op(Add, reg(0), num(3)), num(5)))
	out := map[string]func() *Program{
		"text":   func() *Program { return x.program(store(0, x.fieldA("s"), word("new"))) },
		"flag":   func() *Program { return x.program(store(0, x.fieldA("flag"), truth(true))) },
		"entity": func() *Program { return x.program(store(0, x.fieldA("e"), self())) },
		"outputs": func() *Program {
			p := x.program(let(20, op(Add, reg(20), num(1))), &Stmt{Op: Set, I: 21, Mark: 22, A: test(Not, typedReg(Bool, 21))}, &Stmt{Op: Set, I: 2, Mark: 23, A: load(0, x.fieldA("s"))})
			p.Outputs = []Output{{Place{true, Number, 20}, -1, 0}, {Place{true, Bool, 21}, 22, 1}, {Place{true, Text, 2}, 23, 2}}
			return p
		},
		"other row": func() *Program {
			return refs(x.program(look(1, other), store(1, x.fieldA("x"), op(Add, load(0, x.fieldA("x")), num(100))), store(1, x.fieldA("s"), word("other")), store(1, x.fieldA("s"), word("same")),
				look(1, op(Add, other, num(1))), when(test(Present, num(0)), store(1, x.fieldA("i8"), num(9)))), x.ref(x.a, -1))
		},
		"own row by another way": func() *Program {
			return refs(x.program(look(1, self()), store(1, x.fieldA("x"), num(5)), store(0, x.fieldA("x"), op(Mul, load(1, x.fieldA("x")), num(3))), store(1, x.fieldA("x"), num(4))), x.ref(x.a, -1))
		},
		"rows of a loop within": func() *Program {
			p := refs(x.program(&Stmt{Op: Each, I: 0, Price: 1, Body: []*Stmt{
				store(1, x.fieldB("v"), op(Add, load(1, x.fieldB("v")), num(1))), when(test(Less, num(20), load(1, x.fieldB("v"))), store(1, x.fieldB("n"), num(3)), store(1, x.fieldB("s"), word("z"))),
				when(test(Less, num(40), load(1, x.fieldB("v"))), &Stmt{Op: Break}),
			}}), x.ref(x.b, 0))
			p.Queries = []Subquery{{Query: x.query(ecs.Filter{Required: []ecs.ComponentID{x.b}}), Entity: 9, First: 1, Views: 1}}
			return p
		},
		"what a loop within asks for": func() *Program {
			changed := x.query(ecs.Filter{Required: []ecs.ComponentID{x.a}, Changed: []ecs.ComponentID{x.a}, Inherited: true})
			p := refs(x.program(
				&Stmt{Op: Each, I: 0, Price: 1, Body: []*Stmt{let(20, op(Add, reg(20), num(1)))}},
				store(0, x.fieldA("x"), op(Add, reg(20), load(0, x.fieldA("x")))), look(2, other), store(2, x.fieldA("f"), num(1)),
				&Stmt{Op: Each, I: 0, Price: 1, Body: []*Stmt{let(20, op(Add, op(Mul, reg(20), num(10)), num(1))), when(test(Less, load(1, x.fieldA("x")), num(3)), store(1, x.fieldA("f"), num(4)))}},
			), x.ref(x.a, 0), x.ref(x.a, -1))
			p.Queries = []Subquery{{Query: changed, Entity: -1, First: 1, Views: 1}}
			p.Outputs = []Output{{Place{true, Number, 20}, -1, 0}}
			return p
		},
		"tags": func() *Program {
			return x.program(&Stmt{Op: Do, A: x.tag(Untag, x.red, self())}, &Stmt{Op: Do, A: x.tag(Tag, x.red, other)}, &Stmt{Op: Do, A: x.tag(Tag, x.blue, other)},
				&Stmt{Op: Do, A: x.tag(Untag, x.red, x.entity(6))}, when(x.tag(Tagged, x.red, x.entity(3)), &Stmt{Op: Do, A: x.tag(Untag, x.red, x.entity(3))}))
		},
		"random": func() *Program {
			return x.program(store(0, x.fieldA("x"), op(Random)), store(0, x.fieldA("i8"), op(Random, num(6))), store(0, x.fieldA("i16"), op(Random, num(-5), num(5.5))))
		},
		"table": func() *Program {
			at := op(Add, op(Mod, reg(0), num(3)), num(2))
			p := x.program(&Stmt{Op: Put, I: 0, Member: -1, A: at, B: op(Add, &Expr{Op: Element, I: 0, Member: -1, A: at}, num(1))},
				&Stmt{Op: Put, I: 1, Member: 1, A: num(1), B: reg(0)}, &Stmt{Op: Put, I: 1, Member: 1, A: num(1), B: num(9)})
			p.Tables = []Table{{Stored: true}, {Members: []string{"a", "b"}, Stored: true}}
			return p
		},
		"send": func() *Program {
			return x.program(emit(&Effect{Op: Send, Event: x.hit, Fields: []EffectField{x.hitField(2), x.hitField(3), x.hitField(4), x.hitField(1)}}, -1, self(), load(0, x.fieldA("s")), truth(true), op(Add, reg(0), num(40))),
				emit(&Effect{Op: Send, Event: x.hit}, -1))
		},
		"spawn": func() *Program {
			return x.program(emit(&Effect{Op: QueueSpawn}, 5), store(0, x.fieldA("e"), reg(5)), emit(&Effect{
				Op: QueueSpawn, Components: []ecs.ComponentID{x.b, x.a}, Tags: []ecs.TagID{x.blue}, Relations: []ecs.RelationID{x.likes},
				Fields: []EffectField{given(0, x.fieldA("x"), 1), given(0, x.fieldB("v"), 0), given(2, x.fieldB("s"), 0)},
			}, 5, reg(0), num(2), word("born"), self()), store(0, x.fieldA("e"), reg(5)))
		},
		"commands": func() *Program {
			return x.program(
				emit(&Effect{Op: QueueAdd, Components: []ecs.ComponentID{x.b}}, -1, other), emit(&Effect{Op: QueueSet, Components: []ecs.ComponentID{x.a}, Fields: []EffectField{given(2, x.fieldA("i8"), 0)}}, -1, self(), num(-8)),
				emit(&Effect{Op: QueueRemove, Components: []ecs.ComponentID{x.b, x.likes}}, -1, x.entity(1)), emit(&Effect{Op: QueueTag, Tags: []ecs.TagID{x.blue, x.red}}, -1, self()),
				emit(&Effect{Op: QueueUntag, Tags: []ecs.TagID{x.red}}, -1, other), emit(&Effect{Op: QueueRelate, Relations: []ecs.RelationID{x.likes}}, -1, self(), x.entity(2)),
				emit(&Effect{Op: QueueUnrelate, Relations: []ecs.RelationID{x.likes}}, -1, other), emit(&Effect{Op: QueueSend, Event: x.hit, Fields: []EffectField{x.hitField(3)}}, -1, word("later")),
				emit(&Effect{Op: QueueDespawn}, -1, x.entity(4)), emit(&Effect{Op: QueueDespawn}, -1, num(math.NaN())))
		},
	}
	for _, f := range []string{"x", "f", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"} {
		out["field "+f] = func() *Program { return x.program(store(0, x.fieldA(f), op(Add, reg(0), num(50)))) }
	}
	return out
}

// A row that is left, whatever it did, leaves no trace: a program that fails at the
// end of a row is as one that ends before that row.
func TestPutBack(t *testing.T) {
	for name := range changes(newFixture(t)) {
		for rows := range 4 {
			result := func(fails bool) (string, [2][]float64, []any) {
				x := newFixture(t)
				p := changes(x)[name]()
				body := p.Body
				// Register 0 counts the rows.
				count := let(0, op(Add, reg(0), num(1)))
				last := test(Less, num(float64(rows)), reg(0))
				if fails {
					p.Body = append(append([]*Stmt{count}, body...), when(last, &Stmt{Op: Put, I: len(p.Tables), Member: -1, A: num(0), B: num(0)}))
				} else {
					p.Body = append([]*Stmt{count, when(last, &Stmt{Op: Break})}, body...)
				}
				p.Tables = append(p.Tables, Table{})
				k := x.kernel(p)
				k.SetNumber(0, 0)
				tables := [2][]float64{{1, 2, 3, 4}, {5, 6, 7, 8}}
				for i := range p.Tables {
					e := Elements{From: 1}
					if i < len(p.Tables)-1 {
						e.Values = tables[i]
					}
					k.SetTable(i, e)
				}
				how, at := x.run(p, k)
				if want := x.all[[]int{0, 2, 4, 1}[rows]]; fails && (how != Left || at != want) || !fails && how != Finished {
					t.Fatalf("%s, row %d: %v at %v, want %v", name, rows, how, at, want)
				}
				first, were := x.after(), [2][]float64{slices.Clone(tables[0]), slices.Clone(tables[1])}
				var outs []any
				for _, out := range p.Outputs {
					mark := out.Mark >= 0 && k.Bool(out.Mark)
					switch {
					case out.Mark >= 0 && !mark:
						outs = append(outs, nil)
					case out.Type == Bool:
						outs = append(outs, k.Bool(out.Reg))
					case out.Type == Text:
						outs = append(outs, k.Text(out.Reg))
					default:
						outs = append(outs, k.Number(out.Reg))
					}
				}
				k.SetNumber(0, -30) // again, all rows: nothing is left over
				if how, _ := x.run(p, k); how != Finished {
					t.Fatalf("%s, again: %v", name, how)
				}
				return first + x.after(), were, outs
			}
			got, tables, outs := result(true)
			want, wantTables, wantOuts := result(false)
			if got != want || !reflect.DeepEqual(tables, wantTables) || !reflect.DeepEqual(outs, wantOuts) {
				t.Errorf("%s, left at row %d:\n%s%v %v\nended before it:\n%s%v %v", name, rows, got, tables, outs, want, wantTables, wantOuts)
			}
			if rows == 3 { // and something did happen
				x := newFixture(t)
				if nothing := x.after(); got == nothing+nothing && reflect.DeepEqual(tables, [2][]float64{{1, 2, 3, 4}, {5, 6, 7, 8}}) && len(outs) == 0 {
					t.Errorf("%s does nothing", name)
				}
			}
		}
	}
}
