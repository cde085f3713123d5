package ecs

// This file is the short way from an operation to an observer: where one observer is told of one change, or of the same
// change of many entities, it is called at once. No report waits and nothing is sorted, and what the calls have in common
// is done once. All else goes through observedorder.go. Both ways make the same calls in the same order.

// soleOf returns the observer that is told of a new row of a table; nil if there is none or several, or an index is told.
func (o *observers) soleOf(t *Table) (sole *Observer) {
	joined := t.joint.gains()
	n := len(o.onSpawn) + len(joined)
	if len(o.onSpawn) == 1 {
		sole = o.onSpawn[0]
	} else if len(joined) == 1 {
		sole = joined[0]
	}
	for i := range t.columns {
		at := t.columns[i].info.watch
		if at == nil || t.columns[i].info.relation != nil {
			continue
		}
		if len(at.indexes) > 0 {
			return nil
		}
		if len(at.gained) > 0 {
			n += len(at.gained)
			sole = at.gained[0]
		}
	}
	if n > 1 {
		return nil
	}
	return sole
}

// tell calls an observer for each entity of a list; target is that of a relation. Structure is locked meanwhile, so the
// list may be that of a table.
func (o *observers) tell(ob *Observer, target Entity, list []Entity) {
	if len(o.stack) == 0 && o.apply == 0 {
		o.broken = false
	}
	for len(list) > 0 {
		n, err := o.tellSome(ob, target, list)
		if err != nil {
			o.fail(called{ob, o.changeOf(list[n-1], target)}, err)
		}
		list = list[n:]
	}
}

// changeOf returns what is told now of an entity.
func (o *observers) changeOf(e, target Entity) Change {
	c := Change{Entity: e, Target: target, System: o.world.system, Chain: len(o.stack), Place: o.place}
	if o.cause != nil {
		c.Chain += o.cause.depth
	}
	return c
}

// tellSome is tell until a call fails. It returns for how many entities nothing is left to do.
func (o *observers) tellSome(ob *Observer, target Entity, list []Entity) (n int, err error) {
	w, owner := o.world, ob.spec.Owner
	if ob.stopped || o.broken || w.fault != nil || owner != nil && owner.disabled {
		return len(list), nil
	}
	if len(o.stack) >= MaxObserverDepth || len(o.stack) == 0 && o.cause != nil && o.cause.depth >= maxObserverChain {
		o.refuse(called{ob, o.changeOf(list[0], target)})
		return 1, nil
	}
	change := Change{Target: target, System: w.system, Chain: len(o.stack), Place: o.place}
	if o.cause != nil {
		change.Chain += o.cause.depth
	}
	system, queue, hold := w.system, w.queue, w.hold
	if queue == nil {
		queue = w.Commands()
	}
	place, first, depth := queue.place, len(queue.ops), len(o.stack)
	if o.marked != first {
		o.attribute(queue)
	}
	if depth == cap(o.stack) {
		o.stack = append(o.stack, activeCall{})
	}
	o.stack = o.stack[:depth+1]
	o.stack[depth] = activeCall{observer: ob}
	w.locks++
	w.queue = queue
	if owner != nil {
		o.inside(owner, true)
	}
	defer func() {
		if len(queue.ops) > first {
			if err != nil {
				queue.cut(first)
			}
			o.attribute(queue)
		}
		if owner != nil {
			o.inside(owner, false)
			w.system = system
		}
		queue.place = place
		o.stack[depth] = activeCall{}
		o.stack = o.stack[:depth]
		if depth == 0 {
			w.queue = nil
		}
		w.unlock(hold)
	}()
	run := ob.spec.Run
	for _, change.Entity = range list {
		n++
		o.made++
		if err = run(w, change); err != nil {
			return n, err
		}
		if len(queue.ops) != first {
			o.attribute(queue)
			o.stack[depth].run = nil // the next call is another link of the chain
			first = len(queue.ops)
		}
		queue.place = place
		if ob.stopped || o.broken || w.fault != nil || owner != nil {
			return n, nil
		}
	}
	return n, nil
}

// inside makes an owner the running system, or ends that: the caller puts the other system back.
func (o *observers) inside(owner *System, on bool) {
	if on {
		o.world.system = owner
		if o.world.undo != nil {
			o.world.undo.readersOf(owner)
		}
	}
	if owner.schedule != nil && owner.schedule.Observing != nil {
		owner.schedule.Observing(owner, on)
	}
}
