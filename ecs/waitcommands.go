package ecs

import (
	"fmt"
	"math"
	"unsafe"
)

// A waitOrder is what a command about waiting events needs beyond its fields.
type waitOrder struct {
	waiting // of an event that is to wait: all but its row. Of a cancel: its number, or 0 and its event and key
}

// provisionalNumber is added to the numbers that a worker's queue gives: the index of the order. Merging replaces them.
const provisionalNumber = 1 << 62

// SendAfter queues an event that waits until world time has gone on by some seconds, at least 0: it is sent at the beginning of the first later frame
// whose [World.Time] reaches the time of now plus after. A millionth of a frame is forgiven. An event with a key, if it is not "",
// replaces what waits under the same key of the same event. Events that are due in one frame come in the order of time, then of sending; an entity in a
// field may be dead by then. They count for [Options].MaxEvents while they wait. The number is for [Commands.Cancel]; that of a worker's queue is valid in this
// queue only. Numbers are not used again, even if the turn fails.
// Errors: [ErrUnknown], a value that does not fit its field, a time that is negative or no number; then nothing is queued.
func (c *Commands) SendAfter(id EventID, after float64, key string, fields ...FieldValue) (number uint64, err error) {
	c.mayQueue()
	if !(after >= 0) || math.IsInf(after, 0) {
		return 0, fail("send", None, c.eventName(id), fmt.Errorf("after %v seconds: give a number of at least 0", after))
	}
	return c.sendLater(waiting{event: id, due: c.world.clock.time + after, inTime: true, key: key}, fields)
}

// SendAt is [Commands.SendAfter] for an event that is sent at the beginning of a frame, which must be later than this one.
func (c *Commands) SendAt(id EventID, frame uint64, key string, fields ...FieldValue) (number uint64, err error) {
	c.mayQueue()
	if now := c.world.clock.frame; frame <= now || frame > 1<<53 {
		return 0, fail("send", None, c.eventName(id), fmt.Errorf("at frame %d: give a frame that is later than this one, %d", frame, now))
	}
	return c.sendLater(waiting{event: id, due: float64(frame), key: key}, fields)
}

// eventName returns the name of an event for messages.
func (c *Commands) eventName(id EventID) string {
	if uint(id) < uint(len(c.world.events)) {
		return c.world.events[id].name
	}
	return ""
}

func (c *Commands) sendLater(e waiting, fields []FieldValue) (uint64, error) {
	if err := c.Send(e.event, fields...); err != nil { // checks
		return 0, err
	}
	op := &c.ops[len(c.ops)-1]
	op.op, op.entity = waitCommand, Entity(len(c.orders))
	if c.worker {
		e.number = provisionalNumber + uint64(len(c.orders))
	} else {
		c.world.waits.last++
		e.number = c.world.waits.last
	}
	c.orders = append(c.orders, waitOrder{e})
	return e.number, nil
}

// Cancel queues the end of the waiting event with a number. One that does not wait is skipped.
func (c *Commands) Cancel(number uint64) {
	c.mayQueue()
	c.cancel(waiting{number: number})
}

// CancelKey queues the end of the event of a type that waits under a key. One that does not wait is skipped. Error: [ErrUnknown].
func (c *Commands) CancelKey(id EventID, key string) error {
	c.mayQueue()
	if uint(id) >= uint(len(c.world.events)) {
		return fail("cancel", None, "", unknownID("event", id))
	}
	c.cancel(waiting{event: id, key: key})
	return nil
}

func (c *Commands) cancel(e waiting) {
	c.ops = append(c.ops, command{joined: c.joins, op: cancelCommand, place: c.place, entity: Entity(len(c.orders))})
	c.orders = append(c.orders, waitOrder{e})
}

// takeOrder appends the order of a command of a worker's queue, with a real number, and returns its place.
func (c *Commands) takeOrder(from *Commands, op *command) Entity {
	order := from.orders[op.entity]
	switch {
	case op.op == waitCommand:
		c.world.waits.last++
		order.number = c.world.waits.last
		from.orders[op.entity].number = order.number
	case order.number >= provisionalNumber:
		at := order.number - provisionalNumber
		order.number = 0
		if at < uint64(len(from.orders)) && from.orders[at].number < provisionalNumber {
			order.number = from.orders[at].number
		}
	}
	c.orders = append(c.orders, order)
	return Entity(len(c.orders) - 1)
}

// runWait makes an event wait. Error: an [ErrLimit], of events or of bytes.
func (c *Commands) runWait(op *command) error {
	w := c.world
	e := c.orders[op.entity].waiting
	p, err := w.wait(e)
	if err != nil {
		return fail("send", None, w.events[e.event].name, err)
	}
	w.events[e.event].schema.put(p, c.fields[op.from:op.to])
	return nil
}

// put sets a row to these fields, which have been checked, and the other fields to their defaults.
func (s *Schema) put(p unsafe.Pointer, fields []FieldValue) {
	s.setDefault(p)
	for _, fv := range fields {
		f := &s.fields[fv.Index]
		if err := f.store(p, fv.Value); err != nil {
			panic("ecs: a checked value did not fit: " + err.Error())
		}
	}
}

// runCancel ends an event that waits, if it does.
func (c *Commands) runCancel(op *command) {
	q, e := &c.world.waits, &c.orders[op.entity]
	number := e.number
	if number == 0 {
		number = q.keys[waitKey{e.event, e.key}]
	}
	if at := q.find(number); at >= 0 {
		c.world.endWait(at)
	}
}

// hasOrder reports whether a command has an order.
func (op command) hasOrder() bool { return op.op == waitCommand || op.op == cancelCommand }
