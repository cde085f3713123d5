package ecs

// CopyEntity makes an entity with the own components, tags and relations of e, and their values, in the row after the last
// one of its table. What is related to e, such as its children, is not copied, and what e shares through [IsA] is shared
// by the copy. Observers are told of the copy as of a spawned entity. Errors: [ErrLocked], [ErrDead], [ErrLimit], [ErrPrefab]; then
// nothing has changed.
func (w *World) CopyEntity(e Entity) (Entity, error) {
	w.mustBeAlone()
	sl := w.slots.find(e)
	switch {
	case w.locks != 0:
		return None, fail("copy", e, "", w.lockedBy())
	case sl == nil:
		return None, fail("copy", e, "", ErrDead)
	case w.isPrefab(e):
		return None, fail("copy", e, "", ErrPrefab)
	}
	t := w.tables[sl.table]
	var targets []Target
	for _, c := range t.targets {
		targets = w.appendTargets(targets, c.info.relation, e, sl)
	}
	tags := w.TagsOf(e)
	if err := w.roomToCopy(t, targets, tags); err != nil {
		return None, fail("copy", e, "", err)
	}
	if w.journal != nil {
		w.journal.adds(t, 1)
	}
	w.holdReports()
	defer w.releaseReports()
	made := w.slots.take()
	row := w.place(made, t)
	from := int(w.slots.find(e).row)
	for i := range t.columns {
		if c := &t.columns[i]; c.info.relation == nil {
			c.info.schema.copyRow(c.at(row), c.at(from))
		}
	}
	if w.observers != nil {
		w.observers.spawned(t, made)
	}
	w.relateAll(made, targets)
	for _, id := range tags {
		w.Tag(made, id)
	}
	return made, nil
}

// roomToCopy makes room for one more entity of a table with these targets and tags.
func (w *World) roomToCopy(t *Table, targets []Target, tags []TagID) error {
	if err := w.room(1); err != nil {
		return err
	}
	e := Raw.Upcoming(w, 0)
	if _, err := w.roomFor(e, targets, append([]ComponentID(nil), t.ids...)); err != nil {
		return err
	}
	if len(tags) > Raw.TagsLeft(w) {
		return countError{w.options.MaxTags, "tag entry", "tag entries", ErrTags}
	}
	for _, id := range tags {
		if err := w.tags[id].reserve(uint32(e)); err != nil {
			return err
		}
	}
	return nil
}

// Reset empties the world: it is then as [World.Blank] makes one, with frame, time and tick as in the beginning. The
// declarations stay, with queries, typed handles and observers, which are not told. Handles from before must not be used: they
// may become those of new entities. Error: [ErrLocked] inside of a system or a query loop.
func (w *World) Reset() error {
	o := w.options
	o.Memory = nil
	return w.Restore(w.Blank(o))
}
