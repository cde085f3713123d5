package ecs

import (
	"fmt"
	"slices"
)

// A modelWait is an event that waits for a frame, or for a time.
type modelWait struct {
	number uint64
	fields []Value
	frame  uint64
	time   float64
	key    string
}

// deliver begins a frame of half a second.
func (m *model) deliver() {
	if m.frame > 0 {
		m.time += 0.5
	}
	frame := uint64(m.frame + 1)
	var due []modelWait
	m.waits = slices.DeleteFunc(m.waits, func(e modelWait) bool {
		is := e.frame > 0 && e.frame <= frame || e.frame == 0 && e.time <= m.time
		if is {
			if e.frame > 0 {
				e.time = m.time
			}
			due = append(due, e)
		}
		return is
	})
	slices.SortStableFunc(due, func(a, b modelWait) int {
		switch {
		case a.time < b.time:
			return -1
		case a.time > b.time:
			return 1
		}
		return 0
	})
	for _, e := range due {
		m.send(e.fields...)
	}
}

func (m *model) cancel(which func(modelWait) bool) { m.waits = slices.DeleteFunc(m.waits, which) }

// waitCommand is a send that waits for some halves of seconds, or frames, and may have a key.
func (r *machine) waitCommand() modelCommand {
	v, n, inTime, key := Number(float64(r.byte())), r.pick(5), r.byte()%2 == 0, ""
	if k := r.pick(6); k < 3 {
		key = fmt.Sprint("key ", k)
	}
	wait := modelWait{fields: []Value{EntityOf(None), v}, key: key}
	if inTime {
		wait.time = r.m.time + float64(n)*0.25
	} else {
		wait.frame = uint64(r.m.frame + 1 + n)
	}
	queue := func(q *Commands) error {
		var number uint64
		var err error
		if inTime {
			number, err = q.SendAfter(r.event, float64(n)*0.25, key, FieldValue{1, v})
		} else {
			number, err = q.SendAt(r.event, wait.frame, key, FieldValue{1, v})
		}
		wait.number = number
		return err
	}
	c := r.plain(queue, func() {
		if key != "" {
			r.m.cancel(func(e modelWait) bool { return e.key == key })
		}
		r.m.waits = append(r.m.waits, wait)
	}, "send later(%v, %v, %q)", wait.frame, wait.time, key)
	c.number = func() {
		r.m.number++
		if wait.number < provisionalNumber { // not of a worker's queue
			r.same("number", wait.number, r.m.number)
		}
		wait.number = r.m.number
	}
	return c
}

// cancelCommand cancels by key or by number.
func (r *machine) cancelCommand() modelCommand {
	if k := r.pick(4); k < 2 {
		key := fmt.Sprint("key ", k)
		return r.plain(func(q *Commands) error { return q.CancelKey(r.event, key) }, func() { r.m.cancel(func(e modelWait) bool { return e.key == key }) }, "CancelKey(%q)", key)
	}
	number := max(1, r.m.number-min(r.m.number, uint64(r.pick(6))))
	queue := func(q *Commands) error { q.Cancel(number); return nil }
	return r.plain(queue, func() { r.m.cancel(func(e modelWait) bool { return e.number == number }) }, "Cancel(%d)", number)
}

func (r *machine) compareWaits() {
	i := 0
	for e := range r.w.Waiting {
		if i == len(r.m.waits) {
			r.fail("%s waits, says the world", e)
		}
		want := r.m.waits[i]
		r.same("number that waits", e.Number, want.number)
		r.same("frame", e.Frame, want.frame)
		r.same("time", e.Time, want.time)
		r.same("key", e.Key, want.key)
		r.sameRow(None, "waiting event", e.Row, want.fields)
		i++
	}
	r.same("waiting", i, len(r.m.waits))
}
