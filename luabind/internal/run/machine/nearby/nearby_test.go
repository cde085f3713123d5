package nearby

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

type (
	place struct{ X, Y float64 }
	small struct {
		Side  uint8
		Brave bool
	}
)

// Where things lie in the memory of a test. An entity's slot is a word that is 1 if it lives, and the address of its small, 0 if it has none.
const (
	viewAt   = 64 // also the offset in the frame, which lies at 0
	slotsAt  = 1 << 12
	smallsAt = 1 << 15
	pointsAt = 1 << 16
	startsAt = 1 << 18
	cachedAt = 1 << 19
	listAt   = 3 << 18
	cacheAt  = 1 << 20
	pages    = 64
)

// ground is a world with a grid, and code that lists who is near in it.
type ground struct {
	t      *testing.T
	world  *ecs.World
	grid   *ecs.Grid
	place  ecs.Component[place]
	small  ecs.Component[small]
	all    []ecs.Entity
	memory api.Memory
	list   api.Function
	size   uint32 // of a record
	reach  uint32 // address to which the code writes Filter.Reach; 0: there is no filter
}

// newGround makes a ground of some entities on a lattice, of which some have no small, some lie nowhere, and some have died since the snapshot.
// filter makes the condition of the loop; nil for none. inv is local 4 of the code, an argument.
func newGround(t *testing.T, n int, filter func(load, present, brave *ir.Expr) *ir.Expr) *ground {
	t.Helper()
	g := &ground{t: t, world: ecs.NewWorld(ecs.Options{Seed: 3})}
	g.place, g.small = ecs.MustRegister[place](g.world, "Place"), ecs.MustRegister[small](g.world, "Small")
	var err error
	if g.grid, err = g.world.DeclareGrid(ecs.GridSpec{Name: "g", Component: g.place.ID(), X: "x", Y: "y", Cell: 3}); err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(uint64(n), 5))
	for i := range n {
		at := place{float64(rng.IntN(40)), float64(rng.IntN(25))}
		if i%17 == 5 {
			at.X = math.NaN()
		}
		b := g.place.With(g.world.Build(), at)
		if rng.IntN(4) > 0 {
			side := uint8(0)
			if at.X > 25 || rng.IntN(9) == 0 {
				side = uint8(rng.IntN(3))
			}
			b = g.small.With(b, small{side, rng.IntN(2) == 0})
		}
		e, err := b.Spawn()
		if err != nil {
			t.Fatal(err)
		}
		g.all = append(g.all, e)
	}
	g.compile(filter)
	g.write(rng)
	return g
}

// compile makes the function list(frame, x, y, radius, inv), which returns where the list ends.
func (g *ground) compile(filter func(load, present, brave *ir.Expr) *ir.Expr) {
	info, _ := g.world.ComponentInfo(g.small.ID())
	fields := info.Schema.Fields()
	p := &ir.Program{Numbers: 3, Refs: []ir.Ref{{Component: g.small.ID(), Schema: info.Schema, Query: -1}}}
	s := &ir.Stmt{Op: ir.Near, I: 0, J: 1, Grid: g.grid, Body: []*ir.Stmt{{Op: ir.Look, I: 0, A: &ir.Expr{Op: ir.Reg}}}}
	if filter != nil {
		s.Args = []*ir.Expr{filter(&ir.Expr{Op: ir.Load, Field: &fields[0]}, &ir.Expr{Op: ir.Present, Type: ir.Bool}, &ir.Expr{Op: ir.Load, Type: ir.Bool, Field: &fields[1]})}
	}
	p.Body = []*ir.Stmt{s}
	f := &wasm.Function{Params: []byte{wasm.I32, wasm.F64, wasm.F64, wasm.F64, wasm.F64}, Results: []byte{wasm.I32}}
	around := &plainAround{Function: f, count: f.Local(wasm.I32)}
	f.I32(int32(1 << 20))
	f.Set(around.count)
	w := New(f, p, around)
	to := f.Local(wasm.I32)
	f.I32(listAt)
	f.Set(to)
	c := w.NewFilter(s)
	if c != nil {
		c.Holds = func(record int, offset uint32, d2 int) { test(w, s.Filter(), record, offset, d2) }
		if _, demand := Demands(p, s); demand != nil {
			c.Demand = func(record int) { test(w, demand, record, 0, 0) }
		}
	}
	w.List(viewAt, 1, 2, 3, to, c)
	if c != nil {
		g.reach = 32
		f.I32(int32(g.reach))
		f.Get(c.Reach)
		f.Memory(wasm.I32Store, 0)
	}
	f.Get(to)
	g.size = w.RecordSize()
	m := &wasm.Module{Pages: pages, Functions: []*wasm.Function{f}, Exports: []string{"list"}}
	ctx := context.Background()
	r := wazero.NewRuntime(ctx)
	g.t.Cleanup(func() { _ = r.Close(ctx) })
	instance, err := r.Instantiate(ctx, m.Bytes())
	if err != nil {
		g.t.Fatal(err)
	}
	g.memory, g.list = instance.Memory(), instance.ExportedFunction("list")
}

