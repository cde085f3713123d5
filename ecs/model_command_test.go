package ecs

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// A modelCommand is a command, or a few in a row, for a queue of the world and for the model.
type modelCommand struct {
	name   string
	n      int                               // commands it queues
	spawns bool                              // the first is a spawn
	queue  func(q *Commands) (Entity, error) // returns the handle of the spawn
	number func()                            // counts the numbers that it draws
	replay func(e Entity)                    // what it does when it is applied; e is the handle of the spawn
}

// modelCommands is from what kinds a command is picked.
var modelCommands = []func(r *machine) modelCommand{
	(*machine).spawnCommand, (*machine).spawnerCommand, (*machine).spawnRelatedCommand, (*machine).familyCommand,
	(*machine).despawnCommand, (*machine).waitCommand, (*machine).addCommand, (*machine).cancelCommand, (*machine).removeCommand,
	(*machine).removeCommand, (*machine).setCommand, (*machine).setCommand, (*machine).storeCommand, (*machine).tagCommand,
	(*machine).untagCommand, (*machine).sendCommand, (*machine).relateCommand, (*machine).unrelateCommand,
}

// commandOp queues a command, applies the queue or drops it.
func (r *machine) commandOp(op int) {
	m, q := r.m, r.queue
	switch op {
	case 230:
		r.say("queue.Drop()")
		q.Drop()
		for _, e := range slices.Backward(r.handles) { // handles are in order of reservation
			if m.reserved[e] {
				delete(m.reserved, e)
				m.release(e)
			}
		}
		r.queued, r.waiting = nil, 0
	case 231:
		r.say("queue.Apply()")
		r.apply()
	default:
		c := modelCommands[(op-212)%len(modelCommands)](r)
		e, err := c.queue(q)
		r.say("queue.%s -> %s, %v", c.name, e, err)
		if !c.spawns {
			r.ok(err)
			r.accept(c)
		} else if !r.refuse(1, err) {
			r.same("handle", e, r.accept(c))
			r.same("alive before apply", r.w.Alive(e), false)
		}
	}
	r.same("queued", q.Len(), r.waiting)
}

// accept notes a command for the model and returns the handle of its spawn.
func (r *machine) accept(c modelCommand) Entity {
	e := None
	if c.spawns {
		e = r.m.take()
		r.m.reserved[e] = true
		r.born(e)
	}
	if c.number != nil {
		c.number()
	}
	r.queued = append(r.queued, func() { c.replay(e) })
	r.waiting += c.n
	return e
}

// apply applies the queue in the world and in the model.
func (r *machine) apply() {
	err := r.queue.Apply()
	r.cycles = 0
	for _, replay := range r.queued {
		replay()
	}
	r.queued, r.waiting = nil, 0
	if r.cycles > 0 != errors.Is(err, ErrCycle) || (r.cycles == 0 && err != nil) {
		r.fail("%d relations would form cycles, the error is %v", r.cycles, err)
	}
}

func (r *machine) spawnCommand() modelCommand {
	ids := r.some()
	return modelCommand{
		name: r.text("Spawn(%s)", r.components(ids)), n: 1, spawns: true,
		queue: func(q *Commands) (Entity, error) { return q.Spawn(ids...) },
		replay: func(e Entity) {
			delete(r.m.reserved, e)
			r.m.settle(e, ids)
		},
	}
}

