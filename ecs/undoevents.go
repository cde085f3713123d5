package ecs

import (
	"slices"
	"unsafe"
)

// This file is the part of the undo log about events. Events that were sent are cut off again; before anything else
// happens to a log, its events are copied.

// An eventUndo holds the logs that have changed in a turn, and the readers of the systems that have run: that of the
// turn, and the owners of the observers that it has called.
type eventUndo struct {
	logs    []logUndo
	at      []readerUndo // of all logs
	systems []systemUndo
	own     []readerUndo // of these systems, and those of the program that have moved, with the positions that they had
	readers []*EventReader
}

// A systemUndo says where the readers of a system are in eventUndo.readers.
type systemUndo struct {
	system   *System
	from, to int
}

// A logUndo is a log as it was. rows is nil while events were only sent.
type logUndo struct {
	log                                 *eventLog
	first, end, hole, previous, current uint64
	capacity                            int
	readers, openReaders                int // range in eventUndo.at
	copied                              bool
	rows                                unsafe.Pointer
}

// held returns the number of events that the log had.
func (rec *logUndo) held() int { return int(rec.end - rec.first) }

// A readerUndo is the position of a reader.
type readerUndo struct {
	reader *EventReader
	next   uint64
	log    *eventLog
}

func (x *eventUndo) begin(sys *System, turn uint32) {
	clear(x.logs)
	x.logs = x.logs[:0]
	clear(x.at)
	clear(x.own)
	x.at, x.own = x.at[:0], x.own[:0]
	clear(x.readers)
	x.readers, x.systems = x.readers[:0], x.systems[:0]
	x.save(sys, turn)
}

// save records the readers of a system. A reader of a log that has changed in this turn may have moved: the record of the log knows where it was.
func (x *eventUndo) save(sys *System, turn uint32) {
	from := len(x.readers)
	x.readers = append(x.readers, sys.readers...)
	x.systems = append(x.systems, systemUndo{sys, from, len(x.readers)})
	for _, r := range sys.readers {
		if r != nil && r.home.noted != turn {
			x.own = append(x.own, readerUndo{r, r.next, r.log})
		}
	}
}

// readersOf records the readers of a system whose observer is about to run, or that is about to be disabled.
func (u *undo) readersOf(sys *System) {
	if u.recording && !slices.ContainsFunc(u.systems, func(s systemUndo) bool { return s.system == sys }) {
		u.save(sys, u.number)
	}
}

// moves records where a reader of the program is, before it moves first in this turn, unless the record of its log has that.
// It costs O(readers that have moved).
func (u *undo) moves(r *EventReader) {
	if u.recording && r.log.noted != u.number && !slices.ContainsFunc(u.own, func(o readerUndo) bool { return o.reader == r }) {
		u.own = append(u.own, readerUndo{r, r.next, r.log})
	}
}

// sends implements journal.
func (u *undo) sends(l *eventLog) {
	if u.recording && l.noted != u.number {
		u.logUndo(l)
	}
}

// logUndo returns the record of a log, which it makes at the first change.
func (u *undo) logUndo(l *eventLog) *logUndo {
	if l.noted == u.number {
		return &u.logs[l.note]
	}
	l.noted, l.note = u.number, len(u.logs)
	rec := logUndo{log: l, first: l.first, end: l.end, hole: l.hole, previous: l.previous, current: l.current, capacity: l.capacity, readers: len(u.at)}
	for _, r := range l.readers {
		u.at = append(u.at, readerUndo{r, r.next, r.log})
	}
	rec.openReaders = len(u.at)
	u.logs = append(u.logs, rec)
	return &u.logs[len(u.logs)-1]
}

// events implements journal.
func (u *undo) events(l *eventLog) {
	if !u.recording {
		return
	}
	rec := u.logUndo(l)
	if rec.copied {
		return
	}
	rec.copied = true
	n := rec.held()
	rec.rows, _ = allocRows(nil, l.schema, n)
	l.schema.copyRows(rec.rows, l.base, n)
}

// restoreEvents restores logs and readers. A reader that a system has opened in the turn stays, at the first event that was there to read:
// its next turn reads what this one was to read.
func (u *undo) restoreEvents() {
	for i := range u.logs {
		rec := &u.logs[i]
		l, old := rec.log, u.at[rec.readers:rec.openReaders]
		held, n, front := int(l.end-l.first), rec.held(), l.front()
		switch {
		case l.capacity != rec.capacity:
			base, _ := allocRows(nil, l.schema, rec.capacity)
			if !rec.copied {
				l.schema.copyRows(base, l.base, n)
			}
			l.base, l.capacity, front, held = base, rec.capacity, 0, n
		case rec.copied:
			l.rewind()
			front, held = 0, front+held
		}
		if rec.copied {
			l.schema.copyRows(l.base, rec.rows, n)
		}
		l.first, l.end, l.hole, l.previous, l.current, l.full = rec.first, rec.end, rec.hole, rec.previous, rec.current, rec.first+uint64(rec.capacity-front)
		l.clear(n, max(0, held-n))
		opened := slices.DeleteFunc(slices.Clone(l.readers), func(r *EventReader) bool {
			return slices.ContainsFunc(old, func(o readerUndo) bool { return o.reader == r })
		})
		l.readers = l.readers[:0]
		for _, o := range old {
			o.reader.log, o.reader.next = l, o.next
			l.readers = append(l.readers, o.reader)
		}
		for _, r := range opened {
			r.next = l.previous
			if l.readers = append(l.readers, r); r.free {
				r.Close()
			}
		}
	}
	for _, o := range u.own { // after the logs, which may have been recorded when a reader had moved
		o.reader.log, o.reader.next = o.log, o.next
	}
	for _, s := range u.systems {
		s.system.takeBackReaders(u.readers[s.from:s.to])
	}
}

// takeBackReaders gives a system the readers that it had. Those that it has opened since then stay, unless it has closed them.
func (s *System) takeBackReaders(had []*EventReader) {
	for len(s.readers) < len(had) {
		s.readers = append(s.readers, nil)
	}
	for id, now := range s.readers {
		var r *EventReader
		if id < len(had) {
			r = had[id]
		}
		switch {
		case now == nil || now == r:
		case r != nil:
			now.Close()
		case now.log == now.home:
			r = now
		}
		s.readers[id] = r
	}
	if s.disabled {
		s.SetEnabled(false) // since then: its readers are closed
	}
}

// waits implements journal.
func (u *undo) waits(at int) {
	if u.recording && at >= 0 {
		u.waitLog = append(u.waitLog, at)
	}
}

// restoreWaits restores the events that wait. Their numbers are used up.
func (u *undo) restoreWaits() {
	q := &u.w.waits
	if len(u.waitLog) == 0 && len(q.all) == u.waiting {
		return
	}
	for _, at := range u.waitLog {
		q.all[at].gone = false
		q.gone--
	}
	q.cutWaits(u.w, u.waiting)
	q.rebuild()
}
