package ecs

import (
	"iter"
	"math"
	"slices"
)

// An IndexWalk walks the entities that were at some places of an index when it began. Who is not there any more when its turn comes is passed
// over. See the example of [Index].
type IndexWalk struct {
	index *Index
	found []indexVisit
	next  int
	area  bool
	key   indexKey // of the only place, in a walk that is not around a place
}

// An indexVisit is an entity with its place when the walk began: a number counted from 1, and the values of the two fields in a walk around a
// place.
type indexVisit struct {
	entity Entity
	place  uint32
	x, y   int64
}

// All returns a walk of the entities at a place, in the order of their arrival. It costs O(entities there).
func (x *Index) All(values ...Value) (*IndexWalk, error) {
	made(x.world != nil, "Index", "World.DeclareIndex")
	var k indexKey
	place, ok, err := x.keyFor(&k, values)
	if err != nil {
		return nil, err
	}
	if x.spec.Width == 0 && ok {
		place = x.find(&k)
	}
	walk := x.walk()
	walk.key, walk.area = k, false
	walk.see(place, 0, 0)
	return walk, nil
}

// Around returns a walk of the entities around a place of an index of two integer fields, x and y, place by place in the order of
// [AreaWalk], and at each place in the order of arrival. Places outside of an index that does not wrap have nobody. Errors: also an index of other
// fields, and a negative r. It costs O(places), or O(entities in the index) if there are fewer.
func (x *Index) Around(cx, cy int64, r int, kind Neighbourhood) (*IndexWalk, error) {
	made(x.world != nil, "Index", "World.DeclareIndex")
	if len(x.fields) != 2 || !x.fields[0].Type.Numeric() || !x.fields[1].Type.Numeric() {
		return nil, x.wrong("around needs two integer fields; its fields are %s", x.spec)
	}
	if r < 0 {
		return nil, x.wrong("around: r is %d; a whole number from 0 expected", r)
	}
	walk := x.walk()
	walk.area = true
	if x.spec.Width > 0 {
		x.seeCells(walk, cx, cy, r, kind)
	} else {
		x.seeKeys(walk, cx, cy, r, kind)
	}
	return walk, nil
}

// walk returns a walk that has seen nothing.
func (x *Index) walk() *IndexWalk {
	n := len(x.spare) - 1
	if n < 0 || x.world.slots.parallel {
		return &IndexWalk{index: x}
	}
	walk := x.spare[n]
	x.spare = x.spare[:n]
	walk.found, walk.next = walk.found[:0], 0
	return walk
}

// see notes who is at a place, counted from 1; 0 for none.
func (w *IndexWalk) see(place uint32, fx, fy int64) {
	if place == 0 {
		return
	}
	x := w.index
	for e := x.heads[place-1]; e != None; e = x.bySlot(x.entries.at(uint32(e)).next) {
		w.found = append(w.found, indexVisit{e, place, fx, fy})
	}
}

// seeCells notes who is around a place of an index with a size.
func (x *Index) seeCells(walk *IndexWalk, cx, cy int64, r int, kind Neighbourhood) {
	s := &x.spec
	far := int64(s.Width) + int64(s.Height) // from the area; further out r counts for nothing but whether it reaches
	area := AreaWalk{width: s.Width, height: s.Height}
	if s.Wrap {
		area = aroundArea(s.Width, s.Height, true, int(cx%int64(s.Width)), int(cy%int64(s.Height)), r, kind)
	} else {
		if cx < -math.MaxInt32 || cy < -math.MaxInt32 || cx > math.MaxInt32 || cy > math.MaxInt32 {
			return // no r of a walk that ends is so large
		}
		area.x, area.y, area.kind, area.left = int(cx), int(cy), kind, s.Width*s.Height
		area.r = int(min(int64(r), far+max(cx, -cx)+max(cy, -cy)))
		area.dy = max(-area.r, -area.y)
		if area.dy > s.Height-1-area.y {
			return // all rows are below the index
		}
		area.beginRow()
	}
	for area.Next() {
		px, py := area.At()
		walk.see(uint32(py*s.Width+px)+1, int64(px), int64(py))
	}
}

