package closures

import (
	"math"
	"reflect"
	"slices"
	"testing"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
)

// changes are bodies that change what a row can change, with what their programs
// need.
func changes(x *fixture) map[string]func() *ir.Program {
	refs := func(p *ir.Program, list ...*ir.Ref) *ir.Program {
		for _, r := range list {
			p.Refs = append(p.Refs, *r)
		}
		return p
	}
	other := op(ir.Add, num(float64(x.all[0])), op(ir.Mod, op(ir.Add, reg(0), num(3)), num(5)))
	out := map[string]func() *ir.Program{
		"text":   func() *ir.Program { return x.program(store(0, x.fieldA("s"), word("new"))) },
		"flag":   func() *ir.Program { return x.program(store(0, x.fieldA("flag"), truth(true))) },
		"entity": func() *ir.Program { return x.program(store(0, x.fieldA("e"), self())) },
		"outputs": func() *ir.Program {
			p := x.program(let(20, op(ir.Add, reg(20), num(1))), &ir.Stmt{Op: ir.Set, I: 21, Mark: 22, A: test(ir.Not, typedReg(ir.Bool, 21))}, &ir.Stmt{Op: ir.Set, I: 2, Mark: 23, A: load(0, x.fieldA("s"))})
			p.Outputs = []ir.Output{{Place: ir.Place{Used: true, Type: ir.Number, Reg: 20}, Mark: -1, Input: 0}, {Place: ir.Place{Used: true, Type: ir.Bool, Reg: 21}, Mark: 22, Input: 1}, {Place: ir.Place{Used: true, Type: ir.Text, Reg: 2}, Mark: 23, Input: 2}}
			return p
		},
		"other row": func() *ir.Program {
			return refs(x.program(look(1, other), store(1, x.fieldA("x"), op(ir.Add, load(0, x.fieldA("x")), num(100))), store(1, x.fieldA("s"), word("other")), store(1, x.fieldA("s"), word("same")),
				look(1, op(ir.Add, other, num(1))), when(test(ir.Present, num(0)), store(1, x.fieldA("i8"), num(9)))), x.ref(x.a, -1))
		},
		"own row by another way": func() *ir.Program {
			return refs(x.program(look(1, self()), store(1, x.fieldA("x"), num(5)), store(0, x.fieldA("x"), op(ir.Mul, load(1, x.fieldA("x")), num(3))), store(1, x.fieldA("x"), num(4))), x.ref(x.a, -1))
		},
		"rows of a loop within": func() *ir.Program {
			p := refs(x.program(&ir.Stmt{Op: ir.Each, I: 0, Price: 1, Body: []*ir.Stmt{
				store(1, x.fieldB("v"), op(ir.Add, load(1, x.fieldB("v")), num(1))), when(test(ir.Less, num(20), load(1, x.fieldB("v"))), store(1, x.fieldB("n"), num(3)), store(1, x.fieldB("s"), word("z"))),
				when(test(ir.Less, num(40), load(1, x.fieldB("v"))), &ir.Stmt{Op: ir.Break}),
			}}), x.ref(x.b, 0))
			p.Queries = []ir.Subquery{{Query: x.query(ecs.Filter{Required: []ecs.ComponentID{x.b}}), Entity: 9, First: 1, Views: 1}}
			return p
		},
		"tags": func() *ir.Program {
			return x.program(&ir.Stmt{Op: ir.Do, A: x.tag(ir.Untag, x.red, self())}, &ir.Stmt{Op: ir.Do, A: x.tag(ir.Tag, x.red, other)}, &ir.Stmt{Op: ir.Do, A: x.tag(ir.Tag, x.blue, other)},
				&ir.Stmt{Op: ir.Do, A: x.tag(ir.Untag, x.red, x.entity(6))}, when(x.tag(ir.Tagged, x.red, x.entity(3)), &ir.Stmt{Op: ir.Do, A: x.tag(ir.Untag, x.red, x.entity(3))}))
		},
		"random": func() *ir.Program {
			return x.program(store(0, x.fieldA("x"), op(ir.Random)), store(0, x.fieldA("i8"), op(ir.Random, num(6))), store(0, x.fieldA("i16"), op(ir.Random, num(-5), num(5.5))))
		},
		"table": func() *ir.Program {
			at := op(ir.Add, op(ir.Mod, reg(0), num(3)), num(2))
			p := x.program(&ir.Stmt{Op: ir.Put, I: 0, Member: -1, A: at, B: op(ir.Add, &ir.Expr{Op: ir.Element, I: 0, Member: -1, A: at}, num(1))},
				&ir.Stmt{Op: ir.Put, I: 1, Member: 1, A: num(1), B: reg(0)}, &ir.Stmt{Op: ir.Put, I: 1, Member: 1, A: num(1), B: num(9)})
			p.Tables = []ir.Table{{Stored: true}, {Members: []string{"a", "b"}, Stored: true}}
			return p
		},
		"send": func() *ir.Program {
			return x.program(emit(&ir.Effect{Op: ir.Send, Event: x.hit, Fields: []ir.EffectField{x.hitField(2), x.hitField(3), x.hitField(4), x.hitField(1)}}, -1, self(), load(0, x.fieldA("s")), truth(true), op(ir.Add, reg(0), num(40))),
				emit(&ir.Effect{Op: ir.Send, Event: x.hit}, -1))
		},
		"spawn": func() *ir.Program {
			return x.program(emit(&ir.Effect{Op: ir.QueueSpawn}, 5), store(0, x.fieldA("e"), reg(5)), emit(&ir.Effect{
				Op: ir.QueueSpawn, Components: []ecs.ComponentID{x.b, x.a}, Tags: []ecs.TagID{x.blue}, Relations: []ecs.RelationID{x.likes},
				Fields: []ir.EffectField{given(0, x.fieldA("x"), 1), given(0, x.fieldB("v"), 0), given(2, x.fieldB("s"), 0)},
			}, 5, reg(0), num(2), word("born"), self()), store(0, x.fieldA("e"), reg(5)))
		},
		"commands": func() *ir.Program {
			return x.program(
				emit(&ir.Effect{Op: ir.QueueAdd, Components: []ecs.ComponentID{x.b}}, -1, other), emit(&ir.Effect{Op: ir.QueueSet, Components: []ecs.ComponentID{x.a}, Fields: []ir.EffectField{given(2, x.fieldA("i8"), 0)}}, -1, self(), num(-8)),
				emit(&ir.Effect{Op: ir.QueueRemove, Components: []ecs.ComponentID{x.b, x.likes}}, -1, x.entity(1)), emit(&ir.Effect{Op: ir.QueueTag, Tags: []ecs.TagID{x.blue, x.red}}, -1, self()),
				emit(&ir.Effect{Op: ir.QueueUntag, Tags: []ecs.TagID{x.red}}, -1, other), emit(&ir.Effect{Op: ir.QueueRelate, Relations: []ecs.RelationID{x.likes}}, -1, self(), x.entity(2)),
				emit(&ir.Effect{Op: ir.QueueUnrelate, Relations: []ecs.RelationID{x.likes}}, -1, other), emit(&ir.Effect{Op: ir.QueueSend, Event: x.hit, Fields: []ir.EffectField{x.hitField(3)}}, -1, word("later")),
				emit(&ir.Effect{Op: ir.QueueDespawn}, -1, x.entity(4)), emit(&ir.Effect{Op: ir.QueueDespawn}, -1, num(math.NaN())))
		},
	}
	for _, f := range []string{"x", "f", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"} {
		out["field "+f] = func() *ir.Program { return x.program(store(0, x.fieldA(f), op(ir.Add, reg(0), num(50)))) }
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
				count := let(0, op(ir.Add, reg(0), num(1)))
				last := test(ir.Less, num(float64(rows)), reg(0))
				if fails {
					p.Body = append(append([]*ir.Stmt{count}, body...), when(last, &ir.Stmt{Op: ir.Put, I: len(p.Tables), Member: -1, A: num(0), B: num(0)}))
				} else {
					p.Body = append([]*ir.Stmt{count, when(last, &ir.Stmt{Op: ir.Break})}, body...)
				}
				p.Tables = append(p.Tables, ir.Table{})
				k := x.kernel(p)
				k.SetNumber(0, 0)
				tables := [2][]float64{{1, 2, 3, 4}, {5, 6, 7, 8}}
				for i := range p.Tables {
					e := kernel.Elements{From: 1}
					if i < len(p.Tables)-1 {
						e.Values = tables[i]
					}
					k.SetTable(i, e)
				}
				how, at := x.run(p, k)
				if want := x.all[[]int{0, 2, 4, 1}[rows]]; fails && (how != kernel.Bailout || at != want) || !fails && how != kernel.Finished {
					t.Fatalf("%s, row %d: %v at %v, want %v", name, rows, how, at, want)
				}
				first, were := x.after(), [2][]float64{slices.Clone(tables[0]), slices.Clone(tables[1])}
				var outs []any
				for _, out := range p.Outputs {
					mark := out.Mark >= 0 && k.Bool(out.Mark)
					switch {
					case out.Mark >= 0 && !mark:
						outs = append(outs, nil)
					case out.Type == ir.Bool:
						outs = append(outs, k.Bool(out.Reg))
					case out.Type == ir.Text:
						outs = append(outs, k.Text(out.Reg))
					default:
						outs = append(outs, k.Number(out.Reg))
					}
				}
				k.SetNumber(0, -30) // again, all rows: nothing is left over
				if how, _ := x.run(p, k); how != kernel.Finished {
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

// A row that has done more than can be put back is left.
func TestUndoIsBounded(t *testing.T) {
	var n uint64
	var s string
	u := &undo{bits: make([]storedBits, mostUndone-1), texts: make([]storedText, mostUndone-1)}
	for i, want := range []bool{true, false} {
		if got := u.keep(unsafe.Pointer(&n), ecs.F64); got != want {
			t.Errorf("number %d: %v", i, got)
		}
		if got := u.keep(unsafe.Pointer(&s), ecs.String); got != want {
			t.Errorf("string %d: %v", i, got)
		}
	}
	f := &frame{writes: make([]location, mostUndone-1)}
	for i, want := range []bool{true, true, false} {
		f.location[2].row = 1 + max(0, i-1) // the first two are of one row
		if got := f.note(2); got != want {
			t.Errorf("write %d: %v", i, got)
		}
	}
	x := newFixture(t)
	for puts, want := range map[int]kernel.Ending{1: kernel.Finished, 2: kernel.Bailout} {
		body := []*ir.Stmt{{Op: ir.Break}}
		for range puts {
			body = append([]*ir.Stmt{{Op: ir.Put, Member: -1, A: num(1), B: num(2)}}, body...)
		}
		p := x.program(body...)
		p.Tables = []ir.Table{{Stored: true}}
		k := x.kernel(p)
		k.SetTable(0, kernel.Elements{From: 1, Values: []float64{1}})
		k.frame.undo.puts = make([]storedPut, mostUndone-1)
		old := 5.0
		for i := range k.frame.undo.puts {
			k.frame.undo.puts[i] = storedPut{&old, 5}
		}
		if how, _ := x.run(p, k); how != want {
			t.Errorf("%d more: %v", puts, how)
		}
	}
}

// What was stored is let go of at the end, as far as it was used.
func TestUndoForgets(t *testing.T) {
	u := &undo{}
	var n float64
	var s string
	for range 3 {
		u.keep(unsafe.Pointer(&n), ecs.F64)
		u.keep(unsafe.Pointer(&s), ecs.String)
	}
	u.revert(mark{bits: 2, texts: 1})
	if len(u.bits) != 2 || len(u.texts) != 1 || u.most != 3 {
		t.Errorf("%d and %d are kept, most %d", len(u.bits), len(u.texts), u.most)
	}
	u.done()
	u.end()
	for i := range 3 {
		if u.bits[:3][i].p != nil || u.texts[:3][i].p != nil {
			t.Errorf("number %d is held", i)
		}
	}
	if u.most != 0 {
		t.Errorf("most %d", u.most)
	}
}
