package luabind

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/ecsrun/ecsrun/ecs"
	lua "github.com/yuin/gopher-lua"
)

// Loops that miss their bars in docs/benchmarks.md, beside the same work written by hand in Go: over the same columns with their
// stamps, the same immutable tables in fields, the same tables of gopher-lua. What is by hand knows everything beforehand, and
// checks nothing. Between two turns, as much memory as 37 other systems use is read, so that both begin with cold caches, as in a
// frame; "warm" is without.

type handHp struct {
	V, D float64
	N    int32
}

type handEff struct {
	Kind, Other string
	ID          int32
	OtherE      ecs.Entity
}

type handBag struct{ Items *ecs.Data }

// A handWork is a loop, and a function that makes its Go twin for a world.
type handWork struct {
	name, lua string
	twin      func(w *ecs.World) func(dt float64)
}

var handWorks = []handWork{
	{"str_compare", `for e, hp, eff in world:each("Hp", "Eff") do
		if eff.kind == "fire" then hp.v = hp.v - 4 * dt elseif eff.kind == "ice" then hp.v = hp.v - dt end
	end`, func(w *ecs.World) func(float64) {
		q := must(ecs.NewQuery2[handHp, handEff](w))
		hps := must(ecs.Register[handHp](w, "Hp"))
		return func(dt float64) {
			for e := q.Start(); e.Ok(); e = e.Next() {
				_, eff := e.Get()
				switch eff.Kind {
				case "fire":
					hps.Get(e.Entity()).V -= 4 * dt
				case "ice":
					hps.Get(e.Entity()).V -= dt
				}
			}
		}
	}},
	{"table_read", `for e, hp, bag in world:each("Hp", "Bag") do
		local s = 0
		local items = bag.items
		for i = 1, #items do s = s + items[i].w end
		hp.v = s
	end`, func(w *ecs.World) func(float64) {
		q := must(ecs.NewQuery2[ecs.Mut[handHp], handBag](w))
		key := ecs.Text("w")
		return func(float64) {
			for e := q.Start(); e.Ok(); e = e.Next() {
				hp, bag := e.Get()
				sum := 0.0
				for i := range bag.Items.Entries() {
					sum += bag.Items.Entries()[i].Value.Data().Get(key).Float()
				}
				hp.V.V = sum
			}
		}
	}},
	{"change_records", `for e, hp, bag in world:each("Hp", "Bag") do
		local items = bag.items
		for i = 1, #items do
			local item = items[i]
			item.w = item.w - dt
			hp.v = hp.v - item.w
		end
		bag.items = items
	end`, func(w *ecs.World) func(float64) {
		q := must(ecs.NewQuery2[ecs.Mut[handHp], ecs.Mut[handBag]](w))
		key := ecs.Text("w")
		var list, record []ecs.DataEntry // memory; NewData copies them
		return func(dt float64) {
			for e := q.Start(); e.Ok(); e = e.Next() {
				hp, bag := e.Get()
				list = list[:0]
				for _, item := range bag.V.Items.Entries() {
					record = append(record[:0], item.Value.Data().Entries()...)
					for i := range record {
						if record[i].Key == key {
							v := record[i].Value.Float() - dt
							record[i].Value = ecs.Number(v)
							hp.V.V -= v
						}
					}
					list = append(list, ecs.DataEntry{Key: item.Key, Value: ecs.TableOf(must(ecs.NewData(record)))})
				}
				bag.V.Items = must(ecs.NewData(list))
			}
		}
	}},
	{"make_table", `local list, n = {}, 0
	for e, hp in world:each("Hp") do
		n = n + 1
		list[n] = { e = e, v = hp.v }
	end`, func(w *ecs.World) func(float64) {
		q := must(ecs.NewQuery1[handHp](w))
		return func(float64) {
			list, n := &lua.LTable{Metatable: lua.LNil}, 0
			for e := q.Start(); e.Ok(); e = e.Next() {
				t := &lua.LTable{Metatable: lua.LNil}
				t.RawSetString("e", lua.LNumber(e.Entity().Number()))
				t.RawSetString("v", lua.LNumber(e.Get().V))
				n++
				list.RawSetInt(n, t)
			}
		}
	}},
	{"set_bool", `local seen = {}
	for e, hp in world:each("Hp") do
		if hp.v > 0 then seen[e] = true end
	end`, func(w *ecs.World) func(float64) {
		q := must(ecs.NewQuery1[handHp](w))
		return func(float64) {
			seen := &lua.LTable{Metatable: lua.LNil}
			for e := q.Start(); e.Ok(); e = e.Next() {
				if e.Get().V > 0 {
					seen.RawSet(lua.LNumber(e.Entity().Number()), lua.LTrue)
				}
			}
		}
	}},
}

// coldBytes is how much other memory is read between two turns.
const coldBytes = 8 << 20

func BenchmarkByHand(b *testing.B) {
	const n = 2000
	other := make([]uint64, coldBytes/8)
	for _, work := range handWorks {
		for _, cold := range []bool{true, false} {
			b.Run(fmt.Sprintf("%s/%s", work.name, map[bool]string{true: "cold", false: "warm"}[cold]), func(b *testing.B) {
				w := ecs.NewWorld(ecs.Options{Seed: 1, Memory: NewMemory()})
				spawnHand(b, w, n)
				frame, twin := frameOf(b, w, Auto, "return function(world, dt) "+work.lua+" end"), work.twin(w)
				var ours, hand []float64
				timed := func(into *[]float64, run func()) {
					for i := 0; cold && i < len(other); i += 8 {
						other[i]++
					}
					begin := time.Now()
					run()
					*into = append(*into, float64(time.Since(begin).Nanoseconds())/n)
				}
				b.ReportAllocs()
				for b.Loop() {
					timed(&ours, frame)
					timed(&hand, func() { twin(1.0 / 60) })
				}
				slices.Sort(ours)
				slices.Sort(hand)
				b.ReportMetric(ours[len(ours)/10], "ns/entity")
				b.ReportMetric(hand[len(hand)/10], "by-hand-ns/entity")
				b.ReportMetric(ours[len(ours)/10]/hand[len(hand)/10], "ratio")
			})
		}
	}
}

// spawnHand makes the entities of the constructs in docs/benchmarks.md.
func spawnHand(b *testing.B, w *ecs.World, n int) {
	b.Helper()
	must(ecs.Register[handHp](w, "Hp"))
	must(ecs.Register[handEff](w, "Eff"))
	must(ecs.Register[handBag](w, "Bag"))
	record := func(weight float64, kind string) ecs.Value {
		return ecs.TableOf(must(ecs.NewData([]ecs.DataEntry{{Key: ecs.Text("w"), Value: ecs.Number(weight)}, {Key: ecs.Text("k"), Value: ecs.Text(kind)}})))
	}
	spawner := must(ecs.NewSpawner3[handHp, handEff, handBag](w))
	kinds := []string{"fire", "ice", "acid"}
	for i := range n {
		items := must(ecs.NewData([]ecs.DataEntry{
			{Key: ecs.Number(1), Value: record(float64(i), "a")}, {Key: ecs.Number(2), Value: record(1, "b")},
		}))
		spawner.Spawn(handHp{V: float64(i%400 + 1), D: float64(i % 7), N: 7}, handEff{Kind: kinds[i%3], ID: int32(i%3 + 1)}, handBag{items})
	}
}