// spawnerCommand is Spawner1.Queue: a spawn, a value and perhaps a tag. Those without a tag are of one spawner for each world, so that several are a run.
func (r *machine) spawnerCommand() modelCommand {
	n := r.byte()
	v, tags := modelLabel{fmt.Sprint("spawned", n), 5}, []TagID{r.tags[r.pick(2)]}
	if n%2 == 1 {
		tags = nil
	}
	return modelCommand{
		name: r.text("Spawner.Queue(%+v, %d)", v, tags), n: 2 + len(tags), spawns: true,
		queue: func(q *Commands) (Entity, error) { // it may be one of a copy
			id, shared := r.label.ID(), tags == nil && !q.worker
			if s := r.spawners[q.world]; shared && s != nil {
				return s.Queue(q, v)
			}
			s := &Spawner1[modelLabel]{spawner{world: q.world, ids: []ComponentID{id}, infos: [typedTerms]*component{q.world.components[id]}, tags: tags, restored: math.MaxUint64}}
			if shared {
				if r.spawners == nil {
					r.spawners = map[*World]*Spawner1[modelLabel]{}
				}
				r.spawners[q.world] = s
			}
			return s.Queue(q, v)
		},
		replay: func(e Entity) {
			delete(r.m.reserved, e)
			r.m.settle(e, []ComponentID{r.label.ID()})
			r.m.set(e, r.label.ID(), v.fields())
			for _, tag := range tags {
				r.m.tag(e, tag)
			}
		},
	}
}

func (r *machine) spawnRelatedCommand() modelCommand {
	ids, targets := r.some(), r.targets()
	return modelCommand{
		name: r.text("SpawnRelated(%s%s)", r.related(targets), r.list(ids)), n: 1, spawns: true,
		queue: func(q *Commands) (Entity, error) { return q.SpawnRelated(targets, ids...) },
		replay: func(e Entity) {
			delete(r.m.reserved, e)
			var alive []Target
			for _, to := range targets {
				if r.m.entities[to.Entity] != nil {
					alive = append(alive, to)
				} else if to.Relation == r.m.relations[0].id { // an orphan is not born
					r.m.release(e)
					return
				}
			}
			r.settleRelated(e, ids, alive)
		},
	}
}

// familyCommand spawns an entity and uses its handle wherever commands take one.
func (r *machine) familyCommand() modelCommand {
	e, rel, tag, ids := r.entity(), r.m.relations[r.pick(4)], r.tags[r.pick(2)], r.some()
	orphan := r.byte()%2 == 0
	values := func(child Entity) []FieldValue {
		list, err := NewData([]DataEntry{{Number(1), EntityOf(child)}, {Number(2), EntityOf(e)}})
		r.ok(err)
		d, err := NewData([]DataEntry{{Text("family"), TableOf(list)}})
		r.ok(err)
		return []FieldValue{{0, TableOf(d)}, {1, EntityOf(child)}}
	}
	c := modelCommand{name: r.text("Spawn(%s), used at once by %s as its target in %q, despawned: %v", r.components(ids), e, r.names[rel.id], orphan), n: 6, spawns: true}
	c.queue = func(q *Commands) (Entity, error) {
		child, err := q.Spawn(ids...)
		if err != nil {
			return None, err
		}
		q.Tag(child, tag)
		r.ok(q.Relate(e, rel.id, child))
		r.ok(q.Set(e, r.info, values(child)...))
		r.ok(q.Set(child, r.info, values(child)...))
		if orphan {
			q.Despawn(child)
		} else {
			r.ok(q.Add(child, ids...))
		}
		return child, nil
	}
	c.replay = func(child Entity) {
		delete(r.m.reserved, child)
		r.m.settle(child, ids)
		r.m.tag(child, tag)
		r.relateLater(e, rel, child)
		r.m.set(e, r.info, values(child))
		r.m.set(child, r.info, values(child))
		if orphan {
			r.m.despawn(child)
		} else {
			r.m.add(child, ids)
		}
	}
	return c
}

// plain is a command that spawns nothing; format and args are its name.
func (r *machine) plain(queue func(q *Commands) error, replay func(), format string, args ...any) modelCommand {
	return modelCommand{
		name: r.text(format, args...), n: 1,
		queue:  func(q *Commands) (Entity, error) { return None, queue(q) },
		replay: func(Entity) { replay() },
	}
}

