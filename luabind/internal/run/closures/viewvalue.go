package closures

import (
	"math/bits"
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/draft"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	lua "github.com/yuin/gopher-lua"
)

// Boxed views and events, the values of ir.Box (lower/box.go): list[#list + 1] = pos puts a view into a table of the script,
// and list[1].x reads or writes a field of a view that was found there. As in the interpreter, a row makes at most one value
// of each view. Writes through such a value are logged in the undo log, as all writes to other rows.

// A component is the value of a view, for code outside package surface.
type component interface {
	// Of returns the entity and the component of the view. It is not ok for a view of another world, or of a relation.
	Of(w *ecs.World) (e ecs.Entity, id ecs.ComponentID, ok bool)
}

// An object is the value of a view or an event.
type object interface {
	// PlainField is interp.Object.GetField for fields that hold no table.
	PlainField(f *interp.Field, key string, out *interp.Value) bool
	// TableField returns what a field of type table holds. It is not ok for another field, and where a read raises an error.
	TableField(f *interp.Field, key string) (d *ecs.Data, ok bool)
}

// An eventSource makes the value of the event that a walk stands on.
type eventSource interface{ Value() lua.LValue }

// A boxed is the value that the current row has made of a view, so that the row makes only one.
type boxed struct {
	value  *draft.Other // nil: none
	entity ecs.Entity
}

// boxes returns the views of which some expressions make values, one bit each.
func boxes(body []*ir.Stmt) (views uint64) {
	ir.Expressions(body, func(x *ir.Expr) {
		if x.Op == ir.Box {
			views |= 1 << x.I
		}
	})
	return views
}

// unbox forgets the values of some views, which are set to other rows now.
func (f *frame) unbox(views uint64) {
	for ; views != 0; views &= views - 1 {
		f.boxes[bits.TrailingZeros64(views)&(ir.MaxViews-1)].value = nil
	}
}

// box compiles ir.Box.
func (c *compiler) box(x *ir.Expr) refFn {
	i := x.I & (ir.MaxViews - 1)
	if x.A == nil {
		return func(f *frame) draft.Ref {
			b := &f.boxes[i]
			if b.value == nil {
				b.value = &draft.Other{LValue: f.events.Value()}
			}
			return draft.Ref{Value: &draft.Nil, Other: b.value}
		}
	}
	entity, id := c.number(x.A), ecs.ComponentID(x.ID)
	return func(f *frame) draft.Ref {
		b, e := &f.boxes[i], handle(entity(f))
		if b.value == nil || b.entity != e {
			*b = boxed{&draft.Other{LValue: f.newView(e, id)}, e}
		}
		return draft.Ref{Value: &draft.Nil, Other: b.value}
	}
}

// SetBoxes sets what makes the value of a view, for an ir.Box, and the objects world, world.resources and world.commands, which rows may find in
// tables of the script.
func (k *Kernel) SetBoxes(view func(e ecs.Entity, id ecs.ComponentID) lua.LValue, objects [3]lua.LValue) {
	k.frame.newView, k.frame.objects = view, objects
}

// An objectField reads a field of views and events, in one place of a Program.
type objectField struct {
	name      string
	field     interp.Field
	out       interp.Value
	held      ecs.Value
	tables    bool // the field may hold a table: the value is a copy of it
	keep      bool // the table needs an identity
	live      bool // the statement changes the table that is stored: see compiler.changed
	resources bool // the body assigns no resource: rows keep those in registers
}

// objectField makes an objectField for an ir.Item with this name. keep is that of compiler.ref.
func (c *compiler) objectField(x *ir.Expr, name string, keep bool) *objectField {
	assigned := func(out ir.Output) bool { return c.p.Origins[out.Input].From == ir.FromResource }
	return &objectField{name: name, tables: c.changes == x.Live, keep: keep && c.p.Drafts, live: c.changes, resources: !slices.ContainsFunc(c.p.Outputs, assigned)}
}

// read sets o.out to a field. It returns false where the interpreter has to read it.
func (o *objectField) read(v lua.LValue, name string) bool {
	ud, ok := v.(*lua.LUserData)
	if !ok {
		return false
	}
	from, ok := ud.Value.(object)
	return ok && from.PlainField(&o.field, name, &o.out)
}

// get returns v.name.
func (o *objectField) get(f *frame, v lua.LValue) draft.Ref { return o.named(f, v, o.name) }

