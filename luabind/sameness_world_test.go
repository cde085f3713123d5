package luabind

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
)

// A landscape is the world of random systems, drawn from a seed: components with
// fields of all types, resources, an event, and how many entities have what.
type landscape struct {
	seed      uint64
	parts     []part
	resources []ecs.Field
	hit       []ecs.Field // of the event Hit
	tables    []crowd
	large     bool // enough rows that cores share them
	inherits  bool // some entities have a base
	heap      bool // columns lie on Go's heap
	settle    bool
	floats    bool // fields are f64 and f32, and tables long: what is packed

	together Compiled // of the Runtimes with cores
}

// A part is a component.
type part struct {
	name   string
	fields []ecs.Field
}

// A crowd is the entities of a table.
type crowd struct {
	parts []int
	n     int
}

var plainTypes = []ecs.FieldType{ecs.F64, ecs.F64, ecs.F32, ecs.I32, ecs.U32, ecs.I16, ecs.U16, ecs.I8, ecs.U8, ecs.Bool, ecs.EntityField}

func newLandscape(seed uint64) *landscape {
	rng := rand.New(rand.NewPCG(seed, 11))
	l := &landscape{seed: seed, large: rng.IntN(60) == 0, inherits: rng.IntN(6) == 0, heap: rng.IntN(6) == 0, settle: rng.IntN(4) == 0}
	l.floats = rng.IntN(4) == 0
	types := plainTypes
	if rng.IntN(4) == 0 {
		types = append(slices.Clone(types), ecs.String, ecs.String, ecs.I64, ecs.U64)
	}
	some := func(n int, types ...ecs.FieldType) (out []ecs.Field) {
		for range n {
			out = append(out, ecs.Field{Type: types[rng.IntN(len(types))]})
		}
		return out
	}
	named := func(fields []ecs.Field) []ecs.Field {
		for i := range fields {
			f := &fields[i]
			f.Name = fmt.Sprintf("%v%c", f.Type, 'a'+i)
			if rng.IntN(8) == 0 {
				f.Default = map[bool]ecs.Value{true: ecs.Number(3)}[f.Type.Numeric()]
			}
		}
		return fields
	}
	for i := range 2 + rng.IntN(4) {
		var fields []ecs.Field
		switch n := rng.IntN(6); {
		case i == 0: // the grid is over its first two
			fields = append(some(2, ecs.F64), some(rng.IntN(5), types...)...)
		case n == 0:
			fields = some(1+rng.IntN(4), ecs.F64)
		case n == 1:
			fields = some(1+rng.IntN(4), ecs.F32)
		case n == 2 && i > 1:
			fields = some(rng.IntN(2), types...)
		default:
			fields = some(1+rng.IntN(7), types...)
		}
		if l.floats {
			same := []ecs.FieldType{ecs.F64, ecs.F64, ecs.F32}[rng.IntN(3)]
			if i == 0 {
				same = ecs.F64
			}
			fields = some(2+rng.IntN(3), same)
		}
		l.parts = append(l.parts, part{string(rune('A' + i)), named(fields)})
	}
	l.resources = append(named(some(2+rng.IntN(4), plainTypes...)), named(some(1, ecs.String))...)
	l.resources[len(l.resources)-1].Name = "text"
	l.hit = named(some(rng.IntN(6), append(slices.Clone(plainTypes), ecs.String, ecs.String)...))
	sizes := [][]int{{0, 5}, {1, 8}, {1, 8}, {1, 12}, {1, 12}, {20, 90}, {60, 70}, {62, 67}, {100, 400}}[rng.IntN(9)]
	for range 1 + rng.IntN(5) {
		c := crowd{n: sizes[0] + rng.IntN(sizes[1]-sizes[0])}
		for i := range l.parts {
			if rng.IntN(5) < 4-min(i, 2) {
				c.parts = append(c.parts, i)
			}
		}
		l.tables = append(l.tables, c)
	}
	if l.floats { // around and beyond the widths of packed code
		l.inherits, l.tables = false, nil
		for _, n := range []int{40 + rng.IntN(50), 1 + rng.IntN(9), 3 + rng.IntN(15)} {
			parts := []int{0, 1}
			for i := 2; i < len(l.parts); i++ {
				if rng.IntN(2) == 0 {
					parts = append(parts, i)
				}
			}
			l.tables = append(l.tables, crowd{parts, n})
		}
	}
	if l.large {
		l.tables = []crowd{{[]int{0, 1}, 2000 + rng.IntN(2000)}}
	}
	return l
}

var hardNumbers = []float64{
	0, math.Copysign(0, -1), 1, -1, 2, 0.5, -0.5, 127, 128, -128, -129, 255, 256, 3, 7, 10, 65535, 65536, 1e-3, math.NaN(), math.Inf(1), math.Inf(-1),
	math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64, 1e-310, math.MaxFloat64, -math.MaxFloat64, 1 << 31, 1<<31 - 1, -1 << 31, 1<<32 - 1, 1 << 53,
	1e300, 1e-300, 0.1, 16777217, math.MaxFloat32, 1e39, 1e-45, -1e-46, math.Pi, 1 << 32, 1<<32 + 1,
}

// edges are the least and the greatest value of each integer type.
var edges = map[ecs.FieldType][2]float64{
	ecs.I8: {math.MinInt8, math.MaxInt8}, ecs.U8: {0, math.MaxUint8}, ecs.I16: {math.MinInt16, math.MaxInt16}, ecs.U16: {0, math.MaxUint16},
	ecs.I32: {math.MinInt32, math.MaxInt32}, ecs.U32: {0, math.MaxUint32}, ecs.I64: {-1 << 53, 1 << 53}, ecs.U64: {0, 1 << 53},
}

