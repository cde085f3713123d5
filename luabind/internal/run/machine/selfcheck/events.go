package selfcheck

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
)

// Checks of loops over events. The events are rows of a column that has their layout.

// checkedEvents is how many events a check walks: more than one block of long ones, so that there is more than one call.
const checkedEvents = 90

// rowsAsEvents are rows of a table that are walked as events: it implements kernel.Events.
type rowsAsEvents struct {
	column *ecs.Column
	next   int
}

func (r *rowsAsEvents) Event() (unsafe.Pointer, bool) {
	if r.next >= r.column.Len() {
		return nil, false
	}
	return ecs.Raw.Row(r.column.Row(r.next)), true
}

func (r *rowsAsEvents) Next() { r.next++ }

func (r *rowsAsEvents) Rest() (unsafe.Pointer, int) {
	first, _ := r.Event()
	return first, r.column.Len() - r.next
}

func (r *rowsAsEvents) Skip(n int) { r.next += n }

// eventsOf makes a column of rows with the layout of the events.
func eventsOf(s *ecs.Schema) (*ecs.Column, error) {
	w := ecs.NewWorld(ecs.Options{})
	id, err := w.DeclareComponent("event", s)
	if err != nil {
		return nil, err
	}
	b, err := w.Bundle(id)
	if err != nil {
		return nil, err
	}
	if _, err := b.SpawnMany(checkedEvents, nil); err != nil {
		return nil, err
	}
	for _, t := range w.Tables() {
		if c := t.Column(id); c != nil && c.Len() > 0 {
			return c, nil
		}
	}
	return nil, abi.Refusal("no rows to check it with")
}

// runEvents is runOnce for a loop over events.
func (d *selfTest) runEvents(fuel int64, column *ecs.Column) (again bool, err error) {
	x, y := &rowsAsEvents{column: column}, &rowsAsEvents{column: column}
	var how, also kernel.Ending
	var failed, b error
	a := d.want.call(fuel, func() {
		how = d.closures.(kernel.EventKernel).RunEvents(d.want.world, x)
		b = d.got.call(fuel, func() {
			also = d.code.(kernel.EventKernel).RunEvents(d.got.world, y)
			failed = d.compareEvents(how, also, x, y)
		})
	})
	if failed = errors.Join(failed, sameFailure(a, b)); failed != nil {
		return false, failed
	}
	if d.effects && d.want.world.Digest() != d.got.world.Digest() {
		return false, errors.New("its effects leave another world")
	}
	if how.Leaves() && x.next < column.Len() {
		d.want.fill(column.Row(x.next), d.rng, true)
		return true, nil
	}
	return false, nil
}

func (d *selfTest) compareEvents(how, also kernel.Ending, x, y *rowsAsEvents) error {
	switch {
	case also.Leaves() && (!how.Leaves() || y.next < x.next) && d.records:
		return errNoRoom
	case how != also && !(how.Leaves() && also.Leaves()): // code may lack room where closures lack fuel
		return fmt.Errorf("it ends by %d, not by %d", also, how)
	case x.next != y.next:
		return fmt.Errorf("it stops at event %d, not at event %d", y.next, x.next)
	}
	if err := d.compareResults(how, also); err != nil {
		return err
	}
	return d.want.compare(d.got)
}
