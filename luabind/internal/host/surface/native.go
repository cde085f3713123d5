package surface

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	lua "github.com/yuin/gopher-lua"
)

// Native forms of the methods of world that scripts call most in loops: see interp.Native. A form does what the
// method does, or returns false: for any error, for lists of names, for a missing argument. Then the method itself
// is called.

// A nativeMethod is the native form of a method. args are the arguments after the world.
type nativeMethod func(m *interp.Machine, w *World, args []interp.Value) (interp.Value, bool)

var nativeMethods = map[string]nativeMethod{
	"alive": func(_ *interp.Machine, w *World, args []interp.Value) (interp.Value, bool) {
		if len(args) != 1 || !args[0].IsNumber() {
			return interp.Value{}, false
		}
		return truth(w.ecs.Alive(handle(&args[0]))), true
	},
	"at": func(_ *interp.Machine, w *World, args []interp.Value) (interp.Value, bool) {
		return w.nativeFirst(args)
	},
	"count": func(_ *interp.Machine, w *World, args []interp.Value) (interp.Value, bool) {
		return w.nativeCount(args)
	},
	"get": func(m *interp.Machine, w *World, args []interp.Value) (interp.Value, bool) {
		e, name, ok := entityAndName(args)
		k := w.used(name)
		if !ok || k == nil || k.relation || !w.ecs.Has(e, k.id) {
			return interp.Value{}, false
		}
		ref := w.ecs.Ref(e, k.id)
		if m.Lends() {
			return interp.Value{Ref: w.lend(ref, k)}, true
		}
		return interp.Value{Ref: w.view(ref, k)}, true
	},
	"has": func(_ *interp.Machine, w *World, args []interp.Value) (interp.Value, bool) {
		e, name, ok := entityAndName(args)
		k := w.used(name)
		if !ok || k == nil {
			return interp.Value{}, false
		}
		return truth(w.ecs.Has(e, k.id)), true
	},
	"tag": func(_ *interp.Machine, w *World, args []interp.Value) (interp.Value, bool) {
		e, id, ok := w.entityAndTag(args)
		if !ok || w.tagObserved(id) {
			return interp.Value{}, false
		}
		added, err := w.ecs.TryTag(e, id)
		return truth(added), err == nil
	},
	"tagged": func(_ *interp.Machine, w *World, args []interp.Value) (interp.Value, bool) {
		e, id, ok := w.entityAndTag(args)
		if !ok {
			return interp.Value{}, false
		}
		return truth(w.ecs.Tagged(e, id)), true
	},
	"untag": func(_ *interp.Machine, w *World, args []interp.Value) (interp.Value, bool) {
		e, id, ok := w.entityAndTag(args)
		if !ok || w.tagObserved(id) {
			return interp.Value{}, false
		}
		return truth(w.ecs.Untag(e, id)), true
	},
}

// native returns the native form of a method as interp calls it; nil if the method has none.
func native(name string) interp.Native {
	run := nativeMethods[name]
	if run == nil {
		return nil
	}
	return func(m *interp.Machine, args []interp.Value) (interp.Value, bool) {
		if len(args) == 0 {
			return interp.Value{}, false
		}
		ud, ok := args[0].Ref.(*lua.LUserData)
		if !ok {
			return interp.Value{}, false
		}
		w, ok := ud.Value.(*World)
		if !ok || w.surface.loading > 0 {
			return interp.Value{}, false
		}
		return run(m, w, args[1:])
	}
}

// truth converts a boolean.
func truth(b bool) interp.Value {
	if b {
		return interp.True
	}
	return interp.False
}

// handle converts a number to an entity.
func handle(v *interp.Value) ecs.Entity { return entityOf(lua.LNumber(v.Num)) }

// used returns the component with a name, nil if no script has used it yet. A small cache finds names by the
// address of their text, because names are constants; the result does not depend on the address.
func (w *World) used(name string) *component {
	c := &w.recent[uintptr(unsafe.Pointer(unsafe.StringData(name)))/16%uintptr(len(w.recent))]
	if *c == nil || (*c).name != name {
		k := w.components[name]
		if k == nil {
			return nil
		}
		*c = k
	}
	return *c
}

// lend returns a view for a place that does not keep it. The view is used again.
func (w *World) lend(ref ecs.Ref, c *component) *lua.LUserData {
	if w.lent == nil {
		w.lent = w.view(ref, c).Value.(*view)
	}
	w.lent.ref, w.lent.component = ref, c
	return &w.lent.LUserData
}

// entityAndName checks the arguments (e, "Name").
func entityAndName(args []interp.Value) (ecs.Entity, string, bool) {
	if len(args) != 2 || !args[0].IsNumber() {
		return ecs.None, "", false
	}
	name, ok := args[1].Ref.(lua.LString)
	return handle(&args[0]), string(name), ok
}

// entityAndTag checks the arguments (e, "tag"), for a tag that was used before.
func (w *World) entityAndTag(args []interp.Value) (ecs.Entity, ecs.TagID, bool) {
	e, name, ok := entityAndName(args)
	if !ok {
		return e, 0, false
	}
	id, ok := w.byTag[name]
	return e, id, ok
}

// nativeRandom is the native form of math.random.
func (s *Surface) nativeRandom(host Host) interp.Native {
	return func(_ *interp.Machine, args []interp.Value) (interp.Value, bool) {
		if s.loading > 0 || len(args) > 2 {
			return interp.Value{}, false
		}
		random := host.Random()
		if random == nil {
			return interp.Value{}, false
		}
		lo, hi := 1.0, 0.0
		switch len(args) {
		case 0:
			return interp.Number(random.Float64()), true
		case 1:
			hi = args[0].Num
		case 2:
			lo, hi = args[0].Num, args[1].Num
		}
		for i := range args {
			if !args[i].IsNumber() {
				return interp.Value{}, false
			}
		}
		const most = 1 << 53
		if !(lo <= hi && -most < lo && hi < most) || lo != float64(int64(lo)) || hi != float64(int64(hi)) {
			return interp.Value{}, false // math.random itself handles fractions, large numbers and empty intervals
		}
		return interp.Number(float64(int64(random.Between(lo, hi)))), true
	}
}
