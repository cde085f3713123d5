package surface

import (
	"fmt"
	"math"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// world:at, all, around, and count of an index. Errors name the index.

// index returns the index that the first argument names.
func (c call) index() *ecs.Index {
	name := c.text(1, "index name")
	x := c.w.ecs.LookupIndex(name)
	if x == nil {
		c.check(undeclared(c.w.ecs, c.full, "index", name))
	}
	return x
}

// indexAsked returns the index that the first argument of count or pick names; nil if it asks for a query.
func (c call) indexAsked() *ecs.Index {
	name, ok := c.arg(1).(lua.LString)
	if !ok {
		return nil
	}
	x := c.w.ecs.LookupIndex(string(name))
	if _, place := c.arg(2).(lua.LNumber); x == nil && place {
		c.check(undeclared(c.w.ecs, c.full, "index", string(name)))
	}
	return x
}

// keyValues are the values of a place.
type keyValues [ecs.MaxIndexFields]ecs.Value

// key returns the arguments from the second one on as the values of a place of an index.
func (c call) key(x *ecs.Index, values *keyValues) []ecs.Value {
	n := c.args() - 1
	if fields := len(x.Spec().Fields); n != fields {
		name := x.Spec().Name
		raise(c.LState, "index %q: %d values given for %d fields: %s; write %s(%q, %s)", name, n, fields, x.Spec(), c.full, name, strings.Join(x.Spec().Fields, ", "))
	}
	for i := range n {
		values[i] = keyValue(c.arg(i+2), x.FieldType(i))
	}
	return values[:n]
}

// keyValue returns a Lua value as a value of a field; of another kind, if it does not fit the type.
func keyValue(v lua.LValue, t ecs.FieldType) ecs.Value {
	switch v := v.(type) {
	case lua.LNumber:
		if t == ecs.EntityField {
			return ecs.EntityOf(entityOf(v))
		}
		return ecs.Number(float64(v))
	case lua.LString:
		return ecs.Text(string(v))
	case lua.LBool:
		return ecs.Boolean(bool(v))
	case *lua.LTable:
		return ecs.TableOf(nil)
	}
	return ecs.Value{}
}

// at is world:at(index, …): the first entity at a place, or nil.
func at(c call) int {
	var values keyValues
	x := c.index()
	e, err := x.At(c.key(x, &values)...)
	c.check(err)
	if e == ecs.None {
		c.Push(lua.LNil)
	} else {
		c.Push(c.w.entity(e))
	}
	return 1
}

// countAt is world:count(index, …).
func countAt(c call, x *ecs.Index) int {
	var values keyValues
	n, err := x.Count(c.key(x, &values)...)
	c.check(err)
	c.Push(number(float64(n)))
	return 1
}

// An indexWalk is the generator of world:all and world:around.
type indexWalk struct {
	interp.IteratorFunction
	world *World
	walk  *ecs.IndexWalk
	name  string
	turn  uint64
	area  bool
	ended bool
}

func (c call) indexWalk(walk *ecs.IndexWalk, area bool) int {
	c.charge(walk.Len())
	w := &indexWalk{world: c.w, walk: walk, name: c.full, turn: c.w.turn, area: area}
	w.Init(c.Env, w.push, w)
	c.Push(&w.LFunction)
	return 1
}

// all is world:all(index, …).
func all(c call) int {
	var values keyValues
	x := c.index()
	walk, err := x.All(c.key(x, &values)...)
	c.check(err)
	return c.indexWalk(walk, false)
}

// around is world:around(index, x, y, r, "moore" or "neumann").
func around(c call) int {
	x := c.index()
	place := func(n int, what string) int {
		v, ok := c.arg(n).(lua.LNumber)
		i, whole := wholeOf(float64(v))
		if !ok || !whole {
			raise(c.LState, "index %q: %s must be a whole number, not %s", x.Spec().Name, what, shown(c.arg(n)))
		}
		return i
	}
	px, py, r := place(2, "x"), place(3, "y"), place(4, "r")
	kind := ecs.Moore
	switch c.arg(5) {
	case lua.LNil, lua.LString("moore"):
	case lua.LString("neumann"):
		kind = ecs.Neumann
	default:
		raise(c.LState, `index %q: "moore" or "neumann" expected, got %s`, x.Spec().Name, shown(c.arg(5)))
	}
	c.charge((x.AreaPlaces(r) + 63) / 64)
	walk, err := x.Around(int64(px), int64(py), r, kind)
	c.check(err)
	return c.indexWalk(walk, true)
}

// step goes to the next entity.
func (w *indexWalk) step(L *lua.LState) bool {
	w.world.sameTurn(L, w.turn, w.name)
	if !w.ended {
		w.ended = !w.walk.Next()
	}
	return !w.ended
}

// push is the form for gopher-lua.
func (w *indexWalk) push(L *lua.LState) int {
	if !w.step(L) {
		return 0
	}
	L.Push(w.world.entity(w.walk.Entity()))
	if !w.area {
		return 1
	}
	x, y := w.walk.Place()
	L.Push(number(float64(x)))
	L.Push(number(float64(y)))
	return 3
}

// Step is the form for package interp.
func (w *indexWalk) Step(L *lua.LState, out []interp.Value) {
	for i := range out {
		out[i] = interp.Nil
	}
	if !w.step(L) || len(out) == 0 {
		return
	}
	out[0] = interp.Number(float64(w.walk.Entity()))
	if w.area && len(out) > 1 {
		x, y := w.walk.Place()
		out[1] = interp.Number(float64(x))
		if len(out) > 2 {
			out[2] = interp.Number(float64(y))
		}
	}
}

// nativeAt is the native form of at and of count of an index: see native.
func (w *World) nativeAt(args []interp.Value, ask func(x *ecs.Index, values []ecs.Value) (interp.Value, error)) (interp.Value, bool) {
	if len(args) < 2 || len(args) > 1+ecs.MaxIndexFields {
		return interp.Value{}, false
	}
	name, ok := args[0].Ref.(lua.LString)
	if !ok {
		return interp.Value{}, false
	}
	x := w.ecs.LookupIndex(string(name))
	if x == nil || len(x.Spec().Fields) != len(args)-1 {
		return interp.Value{}, false
	}
	var values keyValues
	for i := range args[1:] {
		switch a := &args[i+1]; {
		case a.IsNumber() && x.FieldType(i) == ecs.EntityField:
			values[i] = ecs.EntityOf(entityOf(lua.LNumber(a.Num)))
		case a.IsNumber():
			values[i] = ecs.Number(a.Num)
		default:
			text, ok := a.Ref.(lua.LString)
			if !ok {
				return interp.Value{}, false
			}
			values[i] = ecs.Text(string(text))
		}
	}
	v, err := ask(x, values[:len(args)-1])
	return v, err == nil
}

func (w *World) nativeFirst(args []interp.Value) (interp.Value, bool) {
	return w.nativeAt(args, func(x *ecs.Index, values []ecs.Value) (interp.Value, error) {
		e, err := x.At(values...)
		if e == ecs.None {
			return interp.Nil, err
		}
		return interp.Number(float64(e)), err
	})
}

func (w *World) nativeCount(args []interp.Value) (interp.Value, bool) {
	return w.nativeAt(args, func(x *ecs.Index, values []ecs.Value) (interp.Value, error) {
		n, err := x.Count(values...)
		return interp.Number(float64(n)), err
	})
}

// declareIndex is ecs.index("cells", { component = "Cell", fields = { "x", "y" }, width = 80, height = 40, wrap = true }). While files are loaded,
// the index is declared at the end of loading, because a later file may declare the component.
func declareIndex(c call) int {
	w, name := c.declaring(), c.declaredName("an index")
	t := c.table(2)
	keys := []string{"component", "fields", "height", "width", "wrap"}
	for k, _ := t.Next(lua.LNil); k != lua.LNil; k, _ = t.Next(k) {
		if key, ok := k.(lua.LString); !ok || !contains(keys, string(key)) {
			raise(c.LState, "index %q has component, fields, width, height and wrap, not %s%s", name, shown(k), meant(k.String(), keys))
		}
	}
	spec := ecs.IndexSpec{Name: name}
	component, ok := t.RawGetString("component").(lua.LString)
	if !ok {
		raise(c.LState, "index %q: component must be a name, not %s", name, shown(t.RawGetString("component")))
	}
	spec.Component = string(component)
	fields, ok := t.RawGetString("fields").(*lua.LTable)
	if !ok {
		raise(c.LState, `index %q: fields is a list of names, as in { "x", "y" }, not %s`, name, shown(t.RawGetString("fields")))
	}
	for i := 1; i <= fields.Len(); i++ {
		field, ok := sandbox.Get(fields, lua.LNumber(i)).(lua.LString)
		if !ok {
			raise(c.LState, `index %q: fields is a list of names, as in { "x", "y" }, not of %s`, name, shown(sandbox.Get(fields, lua.LNumber(i))))
		}
		spec.Fields = append(spec.Fields, string(field))
	}
	spec.Width, spec.Height, spec.Wrap = c.area(fmt.Sprintf("index %q", name), t, ecs.MaxIndexPlaces, true)
	declare := func(w *ecs.World) error {
		if _, ok := w.LookupComponent(spec.Component); !ok {
			return undeclared(w, "ecs.index", "component", spec.Component)
		}
		_, err := w.DeclareIndex(spec)
		return err
	}
	if c.surface.loading > 0 {
		c.surface.pending = append(c.surface.pending, Pending{c.surface.state.Where(), declare})
	} else {
		c.check(declare(w))
	}
	return 0
}

// nearest is world:nearest(grid, x, y, r, filter, except): the nearest entity and its squared distance, and the views of a query; of several the first
// one in the order of world:near.
func nearest(c call) int {
	w := c.w
	name := c.text(1, "grid name")
	g := w.ecs.LookupGrid(name)
	if g == nil {
		c.check(undeclared(w.ecs, c.full, "grid", name))
	}
	c.check(g.Ready())
	p, within := c.nearFilter(5)
	except := ecs.None
	if c.arg(6) != lua.LNil {
		except = c.entity(6)
	}
	x, y, r := c.number(2), c.number(3), c.number(4)
	best, bestD2 := ecs.None, math.Inf(1)
	look := func(radius float64) (seen int) {
		for s := g.Search(x, y, radius); s.Next(); seen++ {
			if d2, e := s.D2(), s.Entity(); (d2 < bestD2 || best == ecs.None) && e != except && (within == nil || within(e)) {
				best, bestD2 = e, d2
			}
		}
		return seen
	}
	cell := g.Spec().Cell
	if cell == 0 {
		cell = ecs.Raw.Grid(g).Cell // 0 if nobody is in it
	}
	for radius := 2 * cell; best == ecs.None; radius *= 4 { // what is near is found before all is looked at
		last := radius >= r || radius > 1e6*cell || math.IsNaN(r) || cell == 0
		if last {
			radius = r
		}
		c.charge(1 + look(radius))
		if last {
			break
		}
	}
	if best == ecs.None {
		c.Push(lua.LNil)
		return 1
	}
	c.Push(w.entity(best))
	c.Push(number(bestD2))
	if p == nil {
		return 2
	}
	for _, k := range p.terms {
		c.Push(w.termOf(interp.Number(float64(best)), k))
	}
	return 2 + len(p.terms)
}