// test writes a condition. Register 2 is the argument inv.
func test(w *Writer, x *ir.Expr, record int, offset uint32, d2 int) {
	switch x.Op {
	case ir.And, ir.Or:
		test(w, x.A, record, offset, d2)
		test(w, x.B, record, offset, d2)
		if x.Op == ir.And {
			w.Op(wasm.I32And)
		} else {
			w.Op(wasm.I32Or)
		}
	case ir.Not:
		test(w, x.A, record, offset, d2)
		w.Op(wasm.I32Eqz)
	case ir.Present:
		w.LoadPresent(record, offset, x.I)
		w.Op(wasm.I32Eqz, wasm.I32Eqz)
	case ir.Load:
		w.LoadValue(record, offset, x)
	case ir.Equal:
		w.LoadValue(record, offset, x.A)
		w.Get(4)
		w.Op(wasm.F64Eq)
	case ir.Less:
		w.Get(d2)
		w.F64(x.B.N)
		w.Op(wasm.F64Lt)
	default:
		panic("a condition of an unknown kind")
	}
}

// plainAround knows the memory of a ground.
type plainAround struct {
	*wasm.Function
	count int
}

func (a *plainAround) Zero()                      { a.F64(0) }
func (a *plainAround) Word(abi.WordKind, int) int { return a.count }

func (a *plainAround) IfLives(handle, at int, do func()) {
	a.Get(handle)
	a.Op(wasm.I32WrapI64)
	a.I32(8)
	a.Op(wasm.I32Mul)
	a.I32(slotsAt)
	a.Op(wasm.I32Add)
	a.Tee(at)
	a.Memory(wasm.I32Load, 0)
	a.Then(wasm.Void)
	do()
	a.End()
}

func (a *plainAround) ColumnRow(slot int, _ ecs.ComponentID, _ int32, at int) {
	a.Get(slot)
	a.Memory(wasm.I32Load, 4)
	a.Set(at)
}

func (a *plainAround) HasTag(int, uint32, int) { panic("no test has tags") }

func (a *plainAround) ReadField(f *ecs.Field, at uint32) {
	a.Memory(wasm.I32Load8U, at)
	if f.Type != ecs.Bool {
		a.Op(wasm.F64ConvertI32S)
	}
}

// write copies the snapshot into the memory, and lets some entities die.
func (g *ground) write(rng *rand.Rand) {
	if err := g.grid.Ready(); err != nil {
		g.t.Fatal(err)
	}
	for i, e := range g.all {
		at := uint32(smallsAt + 4*i)
		slot := uint32(slotsAt + 8*e.Index())
		if s := g.small.Get(e); s != nil {
			g.memory.Write(at, []byte{s.Side, map[bool]byte{true: 1}[s.Brave]})
			g.memory.WriteUint32Le(slot+4, at)
		}
		g.memory.WriteUint32Le(slot, 1)
		if rng.IntN(10) == 0 {
			g.memory.WriteUint32Le(slot, 0)
			g.all[i] = ecs.None
		}
	}
	raw := ecs.Raw.Grid(g.grid)
	if raw.N == 0 {
		return
	}
	g.memory.Write(pointsAt, unsafe.Slice((*byte)(raw.Points), raw.N*int(ecs.PointSize)))
	g.memory.Write(startsAt, unsafe.Slice((*byte)(raw.Starts), 4*(raw.Cols*raw.Rows+1)))
	v := abi.GridView{Ready: 1, Points: pointsAt, Starts: startsAt, List: listAt, Cache: cacheAt, Cached: cachedAt, LastCol: uint32(raw.Cols - 1), LastRow: uint32(raw.Rows - 1), MinX: raw.MinX, MinY: raw.MinY, Cell: raw.Cell}
	g.memory.Write(viewAt, unsafe.Slice((*byte)(unsafe.Pointer(&v)), unsafe.Sizeof(v)))
}

