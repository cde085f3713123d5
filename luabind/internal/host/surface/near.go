package surface

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	lua "github.com/yuin/gopher-lua"
)

// Loops over near entities that are not compiled: world:near. The list of entities is complete before the first step,
// because the body may change the world.

// A found is an entity of such a list, with its squared distance.
type found struct {
	entity ecs.Entity
	d2     float64
}

// A nearLoop is the list of one loop, and the index of its next entity.
type nearLoop struct {
	list []found
	next int
}

// near is world:near: a loop over the entities within the radius that a filter lets through, in the order of [ecs.Grid.Near],
// which is not sorted by distance. The lists of loops that have come to their end are used again.
func near(c call) int {
	w := c.w
	name := c.text(1, "grid name")
	g := w.ecs.LookupGrid(name)
	if g == nil {
		c.check(undeclared(w.ecs, c.full, "grid", name))
	}
	c.check(g.Ready())
	p, within := c.nearFilter(5)
	s := g.Search(c.number(2), c.number(3), c.number(4))
	l := &nearLoop{}
	if n := len(w.nearLists); n > 0 {
		l.list, w.nearLists = w.nearLists[n-1], w.nearLists[:n-1]
	}
	seen := 0
	for ; s.Next(); seen++ {
		if within == nil || within(s.Entity()) {
			l.list = append(l.list, found{s.Entity(), s.D2()})
		}
	}
	c.charge(seen)
	turn := w.turn
	next := c.newGenerator(func(L *lua.LState) (a, b interp.Value, n int) {
		w.sameTurn(L, turn, "world:near")
		for l.next < len(l.list) {
			f := l.list[l.next]
			l.next++
			if p == nil || w.ecs.Has(f.entity, p.query.Filter().Required...) {
				return interp.Number(float64(f.entity)), interp.Number(f.d2), 2
			}
		}
		w.keepNear(l)
		return a, b, 0
	})
	if p != nil {
		next.terms = p.terms
	}
	c.Push(&next.LFunction)
	return 1
}

// nearFilter returns what argument n lets through, nil if there is none: the members of a tag, or what a query matches, whose plan
// it returns.
func (c call) nearFilter(n int) (*plan, func(ecs.Entity) bool) {
	switch v := c.arg(n).(type) {
	case *lua.LNilType:
		return nil, nil
	case lua.LString:
		id := c.tagID(n)
		return nil, func(e ecs.Entity) bool { return c.w.ecs.Tagged(e, id) }
	case *lua.LUserData:
		if q, ok := v.Value.(*query); ok {
			p, err := q.plan(c.w)
			c.check(err)
			return p, p.query.Matches
		}
	}
	c.expected(n, "tag name or query")
	return nil, nil
}

// Lists are kept for later loops up to these limits.
const (
	mostNearLists = 8
	mostKeptNear  = 1 << 14 // entities of a list
)

// keepNear keeps the memory of an ended loop's list for later loops, and takes it from the loop.
func (w *World) keepNear(l *nearLoop) {
	if n := cap(l.list); n > 0 && n <= mostKeptNear && len(w.nearLists) < mostNearLists {
		w.nearLists = append(w.nearLists, l.list[:0])
	}
	l.list, l.next = nil, 0
}
