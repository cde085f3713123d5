package ecs

import "sort"

type modelEvent struct {
	fields  []Value
	frame   int
	drained bool
}

func (m *model) send(fields ...Value) {
	m.events = append(m.events, modelEvent{fields: fields, frame: m.frame})
}

// peek returns the indexes of the events of this frame and the previous one that nobody drained.
func (m *model) peek() []int { return m.unread(m.firstPeek()) }

func (m *model) firstPeek() int {
	return sort.Search(len(m.events), func(i int) bool { return m.events[i].frame >= m.frame-1 })
}

func (m *model) unread(from int) []int {
	var list []int
	for i := from; i < len(m.events); i++ {
		if !m.events[i].drained {
			list = append(list, i)
		}
	}
	return list
}

// eventOp sends, reads, peeks or drains.
func (r *machine) eventOp(op int) {
	w, m := r.w, r.m
	switch op {
	case 200, 201, 202:
		hit := modelHit{r.entity(), float64(r.byte())}
		r.say("hit.Send(%+v)", hit)
		r.typed.Send(hit)
		m.send(EntityOf(hit.Target), Number(hit.Amount))
	case 203, 204:
		v := Number(float64(r.byte()))
		r.say("w.Send(hit, {amount: %s})", v)
		r.ok(w.Send(r.event, FieldValue{1, v}))
		m.send(EntityOf(None), v)
	case 205:
		r.say("w.EventReader(hit) -> readers[%d]", len(r.readers))
		r.readers = append(r.readers, w.EventReader(r.event))
		m.readers = append(m.readers, m.firstPeek())
	case 206, 207, 208, 209:
		if len(r.readers) > 0 {
			r.readerOp(op, r.pick(len(r.readers)))
		}
	case 210:
		r.say("w.Peek(hit)")
		r.sameEvents(w.Peek(r.event), m.peek())
		r.same("typed peek", len(r.typed.Peek()), len(m.peek()))
	default:
		want := m.peek()
		if n := r.pick(8); n < 6 {
			r.say("w.Take(hit, %d)", n)
			w.Take(r.event, n)
			for _, i := range want[:min(n, len(want))] {
				m.events[i].drained = true
			}
			break
		}
		d := w.Drain(r.event)
		r.say("w.Drain(hit) -> %d", d.Len())
		r.same("drained", d.Len(), len(want))
		for i, n := range want {
			r.sameRow(None, "drained event", d.Row(i), m.events[n].fields)
			m.events[n].drained = true
		}
	}
}

// readerOp reads all, reads one or closes. A closed reader has nothing.
func (r *machine) readerOp(op, i int) {
	reader, from := r.readers[i], &r.m.readers[i]
	var want []int
	if *from >= 0 {
		want = r.m.unread(*from)
	}
	r.same("unread", reader.Len(), len(want))
	switch op {
	case 206, 207:
		r.say("readers[%d].Read()", i)
		r.sameEvents(reader.Read(), want)
		if *from >= 0 {
			*from = len(r.m.events)
		}
	case 208:
		row, ok := reader.Next()
		r.say("readers[%d].Next() -> %v", i, ok)
		r.same("next", ok, len(want) > 0)
		if ok {
			r.sameRow(None, "event", row, r.m.events[want[0]].fields)
			*from = want[0] + 1
		}
	default:
		if r.byte()%4 == 0 {
			r.say("readers[%d].Close()", i)
			reader.Close()
			*from = -1
		}
	}
}

func (r *machine) sameEvents(got Events, want []int) {
	r.same("events", got.Len(), len(want))
	for i, n := range want {
		r.sameRow(None, "event", got.Row(i), r.m.events[n].fields)
	}
}

func (r *machine) sameRow(e Entity, what string, row Row, want []Value) {
	for i, v := range want {
		if got := row.Get(i); !got.Equal(v) {
			r.fail("%s of %s, field %d: the world says %s, the model %s", what, e, i, got, v)
		}
	}
}
