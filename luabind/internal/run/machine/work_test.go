package machine

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/closures"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/emit"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/engine"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/memory"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/packing"
)

// Queries within that look at rows are closures', whatever of them they look at.
func TestQueriesWithinThatLookAtRows(t *testing.T) {
	b := watchBed(t, 5)
	p, _, reason := b.program(`for o, q in world:each("B") do a.x = a.x + q.y end`)
	if reason != nil {
		t.Fatal(reason)
	}
	id, red := b.ids[1], ecs.TagID(0)
	for name, c := range map[string]struct {
		filter ecs.Filter
		looks  bool
	}{
		"nothing":  {ecs.Filter{}, false},
		"without":  {ecs.Filter{Without: []ecs.ComponentID{b.ids[0]}}, false},
		"tagged":   {ecs.Filter{Tagged: []ecs.TagID{red}}, true},
		"untagged": {ecs.Filter{Untagged: []ecs.TagID{red}}, true},
		"changed":  {ecs.Filter{Changed: []ecs.ComponentID{id}}, true},
		"added":    {ecs.Filter{Added: []ecs.ComponentID{id}}, true},
		"where":    {ecs.Filter{Where: ecs.HasTag(red)}, true},
	} {
		c.filter.Required = []ecs.ComponentID{id}
		q, err := b.world.Query(c.filter)
		if err != nil {
			t.Fatal(err)
		}
		p.Queries[0].Query = q
		if why := Refusal(p, b.query, b.world); (why != "") != c.looks || c.looks && !strings.Contains(why, "looks at rows") {
			t.Errorf("%s: %q", name, why)
		}
		if c.filter.Required = b.ids; emit.LooksAtRows(c.filter) != c.looks {
			t.Errorf("%s: the loop itself looks at rows: %v", name, !c.looks)
		}
	}
}

