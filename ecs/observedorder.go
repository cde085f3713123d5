package ecs

import "slices"

// This file turns reports into calls, in their order: entity by entity, and for each entity in the order of
// declaration.

// flush passes on all that has waited.
func (o *observers) flush() {
	if len(o.facts) > 0 {
		o.flushFrom(0)
	}
}

// flushFrom passes on the reports from index start on: entity by entity in the order of their first report, and for
// each entity in the order of declaration.
func (o *observers) flushFrom(start int) {
	facts := o.facts[start:]
	from := len(o.calls)
	switch {
	case len(facts) == 1:
		for _, ob := range facts[0].to {
			o.calls = append(o.calls, called{ob, facts[0].change})
		}
		o.sort(from)
	default:
		o.together(facts)
		for i := 0; i < len(facts); {
			group := len(o.calls)
			e := facts[i].change.Entity
			for ; i < len(facts) && facts[i].change.Entity == e; i++ {
				for _, ob := range facts[i].to {
					o.calls = append(o.calls, called{ob, facts[i].change})
				}
			}
			o.sort(group)
		}
	}
	clear(facts)
	o.facts = o.facts[:start]
	o.callFrom(from)
}

// together sorts reports so that those of one entity are behind one another.
func (o *observers) together(facts []report) {
	if o.rising(facts) {
		return
	}
	apart := false
	first := map[Entity]int(nil)
	for i := 1; i < len(facts) && !apart; i++ {
		if facts[i].change.Entity == facts[i-1].change.Entity {
			continue
		}
		if first == nil {
			first = map[Entity]int{facts[0].change.Entity: 0}
		}
		_, apart = first[facts[i].change.Entity]
		first[facts[i].change.Entity] = i
	}
	if !apart {
		return
	}
	clear(first)
	for i, f := range facts {
		if _, ok := first[f.change.Entity]; !ok {
			first[f.change.Entity] = i
		}
	}
	slices.SortStableFunc(facts, func(a, b report) int { return first[a.change.Entity] - first[b.change.Entity] })
}

// rising reports whether the entities of the reports follow each other as their rows do in one table: then those of one entity
// are behind one another.
func (o *observers) rising(facts []report) bool {
	slots := o.world.slots.all
	for i := 1; i < len(facts); i++ {
		if a, b := facts[i-1].change.Entity, facts[i].change.Entity; a != b {
			a, b := &slots[uint32(a)], &slots[uint32(b)]
			if a.table != b.table || a.row >= b.row {
				return false
			}
		}
	}
	return true
}

// sort puts the calls from index from on into the order of declaration. There are few, so they are inserted.
func (o *observers) sort(from int) {
	calls := o.calls[from:]
	for i := 1; i < len(calls); i++ {
		for k := i; k > 0 && calls[k].observer.Compare(calls[k-1].observer) < 0; k-- {
			calls[k], calls[k-1] = calls[k-1], calls[k]
		}
	}
}
