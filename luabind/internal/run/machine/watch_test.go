package machine

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/closures"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/memory"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/packing"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/watch"
)

// watchBed is a world with rows, and what the bodies of these tests name.
func watchBed(t testing.TB, rows int) *bed {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 4))
	b := newBed(t, rows, "AB", func() float64 { return float64(rng.IntN(100)) / 4 })
	if _, err := b.world.DeclareTag("red"); err != nil {
		t.Fatal(err)
	}
	s, err := ecs.NewSchema(ecs.Field{Name: "x", Type: ecs.F64}, ecs.Field{Name: "of", Type: ecs.EntityField}, ecs.Field{Name: "n", Type: ecs.I32})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = b.world.DeclareEvent("Hit", s); err != nil {
		t.Fatal(err)
	}
	if s, err = ecs.NewSchema(ecs.Field{Name: "s", Type: ecs.String}, ecs.Field{Name: "n", Type: ecs.U8}); err == nil {
		_, err = b.world.DeclareEvent("Say", s)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// watchedRun runs a body three times and says what came of it: as closures, or as machine code, with the differences that
// were found. wrong changes what a call has left; every is how often calls are watched.
func watchedRun(t testing.TB, body string, rows int, asMachineCode bool, every int, wrong func(k *Kernel, row, done int)) (seen string, found []*kernel.Difference) {
	t.Helper()
	b := watchBed(t, rows)
	memory.InstrumentsOf(b.world).WatchEvery = every
	p, template, reason := b.program(body)
	if reason != nil {
		t.Fatalf("%s: %v", body, reason)
	}
	var code kernel.Kernel = closures.Compile(p, b.budget)
	if asMachineCode {
		k := b.machine(p, packing.Forms, false)
		k.Watch(func(d *kernel.Difference) { found = append(found, d) })
		if wrong != nil {
			k.wrong = func(row, done int) { wrong(k, row, done) }
		}
		code = k
	}
	for range 3 {
		list := []float64{1, 2, 3, 4}
		for i := range p.Tables {
			code.SetTable(i, kernel.Elements{From: 1, Values: list})
		}
		seen += b.trace(code, p, template, map[string]float64{"sum": 1, "by": 0.5}, 1<<40) + fmt.Sprint(list)
		for _, r := range code.Results() {
			seen += fmt.Sprint(" returns ", r)
		}
		if err := b.world.Commands().Apply(); err != nil {
			t.Fatal(err)
		}
		seen += " " + b.world.Digest().String() + "\n"
	}
	return seen, found
}

// others is a body that stores in the row of another entity.
const others = `local o = world:get(4294967297 + e % 7, "B") if o then o.x = o.x + a.x end`

// What wrong code may do, and what the difference is called.
var wrongCode = []struct {
	name, body string
	wrong      func(k *Kernel, row, done int)
	want       string
}{
	{"a field", "a.x = a.x + b.y", func(k *Kernel, row, done int) { *k.at(0, row+5) += 1 }, "A.x"},
	{"a field that is not to be stored", "a.x = a.x + b.y", func(k *Kernel, row, done int) { *(*float64)(unsafe.Add(unsafe.Pointer(k.at(0, row+5)), 8)) = 7 }, "A.y"},
	{"a row that is not to be stored", "if a.x > 1e9 then a.x = 1 end", func(k *Kernel, row, done int) { k.frame.Marks[3] ^= 1 }, "whether it writes A"},
	{"a row that is to be stored", "if a.x < 1e9 then a.x = a.x end", func(k *Kernel, row, done int) { k.frame.Marks[3] ^= 1 }, "whether it writes A"},
	{"a row of another", others, func(k *Kernel, row, done int) {
		p, _ := k.frame.Logged(*k.frame.Log.End - abi.LogRecord)
		*(*float64)(p) += 1
	}, "B.x"},
	{"a store that is missing", others, func(k *Kernel, row, done int) {
		k.frame.UndoLast()
	}, "B.x, or which other rows it writes"},
	{"stores that are missing", `local o = world:get(4294967297, "B") if o then o.x = o.x end`, func(k *Kernel, row, done int) { *k.frame.Log.End = k.frame.Log.Start }, "which other rows it writes"},
	{"a command", `world.commands:set(e, "A", { x = a.x + 1 })`, func(k *Kernel, row, done int) { *k.recorded(8 + 8) += 1 }, "of commands:set"},
	{"for another entity", `world.commands:set(e, "A", { x = a.x + 1 })`, func(k *Kernel, row, done int) { *k.recorded(8) += 1 }, "of commands:set"},
	{"no command", `world.commands:tag(e, "red")`, func(k *Kernel, row, done int) { *k.frame.Ring.End = k.frame.Ring.Start }, "how many events and commands it sends"},
	{"a command too many", `if a.x > 3 then world.commands:tag(e, "red") end`, func(k *Kernel, row, done int) {
		*k.frame.Ring.End += 16
		copyRows(k.memory.At(*k.frame.Ring.End-16), k.memory.At(k.frame.Ring.Start), 16, 1)
	}, "how many events and commands it sends"},
	{"an event", `world:send("Hit", { x = a.x, of = e, n = 3 })`, func(k *Kernel, row, done int) { *k.recorded(8) += 1 }, "of world:send"},
	{"a field of an event", `world:send("Hit", { x = a.x, of = e, n = 3 })`, func(k *Kernel, row, done int) { *(*int32)(unsafe.Pointer(k.recorded(24))) += 1 }, "of world:send"},
	{"a tag", `if a.x > 3 then world:tag(e, "red") end`, func(k *Kernel, row, done int) { *k.recorded(8) += 1 }, "which tags it sets or takes off"},
	{"a tag that is missing", `if a.x > 3 then world:tag(e, "red") end`, func(k *Kernel, row, done int) { *k.frame.Ring.End -= 16 }, "which tags it sets or takes off"},
	{"random numbers", "a.x = ecs.random()", func(k *Kernel, row, done int) { k.frame.Stream.Lo++ }, "the random numbers it draws"},
	{"a variable", "sum = sum + a.x", func(k *Kernel, row, done int) {
		k.SetNumber(k.program.Outputs[0].Reg, k.Number(k.program.Outputs[0].Reg)+1)
	}, "a variable"},
	{"a variable with all its bits", "sum = sum + a.x / 3", func(k *Kernel, row, done int) {
		k.SetNumber(k.program.Outputs[0].Reg, k.Number(k.program.Outputs[0].Reg)+1)
	}, "a variable"},
	{"an element", "list[2] = list[2] + a.x", func(k *Kernel, row, done int) { k.frame.Elements(0)[1] += 1 }, "a variable"},
	{"an element that is not to be stored", "list[2] = list[2] + a.x", func(k *Kernel, row, done int) { k.frame.Elements(0)[3] += 1 }, "a variable"},
	{"fuel", "for i = 1, 3 do a.x = a.x + i end", func(k *Kernel, row, done int) { *k.frame.Fuel.Left-- }, "the fuel it uses"},
	{"an end that is too early", "if a.x > 1e9 then break end a.y = 1", func(k *Kernel, row, done int) { k.code.stack[0] = abi.Broke }, "how the row ends"},
	{"a row that was left", "if a.x > 1e9 then break end a.y = 1", func(k *Kernel, row, done int) {
		k.code.stack[0] = abi.Failed
		k.frame.Ptr[0] -= k.unit.Walkers[0].Stride
	}, "A.y"},
	{"a row that was left and stores nothing", "if a.x > 1e9 then break end if a.x > 1e8 then a.y = 1 end", func(k *Kernel, row, done int) {
		k.code.stack[0] = abi.Failed
		k.frame.Ptr[0] -= k.unit.Walkers[0].Stride
	}, "how the row ends"},
	{"no end", "if a.x > 3 then break end a.y = 1", func(k *Kernel, row, done int) { k.code.stack[0] = abi.Ended }, "how the row ends"},
	{"a truth", "if a.x > 1e9 then flag = true end", func(k *Kernel, row, done int) {
		k.SetBool(k.program.Outputs[0].Reg, !k.Bool(k.program.Outputs[0].Reg))
	}, "a variable"},
	{"a text", `if a.x > 3 then word = "b" elseif a.x > 1e9 then word = "c" end`, func(k *Kernel, row, done int) {
		*k.frame.TextAt(k.program.Outputs[0].Reg) ^= 1
	}, "a variable"},
	{"an assignment", "if a.x > 1e9 then best = a.x end", func(k *Kernel, row, done int) {
		k.SetBool(k.program.Outputs[0].Mark, true)
	}, "a variable"},
	{"no assignment", "if a.x < 1e9 then best = a.x end", func(k *Kernel, row, done int) {
		k.SetBool(k.program.Outputs[0].Mark, false)
	}, "a variable"},
	{"a tag taken off", `world:tag(e, "red") world:untag(e, "red")`, func(k *Kernel, row, done int) { *k.recorded(16 + 8) += 1 }, "which tags it sets or takes off"},
	{"a tag more", `if a.x > 1e9 then world:tag(e, "red") end`, func(k *Kernel, row, done int) {
		*(*uint64)(unsafe.Pointer(k.recorded(0))) = 0
		*k.recorded(8) = 1<<32 + 1
		*k.frame.Ring.End += 16
	}, "which tags it sets or takes off"},
	{"an entity", `world.commands:spawn{ "red", A = { x = a.x } }`, func(k *Kernel, row, done int) { *k.recorded(8) += 1 }, "of commands:spawn"},
	{"another command", `if a.x > 3 then world.commands:tag(e, "red") else world.commands:untag(e, "red") end`, func(k *Kernel, row, done int) { *(*uint32)(unsafe.Pointer(k.recorded(0))) ^= 1 }, "what it sends"},
	{"a string", `world:send("Say", { n = 3, s = a.x > 3 and "x" or "y" })`, func(k *Kernel, row, done int) {
		*k.recorded(8 + 8) = 1 - *k.recorded(8 + 8)
	}, "of world:send"},
	{"a truth that is returned", `if a.x > 3 then return a.x > 5, "t", e end`, func(k *Kernel, row, done int) {
		p := (*float64)(k.memory.At(k.frame.ResultAt(1)))
		*p = 1 - *p
	}, "what it returns"},
	{"a result", "if a.x > 3 then return a.x + 1 end", func(k *Kernel, row, done int) {
		*(*float64)(k.memory.At(k.frame.ResultAt(1))) += 1
	}, "what it returns"},
}

// at is the first field of a row of a view.
func (k *Kernel) at(view, row int) *float64 {
	base, stride := ecs.Raw.Column(k.current.column[view])
	return (*float64)(unsafe.Add(base, uintptr(row)*stride))
}

// recorded is what lies at an offset in the last records of the ring.
func (k *Kernel) recorded(at uint32) *float64 {
	return (*float64)(k.memory.At(k.frame.Ring.Start + at))
}

// Whatever code does wrong is found out, and nothing of it stays. What the difference says is recorded.
func TestWatchFindsWrongCode(t *testing.T) {
	t.Parallel()
	var said strings.Builder
	for _, c := range wrongCode {
		for _, rows := range []int{7, 64, 500} {
			want, _ := watchedRun(t, c.body, rows, false, 0, nil)
			got, found := watchedRun(t, c.body, rows, true, 0, nil)
			if got != want || len(found) > 0 {
				t.Fatalf("%s, %d rows: as it is\n%.2000s\nwant\n%.2000s\n%+v", c.name, rows, got, want, found)
			}
			calls := 0
			got, found = watchedRun(t, c.body, rows, true, 0, func(k *Kernel, row, done int) {
				if calls++; calls == 1 && done > 0 {
					c.wrong(k, row, done)
				}
			})
			if len(found) != 1 {
				t.Errorf("%s, %d rows: %d differences", c.name, rows, len(found))
				continue
			}
			d := found[0]
			fmt.Fprintf(&said, "%s, %d rows: %+v\n", c.name, rows, *d)
			what := d.What
			switch {
			case d.Component != "":
				what = d.Component + "." + d.Field
			case d.Input >= 0:
				what = "a variable"
			}
			if !strings.Contains(c.want, what) && !strings.HasSuffix(what, c.want) || d.Code == "" || d.Closures == "" {
				t.Errorf("%s, %d rows: %q, want %q: %+v", c.name, rows, what, c.want, d)
			}
			if got != want {
				t.Errorf("%s, %d rows: wrong code leaves\n%.2000s\nwant\n%.2000s", c.name, rows, got, want)
			}
		}
	}
	asRecorded(t, "differences.txt", said.String())
}

// Code that is wrong from some call on is found at the next call that is watched, and not before. Until then closures do nothing.
func TestWatchFindsWrongCodeLater(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ from, found int }{{1, 1}, {2, 2}, {3, 2 + watch.Every}, {500, 2 + watch.Every}, {3 + watch.Every, 2 + 2*watch.Every}} {
		b := watchBed(t, 3)
		p, template, reason := b.program("a.x = a.x + 1")
		if reason != nil {
			t.Fatal(reason)
		}
		k := b.machine(p, packing.Forms, false)
		var found []*kernel.Difference
		k.Watch(func(d *kernel.Difference) { found = append(found, d) })
		calls := 0
		k.wrong = func(row, done int) {
			if calls++; calls >= c.from {
				for i := range done {
					*k.at(0, row+i) += 10
				}
			}
		}
		for run := 1; run < 2100; run++ {
			b.trace(k, p, template, nil, 0)
			if (len(found) > 0) != (run >= c.found) || len(found) > 1 {
				t.Fatalf("wrong from call %d on, call %d: %d differences", c.from, run, len(found))
			}
		}
		if calls != c.found {
			t.Errorf("wrong from call %d on: code ran %d times", c.from, calls)
		}
	}
}