// fill is a value for a field. calm worlds have no NaN and the like, which soon
// are everywhere.
func fill(rng *rand.Rand, t ecs.FieldType, calm bool, others []ecs.Entity) ecs.Value {
	switch t {
	case ecs.Bool:
		return ecs.Boolean(rng.IntN(2) == 0)
	case ecs.EntityField:
		return ecs.EntityOf(others[rng.IntN(len(others))])
	case ecs.String:
		return ecs.Text([]string{"", "calm", "storm", "s"}[rng.IntN(4)])
	case ecs.F64, ecs.F32:
		switch n := rng.IntN(4); {
		case n == 0 && !calm:
			return ecs.Number(hardNumbers[rng.IntN(len(hardNumbers))])
		case n < 2:
			return ecs.Number(float64(rng.IntN(9) - 3))
		}
		return ecs.Number(math.Round(rng.NormFloat64()*40) / 4)
	}
	if rng.IntN(6) == 0 {
		return ecs.Number(edges[t][rng.IntN(2)])
	}
	return ecs.Number(float64(rng.IntN(8)))
}

// world makes the world, the same each time.
func (l *landscape) world(t testing.TB) *ecs.World {
	t.Helper()
	o := ecs.Options{Seed: l.seed}
	if !l.heap {
		o.Memory = restlessMemory()
	}
	w := ecs.NewWorld(o)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	rng := rand.New(rand.NewPCG(l.seed, 12))
	calm := rng.IntN(2) == 0
	must(surface.DeclareRelations(w))
	_, err := w.DeclareRelation("Likes")
	must(err)
	_, err = w.DeclareRelation("Owns", ecs.ManyTargets)
	must(err)
	for _, name := range tagNames {
		_, err := w.DeclareTag(name)
		must(err)
	}
	var ids []ecs.ComponentID
	for _, p := range l.parts {
		s, err := ecs.NewSchema(p.fields...)
		must(err)
		id, err := w.DeclareComponent(p.name, s)
		must(err)
		ids = append(ids, id)
	}
	_, err = w.DeclareGrid(ecs.GridSpec{Name: "g", Component: ids[0], X: l.parts[0].fields[0].Name, Y: l.parts[0].fields[1].Name, Cell: 3})
	must(err)
	l.places(w, must)
	s, err := ecs.NewSchema(l.hit...)
	must(err)
	_, err = w.DeclareEvent("Hit", s)
	must(err)
	s, err = ecs.NewSchema()
	must(err)
	_, err = w.DeclareEvent("Note", s)
	must(err)
	must(l.thing(w, ids))
	l.people(w, rng, calm, ids, must)
	return w
}

// thing declares a prefab with a child.
func (l *landscape) thing(w *ecs.World, ids []ecs.ComponentID) error {
	rng := rand.New(rand.NewPCG(l.seed, 13))
	part := func(i int) ecs.PrefabPart {
		p := ecs.PrefabPart{Component: ids[i]}
		for n, f := range l.parts[i].fields {
			if rng.IntN(2) == 0 {
				p.Fields = append(p.Fields, ecs.FieldValue{Index: n, Value: fill(rng, f.Type, true, []ecs.Entity{ecs.None})})
			}
		}
		return p
	}
	red, _ := w.LookupTag("red")
	_, err := w.DeclarePrefab(ecs.PrefabSpec{
		Name: "thing", Components: []ecs.PrefabPart{part(0), part(len(ids) - 1)}, Tags: []ecs.TagID{red},
		Children: []ecs.PrefabSpec{{Name: "part", Components: []ecs.PrefabPart{part(rng.IntN(len(ids)))}}},
	})
	return err
}

var tagNames = []string{"red", "blue", "green"}

// people spawns the entities, and gives the resources their values.
func (l *landscape) people(w *ecs.World, rng *rand.Rand, calm bool, ids []ecs.ComponentID, must func(error)) {
	known := []ecs.Entity{ecs.None}
	for i := range 2 { // dead ones; what they were is reused
		e, err := w.Spawn()
		must(err)
		known = append(known, e)
		if i == 0 {
			w.Despawn(e)
		}
	}
	isA, _ := w.LookupComponent("IsA")
	likes, _ := w.LookupRelation("Likes")
	owns, _ := w.LookupRelation("Owns")
	for _, c := range l.tables {
		for range c.n {
			e, err := w.Spawn()
			must(err)
			for _, i := range c.parts {
				if l.inherits && rng.IntN(9) == 0 && len(known) > 6 {
					_, err := w.Relate(e, isA, known[3])
					must(err)
					continue
				}
				var values []ecs.FieldValue
				for j, f := range l.parts[i].fields {
					values = append(values, ecs.FieldValue{Index: j, Value: fill(rng, f.Type, calm, known)})
				}
				_, err := w.Set(e, ids[i], values...)
				must(err)
			}
			for tag := range tagNames {
				if rng.IntN(3) == 0 {
					w.Tag(e, ecs.TagID(tag))
				}
			}
			if rng.IntN(8) == 0 {
				_, err := w.Relate(e, likes, known[2])
				must(err)
			}
			known = append(known, e)
			for i := 5; i < len(known) && len(known)%7 == 0 && i < 8; i++ {
				_, err := w.Relate(e, owns, known[i])
				must(err)
			}
		}
	}
	for _, f := range l.resources {
		_, err := w.DeclareResource(f.Name, f.Type, fill(rng, f.Type, calm, known))
		must(err)
	}
}