// named is get for a name that is computed.
func (o *objectField) named(f *frame, v lua.LValue, name string) draft.Ref {
	if f.effects.Changes() || !o.read(v, name) {
		if r, ok := o.property(f, v, name); ok {
			return r
		}
		if r, ok := o.table(f, v, name); ok {
			return r
		}
		f.failed = true
		f.blames(readsView)
		return draft.Ref{Value: &draft.Nil}
	}
	if o.out.IsNumber() {
		o.held = ecs.Number(o.out.Num)
		return draft.Ref{Value: &o.held}
	}
	return f.refOf(o.out.Ref, &o.held)
}

// property is named for the objects world and world.resources.
func (o *objectField) property(f *frame, v lua.LValue, name string) (r draft.Ref, ok bool) {
	switch {
	case v == f.objects[0]:
		switch name {
		case "dt":
			o.held = ecs.Number(f.world.DT())
		case "time":
			o.held = ecs.Number(f.world.Time())
		case "frame":
			o.held = ecs.Number(float64(f.world.Frame()))
		case "resources":
			return draft.OtherValue(f.objects[1]), true
		case "commands":
			return draft.OtherValue(f.objects[2]), true
		default:
			return draft.Ref{}, false
		}
		return draft.Ref{Value: &o.held}, true
	case v == f.objects[1] && o.resources:
		id, known := f.world.LookupResource(name)
		if !known {
			return draft.Ref{}, false
		}
		o.held = f.world.Resource(id).Get(0)
		switch o.held.Kind() {
		case ecs.BoolValue, ecs.StringValue:
		case ecs.TableValue:
			if o.live || !o.tables {
				return draft.Ref{}, false
			}
			if o.keep {
				return draft.Ref{Value: &draft.Nil, Table: f.pool.Table(o.held.Data())}, true
			}
		default:
			n, exact := o.held.Exact()
			if !exact {
				return draft.Ref{}, false
			}
			o.held = ecs.Number(n)
		}
		return draft.Ref{Value: &o.held}, true
	}
	return draft.Ref{}, false
}

// table is named for a field of type table.
func (o *objectField) table(f *frame, v lua.LValue, name string) (r draft.Ref, ok bool) {
	ud, isUserData := v.(*lua.LUserData)
	if !o.tables || f.effects.Changes() || !isUserData {
		return draft.Ref{}, false
	}
	from, isObject := ud.Value.(object)
	if !isObject {
		return draft.Ref{}, false
	}
	d, ok := from.TableField(&o.field, name)
	if !ok {
		return draft.Ref{}, false
	}
	if o.keep {
		t := f.pool.Table(d)
		if o.live {
			f.owner = owner{v, name, t}
		}
		return draft.Ref{Value: &draft.Nil, Table: t}, true
	}
	o.held = ecs.TableOf(d)
	return draft.Ref{Value: &o.held}, true
}

// float returns v.name if it is a number; otherwise it fails.
func (o *objectField) float(f *frame, v lua.LValue) float64 {
	if !f.effects.Changes() && o.read(v, o.name) && o.out.IsNumber() {
		return o.out.Num
	}
	if r, ok := o.property(f, v, o.name); ok {
		if n, isNumber := r.Number(); isNumber {
			return n
		}
	}
	f.failed = true
	return 0
}

// at returns v[key].
func (o *objectField) at(f *frame, v lua.LValue, key draft.Ref) draft.Ref {
	name, ok := key.Text()
	if !ok {
		f.failed = true
		return draft.Ref{Value: &draft.Nil}
	}
	return o.named(f, v, name)
}

// equalViews is == for two values that are not the same one. It is not ok if they are not both views of this world.
func (f *frame) equalViews(a, b lua.LValue) (equal, ok bool) {
	e, first, ok := f.viewOf(a)
	if !ok {
		return false, false
	}
	o, second, ok := f.viewOf(b)
	return e == o && first == second, ok
}

// viewOf returns the entity and the component of a value that is a view of this world.
func (f *frame) viewOf(v lua.LValue) (e ecs.Entity, id ecs.ComponentID, ok bool) {
	if ud, isUserData := v.(*lua.LUserData); isUserData {
		if view, isView := ud.Value.(component); isView {
			return view.Of(f.world)
		}
	}
	return 0, 0, false
}
