package surface

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	lua "github.com/yuin/gopher-lua"
)

// Generators of the loops that need no cursor: over events, near entities, and lists of entities.

// A nextFunc is one step of a loop: it returns an event or entity, a number behind it, and how many of both there
// are; 0 at the end. Errors are raised on L.
type nextFunc func(L *lua.LState) (a, b interp.Value, n int)

// A generator is the function that such a loop calls. It has a form for gopher-lua and one for package interp.
type generator struct {
	interp.IteratorFunction
	world  *World
	next   nextFunc
	events *eventLoop   // nil if the loop is not over events
	terms  []*component // of an entity, behind the two values of next
}

// newGenerator makes a generator of the values that next returns.
func (c call) newGenerator(next nextFunc) *generator {
	g := &generator{world: c.w, next: next}
	g.Init(c.Env, g.push, g)
	return g
}

// generate makes a generator and pushes it.
func (c call) generate(next nextFunc) int {
	c.Push(&c.newGenerator(next).LFunction)
	return 1
}

// entities pushes a generator of the entities in a list. name is that of the function of world.
func (c call) entities(name string, list []ecs.Entity) int {
	i, w, turn := 0, c.w, c.w.turn
	return c.generate(func(L *lua.LState) (a, b interp.Value, n int) {
		w.sameTurn(L, turn, "world:"+name)
		if i >= len(list) {
			return a, b, 0
		}
		i++
		return interp.Number(float64(list[i-1])), b, 1
	})
}

// push is the form for gopher-lua.
func (g *generator) push(L *lua.LState) int {
	a, b, n := g.next(L)
	if n > 0 {
		L.Push(g.world.box(a))
	}
	if n > 1 {
		L.Push(number(b.Num)) // only distances come second
		for _, k := range g.terms {
			L.Push(g.world.termOf(a, k))
			n++
		}
	}
	return n
}

// Step is the form for package interp.
func (g *generator) Step(L *lua.LState, out []interp.Value) {
	a, b, n := g.next(L)
	if n == 0 {
		a = interp.Nil
	}
	if n < 2 {
		b = interp.Nil
	}
	for i := range out {
		switch i {
		case 0:
			out[i] = a
		case 1:
			out[i] = b
		default:
			out[i] = interp.Nil
			if i-2 < len(g.terms) && n > 1 {
				out[i] = interp.Of(g.world.termOf(a, g.terms[i-2]))
			}
		}
	}
}

// box returns a value as gopher-lua has it. The values of entities are kept.
func (w *World) box(v interp.Value) lua.LValue {
	if !v.IsNumber() {
		return v.Ref
	}
	if e, ok := ecs.EntityFromNumber(v.Num); ok {
		return w.entity(e)
	}
	return number(v.Num)
}

// termOf returns what a loop yields for a component of an entity: a view, the target of a relation, or nil.
func (w *World) termOf(entity interp.Value, k *component) lua.LValue {
	e := entityOf(lua.LNumber(entity.Num))
	switch {
	case !w.ecs.Has(e, k.id):
		return lua.LNil
	case k.relation:
		return w.entity(w.ecs.Related(e, k.id))
	}
	return w.view(w.ecs.Ref(e, k.id), k)
}
