package ecs

// This file tells observers of entities that are about to end, while everything is still there: the entity, what is
// related to it, and all that ends with it. Nothing of it has happened yet; structure is locked until all are told.

// An endTold is what has been told of the end of an operation's entities.
type endTold struct {
	dying   []Entity         // scratch of ending: what ends
	telling bool             // the end is being told
	told    map[lostTag]bool // what has been told since the entity got the tag
}

// A lostTag is a tag that an entity is about to lose.
type lostTag struct {
	set    *tagSet
	entity Entity
}

// watchesEnd reports whether the end of an entity in a table may have to be told.
func (o *observers) watchesEnd(t *Table) bool {
	return o.of(t).losses || len(o.losable) > 0
}

// ending tells of an entity that is about to be despawned, and of all that ends with it: first the entity with its
// components, relations and tags, then the entities whose relations to it end, and then its children in the same
// way, in the order in which they will end. It reports whether somebody may have been told: then the caller's slot
// may have moved.
func (o *observers) ending(e Entity, sl *slot) bool {
	w := o.world
	if o.held > 0 || o.endings == 0 {
		return false
	}
	start := len(o.facts)
	if sl.meta&slotTarget == 0 {
		t := w.tables[sl.table]
		if !o.of(t).losses && (sl.meta&slotTagged == 0 || !o.losesTag(e)) {
			return false
		}
		o.end.dying = append(o.end.dying[:0], e)
		o.ends(e, sl, nil)
	} else {
		o.end.dying = w.doomed(o.end.dying[:0], e)
		var place map[Entity]int // when each of them ends; only needed to see which relations have ended before
		if o.unrelating > 0 {
			place = make(map[Entity]int, len(o.end.dying))
			for i, d := range o.end.dying {
				place[d] = i
			}
		}
		for i, d := range o.end.dying {
			sl := w.slots.find(d)
			o.ends(d, sl, func(target Entity) bool { at, dies := place[target]; return dies && at < i })
			if o.unrelating > 0 && sl.meta&slotTarget != 0 {
				o.deserted(d, func(source Entity) bool { at, dies := place[source]; return dies && at <= i })
			}
		}
	}
	if len(o.facts) == start {
		return false
	}
	o.tellEnd(start)
	return true
}

// tellEnd passes on the reports of an end from index start on. Observers may set tags on what is about to end. These are
// lost, too, and are told until no more are set.
func (o *observers) tellEnd(start int) {
	end := &o.end
	if len(o.losable) > 0 {
		end.telling = true
		if end.told == nil {
			end.told = map[lostTag]bool{}
		}
		defer func() {
			end.telling = false
			clear(end.told)
		}()
	}
	for round := 0; len(o.facts) > start; round++ {
		if round == MaxObserverDepth {
			last := o.facts[start]
			clear(o.facts[start:])
			o.facts = o.facts[:start]
			o.refuse(called{last.to[0], last.change})
			return
		}
		o.flushFrom(start)
		for _, e := range end.dying {
			if len(o.losable) == 0 || o.world.slots.find(e).meta&slotTagged == 0 {
				continue
			}
			for _, s := range o.losable {
				if s.has(e) && !end.told[lostTag{s, e}] {
					o.facts = append(o.facts, report{s.watch.lost, Change{Entity: e}})
				}
			}
		}
	}
}

// ends appends the reports of one entity that is about to end. Relations to a target for which gone is true have been
// reported with it, unless they cascade.
func (o *observers) ends(e Entity, sl *slot, gone func(target Entity) bool) {
	w := o.world
	t := w.tables[sl.table]
	if t.prefab {
		return
	}
	if len(o.onDespawn) > 0 {
		o.facts = append(o.facts, report{o.onDespawn, Change{Entity: e}})
	}
	if o.of(t).losses {
		for i := range t.columns {
			c := &t.columns[i]
			ended := gone
			if r := c.info.relation; r != nil && r.cascade {
				ended = nil
			}
			o.lose(e, c, ended)
		}
		o.losePart(e, t.joint.losses())
	}
	for _, s := range o.losable {
		if s.has(e) {
			o.facts = append(o.facts, report{s.watch.lost, Change{Entity: e}})
		}
	}
}

// losesTag reports whether an entity has a tag whose loss is observed.
func (o *observers) losesTag(e Entity) bool {
	for _, s := range o.losable {
		if len(s.dense) > 0 && s.has(e) {
			return true
		}
	}
	return false
}

// deserted appends the reports of the relations to a target that end with it and do not cascade. Sources for which
// gone is true end before.
func (o *observers) deserted(target Entity, gone func(source Entity) bool) {
	w := o.world
	for _, place := range w.targets.list(nil, uint32(target)) {
		r := w.relations[place]
		if at := r.info.watch; r.cascade || at == nil || len(at.lost) == 0 {
			continue
		}
		for _, source := range w.Sources(nil, r.info.id, target) {
			if !gone(source) && !w.isPrefab(source) {
				o.facts = append(o.facts, report{r.info.watch.lost, Change{Entity: source, Target: target}})
			}
		}
	}
}

// doomed appends e and everything that dies with it, in the order in which despawn ends them.
func (w *World) doomed(list []Entity, e Entity) []Entity {
	stack := []Entity{e}
	for len(stack) > 0 {
		e := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		list = append(list, e)
		for _, r := range w.relations {
			if !r.cascade {
				continue
			}
			for at := r.head(uint32(e)).last; at != 0; at = r.links.at(at - 1).previous {
				stack = append(stack, makeEntity(at-1, w.slots.all[at-1].meta&generationMask))
			}
		}
	}
	return list
}
