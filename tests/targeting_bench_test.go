package tests

import (
	"context"
	"io"
	"math"
	"testing"
	"time"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/ecs/native"
	"github.com/ecsrun/ecsrun/luabind"
	"github.com/ecsrun/ecsrun/luabind/worldfile"
)

// A turn of the arena's system "targeting" in the middle of a battle of 50,000: native, in Lua, and as a search written by hand over plain
// slices, with the same radii in the same order. All other systems are disabled while it is measured.
//
// The three take turns, and the quickest turn of each eighth of the soldiers counts: what else the machine does meets all alike.
func BenchmarkTargeting(b *testing.B) {
	const rounds = 12
	native, w := battle(b, "native")
	auto, _ := battle(b, "auto")
	f := newFloor(w)
	for range 2 * eighths { // what the search chooses is what the system chooses
		native()
		auto()
		f.turn(w.Frame())
		if e, ok := f.differs(); ok {
			b.Fatalf("the target of %v differs", e)
		}
	}
	looked := f.points
	ways := []struct {
		name string
		turn func()
		took [eighths]time.Duration
	}{{name: "native", turn: native}, {name: "auto", turn: auto}, {name: "floor", turn: func() { f.turn(w.Frame()) }}}
	for round := range rounds {
		for slot := range eighths {
			for i := range ways {
				began := time.Now()
				ways[i].turn()
				if took := time.Since(began); round == 0 || took < ways[i].took[slot] {
					ways[i].took[slot] = took
				}
			}
		}
	}
	for _, way := range ways {
		b.Run(way.name, func(b *testing.B) {
			for b.Loop() { // all is measured
			}
			total := time.Duration(0)
			for _, took := range way.took {
				total += took
			}
			b.ReportMetric(float64(total.Nanoseconds())/eighths, "quickest-ns/turn")
			b.ReportMetric(0, "ns/op")
			if way.name == "floor" {
				b.ReportMetric(float64(looked)/(2*eighths), "points/turn")
			}
		})
	}
}

// eighths is how many turns it takes until each soldier has looked round.
const eighths = 8

// battle returns a function that runs a frame of the arena in which only "targeting" runs, after 60 frames of battle.
func battle(b *testing.B, impl string) (frame func(), w *ecs.World) {
	b.Helper()
	over := config.Overrides{Set: []string{"systems.targeting.impl=" + impl, "limits.system_time=600s"}}
	rt, c, err := worldfile.Open("../config/arena.yaml", over, luabind.Options{Stdout: io.Discard, Natives: native.Systems()})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = rt.Close() })
	ctx := context.Background()
	if err := rt.Start(ctx); err != nil {
		b.Fatal(err)
	}
	frame = func() {
		if err := rt.Frame(ctx, c.Run.DT); err != nil {
			b.Fatal(err)
		}
	}
	for range 60 {
		frame()
	}
	for _, s := range c.Systems {
		if sys := rt.Schedule().Find(s.Name); sys != nil && s.Name != "targeting" {
			sys.SetEnabled(false)
		}
	}
	frame()
	return frame, rt.World()
}

// floor is the search by hand: what ecs/native/targeting.go asks of the grid, over slices.
type floor struct {
	position []native.Position
	soldier  []native.Soldier
	weapon   []native.Weapon
	target   []ecs.Entity
	entity   []ecs.Entity
	index    map[ecs.Entity]int
	world    *ecs.World
	goalX    [2]float64

	all          []point // everything with a position
	sorted       []point
	cells        []int32
	starts       []int32
	cols, rows   int
	minX, minY   float64
	points       int
	targetHandle ecs.Component[native.Target]
}

type point struct {
	x, y float64
	id   ecs.Entity
	side int32 // -1: no soldier
}

func newFloor(w *ecs.World) *floor {
	f := &floor{world: w, index: map[ecs.Entity]int{}}
	pos, _ := ecs.Register[native.Position](w, "Position")
	soldier, _ := ecs.Register[native.Soldier](w, "Soldier")
	weapon, _ := ecs.Register[native.Weapon](w, "Weapon")
	f.targetHandle, _ = ecs.Register[native.Target](w, "Target")
	for e := range w.Entities {
		p := pos.Get(e)
		if p == nil {
			continue
		}
		side := int32(-1)
		if s := soldier.Get(e); s != nil {
			side = int32(s.Side)
			f.index[e] = len(f.entity)
			f.position, f.soldier, f.weapon = append(f.position, *p), append(f.soldier, *s), append(f.weapon, *weapon.Get(e))
			f.target, f.entity = append(f.target, f.targetHandle.Get(e).Entity), append(f.entity, e)
		}
		f.all = append(f.all, point{p.X, p.Y, e, side})
	}
	number := func(name string) float64 {
		id, _ := w.LookupResource(name)
		return w.Resource(id).Get(0).Float()
	}
	f.goalX = [2]float64{number("stags_x"), number("ravens_x")}
	return f
}

