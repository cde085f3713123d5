package machine

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/lower"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/packing"
	"github.com/yuin/gopher-lua/ast"
)

type (
	pairOf   struct{ X, Y float64 }
	tripleOf struct{ X, Y, Z float64 }
	shortOf  struct{ X, Y float32 }
	quadOf   struct{ X, Y, Z, W float32 }
	mixedOf  struct {
		X    float64
		On   bool
		N    int32
		Y, Z float64
		K    float32
	}
)

// A bed is a world with one table that a loop runs over.
type bed struct {
	tb     testing.TB
	world  *ecs.World
	query  *ecs.Query
	ids    []ecs.ComponentID
	names  []string
	budget *sandbox.Budget
}

// newBed has rows entities with components A to E; value gives the numbers of
// their fields.
func newBed(tb testing.TB, rows int, names string, value func() float64) *bed {
	tb.Helper()
	return newBeds(tb, []int{rows}, names, value)
}

// newBeds is newBed with a table for each number of rows.
func newBeds(tb testing.TB, rows []int, names string, value func() float64) *bed {
	tb.Helper()
	w := ecs.NewWorld(ecs.Options{Memory: NewMemory()})
	all := map[byte]ecs.ComponentID{
		'A': ecs.MustRegister[pairOf](w, "A").ID(), 'B': ecs.MustRegister[pairOf](w, "B").ID(), 'C': ecs.MustRegister[tripleOf](w, "C").ID(),
		'D': ecs.MustRegister[shortOf](w, "D").ID(), 'G': ecs.MustRegister[tripleOf](w, "G").ID(), 'H': ecs.MustRegister[shortOf](w, "H").ID(), 'E': ecs.MustRegister[quadOf](w, "E").ID(), 'F': ecs.MustRegister[mixedOf](w, "F").ID(),
	}
	b := &bed{tb: tb, world: w, budget: sandbox.New(sandbox.Options{}).Budget()}
	for i := range names {
		b.ids, b.names = append(b.ids, all[names[i]]), append(b.names, strings.ToLower(names[i:i+1]))
	}
	var err error
	for i, n := range rows {
		ids := slices.Clone(b.ids)
		if i > 0 { // a table of its own
			one, err := ecs.NewSchema(ecs.Field{Name: "x", Type: ecs.F64})
			if err != nil {
				tb.Fatal(err)
			}
			id, err := w.DeclareComponent(fmt.Sprint("Table", i), one)
			if err != nil {
				tb.Fatal(err)
			}
			ids = append(ids, id)
		}
		bundle, err := w.Bundle(ids...)
		if err != nil {
			tb.Fatal(err)
		}
		if _, err := bundle.SpawnMany(n, func(t *ecs.Table, from, to int) { b.fill(t, from, to, value) }); err != nil {
			tb.Fatal(err)
		}
	}
	if b.query, err = w.Query(ecs.Filter{Required: b.ids}); err != nil {
		tb.Fatal(err)
	}
	return b
}

// fill gives values to rows of a table.
func (b *bed) fill(t *ecs.Table, from, to int, value func() float64) {
	for _, id := range b.ids {
		col := t.Column(id)
		for row := from; row < to; row++ {
			r := col.Row(row)
			for i, f := range r.Schema().Fields() {
				switch v := value(); f.Type {
				case ecs.F64, ecs.F32:
					_ = r.SetNumber(i, v)
				case ecs.Bool:
					_ = r.Set(i, ecs.Boolean(v > 0))
				}
			}
		}
	}
}

// helpers are functions that the bodies of tests call.
const helpers = `
local function cap(v) if v > 3 then v = 3 end return v end
local function rise(v, by) by = by or 1 return v + by end
local function between(v, lo, hi) lo = lo or 0 hi = hi or 4 if v < lo then v = lo end if v > hi then v = hi end return v end
`

