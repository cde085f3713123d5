package ecs

// This file gives a relation many targets ([ManyTargets]). The column of such a relation holds the first target of each
// source, so the table, the queries and the loops are those of a relation with one. A source and one of its targets are
// a pair. Pairs have numbers, and stand in two lists: that of the targets of the source, here, and that of the sources
// of the target, which is threaded through relation.links as ever, by the number of the pair instead of the slot of
// the source. So another target moves no row and makes no table, and a relation with one target has no pairs.

// targetPairs are the pairs of a relation with many targets.
type targetPairs struct {
	lists slotPages[relationHead] // by slot of the source: its pairs in the order in which the targets came, as number + 1
	all   slotPages[targetPair]   // by number
	free  uint32                  // the first free number + 1, the others follow by next; 0 is none
	made  uint32                  // how many numbers were given out
	count uint32                  // how many pairs there are
}

// A targetPair is a source with one of its targets, by their slots, and its place in the list of the source: number of the
// pair + 1, 0 is none.
type targetPair struct{ source, target, previous, next uint32 }

var noPairs slotPage[targetPair]

func newTargetPairs() *targetPairs {
	return &targetPairs{lists: newSlotPages(&noHeads, nil), all: newSlotPages(&noPairs, nil)}
}

// source returns the slot of the source at a place in a list of sources. The place is the slot, or the number of a pair.
func (r *relation) source(place uint32) uint32 {
	if r.pairs == nil {
		return place
	}
	return r.pairs.all.at(place).source
}

// reserve makes room for a source, and for one more pair than there will be when more have been made.
func (p *targetPairs) reserve(w *World, r *relation, source uint32, more int) error {
	if err := p.lists.reserve(w, source); err != nil {
		return err
	}
	free := p.made - p.count
	for n := p.made; n < p.made+max(uint32(more)+1, free)-free; n = n&^slotMask + pageSlots {
		if err := p.all.reserve(w, n); err != nil {
			return err
		}
		if err := r.links.reserve(w, n); err != nil {
			return err
		}
	}
	return nil
}

// find returns the number of the pair of a source and a target + 1, 0 if there is none, and how many steps that took. It goes through the
// shorter of the two lists.
func (r *relation) find(source, target uint32) (number uint32, steps int) {
	p := r.pairs
	targets, sources := p.lists.at(source), r.heads.at(target)
	at := targets.first
	if sources.count < targets.count {
		for at = sources.first; at != 0 && p.all.at(at-1).source != source; at = r.links.at(at - 1).next {
			steps++
		}
		return at, steps
	}
	for ; at != 0 && p.all.at(at-1).target != target; at = p.all.at(at - 1).next {
		steps++
	}
	return at, steps
}

// relates reports whether e has a target already, in a relation with many targets.
func (w *World) relates(r *relation, e, target Entity) bool {
	at, steps := r.find(uint32(e), uint32(target))
	w.work += uint64(steps)
	return at != 0
}

// add makes a pair, the last one in both of its lists. There is room for it.
func (p *targetPairs) add(w *World, r *relation, source, target uint32) {
	list, h := p.lists.at(source), r.heads.at(target)
	number := p.free
	if number == 0 {
		number = p.made + 1
	}
	if w.undo != nil {
		r.note(w, target, number, h.last)
		p.note(w, r, source, number, list.last)
	}
	if p.free != 0 {
		p.free = p.all.at(number - 1).next
	} else {
		p.made++
	}
	p.count++
	*p.all.at(number - 1) = targetPair{source: source, target: target, previous: list.last}
	if list.last != 0 {
		p.all.at(list.last - 1).next = number
	} else {
		list.first = number
	}
	list.last = number
	list.count++
	*r.links.at(number - 1) = relationLink{previous: h.last}
	if h.last != 0 {
		r.links.at(h.last - 1).next = number
	} else {
		h.first = number
	}
	h.last = number
	h.count++
}

// remove ends the pair with a number + 1.
func (p *targetPairs) remove(w *World, r *relation, number uint32) {
	pair, link := *p.all.at(number - 1), *r.links.at(number - 1)
	list, h := p.lists.at(pair.source), r.heads.at(pair.target)
	if w.undo != nil {
		r.note(w, pair.target, number, link.previous, link.next)
		p.note(w, r, pair.source, number, pair.previous, pair.next)
	}
	if link.previous != 0 {
		r.links.at(link.previous - 1).next = link.next
	} else {
		h.first = link.next
	}
	if link.next != 0 {
		r.links.at(link.next - 1).previous = link.previous
	} else {
		h.last = link.previous
	}
	h.count--
	if pair.previous != 0 {
		p.all.at(pair.previous - 1).next = pair.next
	} else {
		list.first = pair.next
	}
	if pair.next != 0 {
		p.all.at(pair.next - 1).previous = pair.previous
	} else {
		list.last = pair.previous
	}
	list.count--
	*r.links.at(number - 1) = relationLink{}
	*p.all.at(number - 1) = targetPair{next: p.free}
	p.free = number
	p.count--
}

// removeAll ends all pairs of a source.
func (p *targetPairs) removeAll(w *World, r *relation, source uint32) {
	for list := p.lists.at(source); list.count > 0; {
		w.work++
		p.remove(w, r, list.first)
	}
}

// digestTargets hashes the order of the targets of each source.
func (r *relation) digestTargets(d *digester) {
	if r.pairs == nil {
		return
	}
	for source, list := range r.pairs.lists.all {
		if list.count > 0 {
			r.digestTargetsOf(d, uint32(source))
		}
	}
}

func (r *relation) digestTargetsOf(d *digester, source uint32) {
	for at := r.pairs.lists.at(source).first; at != 0; at = r.pairs.all.at(at - 1).next {
		d.u64(uint64(source)<<32 | uint64(r.pairs.all.at(at-1).target+1))
	}
}

// adopt makes pairs of the sources of o, which have one target each, in the order of its lists.
func (p *targetPairs) adopt(w *World, r, o *relation) {
	for target, h := range o.heads.all {
		for at := h.first; at != 0; at = o.links.at(at - 1).next {
			if err := r.reserve(w, at-1, uint32(target), 0); err != nil {
				panic("ecs: a world without a limit of bytes has no room: " + err.Error())
			}
			p.add(w, r, at-1, uint32(target))
		}
	}
}
