package closures

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
)

// values are those of all fields, with the members of the tags.
func (x *fixture) values() string {
	var out strings.Builder
	for _, table := range x.w.Tables() {
		for row, e := range table.Entities() {
			fmt.Fprintf(&out, "%v:", e)
			for _, id := range table.Components() {
				r := table.Column(id).Row(row)
				for i := range r.Schema().Fields() {
					fmt.Fprintf(&out, " %v", r.Get(i))
				}
			}
			out.WriteByte('\n')
		}
	}
	return out.String() + fmt.Sprint(x.w.TagMembers(x.red), x.w.TagMembers(x.blue))
}

// sent are the events that were sent, and how many commands are queued.
func (x *fixture) sent() string {
	var out strings.Builder
	events := x.w.Peek(x.hit)
	for i := range events.Len() {
		for j := range events.Row(i).Schema().Fields() {
			fmt.Fprintf(&out, "%v ", events.Row(i).Get(j))
		}
		out.WriteByte('\n')
	}
	return out.String() + fmt.Sprint(x.w.Commands().Len(), " commands")
}

// registers are what outputs and tables hold.
func registers(p *ir.Program, k kernel.Kernel, tables [2][]float64) string {
	out := fmt.Sprint(tables)
	for _, o := range p.Outputs {
		switch {
		case o.Mark >= 0 && !k.Bool(o.Mark):
			out += " nil"
		case o.Type == ir.Bool:
			out += fmt.Sprint(" ", k.Bool(o.Reg))
		case o.Type == ir.Text:
			out += fmt.Sprintf(" %q", k.Text(o.Reg))
		default:
			out += fmt.Sprint(" ", k.Number(o.Reg))
		}
	}
	return out
}

// eachRow runs the rows of the loop by a shadow, as long as they end well, and returns how the last one ended.
func (x *fixture) eachRow(s *Shadow, ran func(c *ecs.Cursor, row int)) (how RowEnding) {
	c := ecs.Raw.Begin(x.loop)
	defer c.End()
	for rows, _ := c.NextRows(); rows > 0; rows, _ = c.NextRows() {
		s.Enter(&c)
		for i := range rows {
			row := c.RowIndex() + i
			if how = s.Row(row); how != RowDone {
				return how
			}
			ran(&c, row)
		}
	}
	return how
}

