package ecs

// This file is the place that is told of each operation that observers can see. An operation calls ending, leaving
// or before while everything is still there, and spawned, gained, wrote and so on after it has changed the world. If
// nobody observes what the operation is about, that costs one test: the world has no observers; or one comparison:
// the table or the move has kept that nobody observes its components.
//
// Indexes are told here, too, before observers are called.
//
// Reports of an operation that consists of several steps, such as a spawn with values and tags, wait between hold and
// release, so that an observer sees the whole.

// A watch has the observers of one component, tag or relation. The lists are replaced, never changed.
type watch struct {
	gained []*Observer // OnAdded, OnTagged or OnRelated
	lost   []*Observer // OnRemoved, OnUntagged or OnUnrelated
	set    []*Observer // OnSet

	indexes []*Index // of the component: they are told first
}

// list returns the list for a kind that has a name.
func (t *watch) list(kind ObserverKind) *[]*Observer {
	switch {
	case kind == OnSet:
		return &t.set
	case kind.before():
		return &t.lost
	default:
		return &t.gained
	}
}

// observers are the observers of a world. A world has none until the first is declared.
type observers struct {
	world      *World
	all        []*Observer // in the order of calls of Observe
	onSpawn    []*Observer
	onDespawn  []*Observer
	onJoin     []*Observer // OnAdded of several components
	onPart     []*Observer // OnRemoved of several
	next       int         // order of the next one
	version    uint32      // changes with the lists
	losable    []*tagSet   // the tags with observers of OnUntagged, by id
	unrelating int         // how many observe OnUnrelated
	endings    int         // how many are called before a change

	held    int      // operations that are open: reports wait
	facts   []report // what waits
	targets []Target // scratch of lose
	calls   []called // what is being called, a stack

	arrivals []arrival // what indexes are told when the operations have ended
	end      endTold

	calling
}

// A report is something that happened, or is about to, with those who observe it.
type report struct {
	to     []*Observer
	change Change
}

// listOf returns the list of an observer of whole entities, or of several components.
func (o *observers) listOf(ob *Observer) *[]*Observer {
	switch ob.spec.Kind {
	case OnSpawned:
		return &o.onSpawn
	case OnDespawned:
		return &o.onDespawn
	case OnAdded:
		return &o.onJoin
	default:
		return &o.onPart
	}
}

// recount is called when the lists have changed.
func (o *observers) recount() {
	o.version++
	o.world.watched = o.version
	o.losable, o.unrelating, o.endings = o.losable[:0], 0, 0
	for _, s := range o.world.tags {
		if s.watch != nil && len(s.watch.lost) > 0 {
			o.losable = append(o.losable, s)
		}
	}
	for _, ob := range o.all {
		if ob.spec.Kind == OnUnrelated {
			o.unrelating++
		}
		if ob.spec.Kind.before() {
			o.endings++
		}
	}
}

// An interest says what is observed of a table or a move. It is found out again when the observers have changed.
type interest struct {
	version uint32
	gains   bool // somebody observes that an entity gets here
	losses  bool // somebody observes that an entity leaves
}

// of returns what is observed of the rows of a table.
func (o *observers) of(t *Table) *interest {
	in := &t.interest
	if in.version != o.version {
		if *in = (interest{version: o.version}); t.prefab {
			return in // nobody is told of prefabs
		}
		in.gains, in.losses = len(o.onSpawn) > 0, len(o.onDespawn) > 0
		for i := range t.columns {
			in.note(t.columns[i].info)
		}
		t.joint = o.jointOf(t)
		in.gains, in.losses = in.gains || len(t.joint.gains()) > 0, in.losses || len(t.joint.losses()) > 0
		t.sole = o.soleOf(t)
	}
	return in
}

// along returns what is observed of a planned move.
func (o *observers) along(mv *move) *interest {
	in := &mv.interest
	if in.version != o.version {
		if *in = (interest{version: o.version}); mv.to.prefab {
			return in
		}
		mv.joint = o.jointAlong(mv)
		in.gains, in.losses = len(mv.joint.gains()) > 0, len(mv.joint.losses()) > 0
		for _, c := range mv.fresh {
			if at := c.info.watch; at != nil && c.info.relation == nil {
				in.gains = in.gains || len(at.gained) > 0 || len(at.indexes) > 0
			}
		}
		for _, c := range mv.lost {
			if at := c.info.watch; at != nil {
				in.losses = in.losses || len(at.lost) > 0
			}
		}
	}
	return in
}

