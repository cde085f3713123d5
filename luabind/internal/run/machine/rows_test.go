package machine

import (
	"fmt"
	"math"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/closures"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/packing"
)

// Numbers of rows around the words of a mask, with those around the widths of packed code.
var rowCounts = []int{1, 2, 3, 5, 63, 64, 65, 127, 128, 129}

// patterns are sets of rows that have a tag.
var patterns = map[string]func(row, rows int) bool{
	"all":               func(row, rows int) bool { return true },
	"none":              func(row, rows int) bool { return false },
	"the first":         func(row, rows int) bool { return row == 0 },
	"the last":          func(row, rows int) bool { return row == rows-1 },
	"every second":      func(row, rows int) bool { return row%2 == 1 },
	"every seventh":     func(row, rows int) bool { return row%7 == 0 },
	"around a word":     func(row, rows int) bool { return row >= 62 && row <= 65 },
	"all but a stretch": func(row, rows int) bool { return row < 10 || row > 80 },
}

// Bodies that end rows, and loops, in each way. Field x is the number of the row.
var endingBodies = map[string]string{
	"each row stores":         "a.x = a.x + 1000",
	"some rows store":         "if a.x % 3 == 1 then b.x = a.x end",
	"each and some":           "a.y = a.x if a.x % 5 == 2 then b.y = a.x end",
	"a variable":              "sum = sum + a.x",
	"a break at once":         "a.y = 1 break",
	"a break in the middle":   "a.y = 1 if a.x == 40 then break end b.y = 2",
	"a break at a border":     "a.y = 1 if a.x == 63 then break end b.y = 2",
	"a break behind it":       "if a.x == 64 then break end a.y = 1",
	"a return in the middle":  "a.y = 1 if a.x == 41 then return a.x, e end b.y = 2",
	"a return at a border":    "if a.x == 127 then return a.x end a.y = 1",
	"a row that is left":      "a.y = 1 if a.x == 42 then a.x = numbers[9] end b.y = 2",
	"the first row is left":   "a.y = 1 if a.x == 0 then a.x = numbers[9] end b.y = 2",
	"the last row is left":    "b.y = 2 if a.x == 128 then a.x = numbers[9] end",
	"a loop within":           "for i = 1, a.x % 4 do a.y = a.y + i end",
	"commands":                `if a.x % 9 == 4 then world.commands:despawn(e) end a.y = 3`,
	"a tag that is asked for": `if world:tagged(e, "blue") then a.y = 1 end if a.x % 6 == 1 then world:tag(4294967297 + (a.x + 1), "blue") end`,
}

// numberedBed has rows whose field x is their number, in a table of its own for each count; those of a pattern are red.
func numberedBed(t testing.TB, rows []int, heap bool, red func(row, rows int) bool) *bed {
	t.Helper()
	var b *bed
	if n := 0; heap {
		b = heapBed(t, rows[0], "AB", true, 0, func() float64 { n++; return float64((n - 1) / 4) })
	} else {
		b = newBeds(t, rows, "AB", func() float64 { return 0 })
		for table := range b.query.Tables {
			for row := range table.Len() {
				_ = table.Column(b.ids[0]).Row(row).SetNumber(0, float64(row))
			}
		}
	}
	tags := map[string]ecs.TagID{}
	for _, name := range []string{"red", "blue"} {
		id, err := b.world.DeclareTag(name)
		if err != nil {
			t.Fatal(err)
		}
		tags[name] = id
	}
	if red == nil {
		return b
	}
	for table := range b.query.Tables {
		for row, e := range table.Entities() {
			if red(row, table.Len()) {
				b.world.Tag(e, tags["red"])
			}
		}
	}
	var err error
	if b.query, err = b.world.Query(ecs.Filter{Required: b.ids, Tagged: []ecs.TagID{tags["red"]}}); err != nil {
		t.Fatal(err)
	}
	return b
}