func (f *floor) turn(frame uint64) {
	f.sort()
	slot := uint8(frame % eighths)
	for i := range f.soldier {
		me := &f.soldier[i]
		if me.Slot != slot {
			continue
		}
		at := f.position[i]
		if t := f.target[i]; t != ecs.None {
			if j, ok := f.index[t]; ok { // seldom enough
				dx, dy := f.position[j].X-at.X, f.position[j].Y-at.Y
				if dx*dx+dy*dy <= f.weapon[i].Reach*f.weapon[i].Reach {
					continue
				}
			}
		}
		f.target[i] = f.look(at, int32(me.Side), f.weapon[i].Reach)
	}
}

const floorCell = 5

func (f *floor) sort() {
	minX, minY, maxX, maxY := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for i := range f.all {
		p := &f.all[i]
		minX, maxX, minY, maxY = min(minX, p.x), max(maxX, p.x), min(minY, p.y), max(maxY, p.y)
	}
	f.minX, f.minY = minX, minY
	f.cols, f.rows = int((maxX-minX)/floorCell)+1, int((maxY-minY)/floorCell)+1
	if cap(f.starts) < f.cols*f.rows+1 {
		f.starts, f.cells, f.sorted = make([]int32, f.cols*f.rows+1), make([]int32, len(f.all)), make([]point, len(f.all))
	}
	clear(f.starts)
	for i := range f.all {
		c := int((f.all[i].y-minY)/floorCell)*f.cols + int((f.all[i].x-minX)/floorCell)
		f.cells[i] = int32(c)
		f.starts[c+1]++
	}
	for i := 1; i < len(f.starts); i++ {
		f.starts[i] += f.starts[i-1]
	}
	for i, p := range f.all {
		f.sorted[f.starts[f.cells[i]]] = p
		f.starts[f.cells[i]]++
	}
	copy(f.starts[1:], f.starts)
	f.starts[0] = 0
}

func (f *floor) column(v, low float64, n int) int {
	return max(0, min(n-1, int(math.Floor((v-low)/floorCell))))
}

func (f *floor) look(at native.Position, side int32, reach float64) (enemy ecs.Entity) {
	best, comrades, ahead := math.MaxFloat64, 0, f.goalX[side]-at.X
	f.near(at, 4, func(row []point) {
		for i := range row {
			p := &row[i]
			dx, dy := p.x-at.X, p.y-at.Y
			d2 := dx*dx + dy*dy
			if d2 > 16 || p.side < 0 {
				continue
			}
			if p.side == side {
				if d2 < 4 && dx*ahead > 0 {
					comrades++
				}
			} else if d2 < best {
				enemy, best = p.id, d2
			}
		}
	})
	if enemy != ecs.None || comrades > 3 && reach <= 4 {
		return enemy
	}
	far := max(14, reach)
	r2 := far * far
	f.near(at, far, func(row []point) {
		for i := range row {
			p := &row[i]
			dx, dy := p.x-at.X, p.y-at.Y
			d2 := dx*dx + dy*dy
			if d2 <= r2 && d2 < best && p.side >= 0 && p.side != side {
				enemy, best = p.id, d2
			}
		}
	})
	return enemy
}

func (f *floor) near(at native.Position, r float64, visit func(row []point)) {
	x0, x1 := f.column(at.X-r, f.minX, f.cols), f.column(at.X+r, f.minX, f.cols)
	y0, y1 := f.column(at.Y-r, f.minY, f.rows), f.column(at.Y+r, f.minY, f.rows)
	for y := y0; y <= y1; y++ {
		row := f.sorted[f.starts[y*f.cols+x0]:f.starts[y*f.cols+x1+1]]
		f.points += len(row)
		visit(row)
	}
}

func (f *floor) differs() (ecs.Entity, bool) {
	for i, e := range f.entity {
		if f.targetHandle.Get(e).Entity != f.target[i] {
			return e, true
		}
	}
	return ecs.None, false
}