// Numbers that the field they go to holds alike are no difference.
func TestWatchKnowsWhatFieldsHold(t *testing.T) {
	t.Parallel()
	for body, by := range map[string][2]float64{
		`world.commands:set(e, "D", { x = a.x })`:             {1e-9, 1},
		`world.commands:set(e, "A", { x = a.x })`:             {0, 1e-9},
		`world.commands:spawn{ D = { y = a.x + 0.5 } }`:       {1e-9, 1},
		`world.commands:send("Hit", { n = 3 + (a.x - a.x) })`: {0, 1},
	} {
		for i, n := range by {
			wrong := func(k *Kernel, row, done int) {
				at := uint32(8)
				if strings.Contains(body, ":set") {
					at += 8 // the entity comes first
				}
				if *k.frame.Ring.End > k.frame.Ring.Start {
					*k.recorded(at) += n
				}
			}
			if _, found := watchedRun(t, body, 7, true, 0, wrong); len(found) != i {
				t.Errorf("%s: %v more is a difference: %v", body, n, found)
			}
		}
	}
}

// Code that is right ends as closures end, and is found to be right, wherever in its watched rows the budget is spent.
func TestWatchAtTheEndOfTheBudget(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		"a.x = a.x + 1", "for i = 1, 7 do a.y = a.y + i end", "local n = 0 while n < a.x do n = n + 1 end a.y = n", `for i = 1, 3 do world.commands:tag(e, "red") end`, "if a.x > 20 then list[9] = 1 end",
		`for i = 1, 1500 do world.commands:tag(e, "red") end`,
	} {
		for fuel := int64(1); fuel < 3000; fuel += 1 + fuel/5 {
			run := func(asMachineCode bool) string {
				b := watchBed(t, 20)
				memory.InstrumentsOf(b.world).WatchEvery = 1
				p, template, reason := b.program(body)
				if reason != nil {
					t.Fatalf("%s: %v", body, reason)
				}
				var code kernel.Kernel = closures.Compile(p, b.budget)
				if asMachineCode {
					k := b.machine(p, packing.Forms, false)
					k.Watch(func(d *kernel.Difference) { t.Errorf("%s, fuel %d: %+v", body, fuel, d) })
					code = k
				}
				for i := range p.Tables {
					code.SetTable(i, kernel.Elements{From: 1, Values: []float64{1, 2, 3}})
				}
				seen := b.trace(code, p, template, nil, fuel)
				if err := b.world.Commands().Apply(); err != nil {
					t.Fatal(err)
				}
				return seen + b.world.Digest().String()
			}
			if want, got := run(false), run(true); got != want {
				t.Errorf("%s, fuel %d\n%s", body, fuel, differences(want, got))
			}
		}
	}
}

