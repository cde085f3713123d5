package ecs

import "fmt"

// The functions of the section of indexes in [sections]. Which entities are at a place follows from their values, but for what was written since
// the turn began and is not indexed yet; their order does not.

// declareIndexes declares the indexes of from.
func declareIndexes(to, from *World) {
	for _, x := range from.indexes {
		to.newIndex(x.spec).begin()
	}
}

func differentIndexes(a, b *World) error {
	if err := differentNames("index", a.IndexNames(), b.IndexNames()); err != nil {
		return err
	}
	for i, x := range a.indexes {
		if o := b.indexes[i]; !x.spec.same(o.spec) {
			return fmt.Errorf("%w: index %q is %s here and %s there", ErrMismatch, x.spec.Name, x.spec, o.spec)
		}
	}
	return nil
}

func restoreIndexes(w, from *World) {
	for i, x := range w.indexes {
		o := from.indexes[i]
		x.entries.restore(&o.entries)
		x.indexPlaces.restore(&o.indexPlaces)
		x.wrote = 0
	}
	if w.observers != nil {
		w.observers.arrivals = w.observers.arrivals[:0]
	}
	w.countIndexes()
}

// lists calls yield for each place with entities, in the order of the slots of the first ones.
func (x *Index) lists(yield func(place uint32, first Entity) bool) {
	for _, at := range x.entries.all {
		if at.place != 0 && at.previous == 0 && !yield(at.place-1, x.heads[at.place-1]) {
			return
		}
	}
}

// members appends the entities at a place.
func (x *Index) members(list []Entity, place uint32) []Entity {
	for e := x.heads[place]; e != None; e = x.bySlot(x.entries.at(uint32(e)).next) {
		list = append(list, e)
	}
	return list
}

func saveIndexes(w *World, s *saver) {
	s.count(len(w.indexes))
	for _, x := range w.indexes {
		s.text(x.spec.Name)
		s.text(x.spec.Component)
		s.count(len(x.spec.Fields))
		for _, f := range x.spec.Fields {
			s.text(f)
		}
		s.count(x.spec.Width)
		s.count(x.spec.Height)
		s.flag(x.spec.Wrap)
		n := 0
		for range x.lists {
			n++
		}
		s.count(n)
		var list []Entity
		for place := range x.lists {
			if x.spec.Width > 0 {
				s.number(uint64(place))
			} else {
				for i, f := range x.fields {
					if at := int(place)*x.width + i; f.Type == String {
						s.text(x.texts[at])
					} else {
						s.word(x.words[at])
					}
				}
			}
			list = x.members(list[:0], place)
			s.count(len(list))
			for _, e := range list {
				s.number(uint64(e.Index()))
			}
		}
	}
}

func loadIndexes(w *World, l *loader) {
	for range l.count(4) {
		spec := IndexSpec{Name: l.text(), Component: l.text()}
		for range l.below(MaxIndexFields+1, "a number of fields") {
			spec.Fields = append(spec.Fields, l.text())
		}
		spec.Width, spec.Height = int(l.below(MaxIndexPlaces+1, "a width")), int(l.below(MaxIndexPlaces+1, "a height"))
		spec.Wrap = l.flag()
		if w.LookupIndex(spec.Name) != nil {
			l.fail("index %q is declared twice", spec.Name)
		}
		if err := w.checkIndex(spec); err != nil {
			l.fail("index %q: %v", spec.Name, err)
		}
		l.charge(spec.Width*spec.Height, 1)
		x := w.newIndex(spec)
		x.begin()
		for range l.count(2) {
			l.indexList(w, x)
		}
	}
}

// indexList reads the entities at a place.
func (l *loader) indexList(w *World, x *Index) {
	place := uint32(0)
	if x.spec.Width > 0 {
		place = uint32(l.below(uint64(len(x.heads)), "a place of an index")) + 1
	} else {
		var k indexKey
		for i, f := range x.fields {
			if f.Type == String {
				k.texts[i] = l.text()
				k.words[i] = hashText(k.texts[i])
			} else {
				k.words[i] = l.word()
			}
		}
		place = x.take(&k)
	}
	n := l.count(1)
	if n == 0 || x.heads[place-1] != None {
		l.fail("a place of index %q has no list of its own", x.spec.Name)
	}
	for range n {
		index := uint32(l.below(uint64(len(w.slots.all)), "a slot"))
		sl := &w.slots.all[index]
		if sl.meta&slotFree != 0 || !w.tables[sl.table].mask.has(x.info.id) || x.entries.at(index).place != 0 {
			l.fail("slot %d cannot be at a place of index %q", index, x.spec.Name)
		}
		x.arrive(x.bySlot(index+1), place)
	}
}

// digestIndexes hashes the order of those that share a place. Who they are follows from the values.
func digestIndexes(w *World, d *digester) {
	for _, x := range w.indexes {
		x.digest(d, true)
	}
}

func (x *Index) digest(d *digester, named bool) {
	for place := range x.lists {
		if x.ends[place].count < 2 {
			continue
		}
		if named {
			d.text(x.spec.Name)
			named = false
		}
		d.u64(uint64(x.ends[place].count))
		for e := x.heads[place]; e != None; e = x.bySlot(x.entries.at(uint32(e)).next) {
			d.u64(uint64(e))
		}
	}
}
