package surface

import (
	"math"
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// Spawning many entities at once: world:spawn_many.

// mostAtOnce is the largest number of entities that one spawn_many makes: as many as a Lua list can hold.
const mostAtOnce = 1<<20 - 1

// spawnMany is world:spawn_many(n, template, function(i) … end). The function runs for all i before the first
// entity is made.
func spawnMany(c call) int {
	c.structural("spawn")
	w := c.w
	n := c.count(1)
	template := w.spawning()
	if c.args() >= 2 && c.arg(2) != lua.LNil {
		c.check(template.parse(w, c.table(2)))
	}
	var fn *lua.LFunction
	if c.args() >= 3 && c.arg(3) != lua.LNil {
		var ok bool
		if fn, ok = c.arg(3).(*lua.LFunction); !ok {
			c.expected(3, "function")
		}
	}
	c.charge(n)
	list := w.surface.state.NewTable()
	if fn == nil && len(template.targets) == 0 {
		made, err := template.many(w, n)
		c.check(err)
		for i, e := range made {
			list.RawSetInt(i+1, w.entity(e))
		}
		c.Push(list)
		return 1
	}
	c.check(ecs.Raw.RoomFor(w.ecs, n))
	all, described := template, func(int) (from, to mark) { return mark{}, template.mark() }
	if fn != nil {
		var marks []mark
		all, marks = c.describeAll(n, template, fn)
		described = func(i int) (from, to mark) { return marks[i], marks[i+1] }
		c.structural("spawn") // the function may have left a loop open
	}
	start := ecs.Raw.Hold(w.ecs) // if one cannot be made, nobody is told of the others
	for i := range n {
		from, to := described(i)
		e, err := all.entity(w, from, to)
		if err != nil { // the function took the room, or a target: nothing half made is left
			for ; i > 0; i-- {
				if _, undo := w.ecs.Despawn(entityOf(list.RawGetInt(i).(lua.LNumber))); undo != nil {
					panic("surface: " + undo.Error())
				}
			}
			ecs.Raw.Release(w.ecs, start, false)
			c.check(err)
		}
		list.RawSetInt(i+1, w.entity(e))
	}
	ecs.Raw.Release(w.ecs, start, true)
	c.Push(list)
	return 1
}

// many makes n entities that are described alike, without relations; none if one of them cannot be made.
func (s *spawning) many(w *World, n int) ([]ecs.Entity, error) {
	b, err := w.bundle(s.ids)
	if err != nil {
		return nil, err
	}
	start := ecs.Raw.Hold(w.ecs)
	made, err := b.SpawnMany(n, func(t *ecs.Table, from, to int) { s.fillRows(t, from, to) })
	for _, e := range made {
		for _, id := range s.tags {
			if err == nil {
				_, err = w.ecs.TryTag(e, id)
			}
		}
	}
	if err != nil && made != nil {
		w.unmake(slices.Clone(made)...)
	}
	ecs.Raw.Release(w.ecs, start, err == nil)
	return made, err
}

// count returns argument n, which must be a number of entities.
func (c call) count(n int) int {
	v := c.number(n)
	switch {
	case v != math.Trunc(v) || math.IsInf(v, 0): // NaN is not equal to itself
		c.bad(n, "a whole number of entities expected, got %s", sandbox.NumberText(v))
	case v < 0:
		c.bad(n, "a number of entities expected, got %s", sandbox.NumberText(v))
	case v > mostAtOnce:
		c.check(sandbox.Limitf("bad argument #%d to '%s' (at most %d entities at once, got %s)", n, c.name, mostAtOnce, sandbox.NumberText(v)))
	}
	return int(v)
}

// describeAll calls the function for each entity and combines its results with the template. Entity i is described
// between marks i and i+1.
func (c call) describeAll(n int, template *spawning, fn *lua.LFunction) (*spawning, []mark) {
	w := c.w
	w.depth++ // the function may spawn: the template's scratch is in use
	defer func() { w.depth-- }()
	all, marks := &spawning{}, make([]mark, 1, n+1)
	for i := range n {
		got, shape, slots := c.answer(fn, i+1)
		all.repeat(template)
		before := all.mark()
		switch {
		case shape == nil:
		case w.appendShape(all, shape, slots):
			got = lua.LNil
		default:
			all.cut(before)
			got = w.surface.state.TableOf(shape, slots)
		}
		switch t := got.(type) {
		case *lua.LNilType:
		case *lua.LTable:
			if err := all.parse(w, t); err != nil {
				raise(c.LState, "entity %d: %w", i+1, err)
			}
		default:
			raise(c.LState, "entity %d: the function returned %s instead of a table", i+1, shown(got))
		}
		all.override(marks[i].targets, before.targets)
		marks = append(marks, all.mark())
		if i == 0 {
			all.grow(n)
		}
	}
	return all, marks
}

// override drops those targets of the template, between two places, for whose relations others were given after them.
func (s *spawning) override(template, given int) {
	own := s.targets[given:]
	if template == given || len(own) == 0 {
		return
	}
	kept := slices.DeleteFunc(slices.Clone(s.targets[template:given]), func(to ecs.Target) bool {
		return slices.ContainsFunc(own, func(o ecs.Target) bool { return o.Relation == to.Relation })
	})
	s.targets = append(append(s.targets[:template], kept...), own...)
}

// answer calls the function of spawn_many for entity i. Its result is a value, or a constructor as a shape.
func (c call) answer(fn *lua.LFunction, i int) (lua.LValue, *interp.Shape, []interp.Value) {
	v, shape, slots, ok := c.surface.state.CallShape(c.LState, fn, interp.Number(float64(i)))
	switch {
	case ok && shape != nil:
		return nil, shape, slots
	case ok && v.IsNumber():
		return number(v.Num), nil, nil
	case ok:
		return v.Ref, nil, nil
	}
	c.Push(fn)
	c.Push(number(float64(i)))
	c.Call(1, 1)
	got := c.Get(-1)
	c.Pop(1)
	return got, nil, nil
}

// bundle returns the prepared set of some components.
func (w *World) bundle(ids []ecs.ComponentID) (*ecs.Bundle, error) {
	w.key = w.key[:0]
	for _, id := range ids {
		w.key = append(w.key, byte(id), byte(id>>8), byte(id>>16), byte(id>>24))
	}
	if b := w.bundles[string(w.key)]; b != nil {
		return b, nil
	}
	b, err := w.ecs.Bundle(ids...)
	if err == nil {
		w.bundles[string(w.key)] = b
	}
	return b, err
}

// fillRows writes the template to many rows.
func (s *spawning) fillRows(t *ecs.Table, from, to int) {
	for i, id := range s.ids {
		fields := s.of(i)
		if len(fields) == 0 {
			continue
		}
		col := t.Column(id)
		for row := from; row < to; row++ {
			r := col.Row(row)
			for _, f := range fields {
				if err := r.Set(f.Index, f.Value); err != nil {
					panic("surface: a checked value did not fit: " + err.Error())
				}
			}
		}
	}
}
