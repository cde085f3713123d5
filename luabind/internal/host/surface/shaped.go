package surface

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	lua "github.com/yuin/gopher-lua"
)

// Forms of methods for calls whose last argument is a table constructor with constant names, such as world:spawn{
// Position = { x = 1 } }: no tables are made (interp.Shape). What the names mean is looked up at the first call,
// and kept with the shape. A form does what the method does, or returns false before it has changed anything: for
// any error, and for values that are not plain. Then the tables are made, and the method is called, which raises
// the error.

// A shapedMethod is the form of a method for shapes. args are the arguments between the world and the constructor.
type shapedMethod func(m *interp.Machine, w *World, args []interp.Value, s *interp.Shape, slots []interp.Value) (interp.Value, bool)

var shapedMethods = map[string]shapedMethod{
	"send":  shapedSend,
	"set":   shapedSet,
	"spawn": shapedSpawn,
}

var shapedCommands = map[string]shapedMethod{
	"send":  shapedQueueSend,
	"set":   shapedQueueSet,
	"spawn": shapedQueueSpawn,
}

// shaped returns the form of a method as interp calls it; nil if there is none.
func shaped(run shapedMethod) interp.Shaped {
	if run == nil {
		return nil
	}
	return func(m *interp.Machine, args []interp.Value, s *interp.Shape, slots []interp.Value) (interp.Value, bool) {
		if len(args) == 0 {
			return interp.Value{}, false
		}
		ud, ok := args[0].Ref.(*lua.LUserData)
		if !ok {
			return interp.Value{}, false
		}
		var w *World
		switch x := ud.Value.(type) {
		case *World:
			w = x
		case *commandQueue:
			w = x.world
		}
		if w == nil || w.surface.loading > 0 {
			return interp.Value{}, false
		}
		return run(m, w, args[1:], s, slots)
	}
}

// A shapedFields is kept with the shape of a table of fields.
type shapedFields struct {
	schema *ecs.Schema
	index  []int // by field of the shape
}

// fieldsOf appends the fields of a schema that a shape gives values to, as values does for a table.
func fieldsOf(buf []ecs.FieldValue, s *interp.Shape, slots []interp.Value, schema *ecs.Schema) ([]ecs.FieldValue, bool) {
	if len(s.Items) > 0 {
		return buf, false
	}
	known, _ := s.Data.(*shapedFields)
	if known == nil || known.schema != schema {
		known = &shapedFields{schema: schema}
		for _, f := range s.Fields {
			i := schema.Index(string(f.Name))
			if i < 0 || f.Sub != nil {
				return buf, false
			}
			known.index = append(known.index, i)
		}
		s.Data = known
	}
	fields := schema.Fields()
	for i := range s.Fields {
		at := known.index[i]
		v, t := &slots[s.Fields[i].Slot], fields[at].Type
		var out ecs.Value
		switch x := v.Ref.(type) {
		case nil:
			switch {
			case t == ecs.F64, t == ecs.F32:
				out = ecs.Number(v.Num)
			case t == ecs.EntityField:
				e, ok := ecs.EntityFromNumber(v.Num)
				if !ok {
					return buf, false
				}
				out = ecs.EntityOf(e)
			case t.Numeric():
				out = ecs.Number(v.Num)
				if schema.Check(ecs.FieldValue{Index: at, Value: out}) != nil {
					return buf, false
				}
			default:
				return buf, false
			}
		case lua.LBool:
			if t != ecs.Bool {
				return buf, false
			}
			out = ecs.Boolean(bool(x))
		case lua.LString:
			if t != ecs.String {
				return buf, false
			}
			out = ecs.Text(string(x))
		case *lua.LNilType:
			continue
		default:
			return buf, false
		}
		buf = append(buf, ecs.FieldValue{Index: at, Value: out})
	}
	return buf, true
}

// A shapedParts is kept with the shape of a description of an entity.
type shapedParts struct {
	world  *World
	parts  []*component // by field of the shape; relations too
	items  []lua.LString
	ids    []ecs.ComponentID // of items that are components, then of parts
	data   int               // how many of parts are no relations
	tags   []ecs.TagID
	bundle *ecs.Bundle // of ids; nil before the first spawn, since it makes a table
}