func (r *machine) despawnCommand() modelCommand {
	e := r.entity()
	queue := func(q *Commands) error { q.Despawn(e); return nil }
	return r.plain(queue, func() { r.m.despawn(e) }, "Despawn(%s)", e)
}

func (r *machine) addCommand() modelCommand {
	e, ids := r.entity(), r.some()
	queue := func(q *Commands) error { return q.Add(e, ids...) }
	return r.plain(queue, func() { r.m.add(e, ids) }, "Add(%s%s)", e, r.list(ids))
}

func (r *machine) removeCommand() modelCommand {
	e, ids := r.entity(), r.some()
	queue := func(q *Commands) error { return q.Remove(e, ids...) }
	return r.plain(queue, func() { r.m.remove(e, ids) }, "Remove(%s%s)", e, r.list(ids))
}

func (r *machine) setCommand() modelCommand {
	e, id := r.entity(), r.ids[r.pick(len(r.ids))]
	fields := r.fields(id)
	queue := func(q *Commands) error { return q.Set(e, id, fields...) }
	return r.plain(queue, func() { r.m.set(e, id, fields) }, "Set(%s%s, %s)", e, r.list([]ComponentID{id}), r.values(id, fields))
}

func (r *machine) storeCommand() modelCommand {
	e, v := r.entity(), modelLabel{fmt.Sprint("queued", r.byte()), 4}
	queue := func(q *Commands) error {
		label := Component[modelLabel]{q.world, q.world.components[r.label.ID()]} // the queue may be one of a copy
		label.QueueSet(q, e, v)
		return nil
	}
	return r.plain(queue, func() { r.m.set(e, r.label.ID(), v.fields()) }, "QueueSet(%s, %+v)", e, v)
}

func (r *machine) tagCommand() modelCommand {
	e, id := r.entity(), r.tags[r.pick(2)]
	queue := func(q *Commands) error { q.Tag(e, id); return nil }
	return r.plain(queue, func() { r.m.tag(e, id) }, "Tag(%s, %d)", e, id)
}

func (r *machine) untagCommand() modelCommand {
	e, id := r.entity(), r.tags[r.pick(2)]
	queue := func(q *Commands) error { q.Untag(e, id); return nil }
	return r.plain(queue, func() { r.m.untag(e, id) }, "Untag(%s, %d)", e, id)
}

func (r *machine) sendCommand() modelCommand {
	v := Number(float64(r.byte()))
	queue := func(q *Commands) error { return q.Send(r.event, FieldValue{1, v}) }
	return r.plain(queue, func() { r.m.send(EntityOf(None), v) }, "Send(hit, {amount: %s})", v)
}

func (r *machine) relateCommand() modelCommand {
	e, rel := r.entity(), r.m.relations[r.pick(4)]
	target := r.target(rel)
	queue := func(q *Commands) error { return q.Relate(e, rel.id, target) }
	return r.plain(queue, func() { r.relateLater(e, rel, target) }, "Relate(%s, %q, %s)", e, r.names[rel.id], target)
}

func (r *machine) unrelateCommand() modelCommand {
	e, rel := r.entity(), r.m.relations[r.pick(4)]
	if r.byte()%2 == 0 {
		target := r.target(rel)
		queue := func(q *Commands) error { return q.UnrelateFrom(e, rel.id, target) }
		return r.plain(queue, func() { r.m.unrelate(e, rel, target) }, "UnrelateFrom(%s, %q, %s)", e, r.names[rel.id], target)
	}
	queue := func(q *Commands) error { return q.Unrelate(e, rel.id) }
	return r.plain(queue, func() { r.m.remove(e, []ComponentID{rel.id}) }, "Unrelate(%s, %q)", e, r.names[rel.id])
}

// relateLater replays a queued Relate.
func (r *machine) relateLater(e Entity, rel *modelRelation, target Entity) {
	if _, err := r.m.relate(e, rel, target); errors.Is(err, ErrCycle) {
		r.cycles++
	}
}
