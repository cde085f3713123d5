package ecs

import "slices"

// undoOp tags and untags, and takes all of it back: the model knows nothing of it. It also asks what is to come.
func (r *machine) undoOp() {
	var undo []func()
	for range r.byte() % 8 {
		e, set := r.entity(), r.w.TagSet(r.tags[r.pick(2)])
		switch place := Raw.TagPlace(set, e); r.byte() % 2 {
		case 0:
			if set.Tag(e) && place < 0 {
				undo = append(undo, func() { set.Untag(e) })
			}
		default:
			if set.Untag(e) {
				undo = append(undo, func() { Raw.PutBackTag(set, e, place) })
			}
		}
	}
	r.say("%d tags are changed, and taken back", len(undo))
	for _, back := range slices.Backward(undo) {
		back()
	}
	n := r.pick(20)
	r.same("a handle to come", Raw.Upcoming(r.w, n), r.m.upcoming(n))
	r.same("room", Raw.Room(r.w), r.m.limit-len(r.m.entities)-len(r.m.reserved))
	r.find(r.entity(), r.all[r.pick(len(r.all))])
}

// find looks a component up by a Finder.
func (r *machine) find(e Entity, id ComponentID) {
	place := Raw.Finder(r.w, id).Find(e)
	en := r.m.entities[e]
	if en == nil || r.m.visible(en, id) == nil {
		r.same("found", place, Place{})
		return
	}
	row, err := r.w.Ref(e, id).Row()
	r.ok(err)
	r.same("its memory", place.Memory, Raw.Row(row))
	r.same("its own", place.Table >= 0, en.own(id) != nil)
	if place.Table >= 0 {
		r.same("its row", r.m.tables[place.Table].rows[place.Row], e)
	}
}