// compare compares the list of the code with the entities that Near finds, less the dead and those for which keep is false.
func (g *ground) compare(x, y, radius, inv float64, keep func(s *small, d2 float64) bool) {
	g.t.Helper()
	type found struct {
		e  ecs.Entity
		d2 float64
	}
	var want, got []found
	g.grid.Near(x, y, radius, func(e ecs.Entity, d2 float64) bool {
		if slices.Contains(g.all, e) && keep(g.small.Get(e), d2) {
			want = append(want, found{e, d2})
		}
		return true
	})
	out, err := g.list.Call(context.Background(), 0, math.Float64bits(x), math.Float64bits(y), math.Float64bits(radius), math.Float64bits(inv))
	if err != nil {
		g.t.Fatal(err)
	}
	for at := uint32(listAt); at < uint32(out[0]); at += uint32(abi.FoundSize) {
		record, _ := g.memory.ReadUint32Le(at + abi.FoundNeighbour)
		d2, _ := g.memory.ReadFloat64Le(at + abi.FoundD2)
		e, _ := g.memory.ReadFloat64Le(record + g.size - 8)
		got = append(got, found{ecs.Entity(e), d2})
	}
	if !slices.Equal(got, want) {
		g.t.Fatalf("%v, %v within %v, %v: %d found, want %d\n%v\n%v", x, y, radius, inv, len(got), len(want), got, want)
	}
	if g.reach == 0 {
		return
	}
	if reach, _ := g.memory.ReadUint32Le(g.reach); int(reach) != ecs.Raw.PointsInReach(g.grid, x, y, radius) {
		g.t.Fatalf("%v, %v within %v: %d points are in reach, want %d", x, y, radius, reach, ecs.Raw.PointsInReach(g.grid, x, y, radius))
	}
}

// everywhere calls compare for points and radii of all kinds.
func (g *ground) everywhere(keep func(s *small, d2, inv float64) bool) {
	g.t.Helper()
	rng := rand.New(rand.NewPCG(8, 9))
	for i := range 150 {
		x, y, radius, inv := rng.Float64()*60-10, rng.Float64()*45-10, rng.Float64()*14, float64(rng.IntN(4))
		switch i % 25 {
		case 3:
			radius = -1
		case 4:
			radius = math.NaN()
		case 5:
			radius = math.Inf(1)
		case 6:
			x = math.NaN()
		case 7:
			x = math.Inf(-1)
		case 8:
			radius = 0
		case 9:
			inv = math.NaN()
		}
		g.compare(x, y, radius, inv, func(s *small, d2 float64) bool { return keep(s, d2, inv) })
	}
}

func TestListsOfNear(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 60, 500} {
		newGround(t, n, nil).everywhere(func(*small, float64, float64) bool { return true })
	}
}

// The code lists what the filter lets through, in the same order, whether or not the filter demands a value and so has runs.
func TestListsWithFilters(t *testing.T) {
	inv := &ir.Expr{Op: ir.Reg, I: 2}
	both := func(a, b *ir.Expr) *ir.Expr { return &ir.Expr{Op: ir.And, Type: ir.Bool, A: a, B: b} }
	not := func(a *ir.Expr) *ir.Expr { return &ir.Expr{Op: ir.Not, Type: ir.Bool, A: a} }
	same := func(load *ir.Expr) *ir.Expr { return &ir.Expr{Op: ir.Equal, Type: ir.Bool, A: load, B: inv} }
	closer := &ir.Expr{Op: ir.Less, Type: ir.Bool, A: &ir.Expr{Op: ir.Reg, I: 1}, B: &ir.Expr{Op: ir.Const, N: 9}}
	for name, c := range map[string]struct {
		filter func(load, present, brave *ir.Expr) *ir.Expr
		keep   func(s *small, d2, inv float64) bool
	}{
		"a distance":  {func(_, _, _ *ir.Expr) *ir.Expr { return closer }, func(_ *small, d2, _ float64) bool { return d2 < 9 }},
		"a component": {func(_, present, _ *ir.Expr) *ir.Expr { return present }, func(s *small, _, _ float64) bool { return s != nil }},
		"none":        {func(_, present, _ *ir.Expr) *ir.Expr { return not(present) }, func(s *small, _, _ float64) bool { return s == nil }},
		"only": {
			func(load, present, _ *ir.Expr) *ir.Expr { return both(present, same(load)) },
			func(s *small, _, inv float64) bool { return s != nil && float64(s.Side) == inv },
		},
		"except": {
			func(load, present, _ *ir.Expr) *ir.Expr { return both(closer, both(present, not(same(load)))) },
			func(s *small, d2, inv float64) bool { return s != nil && float64(s.Side) != inv && d2 < 9 },
		},
		"a value of what lacks it": {
			func(load, _, _ *ir.Expr) *ir.Expr { return same(load) },
			func(s *small, _, inv float64) bool { return s == nil && inv == 0 || s != nil && float64(s.Side) == inv },
		},
		"a boolean": {
			func(load, present, brave *ir.Expr) *ir.Expr { return both(both(present, same(load)), brave) },
			func(s *small, _, inv float64) bool { return s != nil && float64(s.Side) == inv && s.Brave },
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, n := range []int{0, 1, 2, 60, 500} {
				newGround(t, n, c.filter).everywhere(c.keep)
			}
		})
	}
}