// quiet reports whether it is known that nobody observes who gets a row of a table or loses one. It takes the same steps in a world without
// observers: there, version and watched are 0.
func (w *World) quiet(t *Table) bool { return t.interest == interest{version: w.watched} }

// quietEnd reports whether it is known that nobody observes the end of the entity of a slot. That is not known of targets of relations.
func (w *World) quietEnd(sl *slot) bool {
	return sl.meta&slotTarget == 0 && w.quiet(w.tables[sl.table]) && (sl.meta&slotTagged == 0 || w.observers == nil || len(w.observers.losable) == 0)
}

func (in *interest) note(info *component) {
	if at := info.watch; at != nil {
		in.gains = in.gains || len(at.gained) > 0 || len(at.indexes) > 0
		in.losses = in.losses || len(at.lost) > 0
	}
}

// holdReports makes reports wait until releaseReports. Calls nest. In a parallel walk there is nothing to report, and the count is not one worker's to
// change.
func (w *World) holdReports() {
	if w.observers != nil && !w.slots.parallel {
		w.observers.held++
	}
}

// releaseReports ends a hold. The last one passes on what has waited.
func (w *World) releaseReports() {
	o := w.observers
	if o == nil || o.held == 0 || w.slots.parallel {
		return
	}
	if o.held--; o.held == 0 {
		o.arrive()
		o.flush()
	}
}

// report keeps something that has happened, and passes it on unless an operation is open.
func (o *observers) report(to []*Observer, c Change) {
	if len(to) == 0 || o.world.isPrefab(c.Entity) {
		return
	}
	if o.held == 0 && len(to) == 1 {
		o.tell(to[0], c.Target, []Entity{c.Entity})
		return
	}
	o.facts = append(o.facts, report{to, c})
	if o.held == 0 {
		o.flush()
	}
}

// spawned reports a new entity in a table, with its components. Relations are reported by related.
func (o *observers) spawned(t *Table, e Entity) {
	if !o.of(t).gains {
		return
	}
	if sole := t.sole; sole != nil && o.held == 0 {
		o.tell(sole, None, []Entity{e})
		return
	}
	o.appear(t, e)
}

func (o *observers) appear(t *Table, e Entity) {
	o.held++
	o.report(o.onSpawn, Change{Entity: e})
	for i := range t.columns {
		if at := t.columns[i].info.watch; at != nil && t.columns[i].info.relation == nil {
			if len(at.indexes) > 0 {
				o.world.indexWrite(t.columns[i].info, e)
			}
			o.report(at.gained, Change{Entity: e})
		}
	}
	o.report(t.joint.gains(), Change{Entity: e})
	o.world.releaseReports()
}

// spawnedRows reports new entities in the rows from..to-1 of a table.
func (o *observers) spawnedRows(t *Table, from, to int) {
	if !o.of(t).gains {
		return
	}
	if sole := t.sole; sole != nil && o.held == 0 {
		o.tell(sole, None, t.entities[from:to])
		return
	}
	o.held++
	for _, e := range t.entities[from:to] {
		o.appear(t, e)
	}
	o.world.releaseReports()
}

// gained reports the components that an entity has gained along a move.
func (o *observers) gained(e Entity, mv *move) {
	if !o.along(mv).gains {
		return
	}
	o.held++
	for _, c := range mv.fresh {
		if at := c.info.watch; at != nil && c.info.relation == nil {
			if len(at.indexes) > 0 {
				o.world.indexWrite(c.info, e)
			}
			o.report(at.gained, Change{Entity: e})
		}
	}
	o.report(mv.joint.gains(), Change{Entity: e})
	o.world.releaseReports()
}

// gainedRows is gained for the rows from..to-1 of the table that the move leads to.
func (o *observers) gainedRows(mv *move, from, to int) {
	if !o.along(mv).gains {
		return
	}
	o.held++
	for _, e := range mv.to.entities[from:to] {
		o.gained(e, mv)
	}
	o.world.releaseReports()
}

// leaving tells of the components and relations that an entity is about to lose along a move. It reports whether
// somebody was told: then the caller's slot may have moved.
func (o *observers) leaving(e Entity, from *Table, mv *move) bool {
	if !mv.planned {
		mv.plan(from)
	}
	if o.held > 0 || !o.along(mv).losses {
		return false
	}
	start := len(o.facts)
	o.losing(e, mv)
	o.flushFrom(start)
	return true
}

