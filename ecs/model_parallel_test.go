package ecs

import (
	"errors"
	"fmt"
	"slices"
)

// modelWalk is a parallel walk as the model expects it.
type modelWalk struct {
	f     *Filter
	q     *Query
	since Tick
	pool  Pool
	grain int
	parts []modelPart
	place map[modelPlace]int // index in parts
	twin  *World             // walked by one worker, to the same end; or nil
}

// modelPlace is a table and the first row of a part.
type modelPlace struct{ table, from int }

// A modelWrite is what a worker writes to the first field of a component, and how.
type modelWrite struct {
	id  ComponentID
	v   Value
	how int
}

const (
	writeOnly = iota // stamps nothing
	writeAndStamp
	writeBySet
	writeByRef
	writeWays
)

// backwards is a pool of one goroutine that takes the last task first.
type backwards struct{}

func (backwards) Workers() int { return 2 }

func (backwards) Run(n int, task func(i int)) {
	for i := range n {
		task(n - 1 - i)
	}
}

// pool picks none, the backward one, or one of 1 to 4 workers.
func (r *machine) pool() Pool {
	if r.pools == nil {
		r.pools = []Pool{nil, backwards{}, NewPool(1), NewPool(2), NewPool(3), NewPool(4)}
	}
	return r.pools[r.pick(len(r.pools))]
}

// closePools ends the goroutines.
func (r *machine) closePools() {
	for _, p := range r.pools {
		if p, ok := p.(*Workers); ok {
			p.Close()
		}
	}
}

// parallelOp is a turn of one of three systems that walks a query in parts.
func (r *machine) parallelOp(op int) {
	w, k, kind := r.w, op%3, r.byte()%4
	x := &modelWalk{since: r.windows[k], pool: r.pool(), grain: 64 << (r.byte() % 2)}
	if kind != 1 && r.byte()%2 == 0 { // nothing is stamped, so parts may share a block of stamps: ten rows are many
		x.grain = 1 + r.byte()%3
	}
	w.advanceTick()
	for try := 0; try < 3 && len(x.parts) == 0; try++ { // most queries match nothing
		i := r.pick(len(r.filters))
		x.f, x.q = &r.filters[i], r.queries[i]
		x.parts = r.m.parts(x.f, x.since, x.grain)
	}
	x.place = map[modelPlace]int{}
	for i, p := range x.parts {
		x.place[modelPlace{p.table, p.from}] = i
	}
	r.say("system %d: w.Query(%s).Parallel(%T) since tick %d, %d rows a part -> %d parts", k, r.filter(x.f), x.pool, x.since, x.grain, len(x.parts))
	if r.byte()%4 == 0 && !r.spared() {
		var err error
		x.twin, err = w.Copy()
		r.ok(err)
	}
	r.expand(4000, func() {
		switch kind {
		case 0:
			r.walkWriting(x, 1)
		case 1:
			r.walkWriting(x, writeWays)
		case 2:
			r.walkQueueing(x)
		default:
			r.walkRefused(x)
		}
	})
	if x.twin != nil {
		r.ok(x.twin.Check())
		r.sameWorld(x.twin)
	}
	r.windows[k] = r.now()
	w.advanceTick()
	r.expand(200, func() { r.narrowed(x.q, x.f, r.byte()%3 == 0) })
}

// walk works in all parts, in the world and in its twin, and checks that the parts and the rows that match are the model's, each once.
func (r *machine) walk(x *modelWalk, work func(w *World, p *Part, part int)) error {
	err := r.walkIn(r.w, x.q, x.pool, x, work)
	if x.twin != nil {
		q, failed := x.twin.Query(*x.f)
		r.ok(failed)
		twinErr := r.walkIn(x.twin, q, nil, x, work)
		r.same("error of the twin", fmt.Sprint(twinErr), fmt.Sprint(err))
	}
	return err
}

