package ecs

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

func (r *machine) byte() int {
	if r.drawn != nil {
		return r.drawn.next()
	}
	if len(r.in) == 0 {
		return 0
	}
	b := r.in[0]
	r.in = r.in[1:]
	return int(b)
}

func (r *machine) pick(n int) int { return r.byte() % n }

// expand lets choose draw from n bytes that follow from two of the stream, so that an operation may make many choices.
func (r *machine) expand(n int, choose func()) {
	seed, outer := uint64(r.byte()<<8|r.byte()), r.drawn
	r.drawn = &modelDraw{source: rand.NewPCG(seed, 99), seed: seed, left: n + 1}
	choose()
	r.drawn = outer
}

// modelDraw gives the bytes of [modelBytes] one by one, and zeros behind them.
type modelDraw struct {
	source *rand.PCG
	seed   uint64
	left   int
	begun  bool
}

func (d *modelDraw) next() int {
	if d.left == 0 {
		return 0
	}
	d.left--
	b := byte(d.source.Uint64() >> 32)
	if !d.begun {
		d.begun, b = true, byte(d.seed)
	}
	return int(b)
}

// entity picks a handle: mostly a living one, sometimes a dead, reserved or invented one.
func (r *machine) entity() Entity {
	b := r.byte()
	if b >= 250 {
		return []Entity{None, Entity(7), makeEntity(1<<31, 1), makeEntity(3, MaxGeneration), Entity(math.MaxUint64), makeEntity(0, 900)}[b-250]
	}
	if len(r.handles) == 0 {
		return None
	}
	i := b<<8 | r.byte()
	for range 8 {
		if e := r.handles[i%len(r.handles)]; i%16 == 0 || r.m.entities[e] != nil {
			return e
		}
		i += 7
	}
	return r.handles[i%len(r.handles)]
}

func (r *machine) born(e Entity) { r.handles = append(r.handles, e) }

// some picks up to three components, possibly one twice.
func (r *machine) some() []ComponentID {
	b := r.byte()
	var ids []ComponentID
	for range b % 4 {
		ids = append(ids, r.ids[r.pick(len(r.ids))])
	}
	return ids
}

func (r *machine) list(ids []ComponentID) string {
	if !r.tracing {
		return ""
	}
	var b strings.Builder
	for _, id := range ids {
		fmt.Fprintf(&b, ", %q", r.names[id])
	}
	return b.String()
}

// value picks a value that fits field f.
func (r *machine) value(f Field) Value {
	if n := f.Type.Len(); n > 0 {
		list := make([]DataEntry, n)
		for i := range list {
			list[i] = DataEntry{Number(float64(i + 1)), f.Type.uniform(r.value(Field{Type: f.Type.Elem()}))}
		}
		return TableOf(Must(NewData(list)))
	}
	b := r.byte()
	switch f.Type {
	case String:
		return Text(strings.Repeat("ab", b%5) + fmt.Sprint(b))
	case TableField:
		d, err := NewData([]DataEntry{{Text("k"), Number(float64(b))}, {Number(1), Text(fmt.Sprint("v", b))}})
		r.ok(err)
		return TableOf(d)
	case EntityField:
		if len(r.handles) == 0 {
			return EntityOf(None)
		}
		return EntityOf(r.handles[b%len(r.handles)])
	case F64, F32:
		return Number(float64(b) + 0.5)
	default:
		return Number(float64(b % 120))
	}
}

// fields picks values for some fields of a component.
func (r *machine) fields(id ComponentID) []FieldValue {
	var list []FieldValue
	for i, f := range r.m.schema(id).Fields() {
		if r.byte()%3 > 0 {
			list = append(list, FieldValue{i, r.value(f)})
		}
	}
	return list
}

// target picks what has sources already, where it finds it.
func (r *machine) target(rel *modelRelation) Entity {
	e := r.entity()
	if en := r.m.entities[e]; en != nil && en.own(rel.id) != nil {
		return en.own(rel.id).fields[0].Entity()
	}
	return e
}

// targets picks up to two relations with targets.
func (r *machine) targets() []Target {
	var list []Target
	for i, rel := range r.m.relations {
		if r.byte()>>i&1 == 1 {
			list = append(list, Target{rel.id, r.entity()})
			for rel.targets != nil && r.byte()%2 == 0 && len(list) < 5 {
				list = append(list, Target{rel.id, r.entity()})
			}
		}
	}
	return list
}

// makeFilters returns a set of filters that uses every kind of condition.
func (r *machine) makeFilters(seed uint64) []Filter {
	rng := rand.New(rand.NewPCG(seed, 2))
	some := func(most int) []ComponentID {
		var list []ComponentID
		for range rng.IntN(most + 1) {
			if id := r.all[rng.IntN(len(r.all))]; !slices.Contains(list, id) {
				list = append(list, id)
			}
		}
		return list
	}
	var expr func(depth int) *Expr
	expr = func(depth int) *Expr {
		id := r.all[rng.IntN(len(r.all))]
		switch n := rng.IntN(8); {
		case depth == 0 || n < 4:
			return []*Expr{Contains(id), Changed(id), Added(id), HasTag(r.tags[rng.IntN(2)])}[n%4]
		case n == 4:
			return And(expr(depth-1), expr(depth-1))
		case n == 5:
			return Or(expr(depth-1), expr(depth-1), expr(depth-1))
		case n == 6:
			return Xor(expr(depth-1), expr(depth-1))
		default:
			return Not(expr(depth - 1))
		}
	}
	list := []Filter{{}, {Required: r.ids[:1]}, {Required: r.ids[:1], Changed: r.ids[:1]}, {Added: r.ids[:2]}}
	pair := []ComponentID{r.pos.ID(), r.label.ID()}
	list = append(list, Filter{Required: pair}, Filter{Required: pair, Inherited: true}, Filter{Required: pair, Changed: pair[:1]})
	for i := range 12 {
		f := Filter{Inherited: i%2 == 1, Exclusive: i%5 == 0, Required: some(2), Without: some(1), Any: some(2), Changed: some(2 * (i % 2)), Added: some(2 * (i % 3))}
		for _, id := range some(2) {
			if !slices.Contains(f.Required, id) {
				f.Optional = append(f.Optional, id)
			}
		}
		switch rng.IntN(4) {
		case 0:
			f.Tagged = r.tags[:1]
		case 1:
			f.Untagged = r.tags[1:]
		}
		if i%3 == 0 {
			f.Where = expr(3)
		}
		list = append(list, f)
	}
	return list
}