// sameRuns compares two runs of a body as closures and as machine code, with little fuel and without a limit.
func sameRuns(t *testing.T, what, body string, make func() *bed, fuels ...int64) {
	t.Helper()
	b, c := make(), make()
	p, template, reason := b.program(body)
	if reason != nil {
		t.Fatalf("%s: %v", body, reason)
	}
	q, _, _ := c.program(body) // of the other world
	closures := closures.Compile(p, b.budget)
	if Refusal(q, c.query, c.world) != "" {
		return
	}
	k := c.machine(q, packing.Forms, false)
	run := func(b *bed, p *ir.Program, code kernel.Kernel, fuel int64) string {
		for i := range p.Tables {
			code.SetTable(i, kernel.Elements{From: 1, Values: []float64{1, 2, 3}})
		}
		seen := b.trace(code, p, template, map[string]float64{"sum": 0.5}, fuel)
		for _, r := range code.Results() {
			seen += fmt.Sprintln("returns", r)
		}
		if err := b.world.Commands().Apply(); err != nil {
			t.Fatal(err)
		}
		return seen + b.world.Digest().String()
	}
	for _, fuel := range fuels {
		if want, got := run(b, p, closures, fuel), run(c, q, k, fuel); got != want {
			t.Errorf("%s, fuel %d: %s\n%s", what, fuel, body, differences(want, got))
			return
		}
	}
}

// Code does all rows of a table, or those that have a tag, as closures do them, and stamps exactly the rows that are written, however many there are and
// wherever the loop ends.
func TestRowsAtTheBordersOfWords(t *testing.T) {
	for name, body := range endingBodies {
		sameRuns(t, name+", all rows", body, func() *bed { return numberedBed(t, rowCounts, false, nil) }, 0, 300, 0)
		for rows, pattern := range patterns {
			sameRuns(t, name+", "+rows, body, func() *bed { return numberedBed(t, rowCounts, false, pattern) }, 0, 300, 0)
		}
		for _, rows := range []int{64, 65, 129} {
			sameRuns(t, fmt.Sprint(name, ", ", rows, " rows on the heap"), body, func() *bed { return numberedBed(t, []int{rows}, true, nil) }, 0, 300)
			sameRuns(t, fmt.Sprint(name, ", some of ", rows, " rows on the heap"), body, func() *bed { return numberedBed(t, []int{rows}, true, patterns["every seventh"]) }, 0, 300)
		}
	}
}

// The rows of a mask that are written are stamped, and no others.
func TestStampsOfMaskedRows(t *testing.T) {
	for _, rows := range rowCounts {
		for name, pattern := range patterns {
			for body, writes := range map[string]func(row int) bool{
				"a.y = 1":                            func(int) bool { return true },
				"if a.x % 3 == 1 then a.y = a.x end": func(row int) bool { return row%3 == 1 },
			} {
				for _, asMachineCode := range []bool{false, true} {
					b := numberedBed(t, []int{rows}, false, pattern)
					p, template, _ := b.program(body)
					var code kernel.Kernel = closures.Compile(p, b.budget)
					if asMachineCode {
						code = b.machine(p, packing.Forms, false)
					}
					b.trace(code, p, template, nil, 0)
					for table := range b.query.Tables {
						col := table.Column(b.ids[0])
						for row := range col.Len() {
							if want := pattern(row, rows) && writes(row); (col.Changed(row) == b.world.Tick()) != want {
								t.Errorf("%s, %s of %d rows, machine code %v: row %d is stamped: %v", body, name, rows, asMachineCode, row, !want)
							}
						}
					}
				}
			}
		}
	}
}