// A shadow does what closures do, tells all of it, and takes it back.
func TestShadowDoesWhatClosuresDo(t *testing.T) {
	for name := range changes(newFixture(t)) {
		count := let(0, op(ir.Add, reg(0), num(1)))
		x := newFixture(t)
		x.w.BeginFrame(1)
		p := changes(x)[name]()
		p.Body = append([]*ir.Stmt{count}, p.Body...)
		tables := [2][]float64{{1, 2, 3, 4}, {5, 6, 7, 8}}
		var budget sandbox.Budget
		k := Compile(p, &budget)
		for i := range p.Tables {
			k.SetTable(i, kernel.Elements{From: 1, Values: tables[i]})
		}
		if how, at := x.run(p, k); how != kernel.Finished {
			t.Fatalf("%s: %v at %v", name, how, at)
		}

		y := newFixture(t)
		y.w.BeginFrame(1)
		p = changes(y)[name]()
		p.Body = append([]*ir.Stmt{count}, p.Body...)
		before, stream := y.seen(), ecs.Raw.RandomState(y.w.Random())
		s := NewShadow(p)
		if s == nil {
			if name != "what a loop within asks for" {
				t.Errorf("%s: no shadow", name)
			}
			continue
		}
		for i := range p.Tables {
			s.SetTable(i, 1, [2][]float64{{1, 2, 3, 4}, {5, 6, 7, 8}}[i])
		}
		type kept struct {
			row   ecs.Row
			field int
			value ecs.Value
		}
		var old []kept
		var stamped []string
		for c := range y.loop.Tables {
			for row := range c.Len() {
				r := c.Column(y.a).Row(row)
				for i := range r.Schema().Fields() {
					old = append(old, kept{r, i, r.Get(i)})
				}
			}
		}
		place := func(id ecs.ComponentID, e ecs.Entity) {
			stamped = append(stamped, fmt.Sprintf("%s%d", y.w.ComponentNames()[id], slices.Index(y.all, e)))
		}
		s.Begin(y.w, 1<<40, stream)
		ran := 0
		how := y.eachRow(s, func(c *ecs.Cursor, row int) {
			for dirty := s.Dirty(ran); dirty != 0; dirty &= dirty - 1 {
				place(p.Components[bits.TrailingZeros64(dirty)], c.Table().Entities()[row])
			}
			ran++
		})
		if how != RowDone || ran != 6 {
			t.Errorf("%s: %d rows, then %d", name, ran, how)
		}
		if got, want := y.values(), x.values(); got != want {
			t.Errorf("%s: values are\n%s\nwant\n%s", name, got, want)
		}
		if got, want := registers(p, s.Registers(), [2][]float64{tableOf(s, p, 0), tableOf(s, p, 1)}), registers(p, k, tables); got != want && len(p.Tables) > 0 || len(p.Outputs) > 0 && got != want {
			t.Errorf("%s: registers are %s, want %s", name, got, want)
		}
		if s.Used() != budget.Used() {
			t.Errorf("%s: it used %d, not %d", name, s.Used(), budget.Used())
		}
		for _, w := range s.Writes(nil) {
			place(w.Component, y.w.Tables()[w.Table].Entities()[w.Row])
		}
		slices.Sort(stamped)
		want := strings.Fields(x.changed())
		slices.Sort(want)
		if got := slices.Compact(stamped); !slices.Equal(got, want) {
			t.Errorf("%s: stamped are %v, want %v", name, got, want)
		}
		for i := range s.Stores() {
			at, typ := s.Store(i)
			if b := s.kernel.frame.undo.bits[i]; at != b.p || typ != b.typ {
				t.Errorf("%s: store %d", name, i)
			}
		}
		for _, f := range s.Flips(nil) {
			if f.Entity == ecs.None || f.Place < -1 {
				t.Errorf("%s: %+v", name, f)
			}
		}
		if got := s.Random(); p.Random && name == "random" && (got != ecs.Raw.RandomState(x.w.Random()) || got == stream) {
			t.Errorf("%s: the stream is at %v, want %v", name, got, ecs.Raw.RandomState(x.w.Random()))
		}
		type effect struct {
			of   *ir.Effect
			args []kernel.Arg
		}
		var effects []effect
		for i := range s.Effects() {
			e, args := s.Effect(i)
			effects = append(effects, effect{e, slices.Clone(args)})
		}

		s.TakeBack()
		for _, o := range old {
			if err := o.row.Set(o.field, o.value); err != nil {
				t.Fatal(err)
			}
		}
		s.End()
		if now := y.seen(); now != before {
			t.Errorf("%s: it was\n%snow\n%s", name, before, now)
		}
		if ecs.Raw.RandomState(y.w.Random()) != stream {
			t.Errorf("%s: the stream is not put back", name)
		}
		if s.Effects()+s.Stores()+len(s.Flips(nil))+len(s.Writes(nil)) > 0 {
			t.Errorf("%s: something is left", name)
		}

		var again kernel.Effects
		again.Begin(y.w, nil)
		for _, e := range effects {
			again.Call(e.of, e.args)
		}
		if got, want := y.sent(), x.sent(); got != want {
			t.Errorf("%s: it tells of\n%s\nwant\n%s", name, got, want)
		}
	}
}

func tableOf(s *Shadow, p *ir.Program, i int) []float64 {
	if i < len(p.Tables) {
		return s.Table(i)
	}
	return [2][]float64{{1, 2, 3, 4}, {5, 6, 7, 8}}[i]
}

