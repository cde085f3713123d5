package ecs

import "fmt"

// This file decides whether an entity may get a target in a relation without cycles (ChildOf, IsA). Relate and the
// spawning functions call checkTarget before they change anything. Short chains are walked; a forest (forest.go)
// answers for long ones.

// shortWalk is how many steps up a chain are walked in search of a cycle before a forest is built.
const shortWalk = 64

// checkTarget returns nil if e can have the target, and otherwise why not: ErrDead, ErrCycle, ErrDepth or ErrPrefab. For an
// entity that is not spawned yet e is None; it cannot close a cycle.
func (w *World) checkTarget(r *relation, e, target Entity) error {
	var err error
	switch {
	case !w.Alive(target):
		err = ErrDead
	case r.acyclic && (w.isPrefab(e) || r.cascade && w.isPrefab(target)):
		return ErrPrefab
	case r.bounded:
		err = w.checkBases(r, e, target)
	case r.acyclic && e != None && w.above(r, e, target):
		err = ErrCycle
	}
	if err != nil {
		return fmt.Errorf("target %s: %w", target, err)
	}
	return nil
}

// above reports whether e is target or above it. An entity without sources is above nobody, so a chain that grows
// at its lower end costs O(1). If the walk up takes more than r.patience steps, the forest of the relation is
// built and used from then on.
func (w *World) above(r *relation, e, target Entity) bool {
	if e == target || r.head(uint32(e)).count == 0 {
		return e == target
	}
	w.beforeRelation(r) // asking the forest changes its shape
	if r.forest == nil {
		up, steps := w.target(r, target), 0
		for ; up != None && up != e && steps < r.patience; steps++ {
			up = w.target(r, up)
		}
		w.work += uint64(steps)
		if up == None || up == e {
			return up == e
		}
		if r.forest = w.buildForest(r); r.forest == nil { // without room for a forest the whole chain is walked
			for ; up != None && up != e; up = w.target(r, up) {
				w.work++
			}
			return up == e
		}
	}
	if n := max(uint32(e), uint32(target)) + 1; int(n) >= len(r.forest.nodes) {
		return false // a slot beyond the forest was never in this relation
	}
	return r.forest.above(uint32(e), uint32(target))
}

// checkBases is checkTarget for IsA. It returns ErrCycle if e is target or above it, and ErrDepth if the chain
// would be too long, counting the bases of target, target itself and what is below e.
func (w *World) checkBases(r *relation, e, target Entity) error {
	n := 0
	for up := target; up != None; up = w.target(r, up) {
		if up == e {
			return ErrCycle
		}
		n++
	}
	w.work += uint64(n)
	if n > MaxBases || e != None && !w.flat(r, e, MaxBases-n) {
		return ErrDepth
	}
	return nil
}

// flat reports whether there are at most n generations below e. It walks them breadth first, and costs as many
// steps as there are entities in the first n+1 generations.
func (w *World) flat(r *relation, e Entity, n int) bool {
	below, from := append(w.below[:0], uint32(e)), 0
	for generation := 0; from < len(below) && generation <= n; generation++ {
		to := len(below)
		for ; from < to; from++ {
			for at := r.head(below[from]).first; at != 0; at = r.links.at(at - 1).next {
				below = append(below, at-1)
			}
		}
	}
	w.below = below[:0]
	w.work += uint64(len(below) - 1)
	return from == len(below)
}
