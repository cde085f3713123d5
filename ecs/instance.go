package ecs

import (
	"errors"
	"slices"
)

// This file makes instances of prefabs: an entity with the prefab as its base, and one for each child of the prefab.

// errNotPrefab: Instance was given another entity.
var errNotPrefab = errors.New("it is no prefab: DeclarePrefab makes one, and LookupPrefab finds it by name")

// errBaseGiven: Instance was given a base.
var errBaseGiven = errors.New("the base of an instance is its prefab")

// An instancing is what Instance works on. Its memory is used again.
type instancing struct {
	made    []Entity // by node of the prefab
	targets []Target
	ids     []ComponentID
	all     []ComponentID // ids and relations
	tags    []uint32
}

// Instance makes an entity that is [IsA] prefab, which it shares the components of, with these relations and with components of its own, which begin with the
// values of the prefab. It gets the tags and the relations of the prefab, as they are now; targets that are given take the place of the prefab's in their relations. For
// each child of the prefab it makes a child in the same way, parents first; [World.Child] finds it. Observers are told of all of them in that order, when they
// are whole. Errors: those of [World.SpawnRelated]; prefab is none. After an error no entity is left.
func (w *World) Instance(prefab Entity, targets []Target, ids ...ComponentID) (Entity, error) {
	made(len(w.tables) != 0, "World", "ecs.NewWorld")
	at, ok := w.prefabAt[prefab]
	switch {
	case !ok:
		return None, fail("instance", prefab, "", errNotPrefab)
	case w.locks != 0:
		return None, fail("instance", None, "", w.lockedBy())
	}
	w.mustBeAlone()
	var buf [16]ComponentID
	sorted, err := w.sortIDs("spawn", buf[:0], ids)
	if err == nil {
		err = w.checkTargets(targets)
	}
	if err != nil {
		return None, err
	}
	if w.givesBase(targets) {
		return None, fail("instance", None, IsA, errBaseGiven)
	}
	e, err := w.instance(at, None, targets, sorted)
	if err != nil {
		return None, err
	}
	return e, nil
}

// givesBase reports whether a base is among targets.
func (w *World) givesBase(targets []Target) bool {
	return slices.ContainsFunc(targets, func(to Target) bool { return w.isA != nil && to.Relation == w.isA.info.id })
}

// instance makes the entities of an instance. The targets are checked. root is the reserved handle of the first entity, [None] to take one.
// Error: [ErrLimit], [ErrDepth]; then none of the entities is alive, and what is returned is the handle of the first one if that is used up.
func (w *World) instance(at prefabPlace, root Entity, targets []Target, ids []ComponentID) (_ Entity, err error) {
	start := Raw.Hold(w)
	f, nodes := &w.making, w.prefabs[at.prefab].nodes
	f.made = append(f.made[:0], make([]Entity, len(nodes))...)
	for i := at.node; i < len(nodes) && err == nil; i++ {
		n := &nodes[i]
		if i != at.node && (n.parent < 0 || f.made[n.parent] == None) {
			continue // beside the node
		}
		f.ids = f.ids[:0]
		if i == at.node {
			f.targets = w.targetsOf(f.targets[:0], n.entity, targets)
			f.targets, f.ids = append(f.targets, targets...), append(f.ids, ids...)
			f.made[i], err = w.member(n.entity, root, f)
		} else {
			f.targets = w.targetsOf(f.targets[:0], n.entity, nil)
			f.targets = append(f.targets, Target{w.childOf().info.id, f.made[n.parent]})
			f.made[i], err = w.member(n.entity, None, f)
		}
	}
	root = f.made[at.node]
	if err != nil && root != None {
		w.despawn(root, w.slots.find(root))
	}
	Raw.Release(w, start, err == nil)
	return root, err
}

// targetsOf appends the relations that an instance of a prefab gets: the prefab as its base, and what the prefab is related to, except in relations of given.
func (w *World) targetsOf(list []Target, prefab Entity, given []Target) []Target {
	sl := &w.slots.all[uint32(prefab)]
	list = append(list, Target{w.isA.info.id, prefab})
	for _, c := range w.tables[sl.table].targets {
		id := c.info.id
		switch {
		case c.info.relation.acyclic || slices.ContainsFunc(given, func(to Target) bool { return to.Relation == id }):
		case c.info.relation.pairs == nil:
			list = append(list, Target{id, *(*Entity)(c.at(int(sl.row)))})
		default:
			for target := range w.Targets(prefab, id) {
				list = append(list, Target{id, target})
			}
		}
	}
	return list
}