func (r *machine) walkIn(w *World, q *Query, pool Pool, x *modelWalk, work func(w *World, p *Part, part int)) error {
	visits := make([][]Entity, len(x.parts)) // no lock: a part that two workers get is a race
	w.system = &System{progress: progress{window: x.since}, commands: w.commands}
	err := q.parallel(pool, 0, x.grain, func(p *Part) {
		from, to := p.Range()
		part, known := x.place[modelPlace{int(p.Table().ID()), from}]
		if !known || to != x.parts[part].to {
			r.fail("rows %d to %d of table %d are no part", from, to, p.Table().ID())
		}
		for i := range p.Rows {
			visits[part] = append(visits[part], p.Entities()[i])
		}
		work(w, p, part)
	})
	w.system = nil
	r.same("locked after the walk", w.Locked(), false)
	for i, p := range x.parts {
		if !slices.Equal(visits[i], p.rows) {
			r.fail("rows %d to %d of table %d: the world visits %v, the model %v", p.from, p.to, p.table, visits[i], p.rows)
		}
	}
	return err
}

// walkWriting has workers write to the rows that match, in some of several ways, and where they may stamp, stamp whole parts.
func (r *machine) walkWriting(x *modelWalk, ways int) {
	plan, whole := map[Entity][]modelWrite{}, map[int]ComponentID{}
	for i, p := range x.parts {
		for _, e := range p.rows {
			for _, id := range x.q.Terms() {
				fields := r.m.schema(id).Fields()
				if slices.Contains(r.ids, id) && r.m.entities[e].own(id) != nil && len(fields) > 0 {
					plan[e] = append(plan[e], modelWrite{id, r.value(fields[0]), r.byte() % ways})
				}
			}
		}
		if ids := r.m.tables[p.table].ids; ways > 1 && len(ids) > 0 && r.byte()%4 == 0 {
			whole[i] = ids[r.pick(len(ids))]
		}
	}
	r.ok(r.walk(x, func(w *World, p *Part, part int) {
		from, to := p.Range()
		for i := range p.Rows {
			for _, wr := range plan[p.Entities()[i]] {
				r.write(w, p.Table().Column(wr.id), from+i, wr)
			}
		}
		if id, stamped := whole[part]; stamped {
			p.Table().Column(id).StampRange(from, to)
		}
	}))
	for i, p := range x.parts {
		for _, e := range p.rows {
			for _, wr := range plan[e] {
				r.m.write(e, wr)
			}
		}
		if id, stamped := whole[i]; stamped {
			for _, e := range r.m.tables[p.table].rows[p.from:p.to] {
				r.m.entities[e].own(id).changed = r.now()
			}
		}
	}
}

// write does in a worker what was planned.
func (r *machine) write(w *World, c *Column, row int, wr modelWrite) {
	e := c.table.entities[row]
	var err error
	switch wr.how {
	case writeBySet:
		_, err = w.Set(e, wr.id, FieldValue{0, wr.v})
	case writeByRef:
		err = w.Ref(e, wr.id).Set(0, wr.v)
	default:
		err = c.Row(row).Set(0, wr.v)
	}
	r.ok(err)
	if wr.how == writeAndStamp {
		c.Stamp(row)
	}
}

// walkQueueing has workers queue commands for the rows that match.
func (r *machine) walkQueueing(x *modelWalk) {
	plan, spawns := map[Entity]modelCommand{}, 0
	for _, p := range x.parts {
		for _, e := range p.rows {
			if r.byte()%4 == 0 {
				c := modelCommands[r.pick(len(modelCommands))](r)
				plan[e] = c
				if c.spawns {
					spawns++
				}
				r.say("within, for %s: queue.%s", e, c.name)
			}
		}
	}
	before, dropping := r.queue.Len(), r.byte()
	err := r.walk(x, func(_ *World, p *Part, part int) {
		if part%4 == dropping%8 {
			_, err := p.Commands().Spawn()
			r.ok(err)
			p.Commands().Drop()
		}
		for i := range p.Rows {
			if c := plan[p.Entities()[i]]; c.queue != nil {
				_, err := c.queue(p.Commands())
				r.ok(err)
			}
		}
	})
	if !r.refuse(spawns, err) {
		r.acceptAll(x, plan, r.queue.plain().ops[before:])
	}
	r.same("queued", r.queue.Len(), r.waiting)
	if x.twin != nil { // what is queued shows when it is applied
		r.apply()
		if err := x.twin.Commands().Apply(); err != nil && !errors.Is(err, ErrCycle) {
			r.fail("the twin: %v", err)
		}
	}
}

