package ecs

import "fmt"

// checkIndexes verifies the lists of all places, and that those who are in one have the component.
func checkIndexes(w *World) error {
	for _, x := range w.indexes {
		placed, listed := 0, 0
		for slot, at := range x.entries.all {
			if at.place == 0 {
				continue
			}
			placed++
			if sl := &w.slots.all[slot]; sl.meta&slotFree != 0 || !w.tables[sl.table].mask.has(x.info.id) {
				return fmt.Errorf("index %s: slot %d is at a place and has no %s", x.spec.Name, slot, x.spec.Component)
			}
		}
		for place, first := range x.heads {
			previous, n := uint32(0), uint32(0)
			for e := first; e != None; e = x.bySlot(x.entries.at(uint32(e)).next) {
				if at := x.entries.at(uint32(e)); at.place != uint32(place)+1 || at.previous != previous || !w.Alive(e) {
					return fmt.Errorf("index %s: the list of place %d is broken at %s", x.spec.Name, place, e)
				}
				previous, n = uint32(e)+1, n+1
			}
			if end := x.ends[place]; end.last != previous || end.count != n {
				return fmt.Errorf("index %s: place %d has %d entities, the count says %d", x.spec.Name, place, n, end.count)
			}
			if n > 0 && x.spec.Width == 0 {
				var k indexKey
				copy(k.words[:], x.words[place*x.width:][:x.width])
				if x.textual {
					copy(k.texts[:], x.texts[place*x.width:][:x.width])
				}
				if x.find(&k) != uint32(place)+1 {
					return fmt.Errorf("index %s: place %d is not found by its key", x.spec.Name, place)
				}
			}
			listed += int(n)
		}
		if placed != listed {
			return fmt.Errorf("index %s: %d entities are at places, %d in lists", x.spec.Name, placed, listed)
		}
	}
	return nil
}