// partsOf returns what the names of a shape mean; nil if one of them has no meaning, or another one than expected.
func (w *World) partsOf(s *interp.Shape, slots []interp.Value) *shapedParts {
	known, _ := s.Data.(*shapedParts)
	if known == nil || known.world != w {
		known = w.findParts(s, slots)
		if known == nil {
			return nil
		}
		s.Data = known
	}
	for i, slot := range s.Items {
		if name, ok := slots[slot].Ref.(lua.LString); !ok || name != known.items[i] {
			return nil
		}
	}
	return known
}

// findParts looks up the names of a shape, for partsOf.
func (w *World) findParts(s *interp.Shape, slots []interp.Value) *shapedParts {
	p := &shapedParts{world: w}
	for _, slot := range s.Items {
		name, ok := slots[slot].Ref.(lua.LString)
		if !ok {
			return nil
		}
		p.items = append(p.items, name)
		if id, err := w.tag("", string(name)); err == nil {
			p.tags = append(p.tags, id)
			continue
		}
		c, err := w.component("", string(name))
		if err != nil || c.relation {
			return nil
		}
		p.ids = append(p.ids, c.id)
	}
	for _, f := range s.Fields {
		c, err := w.component("", string(f.Name))
		if err != nil || c.relation != (f.Sub == nil) {
			return nil
		}
		p.parts = append(p.parts, c)
		if !c.relation {
			p.ids = append(p.ids, c.id)
			p.data++
		}
	}
	sorted := slices.Clone(p.ids)
	slices.Sort(sorted)
	if len(slices.Compact(sorted)) != len(p.ids) {
		return nil // a component twice
	}
	return p
}

// describe makes a spawning from a shape, as parse does from a table.
func (p *shapedParts) describe(w *World, s *interp.Shape, slots []interp.Value) (*spawning, bool) {
	out := w.spawning()
	return out, p.append(out, s, slots)
}

// append adds what a shape describes to out. If it returns false, it may have added a part of it.
func (p *shapedParts) append(out *spawning, s *interp.Shape, slots []interp.Value) bool {
	out.tags = append(out.tags, p.tags...)
	for _, id := range p.ids[:len(p.ids)-p.data] {
		out.ids, out.ends = append(out.ids, id), append(out.ends, len(out.fields))
	}
	for i := range s.Fields {
		c := p.parts[i]
		if c.relation {
			to := &slots[s.Fields[i].Slot]
			if !to.IsNumber() || handle(to) == ecs.None {
				return false
			}
			out.targets = append(out.targets, ecs.Target{Relation: c.id, Entity: handle(to)})
			continue
		}
		var ok bool
		if out.fields, ok = fieldsOf(out.fields, s.Fields[i].Sub, slots, c.schema); !ok {
			return false
		}
		out.ids = append(out.ids, c.id)
		out.ends = append(out.ends, len(out.fields))
	}
	return true
}

// appendShape adds what a shape describes to out. It may have added a part of it when it returns false.
func (w *World) appendShape(out *spawning, s *interp.Shape, slots []interp.Value) bool {
	p := w.partsOf(s, slots)
	return p != nil && p.append(out, s, slots)
}

// shapedSpawn does what spawn does. It returns false for relations, which may cause work that is charged, and where
// a limit of bytes could refuse a tag after the entity was made.
func shapedSpawn(_ *interp.Machine, w *World, args []interp.Value, s *interp.Shape, slots []interp.Value) (interp.Value, bool) {
	if len(args) != 0 || w.ecs.Locked() {
		return interp.Value{}, false
	}
	p := w.partsOf(s, slots)
	if p == nil || len(p.tags) > 0 && (w.ecs.Options().MaxBytes != 0 || w.ecs.Options().MaxTags != 0) || w.spawnObserved(p.ids, p.tags) {
		return interp.Value{}, false
	}
	d, ok := p.describe(w, s, slots)
	if !ok || len(d.targets) > 0 {
		return interp.Value{}, false
	}
	if p.bundle == nil {
		b, err := w.bundle(p.ids)
		if err != nil {
			return interp.Value{}, false
		}
		p.bundle = b
	}
	start := ecs.Raw.Hold(w.ecs) // indexes see the whole entity
	defer ecs.Raw.Release(w.ecs, start, true)
	e, err := p.bundle.Spawn()
	if err != nil {
		return interp.Value{}, false
	}
	if err := d.fill(w, e, mark{}, d.mark()); err != nil {
		panic("surface: a tag was refused without a limit: " + err.Error())
	}
	return interp.Number(float64(e)), true
}