// member makes one entity of an instance, with the targets and components of f. Error: [ErrLimit], [ErrDepth]; then it is not alive, unless only a tag was refused.
func (w *World) member(prefab, e Entity, f *instancing) (Entity, error) {
	if err := w.checkTarget(w.isA, None, prefab); err != nil {
		return None, fail("instance", None, IsA, err)
	}
	reserved := e != None
	if !reserved {
		if err := w.room(1); err != nil {
			return None, err
		}
		e = Raw.Upcoming(w, 0)
	}
	f.all = slices.Grow(append(f.all[:0], f.ids...), len(f.targets))
	t, err := w.roomFor(e, f.targets, f.all)
	if err != nil {
		return None, fail("instance", None, "", err)
	}
	if w.journal != nil {
		w.journal.adds(t, 1)
	}
	if reserved {
		w.pending--
	} else {
		e = w.slots.take()
	}
	row := w.place(e, t)
	w.work += uint64(1 + t.weight)
	w.beginWith(t, row, f.ids, prefab)
	if w.observers != nil {
		w.observers.spawned(t, e)
	}
	w.relateAll(e, f.targets)
	f.tags = w.tagMarks.list(f.tags[:0], uint32(prefab))
	for _, id := range f.tags {
		if w.tags[id].has(prefab) {
			w.work++
			if _, err := w.TryTag(e, TagID(id)); err != nil {
				return e, err
			}
		}
	}
	return e, nil
}

// Instance queues the making of an instance and returns the handle of the entity, which later commands may use at once. Its children have no handles before the
// queue is applied. Errors: those of [Commands.SpawnRelated]; prefab is none.
func (c *Commands) Instance(prefab Entity, targets []Target, ids ...ComponentID) (Entity, error) {
	c.mayQueue()
	w := c.world
	if _, ok := w.prefabAt[prefab]; !ok {
		return None, fail("instance", prefab, "", errNotPrefab)
	}
	if w.givesBase(targets) {
		return None, fail("instance", None, IsA, errBaseGiven)
	}
	return c.reserve(instanceCommand, []Target{{w.isA.info.id, prefab}}, targets, ids)
}

// instance makes a queued instance. What cannot be had any more is left out as for spawn.
func (c *Commands) instance(op *command) error {
	w, goals := c.world, c.goalsOf(op)
	kept, dead, err := c.living(goals[1:])
	at, ok := w.prefabAt[goals[0].Entity]
	if !ok || dead {
		c.abandon(op)
		return nil
	}
	var buf [16]ComponentID
	e, full := w.instance(at, op.entity, kept, sorted(append(buf[:0], c.ids[op.from:op.to]...)))
	if full != nil {
		if e == None {
			c.abandon(op)
		}
		op.op = despawnCommand // its handle is released
		return full
	}
	return err
}

// Child returns the child of an instance that was made for the child of its prefab of that name; of a prefab the prefab's child. [None]: e is dead or neither, its
// prefab has no such child, or the child is dead or has another parent or base by now. It costs O(children).
func (w *World) Child(e Entity, name string) Entity {
	at, prefab := w.prefabAt[e]
	if !prefab {
		ok := false
		if at, ok = w.prefabAt[w.Related(e, w.componentNames[IsA])]; !ok {
			return None
		}
	}
	nodes := w.prefabs[at.prefab].nodes
	k := childOf(nodes, at.node, name)
	switch {
	case k < 0:
		return None
	case prefab:
		return nodes[k].entity
	}
	r := w.childOf()
	for s := r.head(uint32(e)).first; s != 0; s = r.links.at(s - 1).next {
		if child := makeEntity(s-1, w.slots.all[s-1].meta&generationMask); w.target(w.isA, child) == nodes[k].entity {
			return child
		}
	}
	return None
}