// Each row of a shadow ends in one of five ways. One that is left has done nothing.
func TestEndingsOfShadowRows(t *testing.T) {
	x := newFixture(t)
	is := func(n float64) *ir.Expr { return test(ir.Equal, load(0, x.fieldA("x")), num(n)) }
	p := x.program(
		let(20, op(ir.Add, reg(20), num(1))), store(0, x.fieldA("u8"), num(7)), &ir.Stmt{Op: ir.Do, A: x.tag(ir.Tag, x.blue, self())}, emit(&ir.Effect{Op: ir.Send, Event: x.hit}, -1),
		when(is(2), &ir.Stmt{Op: ir.Break}), when(is(4), &ir.Stmt{Op: ir.Return, Args: []*ir.Expr{num(8)}}), when(is(1), let(3, op(ir.Random, num(0)))), when(is(3), &ir.Stmt{Op: ir.Leave}),
	)
	p.Price = 10
	p.Outputs = []ir.Output{{Place: ir.Place{Used: true, Type: ir.Number, Reg: 20}, Mark: -1, Input: 0}}
	s := NewShadow(p)
	want := []RowEnding{RowDone, RowBroke, RowReturned, RowBailout, RowBailout, RowDone}
	s.Begin(x.w, 1000, ecs.Raw.RandomState(x.w.Random()))
	c := ecs.Raw.Begin(x.loop)
	i, done := 0, 0
	for rows, _ := c.NextRows(); rows > 0; rows, _ = c.NextRows() {
		s.Enter(&c)
		for row := range rows {
			if how := s.Row(c.RowIndex() + row); how != want[i] {
				t.Errorf("row %d ends as %d, want %d", i, how, want[i])
			}
			if want[i] != RowBailout {
				done++
			}
			u8 := c.Table().Column(x.a).Row(c.RowIndex() + row).Number(3)
			e := c.Table().Entities()[c.RowIndex()+row]
			if (u8 == 7) != (want[i] != RowBailout) || ecs.Raw.TagPlace(x.w.TagSet(x.blue), e) >= 0 != (want[i] != RowBailout) {
				t.Errorf("row %d: it stored %v", i, u8)
			}
			if s.Effects() != done || s.Registers().Number(20) != float64(done) || len(s.dirty) != done || len(s.Flips(nil)) != done {
				t.Errorf("row %d: %d effects, %v rows counted, want %d", i, s.Effects(), s.Registers().Number(20), done)
			}
			i++
		}
	}
	c.End()
	if r := s.Registers().Results(); len(r) != 1 || r[0].N != 8 {
		t.Errorf("it returns %v", r)
	}
	if s.Used() != 60 {
		t.Errorf("it used %d", s.Used())
	}
	s.TakeBack()
	s.End()
	if len(s.entities) > 0 || s.kernel.table != nil {
		t.Error("it holds on to the rows")
	}

	for fuel, want := range map[int64]RowEnding{9: RowStarved, 10: RowDone, -5: RowStarved} {
		s.Begin(x.w, fuel, ecs.RandomState{})
		c := ecs.Raw.Begin(x.loop)
		c.NextRows()
		s.Enter(&c)
		if how := s.Row(0); how != want {
			t.Errorf("with fuel %d: %d, want %d", fuel, how, want)
		}
		c.End()
		s.TakeBack()
		s.End()
	}
}

// The rows of a loop over events are run at their addresses.
func TestShadowOfEvents(t *testing.T) {
	x := newFixture(t)
	schema := x.w.EventSchema(x.hit)
	p := &ir.Program{
		Body: []*ir.Stmt{let(3, op(ir.Add, reg(3), load(0, &schema.Fields()[0]))), when(test(ir.Less, num(20), reg(3)), &ir.Stmt{Op: ir.Break})}, Price: 4, Numbers: 8, Views: 1, Components: []ecs.ComponentID{ir.NoComponent},
		Uses: 1, Events: schema, Outputs: []ir.Output{{Place: ir.Place{Used: true, Type: ir.Number, Reg: 3}, Mark: -1, Input: 0}},
	}
	var rows []unsafe.Pointer
	for _, n := range []float64{5, 8, 13} {
		r := ecs.Raw.AppendEvent(x.w, x.hit)
		if err := r.SetNumber(0, n); err != nil {
			t.Fatal(err)
		}
	}
	events := x.w.Peek(x.hit)
	for i := range events.Len() {
		rows = append(rows, ecs.Raw.Row(events.Row(i)))
	}
	s := NewShadow(p)
	s.Begin(x.w, 100, ecs.RandomState{})
	for i, want := range []RowEnding{RowDone, RowDone, RowBroke} {
		if how := s.Event(rows[i]); how != want || s.Used() != 4*int64(i+1) {
			t.Errorf("event %d: %d, used %d", i, how, s.Used())
		}
	}
	if n := s.Registers().Number(3); n != 26 || s.Random() != (ecs.RandomState{}) {
		t.Errorf("the sum is %v", n)
	}
	s.TakeBack()
	s.End()
}