// With any fuel, code ends at the row at which closures end, and has used as much.
func TestFuelOfEachConstruct(t *testing.T) {
	for _, body := range []string{
		"a.x = a.x + 1",
		"if a.x > 3 then a.y = a.y + a.x elseif a.x > 2 then a.y = 1 end",
		"local n = 0 while n < a.x % 5 do n = n + 1 end a.y = n",
		"local n = 0 repeat n = n + 1 until n > a.x % 4 a.y = n",
		"for i = 1, a.x % 5 do a.y = a.y + i end",
		"for i = 1, 3 do a.y = a.y + i end",
		"for i = 1, 3 do for j = i, 3 do a.y = a.y + j end end",
		`for o, q in world:each("B") do a.y = a.y + q.x end`,
		`for o, q in world:each("B") do if q.x > a.x then break end a.y = a.y + 1 end`,
		`for o, q in world:each("B") do for i = 1, 2 do a.y = a.y + i end end`,
		"a.y = rise(a.x, 2) + cap(a.x)",
		"sum = sum + math.sin(a.x) * math.sqrt(a.x) % 3",
		`local o = world:get(4294967297 + (e + 1) % 9, "B") if o then o.x = o.x + 1 end`,
		`if world:alive(e) and world:has(e, "B") and not world:tagged(e, "blue") then a.y = 1 end`,
		`world.commands:set(e, "A", { x = a.x + 1 })`,
		"numbers[2] = numbers[2] + a.x",
		"a.y = ecs.random() + ecs.random(3)",
		"if a.x == 11 then return a.x end a.y = 1",
	} {
		fuels := []int64{}
		for fuel := int64(1); fuel < 400; fuel += 1 + fuel/40 {
			fuels = append(fuels, fuel)
		}
		sameRuns(t, "fuel", body, func() *bed { return numberedBed(t, []int{13, 4, 9}, false, nil) }, append(fuels, 1<<16, 0)...)
		sameRuns(t, "fuel of some rows", body, func() *bed { return numberedBed(t, []int{13, 4, 9}, false, patterns["every second"]) }, append(fuels, 1<<16, 0)...)
	}
}

// Rows are shared out when they are worth it and the budget suffices for all of them; the end is that of one core.
func TestShareAtTheBorders(t *testing.T) {
	pool := ecs.NewPool(2)
	defer pool.Close()
	for body, can := range map[string]bool{
		"a.y = a.x + 1": true,
		"if a.x % 3 == 1 then b.x = a.x end a.y = 2":                          true,
		"for i = 1, 5 do a.y = a.y + i end if a.x % 7 == 3 then b.y = 1 end":  true,
		"for i = 1, 2 do a.y = a.y + i end for i = 1, 3 do b.y = b.y + i end": true,
		"if a.x > 3 then goto next end a.y = 1 ::next::":                      true,
		`for o, q in world:each("B") do a.y = a.y + q.y end`:                  true,
		`for o, q in world:each("B") do b.y = b.y + q.y end`:                  false, // rows see what others store
		"sum = sum + a.x":                                                    false,
		"a.y = ecs.random()":                                                 true,
		"if a.x == 500 then break end a.y = 1":                               false,
		"if a.x == 500 then return 1 end a.y = 1":                            false,
		"for i = 1, a.x % 3 do a.y = i end":                                  true,
		"for i = 1, 2 do if a.x > 3 then goto next end a.y = 1 ::next:: end": true,
		"local n = 0 while n < 3 do n = n + 1 end a.y = n":                   true,
		"for i = 1, 2 do for j = 1, 2 do a.y = a.y + i * j end end":          true,
		"a.y = numbers[1]":                                                   true,
		"numbers[1] = a.x":                                                   true, // it is only written
		"numbers[1] = numbers[1] + a.x":                                      false,
		"if a.x > 3 then a.y = ecs.random(6) end":                            false,
		"if a.x > 3 then a.y = ecs.random(6) else b.y = ecs.random() end":    true,
		"for i = 1, 3 do a.y = a.y + ecs.random(1, 10) end":                  true,
		`local o = world:get(e, "B") if o then a.y = o.x end`:                true,
		"world.commands:despawn(e)":                                          true,
	} {
		for _, rows := range []int{9, 10, 64, 65, 513} {
			certain := false
			run := func(fuel int64, asMachineCode bool) (seen string, used int64, shared bool) {
				b := numberedBed(t, []int{rows, 12}, false, nil)
				p, template, reason := b.program(body)
				if reason != nil {
					t.Fatalf("%s: %v", body, reason)
				}
				var code kernel.Kernel = closures.Compile(p, b.budget)
				if asMachineCode {
					k := b.machine(p, packing.Forms, false)
					k.sharing.pool, k.unit.Nanoseconds = pool, worthwhile/10
					certain = k.certain()
					defer func() { shared = len(k.sharing.workers) > 0 }()
					code = k
				}
				for i := range p.Tables {
					code.SetTable(i, kernel.Elements{From: 1, Values: []float64{1, 2, 3}})
				}
				seen = b.trace(code, p, template, map[string]float64{"sum": 0}, fuel)
				return seen, b.budget.Used(), false
			}
			_, used, _ := run(0, false)
			first := used / int64(rows+12) * int64(rows) // what the rows of the first table cost
			fuels := []int64{0, first - 1, first, used - 1, used}
			if !can {
				fuels = fuels[:2]
			}
			for _, fuel := range fuels {
				want, _, _ := run(fuel, false)
				got, _, shared := run(fuel, true)
				if got != want {
					t.Errorf("%s, %d rows, fuel %d\n%s", body, rows, fuel, differences(want, got))
				}
				if should := can && (fuel == 0 || fuel >= used || fuel >= first && rows >= 10); shared != should && (certain || should || !can) { // others may be shared in vain
					t.Errorf("%s, %d rows, fuel %d of %d: shared out %v", body, rows, fuel, used, shared)
				}
			}
		}
	}
}