// losing appends the reports of the columns that an entity is about to lose along a move.
func (o *observers) losing(e Entity, mv *move) {
	for _, c := range mv.lost {
		o.lose(e, c, nil)
	}
	o.losePart(e, mv.joint.losses())
}

// losePart appends the reports of an entity that is about to lose the first of several components.
func (o *observers) losePart(e Entity, to []*Observer) {
	if len(to) > 0 {
		o.facts = append(o.facts, report{to, Change{Entity: e}})
	}
}

// lose appends the reports of a column that an entity is about to lose: one for each target of a relation, but those for which gone, if there is one, is true.
func (o *observers) lose(e Entity, c *Column, gone func(target Entity) bool) {
	at := c.info.watch
	if at == nil || len(at.lost) == 0 {
		return
	}
	r := c.info.relation
	if r == nil {
		o.facts = append(o.facts, report{at.lost, Change{Entity: e}})
		return
	}
	o.targets = o.world.appendTargets(o.targets[:0], r, e, &o.world.slots.all[uint32(e)])
	for _, to := range o.targets {
		if gone == nil || !gone(to.Entity) {
			o.facts = append(o.facts, report{at.lost, Change{Entity: e, Target: to.Entity}})
		}
	}
}

// leavingRows tells of all rows of a table that is about to be moved.
func (o *observers) leavingRows(t *Table, mv *move) {
	if !o.along(mv).losses {
		return
	}
	start := len(o.facts)
	for _, e := range t.entities {
		o.losing(e, mv)
	}
	o.flushFrom(start)
}

// wrote reports a value that was written to a component with observers. In a parallel walk nothing is reported: the
// workers write their rows at the same time.
//
//go:noinline
func (w *World) wrote(info *component, e Entity) {
	if w.isPrefab(e) {
		return
	}
	if len(info.watch.indexes) > 0 {
		w.indexWrite(info, e)
	}
	if len(info.watch.set) > 0 && !w.slots.parallel && !w.observers.joining {
		w.observers.report(info.watch.set, Change{Entity: e})
	}
}

// tagged reports a tag that e has got.
func (s *tagSet) tagged(e Entity) {
	o := s.world.observers
	if o.end.telling {
		delete(o.end.told, lostTag{s, e})
	}
	o.report(s.watch.gained, Change{Entity: e})
}

// untagging tells that e is about to lose the tag.
func (s *tagSet) untagging(e Entity) {
	o := s.world.observers
	if o.held > 0 || !s.has(e) || o.world.isPrefab(e) {
		return
	}
	if len(o.calls) > 0 && len(s.watch.gained) > 0 {
		o.catchUp(s, e)
	}
	if len(s.watch.lost) == 0 || o.end.told[lostTag{s, e}] {
		return
	}
	start := len(o.facts)
	o.facts = append(o.facts, report{s.watch.lost, Change{Entity: e}})
	o.flushFrom(start)
}

// related reports the new target of e.
func (o *observers) related(r *relation, e, target Entity) {
	if r.info.watch != nil {
		o.report(r.info.watch.gained, Change{Entity: e, Target: target})
	}
}

// parting tells that e is about to lose one of several targets.
func (o *observers) parting(r *relation, e, target Entity) {
	if at := r.info.watch; at != nil && len(at.lost) > 0 && o.held == 0 && !o.world.tables[o.world.slots.find(e).table].prefab {
		start := len(o.facts)
		o.facts = append(o.facts, report{at.lost, Change{Entity: e, Target: target}})
		o.flushFrom(start)
	}
}

// replacing tells that e is about to get another target. It reports whether somebody was told.
func (o *observers) replacing(r *relation, e Entity, sl *slot, target Entity) bool {
	at := r.info.watch
	if t := o.world.tables[sl.table]; at == nil || len(at.lost) == 0 || o.held > 0 || r.pairs != nil || t.prefab || !t.mask.has(r.info.id) {
		return false
	}
	old := *o.world.targetCell(r, sl)
	if old == target || old == None {
		return false
	}
	start := len(o.facts)
	o.facts = append(o.facts, report{at.lost, Change{Entity: e, Target: old}})
	o.flushFrom(start)
	return true
}
