package ecs

// A TagID identifies a tag in its world, in the order of declaration.
type TagID uint32

// tagSet is a sparse set: by slot index the generation that has the tag (so that a test is one load and a stale handle never passes), a
// dense list of the entities, and each one's place in it. All operations are O(1); the order of the dense list depends only on the
// operations made.
type tagSet struct {
	id          TagID
	name        string
	generations []uint32 // by slot index; 0 is absent
	places      []uint32 // by slot index: place in dense; meaningless when absent
	dense       []Entity
}

func (s *tagSet) has(e Entity) bool {
	index := uint32(e)
	return int(index) < len(s.generations) && s.generations[index] == uint32(e>>32) && e>>32 != 0
}

// add puts in a living entity that is not there.
func (s *tagSet) add(e Entity) {
	index := int(uint32(e))
	if index >= len(s.generations) {
		grow := index + 1 - len(s.generations)
		s.generations = append(s.generations, make([]uint32, grow)...)
		s.places = append(s.places, make([]uint32, grow)...)
	}
	s.generations[index] = uint32(e >> 32)
	s.places[index] = uint32(len(s.dense))
	s.dense = append(s.dense, e)
}

func (s *tagSet) remove(e Entity) bool {
	if !s.has(e) {
		return false
	}
	at, last := s.places[uint32(e)], s.dense[len(s.dense)-1]
	s.dense[at] = last
	s.places[uint32(last)] = at
	s.dense = s.dense[:len(s.dense)-1]
	s.generations[uint32(e)] = 0
	return true
}

// DeclareTag returns the id of the tag of that name, declaring it when it is new. A name that belongs to a component or relation is
// [ErrMismatch].
func (w *World) DeclareTag(name string) (TagID, error) {
	if id, ok := w.tagNames[name]; ok {
		return id, nil
	}
	if _, taken := w.componentNames[name]; taken || name == "" {
		return 0, fail("declare tag", None, name, ErrMismatch)
	}
	id := TagID(len(w.tags))
	w.tags = append(w.tags, &tagSet{id: id, name: name})
	w.tagNames[name] = id
	return id, nil
}

// LookupTag returns the id of a declared tag.
func (w *World) LookupTag(name string) (TagID, bool) {
	id, ok := w.tagNames[name]
	return id, ok
}

// TagNames returns all declared tags in the order of declaration; a TagID is an index into it.
func (w *World) TagNames() []string {
	names := make([]string, len(w.tags))
	for i, s := range w.tags {
		names[i] = s.name
	}
	return names
}

// Tag sets a tag on e: true for a living entity, also when it was set before; false, with no entry made, for a dead one. Nothing
// migrates, nothing is stamped, and it is allowed while a query loop is open. Panics for an id this world never gave out.
func (w *World) Tag(e Entity, id TagID) bool {
	set := w.tags[id]
	if set.has(e) {
		return true // so it lives
	}
	sl := w.slots.find(e)
	if sl == nil {
		return false
	}
	sl.meta |= slotTagged
	set.add(e)
	return true
}

// Untag takes a tag off e and reports whether it was there.
func (w *World) Untag(e Entity, id TagID) bool { return w.tags[id].remove(e) }

// Tagged reports whether e lives and has the tag.
func (w *World) Tagged(e Entity, id TagID) bool { return w.tags[id].has(e) }

// TagMembers returns the entities with the tag. The order depends only on the operations made. Do not change the slice; it is valid
// until the next tag, untag or despawn.
func (w *World) TagMembers(id TagID) []Entity { return w.tags[id].dense }

// TagsOf returns the tags of e in the order of declaration, nil when it has none.
func (w *World) TagsOf(e Entity) []TagID {
	var ids []TagID
	for _, s := range w.tags {
		if s.has(e) {
			ids = append(ids, s.id)
		}
	}
	return ids
}
