package ecs

import (
	"errors"
	"fmt"
)

func (r *machine) writeOp(op int) {
	w, m, e := r.w, r.m, r.entity()
	switch {
	case op < 168:
		id := r.ids[r.pick(len(r.ids))]
		fields := r.fields(id)
		got, err := w.Set(e, id, fields...)
		r.say("w.Set(%s%s, %s) -> %v", e, r.list([]ComponentID{id}), r.values(id, fields), got)
		r.ok(err)
		r.same("lives", got, m.set(e, id, fields))
	case op < 172:
		v := velocity{float64(r.byte()), 2}
		got, err := r.vel.Set(e, v)
		r.say("velocity.Set(%s, %+v) -> %v", e, v, got)
		r.ok(err)
		r.same("lives", got, m.set(e, r.vel.ID(), []FieldValue{{0, Number(v.DX)}, {1, Number(v.DY)}}))
	case op < 176:
		v := modelLabel{fmt.Sprint("mut", r.byte()), 1}
		r.say("label.Modify(%s, %+v)", e, v)
		got := r.label.Modify(e, func(l *modelLabel) { *l = v })
		en := m.entities[e]
		r.same("has Label", got, en != nil && en.own(r.label.ID()) != nil)
		if got {
			m.set(e, r.label.ID(), v.fields())
		}
	default:
		id := r.ids[r.pick(len(r.ids))]
		ref := w.Ref(e, id)
		if len(ref.Schema().Fields()) == 0 {
			return
		}
		v := r.value(ref.Schema().Fields()[0])
		err := ref.Set(0, v)
		r.say("w.Ref(%s%s).Set(0, %s) -> %v", e, r.list([]ComponentID{id}), v, err)
		en := m.entities[e]
		switch {
		case en == nil:
			r.same("error", errors.Is(err, ErrDead), true)
		case en.own(id) == nil && m.visible(en, id) != nil:
			r.same("error", errors.Is(err, ErrInherited), true)
		case en.own(id) == nil:
			r.same("error", errors.Is(err, ErrNoComponent), true)
		default:
			r.ok(err)
			m.set(e, id, []FieldValue{{0, v}})
		}
	}
}

func (r *machine) tagOp(op int) {
	e, id := r.entity(), r.tags[op%2]
	if op < 194 {
		got := r.w.Tag(e, id)
		r.say("w.Tag(%s, %d) -> %v", e, id, got)
		r.same("tag", got, r.m.tag(e, id))
		return
	}
	got := r.w.Untag(e, id)
	r.say("w.Untag(%s, %d) -> %v", e, id, got)
	r.same("untag", got, r.m.untag(e, id))
}

func (r *machine) stampOp(op int) {
	t := r.w.Tables()[r.pick(len(r.w.Tables()))]
	if len(t.Components()) == 0 {
		return
	}
	id := t.Components()[r.pick(len(t.Components()))]
	from := r.byte() % (t.Len() + 1)
	to := from + r.byte()%(t.Len()-from+1)
	if op%2 == 0 {
		from, to = 0, t.Len()
		t.Column(id).StampAll()
	} else {
		t.Column(id).StampRange(from, to)
	}
	r.say("w.Tables()[%d].Column(%s).StampRange(%d, %d)", t.ID(), r.components([]ComponentID{id}), from, to)
	for _, e := range t.Entities()[from:to] {
		r.m.entities[e].own(id).changed = r.now()
	}
}
