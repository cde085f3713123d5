package surface

import (
	"fmt"
	"math"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// world.layers, and the functions of a layer. Errors name the layer.

// A layer is the Lua value of a layer of a world.
type layer struct {
	*ecs.AnyLayer
	world  *World
	schema *ecs.Schema // one field: a cell
	value  *lua.LUserData
	width  int
	cells  int  // how many there are
	plain  bool // a cell is a number that a Lua number holds
}

// layerTable is the Lua value of world.layers.
type layerTable struct{ world *World }

func (l *layer) name() string { return l.Spec().Name }

// wrong returns an error that names the layer.
func (l *layer) wrong(format string, args ...any) error {
	return fmt.Errorf("layer %q: %w", l.name(), fmt.Errorf(format, args...))
}

// Layer returns the object of a layer. The error has a suggestion.
func (w *World) Layer(name string) (lua.LValue, error) {
	if l := w.byLayer[name]; l != nil {
		return l.value, nil
	}
	any := w.ecs.LookupLayer(name)
	if any == nil {
		return nil, undeclared(w.ecs, "world.layers", "layer", name)
	}
	spec := any.Spec()
	schema, err := ecs.NewSchema(ecs.Field{Name: "value", Type: spec.Type, Default: spec.Default})
	if err != nil {
		panic("surface: the cells of a layer: " + err.Error())
	}
	l := &layer{AnyLayer: any, world: w, schema: schema, width: spec.Width, cells: any.Len()}
	l.plain = spec.Type.Numeric() && spec.Type != ecs.I64 && spec.Type != ecs.U64
	l.value = w.surface.state.NewUserData(l, w.surface.layers)
	w.byLayer[name] = l
	return l.value, nil
}

// bindLayers makes the object world.layers.
func (w *World) bindLayers() {
	w.byLayer = map[string]*layer{}
	known := w.surface.state.NewTable() // the layers that scripts have used, so that one costs a lookup in a table
	fallback := w.surface.state.NewTable()
	fallback.RawSetString("__index", w.surface.state.NewFunction(func(L *lua.LState) int {
		name, ok := L.Get(2).(lua.LString)
		if !ok {
			raise(L, "world.layers has named layers only, not [%s]", sandbox.ToString(L, L.Get(2)))
		}
		v, err := w.Layer(string(name))
		if err != nil {
			sandbox.Raise(L, err)
		}
		known.RawSet(name, v)
		L.Push(v)
		return 1
	}))
	known.Metatable = fallback
	mt := w.surface.metatable("layers", nil, func(L *lua.LState) int {
		raise(L, "world.layers cannot be changed: declare a layer under layers in the config, or with ecs.layer")
		return 0
	}, func(L *lua.LState) int {
		L.Push(lua.LString("world.layers"))
		return 1
	})
	mt.RawSetString("__index", known)
	w.layers = w.surface.state.NewUserData(&layerTable{w}, mt)
}

// layerObject makes the metatable of layers, and returns it with the table of their functions.
func (s *Surface) layerObject() (mt, methods *lua.LTable) {
	methods, fallback := s.state.NewTable(), s.state.NewTable()
	for _, m := range layerMethods {
		methods.RawSetString(m.name, s.state.NewShaped(m.ofLayer(s), nativeLayer(m.name), nil))
	}
	fallback.RawSetString("__index", s.state.NewFunction(func(L *lua.LState) int {
		raiseLacking(L, nil, LayerObject, L.Get(2), names(layerMethods))
		return 0
	}))
	methods.Metatable = fallback
	mt = s.metatable("layer", nil, func(L *lua.LState) int {
		raise(L, "a layer takes no fields; write layer:set(x, y, value)")
		return 0
	}, func(L *lua.LState) int {
		text := "layer"
		if l := layerOf(L.Get(1)); l != nil {
			text = fmt.Sprintf("layer %s (%s)", l.name(), l.Spec())
		}
		L.Push(lua.LString(text))
		return 1
	})
	mt.RawSetString("__index", methods)
	return mt, methods
}

// layerOf returns the layer that a value is, nil if it is none.
func layerOf(v lua.LValue) *layer {
	if ud, ok := v.(*lua.LUserData); ok {
		l, _ := ud.Value.(*layer)
		return l
	}
	return nil
}

func (m method) ofLayer(s *Surface) lua.LGFunction {
	return func(L *lua.LState) int {
		l := layerOf(L.Get(1))
		if l == nil {
			raise(L, "calling '%s' on bad self (layer expected, got %s); write layer:%s(…)", m.name, typeName(L, 1), m.name)
		}
		if s.loading > 0 {
			raise(L, "layer:%s while a file is being loaded: a file declares things and returns functions; only those get at a world", m.name)
		}
		c := call{LState: L, w: l.world, surface: s, name: m.name, full: "layer:" + m.name, skip: 1}
		c.atMost(m.most)
		return m.run(c)
	}
}

// layer returns the layer whose function is called.
func (c call) layer() *layer { return layerOf(c.arg(0)) }

// whole returns argument n, which must be a whole number. what names it in the error.
func (c call) whole(l *layer, n int, what string) int {
	v, ok := c.arg(n).(lua.LNumber)
	i, whole := wholeOf(float64(v))
	if !ok || !whole {
		sandbox.Raise(c.LState, l.wrong("%s: %s must be a whole number, not %s", c.name, what, shown(c.arg(n))))
	}
	return i
}

// wholeOf returns a number as an int; false if it is none, or beyond 2^53.
func wholeOf(v float64) (int, bool) {
	const most = 1 << 53
	return int(int64(v)), v >= -most && v <= most && v == math.Trunc(v)
}

// cellValue returns argument n as a value for a cell.
func (c call) cellValue(l *layer, n int) ecs.Value {
	v, err := c.surface.store(l.schema, 0, c.arg(n))
	if err != nil {
		sandbox.Raise(c.LState, l.wrong("%s: %w", c.name, err))
	}
	return v
}

// lua returns the value of a cell as a Lua value.
func (l *layer) lua(v ecs.Value) (lua.LValue, error) {
	switch v.Kind() {
	case ecs.EntityValue:
		return l.world.entity(v.Entity()), nil
	case ecs.IntValue, ecs.UintValue:
		f, ok := v.Exact()
		if !ok {
			return nil, l.wrong("a Lua number cannot hold %s exactly: it holds whole numbers up to 2^53 either way", v)
		}
		return number(f), nil
	}
	return l.world.surface.Lua(v), nil
}

func (c call) pushCell(l *layer, v ecs.Value, err error) int {
	c.check(err)
	out, err := l.lua(v)
	c.check(err)
	c.Push(out)
	return 1
}

// layerGet is layer:get(x, y).
func layerGet(c call) int {
	l := c.layer()
	v, err := l.Get(c.whole(l, 1, "x"), c.whole(l, 2, "y"))
	return c.pushCell(l, v, err)
}

// layerSet is layer:set(x, y, value).
func layerSet(c call) int {
	l := c.layer()
	x, y := c.whole(l, 1, "x"), c.whole(l, 2, "y")
	c.check(l.Set(x, y, c.cellValue(l, 3)))
	return 0
}

// layerAdd is layer:add(x, y, number).
func layerAdd(c call) int {
	l := c.layer()
	x, y := c.whole(l, 1, "x"), c.whole(l, 2, "y")
	v, ok := c.arg(3).(lua.LNumber)
	if !ok {
		sandbox.Raise(c.LState, l.wrong("add: number expected, got %s", shown(c.arg(3))))
	}
	_, err := l.Add(x, y, float64(v))
	c.check(err)
	return 0
}

// cells charges for an operation on n cells at once.
func (c call) cells(n int) { c.charge((n + 63) / 64) }

// layerFill is layer:fill(value) and layer:fill(value, x, y, width, height).
func layerFill(c call) int {
	l := c.layer()
	v := c.cellValue(l, 1)
	if c.args() == 1 {
		c.cells(l.Len())
		c.check(l.Fill(v))
		return 0
	}
	x, y, w, h := c.whole(l, 2, "x"), c.whole(l, 3, "y"), c.whole(l, 4, "the width"), c.whole(l, 5, "the height")
	spec := l.Spec()
	c.cells(max(0, min(w, spec.Width)) * max(0, min(h, spec.Height)))
	c.check(l.FillRect(v, x, y, w, h))
	return 0
}

// layerCopy is layer:copy(other).
func layerCopy(c call) int {
	l, from := c.layer(), layerOf(c.arg(1))
	if from == nil {
		sandbox.Raise(c.LState, l.wrong("copy: layer expected, got %s", typeName(c.LState, 2)))
	}
	c.cells(l.Len())
	c.check(l.Copy(from.AnyLayer))
	return 0
}

// layerCount is layer:count(value). No cell has a value that does not fit the type.
func layerCount(c call) int {
	l := c.layer()
	c.cells(l.Len())
	n, err := l.Count(c.cellValue(l, 1))
	c.check(err)
	c.Push(number(float64(n)))
	return 1
}

func layerSum(c call) int {
	l := c.layer()
	c.cells(l.Len())
	sum, err := l.Sum()
	c.check(err)
	c.Push(number(sum))
	return 1
}

func layerSize(c call) int {
	spec := c.layer().Spec()
	c.Push(number(float64(spec.Width)))
	c.Push(number(float64(spec.Height)))
	return 2
}

// A layerWalk is the generator of layer:each and layer:around.
type layerWalk struct {
	interp.IteratorFunction
	layer *layer
	name  string
	turn  uint64
	cells cells

	once      bool // it gives one cell, and then a kernel goes on
	given     bool // it has given that cell
	suspended bool // its loop is done with that cell, and did not leave
}

func (c call) layerWalk(from cells) int {
	w := &layerWalk{layer: c.layer(), name: c.full, turn: c.w.turn, cells: from}
	w.Init(c.Env, w.push, w)
	c.Push(&w.LFunction)
	return 1
}

// layerEach is layer:each(): x, y and value of each cell.
func layerEach(c call) int { return c.layerWalk(cells{}) }

// layerAround is layer:around(x, y, r, "moore" or "neumann").
func layerAround(c call) int {
	l := c.layer()
	x, y, r := c.whole(l, 1, "x"), c.whole(l, 2, "y"), c.whole(l, 3, "r")
	area, err := l.Around(x, y, r, c.neighbourhood(l, 4))
	c.check(err)
	return c.layerWalk(cells{area: area, around: true})
}

// neighbourhood returns argument n, "moore" if there is none.
func (c call) neighbourhood(l *layer, n int) ecs.Neighbourhood {
	switch c.arg(n) {
	case lua.LNil, lua.LString("moore"):
		return ecs.Moore
	case lua.LString("neumann"):
		return ecs.Neumann
	}
	sandbox.Raise(c.LState, l.wrong(`%s: "moore" or "neumann" expected, got %s`, c.name, shown(c.arg(n))))
	return 0
}

// next goes to the next cell; its number is -1 after the last one.
func (w *layerWalk) next(L *lua.LState) (cell, x, y int) {
	w.layer.world.sameTurn(L, w.turn, w.name)
	if w.once && w.given {
		w.suspended = true
		return -1, 0, 0
	}
	x, y, ok := w.cells.next(w.layer)
	if !ok {
		return -1, 0, 0
	}
	w.given = true
	return y*w.layer.width + x, x, y
}

// read returns the value of a cell.
func (w *layerWalk) read(L *lua.LState, x, y int) lua.LValue {
	value, err := w.layer.Get(x, y)
	if err == nil {
		var v lua.LValue
		if v, err = w.layer.lua(value); err == nil {
			return v
		}
	}
	sandbox.Raise(L, err)
	return nil
}

// push is the form for gopher-lua.
func (w *layerWalk) push(L *lua.LState) int {
	cell, x, y := w.next(L)
	if cell < 0 {
		return 0
	}
	v := w.read(L, x, y)
	L.Push(number(float64(x)))
	L.Push(number(float64(y)))
	L.Push(v)
	return 3
}

// Step is the form for package interp.
func (w *layerWalk) Step(L *lua.LState, out []interp.Value) {
	cell, x, y := w.next(L)
	if cell >= 0 && len(out) < 3 && !w.layer.plain {
		w.read(L, x, y) // an integer that a Lua number does not hold is an error also where nobody asks
	}
	for i := range out {
		switch {
		case cell < 0 || i > 2:
			out[i] = interp.Nil
		case i == 0:
			out[i] = interp.Number(float64(x))
		case i == 1:
			out[i] = interp.Number(float64(y))
		case w.layer.plain:
			out[i] = interp.Number(ecs.Raw.CellNumber(w.layer.AnyLayer, cell))
		default:
			out[i] = interp.Of(w.read(L, x, y))
		}
	}
}

// nativeLayer returns the native form of a function of layers: see native.
func nativeLayer(name string) interp.Native {
	set := name == "set"
	if !set && name != "get" {
		return nil
	}
	return func(_ *interp.Machine, args []interp.Value) (interp.Value, bool) {
		if len(args) != 3 && (len(args) != 4 || !set) {
			return interp.Value{}, false
		}
		ud, ok := args[0].Ref.(*lua.LUserData)
		if !ok || !args[1].IsNumber() || !args[2].IsNumber() {
			return interp.Value{}, false
		}
		l, ok := ud.Value.(*layer)
		x, there := wholeOf(args[1].Num)
		y, whole := wholeOf(args[2].Num)
		if !ok || !there || !whole || l.world.surface.loading > 0 {
			return interp.Value{}, false
		}
		if set {
			if len(args) != 4 || !args[3].IsNumber() || !l.Spec().Type.Numeric() || l.Set(x, y, ecs.Number(args[3].Num)) != nil {
				return interp.Value{}, false
			}
			return interp.Nil, true
		}
		cell, err := l.Cell(x, y)
		if err != nil || !l.plain {
			return interp.Value{}, false
		}
		return interp.Number(ecs.Raw.CellNumber(l.AnyLayer, cell)), true
	}
}