// A kernel that is gone has given back all its memory, and its code is dropped.
func TestKernelsGiveBack(t *testing.T) {
	pool := ecs.NewPool(2)
	defer pool.Close()
	b := newBed(t, 70, "AB", func() float64 { return 4 })
	m, _ := memory.For(b.world)
	before := m.InUse()
	for range 3 {
		for _, body := range []string{
			// No other test has code with this constant: it would be held by kernels that are not collected yet.
			"if a.x > 3.0625 then b.y = 1 end", "numbers[1] = numbers[1] + a.x * 3.0625", `local o = world:get(e, "B") if o then a.x = o.x + 3.0625 end`,
			`for o, q in world:each("B") do a.x = a.x + q.y * 3.0625 end`,
			"world.commands:despawn(0)",
		} {
			p, template, reason := b.program(body)
			if reason != nil {
				t.Fatal(reason)
			}
			u, err := emitFor(p, b.query, b.world, packing.Forms, false, 0)
			if err != nil {
				t.Fatal(err)
			}
			c, err := engine.Compile(u.Code)
			if err != nil {
				t.Fatal(err)
			}
			k, done, err := newKernel(p, u, c, m, b.budget)
			if err != nil {
				t.Fatal(err)
			}
			k.sharing.pool, k.unit.Nanoseconds = pool, worthwhile
			for i := range p.Tables {
				k.SetTable(i, kernel.Elements{From: 1, Values: []float64{1, 2, 3}})
			}
			b.trace(k, p, template, nil, 0)
			if m.InUse() <= before {
				t.Errorf("%s: nothing was taken", body)
			}
			done()
			c.Drop(u.Code)
			if engine.Held(u.Code) {
				t.Errorf("%s: its code is held", body)
			}
		}
		if m.InUse() != before {
			t.Errorf("%d bytes are not given back", m.InUse()-before)
		}
	}

	p, _, _ := b.program("a.x = a.x * 1.25")
	k, err := Compile(p, b.query, b.world, b.budget, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	code, taken := string(k.unit.Code), m.InUse()
	k = nil
	gone := func() bool {
		return !engine.Held([]byte(code)) && m.InUse() < taken
	}
	for range 1000 {
		if runtime.GC(); gone() {
			return
		}
		runtime.Gosched()
	}
	t.Error("what a kernel had that is gone is held")
}

// eventsRun runs a body over 6,000 events with some fuel and says what came of it. While it runs, there may be no more memory.
func eventsRun(t *testing.T, body string, fuel int64, asMachineCode, more bool) string {
	t.Helper()
	b, d := fullBed(t, over("A"))
	id, err := b.world.DeclareComponent("Event", d.hit)
	if err != nil {
		t.Fatal(err)
	}
	bundle, err := b.world.Bundle(id)
	if err != nil {
		t.Fatal(err)
	}
	var column *ecs.Column
	if _, err := bundle.SpawnMany(6000, func(table *ecs.Table, from, to int) {
		column = table.Column(id)
		for row := from; row < to; row++ {
			_ = column.Row(row).SetNumber(0, float64(row))
			_ = column.Row(row).SetNumber(2, float64(row%5))
		}
	}); err != nil {
		t.Fatal(err)
	}
	p := b.eventProgram(d, body)
	var code kernel.Kernel = closures.Compile(p, b.budget)
	if asMachineCode {
		r, err := Prepare(p, nil, b.world, 0)
		if err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		if code, err = r.Kernel(b.budget, nil); err != nil {
			t.Fatal(err)
		}
	}
	for _, out := range p.Outputs {
		code.SetNumber(out.Reg, 1)
	}
	b.world.BeginFrame(1)
	b.budget.Reset(fuel)
	events := &rowEvents{column: column}
	var how kernel.Ending
	if run := func() { how = code.(kernel.EventKernel).RunEvents(b.world, events) }; more {
		run()
	} else {
		b.exhausted(run)
	}
	seen := fmt.Sprintln("ending", how, "at", events.next, "used", b.budget.Used(), "returns", code.Results())
	for _, out := range p.Outputs {
		seen += fmt.Sprintln(code.Number(out.Reg))
	}
	return seen + b.world.Digest().String()
}

// A loop over more events than one grant of fuel is for goes on with the next, and ends where closures end.
func TestEventsBeyondAGrant(t *testing.T) {
	for _, body := range []string{
		"sum = sum + math.sqrt(ev.n) * math.sqrt(ev.n + 1) - ev.u * 3 + math.sqrt(ev.n + 2) * math.sqrt(ev.n + 3)", "for i = 1, ev.u do sum = sum + i end", "if ev.n == 3333 then return ev.n end sum = sum + ev.n",
		"if ev.n == 3333 then break end sum = sum + ev.n", "sum = sum + ev.n if ev.n == 3333 then sum = math.random(3, ev.u) end", `sum = sum + ev.n world:send("Hit", { n = ev.n, u = 3 })`,
	} {
		for _, fuel := range []int64{0, 10_000, 65_530, 65_536, 70_001, 131_100} {
			if want, got := eventsRun(t, body, fuel, false, true), eventsRun(t, body, fuel, true, true); got != want {
				t.Errorf("%s, fuel %d\n%s", body, fuel, differences(want, got))
			}
		}
	}
}

// A loop over events that sets and asks for a tag sees what it has set, also when there is no more memory for the members of the tag, or for copies of events.
func TestEventsWithoutMemory(t *testing.T) {
	for _, body := range []string{
		`if world:tagged(4294967297 + ev.n, "blue") then sum = sum + 1 end world:tag(4294967298 + ev.n, "blue")`,
		`sum = sum + 1 if world:tagged(4294967297 + sum, "blue") then sum = sum + 2 end world:tag(4294967299 + sum, "blue")`, // no event is copied
	} {
		for _, more := range []bool{true, false} {
			if want, got := eventsRun(t, body, 0, false, more), eventsRun(t, body, 0, true, more); got != want {
				t.Errorf("%s, more memory: %v\n%s", body, more, differences(want, got))
			}
		}
	}
}

// rowEvents are the rows of a table, walked as events.
type rowEvents struct {
	column *ecs.Column
	next   int
}

func (r *rowEvents) Event() (unsafe.Pointer, bool) {
	if r.next >= r.column.Len() {
		return nil, false
	}
	return ecs.Raw.Row(r.column.Row(r.next)), true
}

func (r *rowEvents) Next() { r.next++ }

func (r *rowEvents) Rest() (unsafe.Pointer, int) {
	first, _ := r.Event()
	return first, r.column.Len() - r.next
}

func (r *rowEvents) Skip(n int) { r.next += n }
