package ecs

import (
	"fmt"
	"maps"
	"slices"
)

// A modelIndex says where each entity is, and who was the first to arrive at each place.
type modelIndex struct {
	places map[Entity]modelSpot
	lists  map[modelSpot][]Entity
}

// A modelSpot is the values of two fields at most.
type modelSpot struct {
	numbers [2]int64
	texts   [2]string
}

func (m *modelIndex) clone() *modelIndex {
	n := &modelIndex{maps.Clone(m.places), map[modelSpot][]Entity{}}
	for at, list := range m.lists {
		n.lists[at] = slices.Clone(list)
	}
	return n
}

// declareIndexes declares an index of each kind: of an area that wraps, of one that does not, of strings, and of several fields.
func (r *machine) declareIndexes() {
	for _, spec := range []IndexSpec{
		{Name: "spots", Component: "Health", Fields: []string{"current", "max"}, Width: 5, Height: 3, Wrap: true},
		{Name: "edges", Component: "Health", Fields: []string{"max", "current"}, Width: 40, Height: 90},
		{Name: "texts", Component: "Label", Fields: []string{"text"}},
		{Name: "owned", Component: "Info", Fields: []string{"owner", "title"}},
	} {
		if !slices.Contains(r.ids, r.w.componentNames[spec.Component]) {
			continue
		}
		x, err := r.w.DeclareIndex(spec)
		r.ok(err)
		r.indexes = append(r.indexes, x)
		r.m.indexes = append(r.m.indexes, &modelIndex{map[Entity]modelSpot{}, map[modelSpot][]Entity{}})
	}
}

// spot returns the place that the values of a component say, false for none.
func (c *modelComponent) spot(x *Index) (at modelSpot, there bool) {
	for i, f := range x.fields {
		switch v := c.fields[x.info.schema.Index(f.Name)]; f.Type {
		case String:
			at.texts[i] = v.Str()
		case EntityField:
			at.numbers[i] = int64(v.Entity())
		default:
			n := int(v.Float())
			if size := [2]int{x.spec.Width, x.spec.Height}[i]; x.spec.Wrap {
				n = (n%size + size) % size
			} else if n < 0 || n >= size {
				return at, false
			}
			at.numbers[i] = int64(n)
		}
	}
	return at, true
}

// values returns what [Index.At] takes for a place.
func (at modelSpot) values(x *Index) (list []Value) {
	for i, f := range x.fields {
		switch f.Type {
		case String:
			list = append(list, Text(at.texts[i]))
		case EntityField:
			list = append(list, EntityOf(Entity(at.numbers[i])))
		default:
			list = append(list, Number(float64(at.numbers[i])))
		}
	}
	return list
}

// followIndexes brings the lists of the model to the values of the model, of which those written since a tick may be others. If several entities
// may have moved, or one several times, only the world knows in which order: then who is at a place is compared as a set.
func (r *machine) followIndexes(since Tick, several bool) {
	for i, x := range r.indexes {
		if several {
			x.sync(false) // some write without a stamp
		}
		x.Update()
		m, arrived := r.m.indexes[i], map[modelSpot][]Entity{}
		leave := func(e Entity, at modelSpot) {
			delete(m.places, e)
			if m.lists[at] = slices.DeleteFunc(m.lists[at], func(o Entity) bool { return o == e }); len(m.lists[at]) == 0 {
				delete(m.lists, at)
			}
		}
		for e, at := range m.places {
			if en := r.m.entities[e]; en == nil || en.own(x.info.id) == nil {
				leave(e, at)
			}
		}
		for e, en := range r.m.entities {
			c := en.own(x.info.id)
			if c == nil || !several && c.changed < since {
				continue
			}
			at, there := c.spot(x)
			was, placed := m.places[e]
			if placed && (!there || was != at) {
				leave(e, was)
			}
			if there && (!placed || was != at) {
				m.places[e] = at
				arrived[at] = append(arrived[at], e)
			}
		}
		for at := range arrived {
			r.sameSpot(x, m, at, arrived[at], several)
		}
		for at := range m.lists {
			if several && arrived[at] == nil {
				r.sameSpot(x, m, at, nil, true)
			}
		}
	}
}

// sameSpot compares who is at a place with who stayed there and who arrived, and notes the order.
func (r *machine) sameSpot(x *Index, m *modelIndex, at modelSpot, arrived []Entity, several bool) {
	list, stayed := r.listed(x, at), m.lists[at]
	want, got := slices.Concat(stayed, arrived), slices.Clone(list)
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(want, got) || !several && !slices.Equal(list[:len(stayed)], stayed) {
		r.fail("index %s at %v: %v, where %v stayed and %v arrived", x.spec.Name, at, list, stayed, arrived)
	}
	m.lists[at] = list
}

// listed asks the world who is at a place.
func (r *machine) listed(x *Index, at modelSpot) []Entity {
	walk, err := x.All(at.values(x)...)
	r.ok(err)
	return slices.Collect(walk.Entities())
}

// compareIndexes compares all places.
func (r *machine) compareIndexes() {
	for i, x := range r.indexes {
		n := 0
		for at, list := range r.m.indexes[i].lists {
			if got := r.listed(x, at); !slices.Equal(got, list) {
				r.fail("index %s at %v: the world says %v, the model %v", x.spec.Name, at, got, list)
			}
			first, err := x.At(at.values(x)...)
			r.ok(err)
			r.same("the first", first, list[0])
			count, err := x.Count(at.values(x)...)
			r.ok(err)
			r.same("the count", count, len(list))
			n += len(list)
		}
		all := 0
		for place := range x.lists {
			all += len(x.members(nil, place))
		}
		r.same("the number of entities in "+x.spec.Name, all, n)
	}
}

// indexAreaOp asks who is around a place.
func (r *machine) indexAreaOp() {
	at := slices.IndexFunc(r.indexes, func(x *Index) bool { return x.spec.Width > 0 })
	if at < 0 {
		return
	}
	at += r.byte() % 2
	x := r.indexes[at]
	cx, cy, reach, kind := r.byte()%60-10, r.byte()%120-10, r.byte()%4, Neighbourhood(r.byte()%2)
	var want []string
	seen := map[[2]int]bool{}
	for dy := -reach; dy <= reach; dy++ {
		for dx := -reach; dx <= reach; dx++ {
			px, py := cx+dx, cy+dy
			if kind == Neumann && max(dx, -dx)+max(dy, -dy) > reach {
				continue
			}
			if w, h := x.spec.Width, x.spec.Height; x.spec.Wrap {
				px, py = modulo(px, w), modulo(py, h)
				if px == modulo(cx, w) && py == modulo(cy, h) || seen[[2]int{px, py}] {
					continue
				}
			} else if dx == 0 && dy == 0 {
				continue
			}
			seen[[2]int{px, py}] = true
			for _, e := range r.m.indexes[at].lists[modelSpot{numbers: [2]int64{int64(px), int64(py)}}] {
				want = append(want, fmt.Sprint(e, px, py))
			}
		}
	}
	walk, err := x.Around(int64(cx), int64(cy), reach, kind)
	r.ok(err)
	var got []string
	for walk.Next() {
		px, py := walk.Place()
		got = append(got, fmt.Sprint(walk.Entity(), px, py))
	}
	r.say("%s.Around(%d, %d, %d, %d)", x.spec.Name, cx, cy, reach, kind)
	if !slices.Equal(got, want) {
		r.fail("index %s: around (%d, %d) are %v, not %v", x.spec.Name, cx, cy, got, want)
	}
}
