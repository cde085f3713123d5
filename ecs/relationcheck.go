package ecs

import "fmt"

// check verifies that each of the rows with the relation has pairs, that the column has the target of the first one, and that
// each number is in one list of targets or free.
func (p *targetPairs) check(w *World, r *relation, rows int) error {
	listed := make([]bool, p.made)
	list := func(number uint32) bool {
		if number > p.made || listed[number-1] {
			return false
		}
		listed[number-1] = true
		return true
	}
	sources, pairs := 0, uint32(0)
	for source, h := range p.lists.all {
		if *h == (relationHead{}) {
			continue
		}
		sl := &w.slots.all[source]
		if sl.meta&slotFree != 0 || !w.tables[sl.table].mask.has(r.info.id) {
			return fmt.Errorf("slot %d has targets without the relation", source)
		}
		var previous, n uint32
		for at := h.first; at != 0; at = p.all.at(at - 1).next {
			pair := p.all.at(at - 1)
			if !list(at) || pair.source != uint32(source) || pair.previous != previous {
				return fmt.Errorf("the list of the targets of slot %d is broken at pair %d", source, at-1)
			}
			if to := *w.targetCell(r, sl); previous == 0 && to != w.slots.handle(pair.target) {
				return fmt.Errorf("the first target of slot %d is slot %d, its column says %s", source, pair.target, to)
			}
			previous, n = at, n+1
		}
		if h.last != previous || h.count != n {
			return fmt.Errorf("slot %d has %d targets, the count says %d", source, n, h.count)
		}
		sources++
		pairs += n
	}
	if sources != rows {
		return fmt.Errorf("%d rows, %d with targets", rows, sources)
	}
	free := uint32(0)
	for at := p.free; at != 0; at = p.all.at(at - 1).next {
		if !list(at) {
			return fmt.Errorf("the free pair %d is in use", at-1)
		}
		free++
	}
	if pairs != p.count || p.made-p.count != free {
		return fmt.Errorf("%d pairs and %d free ones, the counts say %d of %d", pairs, free, p.count, p.made)
	}
	return nil
}
