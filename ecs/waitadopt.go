package ecs

import "unsafe"

// Waiting events, and commands about them, in a world with other declarations.

// waits brings the events that wait, with their numbers.
func (a *adoption) waits() {
	w, q := a.to, &a.from.waits
	most := w.options.MaxEvents
	w.options.MaxEvents = 0 // what there is finds room
	for i := range q.all {
		e := q.all[i]
		if n := a.events[e.event]; n != nil && !e.gone {
			src := a.from.waitRow(&e)
			cv := a.sent[e.event]
			e.event, e.heap = n.id, [2]uint32{}
			p, err := w.wait(e)
			if err != nil {
				panic("ecs: a world without limits has no room: " + err.Error())
			}
			n.schema.setDefault(p)
			cv.rows(p, src, 1)
		}
	}
	w.waits.last, w.options.MaxEvents = q.last, most
}

// waitRows returns the rows of the events of a type that wait.
func (w *World) waitRows(id EventID) (rows []unsafe.Pointer) {
	for i := range w.waits.all {
		if e := &w.waits.all[i]; e.event == id && !e.gone {
			rows = append(rows, w.waitRow(e))
		}
	}
	return rows
}

// order brings the order of a queued command, and returns its place.
func (a *adoption) order(q, old *Commands, op *command) Entity {
	o := old.orders[op.entity]
	if n := a.events[o.event]; n != nil {
		o.event = n.id
	} else {
		o.event = 0 // of a cancel by number
	}
	q.orders = append(q.orders, o)
	return Entity(len(q.orders) - 1)
}
