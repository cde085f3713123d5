package ecs

// eventOp sends, reads, peeks or drains.
func (r *machine) eventOp(op int) {
	w, m := r.w, r.m
	switch op {
	case 200, 201, 202:
		hit := modelHit{r.entity(), float64(r.byte())}
		r.say("hit.Send(%v)", hit)
		r.typed.Send(hit)
		m.events = append(m.events, modelEvent{fields: []Value{EntityOf(hit.Target), Number(hit.Amount)}, frame: m.frame})
	case 203, 204:
		v := Number(float64(r.byte()))
		r.say("w.Send(Hit, amount = %s)", v)
		r.ok(w.Send(r.event, FieldValue{1, v}))
		m.events = append(m.events, modelEvent{fields: []Value{EntityOf(None), v}, frame: m.frame})
	case 205:
		r.say("w.EventReader(Hit) -> reader %d", len(r.readers))
		r.readers = append(r.readers, w.EventReader(r.event))
		m.readers = append(m.readers, m.firstPeek())
	case 206, 207:
		if len(r.readers) > 0 {
			i := r.pick(len(r.readers))
			r.say("reader %d.Read()", i)
			if m.readers[i] >= 0 {
				r.sameEvents(r.readers[i].Read(), m.unread(m.readers[i]))
				m.readers[i] = len(m.events)
			} else {
				r.same("events of a closed reader", r.readers[i].Read().Len(), 0)
			}
		}
	case 208:
		if len(r.readers) > 0 {
			i := r.pick(len(r.readers))
			row, ok := r.readers[i].Next()
			r.say("reader %d.Next() -> %v", i, ok)
			var want []int
			if m.readers[i] >= 0 {
				want = m.unread(m.readers[i])
			}
			r.same("next", ok, len(want) > 0)
			if ok {
				r.sameRow(None, "event", row, m.events[want[0]].fields)
				m.readers[i] = want[0] + 1
			}
		}
	case 209:
		if len(r.readers) > 0 && r.byte()%4 == 0 {
			i := r.pick(len(r.readers))
			r.say("reader %d.Close()", i)
			r.readers[i].Close()
			m.readers[i] = -1
		}
	case 210:
		r.say("w.Peek(Hit)")
		r.sameEvents(w.Peek(r.event), m.peek())
		r.same("typed peek", len(r.typed.Peek()), len(m.peek()))
	default:
		want := m.peek()
		d := w.Drain(r.event)
		r.say("w.Drain(Hit) -> %d", d.Len())
		r.same("drained", d.Len(), len(want))
		for i, n := range want {
			r.sameRow(None, "drained event", d.Row(i), m.events[n].fields)
			m.events[n].drained = true
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