// program is that of a loop body, or the reason why there is none.
func (b *bed) program(body string) (*ir.Program, *lower.Template, *lower.Reason) {
	b.tb.Helper()
	text := helpers + "for e, " + strings.Join(b.names, ", ") + " in each() do\n" + body + "\nend"
	file, err := syntax.Parse("test", text)
	if err != nil {
		b.tb.Fatalf("%v\n%s", err, text)
	}
	loop := file.Stmts[len(file.Stmts)-1].(*ast.GenericForStmt)
	t, reason := lower.Prepare(lower.Source{
		Line: 1, Names: file.Bindings, Variables: file.Bindings.Declared(loop), Body: loop.Stmts,
		Function: func(v *syntax.Variable) *lower.Function {
			fn, ok := v.Value.(*ast.FunctionExpr)
			if !ok {
				return nil
			}
			return &lower.Function{Line: fn.Line(), Params: file.Bindings.Function(fn).Params, Body: fn.Stmts}
		},
	})
	if reason != nil {
		return nil, nil, reason
	}
	kinds := make([]lower.Kind, len(t.Inputs))
	for i, in := range t.Inputs {
		switch {
		case in.Member != "":
			kinds[i] = lower.Kind{InputKind: lower.FuncInput, Name: in.Member}
		case in.Name() == "world":
			kinds[i] = lower.Kind{InputKind: lower.WorldInput}
		case in.Name() == "numbers":
			kinds[i] = lower.Kind{InputKind: lower.TableInput}
		case in.Name() == "best":
			kinds[i] = lower.Kind{InputKind: lower.NilInput}
		case in.Name() == "flag":
			kinds[i] = lower.Kind{InputKind: lower.BoolInput}
		case in.Name() == "list":
			kinds[i] = lower.Kind{InputKind: lower.TableInput}
		case in.Name() == "rows":
			kinds[i] = lower.Kind{InputKind: lower.TableInput, Rows: true}
		case in.Name() == "word":
			kinds[i] = lower.Kind{InputKind: lower.TextInput}
		}
	}
	p, reason := t.Lower(kinds, lower.Context{World: b.world, Query: b.query})
	return p, t, reason
}

// machine is the code of a program in some forms; nil when it must be packed and
// is not.
func (b *bed) machine(p *ir.Program, forms []packing.Form, always bool) *Kernel {
	b.tb.Helper()
	r, err := prepareAs(p, b.query, b.world, forms, always, 0)
	if err != nil {
		b.tb.Fatal(err)
	}
	k, err := r.Kernel(b.budget, nil)
	if err != nil {
		b.tb.Fatal(err)
	}
	if always && !k.unit.Packed {
		return nil
	}
	return k
}

// tableLog is a [kernel.TableWriter] that writes down what is stored, in order.
type tableLog struct{ *strings.Builder }

func (l tableLog) SetElement(e *ir.Effect, args []kernel.Arg) {
	fmt.Fprint(l, "table effect ", e.Index)
	for _, a := range args {
		fmt.Fprintf(l, " %s %q", same64(a.N), a.S)
	}
	fmt.Fprintln(l)
}

func (l tableLog) Append(e *ir.Effect, args []kernel.Arg) { l.SetElement(e, args) }

// trace runs code and says what came of it: fields, stamps, outputs, fuel.
func (b *bed) trace(code kernel.Kernel, p *ir.Program, t *lower.Template, inputs map[string]float64, fuel int64) string {
	for i, in := range p.Inputs {
		if in.Used && in.Type == ir.Number {
			code.SetNumber(in.Reg, inputs[t.Inputs[p.Origins[i].Input].Name()])
		} else if in.Used && in.Type == ir.Text {
			code.SetText(in.Reg, "calm")
		} else if in.Used {
			code.SetBool(in.Reg, inputs[t.Inputs[p.Origins[i].Input].Name()] != 0)
		}
	}
	for _, out := range p.Outputs { // one that is only assigned keeps nothing from before
		if out.Mark >= 0 && out.Type == ir.Number {
			code.SetNumber(out.Reg, 0)
		} else if out.Mark >= 0 && out.Type == ir.Bool {
			code.SetBool(out.Reg, false)
		}
	}
	b.world.BeginFrame(1)
	since := b.world.Tick()
	b.budget.Reset(fuel)
	c := ecs.Raw.Begin(b.query)
	var s strings.Builder
	code.SetTableWriter(tableLog{&s})
	fmt.Fprintln(&s, "ending", code.Run(&c), "fuel", b.budget.Used())
	c.End()
	for i, out := range p.Outputs {
		if out.Type == ir.Number {
			fmt.Fprintf(&s, "output %d %s\n", i, same64(code.Number(out.Reg)))
		} else if out.Type == ir.Text {
			fmt.Fprintf(&s, "output %d %q\n", i, code.Text(out.Reg))
		} else {
			fmt.Fprintf(&s, "output %d %v\n", i, code.Bool(out.Reg))
		}
		if out.Mark >= 0 {
			fmt.Fprintf(&s, "mark %d %v\n", i, code.Bool(out.Mark))
		}
	}
	for table := range b.query.Tables {
		for _, id := range b.ids {
			col := table.Column(id)
			for row := range col.Len() {
				r := col.Row(row)
				fmt.Fprintf(&s, "%d %d %v", id, row, col.Changed(row) >= since)
				for i, f := range r.Schema().Fields() {
					if f.Type == ecs.Bool {
						fmt.Fprintf(&s, " %v", r.Get(i))
					} else {
						fmt.Fprint(&s, " ", same64(r.Number(i)))
					}
				}
				fmt.Fprintln(&s)
			}
		}
	}
	return s.String()
}

// same64 is a number to the bit, but for what a NaN holds.
func same64(v float64) string {
	if math.IsNaN(v) {
		return "nan"
	}
	return fmt.Sprintf("%x(%v)", math.Float64bits(v), v)
}