func shapedQueueSpawn(m *interp.Machine, w *World, args []interp.Value, s *interp.Shape, slots []interp.Value) (interp.Value, bool) {
	if len(args) != 0 {
		return interp.Value{}, false
	}
	p := w.partsOf(s, slots)
	if p == nil {
		return interp.Value{}, false
	}
	d, ok := p.describe(w, s, slots)
	q := w.shapedQueue(m)
	if !ok || q == nil {
		return interp.Value{}, false
	}
	e, err := q.SpawnRelated(d.targets, d.ids...)
	if err != nil {
		return interp.Value{}, false
	}
	if err := d.join(q, e); err != nil {
		panic("surface: a checked value did not fit: " + err.Error())
	}
	return interp.Number(float64(e)), true
}

// shapedQueue is call.queue for forms; nil if the queue is full.
func (w *World) shapedQueue(m *interp.Machine) *ecs.Commands {
	q := w.ecs.Commands()
	if q.Len() >= mostQueued {
		return nil
	}
	q.At(w.surface.place(m.L))
	return q
}

// shapedSetting checks the arguments of set: the entity, the component, its fields.
func shapedSetting(w *World, args []interp.Value, s *interp.Shape, slots []interp.Value) (ecs.Entity, *component, []ecs.FieldValue, bool) {
	e, name, ok := entityAndName(args)
	if !ok {
		return e, nil, nil, false
	}
	k := w.used(name)
	if k == nil || k.relation {
		return e, nil, nil, false
	}
	d := w.spawning()
	d.fields, ok = fieldsOf(d.fields, s, slots, k.schema)
	return e, k, d.fields, ok
}

// shapedSet does what set does, for a component that the entity has itself.
func shapedSet(_ *interp.Machine, w *World, args []interp.Value, s *interp.Shape, slots []interp.Value) (interp.Value, bool) {
	e, k, fields, ok := shapedSetting(w, args, s, slots)
	if !ok || !w.ecs.Owns(e, k.id) || k.observed() {
		return interp.Value{}, false
	}
	set, err := w.ecs.Set(e, k.id, fields...)
	return truth(set), err == nil
}

func shapedQueueSet(m *interp.Machine, w *World, args []interp.Value, s *interp.Shape, slots []interp.Value) (interp.Value, bool) {
	e, k, fields, ok := shapedSetting(w, args, s, slots)
	if !ok {
		return interp.Value{}, false
	}
	q := w.shapedQueue(m)
	if q == nil {
		return interp.Value{}, false
	}
	return interp.None, q.Set(e, k.id, fields...) == nil
}

// shapedSending checks the arguments of send: the event, its fields.
func shapedSending(w *World, args []interp.Value, s *interp.Shape, slots []interp.Value) (*eventType, []ecs.FieldValue, bool) {
	if len(args) != 1 {
		return nil, nil, false
	}
	name, ok := args[0].Ref.(lua.LString)
	if !ok {
		return nil, nil, false
	}
	k := w.byEvent[string(name)]
	if k == nil {
		return nil, nil, false
	}
	d := w.spawning()
	d.fields, ok = fieldsOf(d.fields, s, slots, k.schema)
	return k, d.fields, ok
}

func shapedSend(_ *interp.Machine, w *World, args []interp.Value, s *interp.Shape, slots []interp.Value) (interp.Value, bool) {
	k, fields, ok := shapedSending(w, args, s, slots)
	return interp.None, ok && w.ecs.Send(k.id, fields...) == nil
}

func shapedQueueSend(m *interp.Machine, w *World, args []interp.Value, s *interp.Shape, slots []interp.Value) (interp.Value, bool) {
	k, fields, ok := shapedSending(w, args, s, slots)
	if !ok {
		return interp.Value{}, false
	}
	q := w.shapedQueue(m)
	return interp.None, q != nil && q.Send(k.id, fields...) == nil
}
