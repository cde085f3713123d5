package ecs

import "fmt"

// A forest answers "is a above b" for a relation without cycles, in amortized logarithmic time however deep the
// trees are. It is a link-cut tree: each tree of entities is divided into paths, and each path is a splay tree
// ordered from the root down. It is built when a chain turns out to be long (lineage.go) and updated with each
// change of the relation after that. Everything in it follows from the columns, so it is not part of a digest.
type forest struct {
	nodes []pathNode // by slot index + 1; node 0 stands for "none"
	steps *uint64    // counts the steps taken: the world's work
}

// A pathNode is an entity's place in the splay tree of its path. Numbers are slot index + 1, and 0 is none. At the
// root of a splay tree, up is not a node of the same path: it is the parent of the path's topmost entity.
type pathNode struct{ up, left, right uint32 }

// buildForest builds the forest from the columns. It costs O(entities). It returns nil if there is no room for it.
func (w *World) buildForest(r *relation) *forest {
	f := &forest{steps: &w.work}
	w.work += uint64(w.living)
	if f.reserve(w, uint32(len(w.slots.all))) != nil {
		return nil
	}
	for _, t := range w.tables {
		c := r.info.column(t.id)
		if c == nil {
			continue
		}
		for row, e := range t.entities {
			f.nodes[uint32(e)+1].up = uint32(*(*Entity)(c.at(row))) + 1 // each entity is a path by itself
		}
	}
	return f
}

// link makes target the parent of source, which has no parent. Both have nodes already.
func (f *forest) link(source, target uint32) {
	f.access(source + 1)
	f.access(target + 1)
	f.nodes[source+1].up = target + 1
}

// cut separates source, with everything below it, from its parent.
func (f *forest) cut(source uint32) {
	x := source + 1
	f.access(x)
	n := &f.nodes[x]
	f.nodes[n.left].up, n.left = 0, 0 // without a parent, n.left is 0, and this writes the unused node 0
}

// above reports whether source is target or above it. Both have nodes already. It changes the shape of the splay
// trees.
func (f *forest) above(source, target uint32) bool {
	x := target + 1
	f.access(x) // now the path of x leads from the root of its tree to x
	f.splay(source + 1)
	for !f.top(x) {
		x = f.nodes[x].up // a few steps: it was the root of its splay tree
	}
	return x == source+1
}

// reserve makes nodes for the slots up to slot. Error: [ErrBytes].
func (f *forest) reserve(w *World, slot uint32) (err error) {
	if n := int(slot) + 2; n > len(f.nodes) {
		var owned bool
		if f.nodes, err = enlarge(w, nil, f.nodes, &owned, n); err == nil {
			f.nodes = f.nodes[:n]
		}
	}
	return err
}

// access makes the way from the root of the tree to x one path that ends at x, and makes x the root of its splay
// tree.
func (f *forest) access(x uint32) {
	f.splay(x)
	f.nodes[x].right = 0 // the part below x becomes a path of its own
	for up := f.nodes[x].up; up != 0; up = f.nodes[x].up {
		*f.steps++
		f.splay(up)
		f.nodes[up].right = x
		f.splay(x)
	}
}

// top reports whether x is the root of its splay tree. It needs no test for up == 0, because node 0 has no
// children.
func (f *forest) top(x uint32) bool {
	up := f.nodes[x].up
	return f.nodes[up].left != x && f.nodes[up].right != x
}

// splay makes x the root of its splay tree, by rotations.
func (f *forest) splay(x uint32) {
	for !f.top(x) {
		up := f.nodes[x].up
		if !f.top(up) {
			if above := f.nodes[up].up; (f.nodes[up].left == x) == (f.nodes[above].left == up) {
				f.rotate(up)
			} else {
				f.rotate(x)
			}
		}
		f.rotate(x)
	}
}

// rotate moves x above its parent in the splay tree.
func (f *forest) rotate(x uint32) {
	*f.steps++
	n := f.nodes
	up := n[x].up
	above := n[up].up
	if !f.top(up) {
		if n[above].left == up {
			n[above].left = x
		} else {
			n[above].right = x
		}
	}
	var inner uint32
	if n[up].left == x {
		inner = n[x].right
		n[up].left, n[x].right = inner, up
	} else {
		inner = n[x].left
		n[up].right, n[x].left = inner, up
	}
	if inner != 0 {
		n[inner].up = up
	}
	n[x].up, n[up].up = above, x
}

// checkForest verifies that each node has the parent that the columns say. It is part of checkRelations.
func (w *World) checkForest(r *relation) error {
	f, seen := r.forest, 0
	parent := func(x uint32) uint32 { // as the columns say
		if int(x) > len(w.slots.all) || w.slots.all[x-1].meta&slotFree != 0 {
			return 0
		}
		if sl := &w.slots.all[x-1]; r.info.column(sl.table) != nil {
			return uint32(*w.targetCell(r, sl)) + 1
		}
		return 0
	}
	for x := uint32(1); int(x) < len(f.nodes); x++ {
		if !f.top(x) {
			continue
		}
		above := f.nodes[x].up
		var stack []uint32
		for at := x; at != 0 || len(stack) > 0; { // the path from the root down
			for ; at != 0; at = f.nodes[at].left {
				stack = append(stack, at)
			}
			at, stack = stack[len(stack)-1], stack[:len(stack)-1]
			if got := parent(at); got != above {
				return fmt.Errorf("slot %d is below node %d in the forest, in the column below node %d", at-1, above, got)
			}
			above, at = at, f.nodes[at].right
			seen++
		}
	}
	if seen != len(f.nodes)-1 {
		return fmt.Errorf("%d of %d nodes are on paths", seen, len(f.nodes)-1)
	}
	return nil
}