// seeKeys notes who is around a place of an index of any integers: it looks each place up, or looks at each entity if these are fewer.
func (x *Index) seeKeys(walk *IndexWalk, cx, cy int64, r int, kind Neighbourhood) {
	reach := int64(r)
	if r < 1<<15 && (2*r+1)*(2*r+1) <= 4*len(x.heads) {
		var k indexKey
		for dy := -reach; dy <= reach; dy++ {
			wide := reach
			if kind == Neumann {
				wide = reach - max(dy, -dy)
			}
			for dx := -wide; dx <= wide; dx++ {
				px, okX := x.plus(0, cx, dx)
				py, okY := x.plus(1, cy, dy)
				if okX && okY && (dx != 0 || dy != 0) {
					k.words[0], k.words[1] = uint64(px), uint64(py)
					walk.see(x.find(&k), px, py)
				}
			}
		}
		return
	}
	for place, first := range x.heads {
		if first == None {
			continue
		}
		px, py := int64(x.words[2*place]), int64(x.words[2*place+1])
		dx, okX := distance(px, cx)
		dy, okY := distance(py, cy)
		inside := okX && okY && x.signed(0, px) && x.signed(1, py) && dx <= reach && dy <= reach
		if kind == Neumann {
			inside = inside && dx <= reach-dy
		}
		if inside && (dx != 0 || dy != 0) {
			walk.see(uint32(place)+1, px, py)
		}
	}
	slices.SortStableFunc(walk.found, func(a, b indexVisit) int {
		switch {
		case a.y != b.y && a.y < b.y, a.y == b.y && a.x < b.x:
			return -1
		case a.x == b.x && a.y == b.y:
			return 0
		}
		return 1
	})
}

// plus adds an offset to a coordinate. It reports whether a field can have the sum.
func (x *Index) plus(field int, at, offset int64) (int64, bool) {
	sum := at + offset
	return sum, (sum >= at) == (offset >= 0) && fitsExactly(x.fields[field].Type, Int(sum))
}

// signed reports whether the bits of a value of a field are the value itself: they are not where a u64 is beyond the range of signed integers.
func (x *Index) signed(field int, bits int64) bool {
	return x.fields[field].Type != U64 || bits >= 0
}

// distance returns |a - b|, and whether it fits.
func distance(a, b int64) (int64, bool) {
	if a < b {
		a, b = b, a
	}
	d := a - b
	return d, d >= 0
}

// Next goes to the next entity that is still there. It returns false after the last one; then the walk must not be used any more.
func (w *IndexWalk) Next() bool {
	made(w.index != nil, "IndexWalk", "Index.All or Index.Around")
	for w.next >= 0 && w.next < len(w.found) {
		v := &w.found[w.next]
		w.next++
		if w.there(v) {
			return true
		}
	}
	if w.next >= 0 {
		w.next = math.MinInt
		if !w.index.world.slots.parallel {
			w.index.spare = append(w.index.spare, w)
		}
	}
	return false
}

// there reports whether an entity is still at its place.
func (w *IndexWalk) there(v *indexVisit) bool {
	x := w.index
	place := x.entries.at(uint32(v.entity)).place
	switch {
	case place == 0 || !x.world.Alive(v.entity):
		return false
	case x.spec.Width > 0:
		return place == v.place
	case w.area:
		return int64(x.words[2*(place-1)]) == v.x && int64(x.words[2*(place-1)+1]) == v.y
	}
	return x.is(place-1, &w.key)
}

// Entity returns the entity that Next found.
func (w *IndexWalk) Entity() Entity {
	made(w.index != nil, "IndexWalk", "Index.All or Index.Around")
	return w.found[w.next-1].entity
}

// Place returns the place of the entity that Next found, in a walk around a place.
func (w *IndexWalk) Place() (x, y int64) {
	made(w.index != nil, "IndexWalk", "Index.All or Index.Around")
	return w.found[w.next-1].x, w.found[w.next-1].y
}

// Len returns how many entities there were when the walk began.
func (w *IndexWalk) Len() int { return len(w.found) }

// Entities returns the entities of the walk that are left, for range.
func (w *IndexWalk) Entities() iter.Seq[Entity] {
	return func(yield func(Entity) bool) {
		for w.Next() {
			if !yield(w.Entity()) {
				return
			}
		}
	}
}