// Paying for rows afterwards takes the fuel as if they had run one after the other.
func TestPayRowByRow(t *testing.T) {
	b := numberedBed(t, []int{20}, false, nil)
	p, _, _ := b.program("for i = 1, 3 do a.y = a.y + i end for i = 1, 2 do a.y = a.y - i end")
	k := b.machine(p, packing.Forms, false)
	if len(k.unit.FuelChecks) != 3 {
		t.Fatalf("tolls: %v", k.unit.FuelChecks)
	}
	cost, ok := k.affords(1)
	if !ok {
		t.Fatal("the budget has no limit")
	}
	state := func() string { return fmt.Sprint(k.budget.Used(), k.frame.Fuel.Granted, *k.frame.Fuel.Left) }
	for _, fuel := range []int64{0, 1, cost - 1, cost, cost + 1, 3*cost - 1, 3 * cost, 3*cost + 2, abi.Grain} {
		for _, n := range []int{1, 2, 3, 4, 7} {
			begin := func() {
				k.budget.Reset(1 << 40)
				k.frame.Fuel.Grant()
				*k.frame.Fuel.Left = fuel
			}
			begin()
			k.frame.Fuel.Pay(cost * int64(n))
			got := state()
			begin()
			for range n {
				for _, fuelCheck := range k.unit.FuelChecks {
					for range k.iterations(fuelCheck) {
						k.frame.Fuel.Pay(fuelCheck.Price)
					}
				}
			}
			if want := state(); got != want {
				t.Errorf("%d rows with %d fuel: used, granted and left %s, want %s", n, fuel, got, want)
			}
		}
	}
	k.budget.Reset(5 * cost)
	k.frame.Fuel.Grant()
	for n, want := range map[int]bool{4: true, 5: true, 6: false} {
		if _, ok := k.affords(n); ok != want {
			t.Errorf("the budget of 5 rows suffices for %d: %v", n, ok)
		}
	}
	for ns, want := range map[float64]int{0: abi.MostRows, 1: abi.MostRows, 100: 2000, 1e4: 20, 2e5: 1, 1e9: 1, math.Inf(1): 1} {
		k.unit.Nanoseconds = ns
		if got := k.brief(); got != want {
			t.Errorf("rows of %v ns: %d at a time, want %d", ns, got, want)
		}
	}
}
