package ecs

import "fmt"

// MaxBases is how many entities may be above one another in a chain of [IsA]: what an entity lacks is looked for along it, row by row.
const MaxBases = 64

// ErrDepth says that a chain of [IsA] would be longer than [MaxBases]. It is an [ErrLimit].
var ErrDepth = fmt.Errorf("%w: a chain of %s has at most %d bases", ErrLimit, IsA, MaxBases)

// shortWalk is how far the way up is walked to look for a cycle. A longer one is looked up in a forest, which is made then.
const shortWalk = 64

// checkTarget says why e cannot have the target, nil when it can. A new entity is None: it closes no cycle.
func (w *World) checkTarget(r *relation, e, target Entity) error {
	var err error
	switch {
	case !w.Alive(target):
		err = ErrDead
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

// above reports whether e is target or above it. An entity without sources is above nobody, so a chain that grows at its ends costs nothing.
func (w *World) above(r *relation, e, target Entity) bool {
	if e == target || r.head(uint32(e)).count == 0 {
		return e == target
	}
	w.beforeRelation(r) // a look into the forest changes its shape
	if r.forest == nil {
		up, steps := w.target(r, target), 0
		for ; up != None && up != e && steps < r.patience; steps++ {
			up = w.target(r, up)
		}
		w.work += uint64(steps)
		if up == None || up == e {
			return up == e
		}
		if r.forest = w.buildForest(r); r.forest == nil { // without room for one, the whole way is walked
			for ; up != None && up != e; up = w.target(r, up) {
				w.work++
			}
			return up == e
		}
	}
	if n := max(uint32(e), uint32(target)) + 1; int(n) >= len(r.forest.nodes) {
		return false // one of them was never related
	}
	return r.forest.above(uint32(e), uint32(target))
}

// checkBases looks for a cycle and for a chain that would be too long: the bases of target, target itself, and what is below e.
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

// flat reports whether at most n generations are below e. It costs as many steps as there are entities below it.
func (w *World) flat(r *relation, e Entity, n int) bool {
	below, from := append(w.below[:0], uint32(e)), 0
	for generation := 0; from < len(below) && generation <= n; generation++ {
		to := len(below)
		for ; from < to; from++ {
			for at := r.head(below[from]).first; at != 0; at = r.links[at-1].next {
				below = append(below, at-1)
			}
		}
	}
	w.below = below[:0]
	w.work += uint64(len(below) - 1)
	return from == len(below)
}