// acceptAll notes the commands of all parts for the model, in the order of the query, and compares the handles of their spawns with those
// in the queue.
func (r *machine) acceptAll(x *modelWalk, plan map[Entity]modelCommand, queued []command) {
	var born []Entity
	for _, p := range x.parts {
		for _, e := range p.rows {
			if c := plan[e]; c.queue != nil {
				if e := r.accept(c); c.spawns {
					born = append(born, e)
				}
			}
		}
	}
	for _, c := range queued {
		if c.op == spawnCommand {
			r.same("handle", c.entity, born[0])
			born = born[1:]
		}
	}
}

// walkRefused has workers read what they may and attempt what they may not.
func (r *machine) walkRefused(x *modelWalk) {
	e, ids, b, rel := r.entity(), r.some(), r.bundles[r.pick(3)], r.m.relations[r.pick(4)]
	target := r.target(rel)
	first := func(_ any, err error) error { return err }
	attempts := []func() error{
		func() error { return first(r.w.Spawn(ids...)) },
		func() error { return first(r.w.SpawnRelated([]Target{{rel.id, target}}, ids...)) },
		func() error { return first(r.w.Build().With(ids...).Spawn()) },
		func() error { return first(b.Spawn()) },
		func() error { return first(b.SpawnMany(3, nil)) },
		func() error { return first(r.w.Despawn(e)) },
		func() error { return first(r.w.DespawnMany([]Entity{e})) },
		func() error { return first(x.q.DespawnAll()) },
		func() error { return first(r.w.Add(e, ids...)) },
		func() error { return first(r.w.Remove(e, ids...)) },
		func() error { return first(b.Add(e)) },
		func() error { return first(b.Remove(e)) },
		func() error { return first(b.AddAll(x.q, nil)) },
		func() error { return first(b.RemoveAll(x.q)) },
		func() error { return first(r.w.Relate(e, rel.id, target)) },
		func() error { return first(r.w.Unrelate(e, rel.id)) },
		func() error { return first(r.w.UnrelateFrom(e, rel.id, target)) },
		func() error { return r.w.Reserve(5, ids...) },
		func() error { return r.w.Shrink() },
		func() error { return first(r.w.Release()) },
		func() error { return first(r.w.Copy()) },
	}
	before := r.w.Digest()
	x.twin = nil // nothing happens
	r.ok(r.walk(x, func(w *World, p *Part, _ int) {
		for i := range p.Rows {
			r.readIn(w, x, p.Entities()[i], rel, target)
		}
		for n, attempt := range attempts {
			if err := attempt(); !errors.Is(err, ErrLocked) {
				r.fail("attempt %d of a worker at structural change: %v", n, err)
			}
		}
		if err := x.q.Parallel(nil, 0, nil); !errors.Is(err, errNested) {
			r.fail("a walk in a walk: %v", err)
		}
	}))
	r.same("digest", r.w.Digest(), before)
}

// readIn compares what a worker sees of an entity, its own or shared, and whether it is a source of target.
func (r *machine) readIn(w *World, x *modelWalk, e Entity, rel *modelRelation, target Entity) {
	en := r.m.entities[e]
	for _, id := range x.q.Terms() {
		c := r.m.visible(en, id)
		r.same("has", w.Has(e, id), c != nil)
		if c != nil {
			row, err := w.Ref(e, id).Row()
			r.ok(err)
			r.sameRow(e, r.names[id], row, c.fields)
		}
	}
	r.same("source", w.Relates(e, rel.id, target), slices.Contains(rel.sources[target], e))
	r.same("targets", slices.Equal(slices.Collect(w.Targets(e, rel.id)), r.m.targetsOf(e, rel)), true)
	for _, id := range r.tags {
		r.same("tagged", w.Tagged(e, id), slices.Contains(r.m.tags[id], e))
	}
}
