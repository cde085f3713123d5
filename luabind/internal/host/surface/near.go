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

// near is world:near: a loop over the entities within the radius, in the order of [ecs.Grid.Near], which is not
// sorted by distance. The lists of loops that have come to their end are used again.
func near(c call) int {
	w := c.w
	name := c.text(1, "grid name")
	g := w.ecs.LookupGrid(name)
	if g == nil {
		c.check(undeclared(w.ecs, c.full, "grid", name))
	}
	c.check(g.Ready())
	s := g.Search(c.number(2), c.number(3), c.number(4))
	l := &nearLoop{}
	if n := len(w.nearLists); n > 0 {
		l.list, w.nearLists = w.nearLists[n-1], w.nearLists[:n-1]
	}
	for s.Next() {
		l.list = append(l.list, found{s.Entity(), s.D2()})
	}
	c.charge(len(l.list))
	turn := w.turn
	return c.generate(func(L *lua.LState) (a, b interp.Value, n int) {
		w.sameTurn(L, turn, "near")
		if l.next == len(l.list) {
			w.keepNear(l)
			return a, b, 0
		}
		f := l.list[l.next]
		l.next++
		return interp.Number(float64(f.entity)), interp.Number(f.d2), 2
	})
}

// Lists are kept for later loops up to these limits.
const (
	mostNearLists = 8
	mostKeptNear  = 1 << 14 // entities of a list
)

// keepNear takes the list of a loop that has come to its end. The loop has none from then on.
func (w *World) keepNear(l *nearLoop) {
	if n := cap(l.list); n > 0 && n <= mostKeptNear && len(w.nearLists) < mostNearLists {
		w.nearLists = append(w.nearLists, l.list[:0])
	}
	l.list, l.next = nil, 0
}
