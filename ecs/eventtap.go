package ecs

import "slices"

// A tap collects the events of chosen types as they are sent, for programs that pass them on. Logs tell it before an
// event is appended and before events are lost; it costs nothing where no type is tapped. The rows stay in the logs
// until they are drained; only then the tap copies them.

// An EventTap collects events of some types in the order in which they are sent, across types, whether a system
// drains them or not. Events of a turn that was taken back ([Schedule].RollBack) are not in it. It is valid as long
// as its world, or until [EventTap.Close]. See the example of [World.TapEvents].
type EventTap struct {
	world *World
	logs  []tappedLog // by EventID; types beyond its length are not tapped
	runs  []tappedRun // of all types, in the order of sending
	mark  int         // len(runs) when the turn began that is recorded
}

// A tappedLog is what a tap knows of one event type since the last Clear.
type tappedLog struct {
	wanted bool
	active bool   // there is a run of the type
	next   uint64 // sequence number of the first event that is not copied
	kept   []keptEvents
}

// keptEvents are copies of the events from..to-1.
type keptEvents struct {
	from, to uint64
	rows     Drained
}

// A tappedRun are events of one type that were sent one after another: from this sequence number to that of the next
// run of the same type, or to the end of the log.
type tappedRun struct {
	id       EventID
	from, to uint64 // to is set by All
}

// TapEvents returns a tap that collects the events of these types from now on. Sending costs a little more for all
// types of the world while there is a tap. Call [EventTap.Clear] once per frame: what is collected takes memory.
func (w *World) TapEvents(ids ...EventID) *EventTap {
	w.mustBeAlone()
	t := &EventTap{world: w, logs: make([]tappedLog, len(w.events))}
	for _, id := range ids {
		w.event(id)
		t.logs[id].wanted = true
	}
	w.taps = append(w.taps, t)
	w.slots.guarded = true
	return t
}

// Close removes the tap. It collects nothing any more.
func (t *EventTap) Close() {
	made(t.world != nil, "EventTap", "World.TapEvents")
	w := t.world
	w.mustBeAlone()
	w.taps = slices.DeleteFunc(w.taps, func(other *EventTap) bool { return other == t })
	w.slots.guarded = w.guards()
	t.Clear()
}

// guards reports whether changes of tags and events have to be told to somebody.
func (w *World) guards() bool { return w.journal != nil || len(w.taps) > 0 }

// All yields the events that were sent since the last Clear, in the order of sending. A row is valid until the next
// event is sent or drained, or the frame ends.
func (t *EventTap) All(yield func(EventID, Row) bool) {
	ends := make([]uint64, len(t.logs))
	for i := range ends {
		ends[i] = t.world.events[i].end
	}
	for i := len(t.runs) - 1; i >= 0; i-- {
		run := &t.runs[i]
		run.to, ends[run.id] = ends[run.id], run.from
	}
	for _, run := range t.runs {
		l, log := &t.logs[run.id], t.world.events[run.id]
		for seq := run.from; seq < run.to; seq++ {
			if !yield(run.id, l.row(log, seq)) {
				return
			}
		}
	}
}

// row returns an event, from the log or from a copy.
func (l *tappedLog) row(log *eventLog, seq uint64) Row {
	if seq < l.next {
		for i := range l.kept {
			if k := &l.kept[i]; seq < k.to {
				return k.rows.Row(int(seq - k.from))
			}
		}
	}
	return Row{schema: log.schema, ptr: log.at(int(seq - log.first))}
}

// Clear forgets the events that were collected.
func (t *EventTap) Clear() {
	t.runs, t.mark = t.runs[:0], 0
	for i := range t.logs {
		l := &t.logs[i]
		l.active = false
		clear(l.kept)
		l.kept = l.kept[:0]
	}
}

// sends is called before events are appended to a log.
func (t *EventTap) sends(log *eventLog) {
	if int(log.id) >= len(t.logs) || !t.logs[log.id].wanted {
		return
	}
	if n := len(t.runs); n > t.mark && t.runs[n-1].id == log.id {
		return
	}
	t.runs = append(t.runs, tappedRun{id: log.id, from: log.end})
	if l := &t.logs[log.id]; !l.active {
		l.active, l.next = true, log.end
	}
}

// loses is called before a log loses its events up to a sequence number. It copies those that the tap has collected.
func (t *EventTap) loses(log *eventLog, to uint64) {
	if int(log.id) >= len(t.logs) || !t.logs[log.id].active {
		return
	}
	l := &t.logs[log.id]
	if to <= l.next {
		return
	}
	k := keptEvents{from: l.next, to: to, rows: Drained{schema: log.schema, n: int(to - l.next)}}
	k.rows.base, _ = allocRows(nil, log.schema, k.rows.n)
	log.schema.copyRows(k.rows.base, log.at(int(k.from-log.first)), k.rows.n)
	l.kept, l.next = append(l.kept, k), to
}

// turn is called when a turn begins that may be taken back.
func (t *EventTap) turn() { t.mark = len(t.runs) }

// takeBack forgets what was sent since turn. The logs are as they were then.
func (t *EventTap) takeBack() {
	t.runs = t.runs[:t.mark]
	for i := range t.logs {
		l, end := &t.logs[i], t.world.events[i].end
		if !l.active {
			continue
		}
		l.next = min(l.next, end)
		for k := range l.kept {
			l.kept[k].to = min(l.kept[k].to, end)
		}
	}
}

// losing tells the taps that a log is about to lose its events up to a sequence number.
func (l *eventLog) losing(to uint64) {
	if l.world != nil {
		for _, t := range l.world.taps {
			t.loses(l, to)
		}
	}
}
