package ecs

import (
	"fmt"
	"math/bits"
)

// checkLoaded returns an error if the parts of a world that was read from a file do not fit together. Its readers
// have made sure that every index is within its list, which [World.Check] relies on; here is what Check takes for
// granted, because no operation of a world can break it.
func (w *World) checkLoaded() error {
	if err := w.checkMarked(&w.tagMarks, slotTagged, len(w.tags), func(number, slot int) bool { return w.tags[number].sparse.has(uint32(slot)) }); err != nil {
		return fmt.Errorf("tags: %w", err)
	}
	if err := w.checkMarked(&w.targets, slotTarget, len(w.relations), func(int, int) bool { return true }); err != nil {
		return fmt.Errorf("targets: %w", err)
	}
	if err := w.Check(); err != nil {
		return err
	}
	for _, r := range w.relations {
		if r.acyclic {
			if err := w.checkChains(r); err != nil {
				return fmt.Errorf("relation %s: %w", r.info.name, err)
			}
		}
	}
	return nil
}

// checkMarked verifies that marks have only numbers below n, that the slots of marks have a flag, and what covers
// says.
func (w *World) checkMarked(m *slotMarks, flag uint32, n int, covers func(number, slot int) bool) error {
	for _, rows := range m.levels {
		for i, row := range rows {
			for slot, at := range row.words.all {
				for word := *at; word != 0; word &= word - 1 {
					number := i<<6 | bits.TrailingZeros64(word)
					if number >= n || w.slots.all[slot].meta&flag == 0 || !covers(number, slot) {
						return fmt.Errorf("slot %d has the mark %d of %d", slot, number, n)
					}
				}
			}
		}
		n, covers = len(rows), func(int, int) bool { return true }
	}
	return nil
}

// checkChains verifies that no chain of a relation leads back to its beginning, and that none is longer than
// [MaxBases] if that is its limit.
func (w *World) checkChains(r *relation) error {
	const unknown, walking = 0, -1
	length := make([]int32, len(w.slots.all)) // by slot: the number of entities above, plus 1
	var chain []uint32
	for _, t := range w.tables {
		if r.info.column(t.id) == nil {
			continue
		}
		for _, e := range t.entities {
			chain = chain[:0]
			at := e.Index()
			for length[at] == unknown {
				length[at] = walking
				chain = append(chain, at)
				sl := &w.slots.all[at]
				if r.info.column(sl.table) == nil {
					break
				}
				at = w.targetCell(r, sl).Index()
				if length[at] == walking {
					return fmt.Errorf("%s is above itself", e)
				}
			}
			n := max(length[at], 0)
			for len(chain) > 0 {
				n++
				length[chain[len(chain)-1]] = n
				chain = chain[:len(chain)-1]
			}
			if r.bounded && length[e.Index()]-1 > MaxBases {
				return fmt.Errorf("a chain of %d entities: %w", length[e.Index()], ErrDepth)
			}
		}
	}
	return nil
}