// Code that is right ends the same whether it is watched at each call, at some, or
// never.
func TestWatchingChangesNothing(t *testing.T) {
	t.Parallel()
	bodies := []string{
		`local n = 0 while n < a.x do n = n + 1 world:send("Hit", { x = n }) end`,
		`for i = 1, 1500 do world.commands:tag(e, "red") end`,
		`for i = 1, 9000 do world.commands:tag(e, "red") end`, // more than there is room for
		`for o, q in world:each("B") do a.y = a.y + q.y end`,
		`if not world:tagged(e, "red") then world:tag(4294967297 + (e + 1) % 40, "red") a.x = 9 else world:untag(e, "red") end`,
		`a.x = ecs.random(3) if a.x == 2 then world:send("Hit", { of = e }) end if ecs.random() < 0.01 then return a.y end`,
		`if a.x > 20 then a.x = 0 / 0 end b.y = a.x`,
		`list[a.x] = 3`,
	}
	for _, c := range wrongCode {
		bodies = append(bodies, c.body)
	}
	for _, body := range bodies {
		for _, rows := range []int{1, 63, 200} {
			var all []string
			for _, every := range []int{-1, 0, 1, 2, 5} {
				seen, found := watchedRun(t, body, rows, true, every, nil)
				if len(found) > 0 {
					t.Errorf("%s: %+v", body, found[0])
				}
				all = append(all, seen)
			}
			if len(slices.Compact(all)) != 1 {
				t.Errorf("%s, %d rows: watched never, seldom, always, often:\n%.3000s", body, rows, strings.Join(all, "\n"))
			}
		}
	}
}
