package ecs

import (
	"fmt"
	"math/bits"
	"slices"
)

// A tag is a set of entities, stored beside the tables: setting or removing one moves no row. This file has the
// sets, and their use by id (World) and by handle (TagSet). An entity that dies is removed from its tags by the
// marks in slotmarks.go.

// A TagID identifies a tag in its world, in the order of declaration. See the example of [World.Tag].
type TagID uint32

// tagSet is a sparse set: a dense list of the entities, and by slot index the generation that has the tag with its
// index in the list. A test is one load, and a stale handle never passes it. All operations cost O(1). The order
// of the dense list depends only on the operations.
type tagSet struct {
	sparse slotPages[tagEntry] // by slot
	dense  []Entity
	id     TagID
	name   string
	world  *World

	kept   []*taggedRows // by table: which of its rows have the tag, as far as walks have asked; may be shorter, and nil
	watch  *watch        // who observes it; nil if nobody ever has
	marks  *slotMarks    // those of all tags of the world: which entity has which tags
	marked *markRow      // the row of marks with the bit of this tag
	bit    uint64
}

// A tagEntry says whether the entity of a slot has the tag: it does if generation is that of the entity, and then
// place is its index in the dense list. If generation is [untagged], place is the generation of an entity that had
// the tag before, whose mark is then known to be set; or 0.
type tagEntry struct{ generation, place uint32 }

// untagged is the generation of an entry without an entity. Extended with its sign, as has compares it, it is
// negative and equals the upper half of no handle.
const untagged = ^uint32(0)

// noTags is the page of entries of slots whose entities never had the tag. It is never written.
var noTags = func() (p slotPage[tagEntry]) {
	for i := range p {
		p[i].generation = untagged
	}
	return p
}()

func newTagSet(id TagID, name string, w *World) *tagSet {
	w.tagMarks.cover(w, int(id)+1)
	s := &tagSet{id: id, name: name, world: w, sparse: newSlotPages(&noTags, w.memory), marks: &w.tagMarks}
	s.marked, s.bit = s.marks.row(uint32(id))
	return s
}

// has reports whether e has the tag. It has one comparison and no branch of its own.
func (s *tagSet) has(e Entity) bool {
	return int64(s.sparse.at(uint32(e)).generation) == int64(e)>>32
}

// add adds a living entity that does not have the tag. There must be room for it.
func (s *tagSet) add(e Entity) {
	place := uint32(len(s.dense))
	s.dense = append(s.dense, e)
	*s.sparse.at(uint32(e)) = tagEntry{generation: uint32(e >> 32), place: place}
	if s.kept != nil {
		s.note(&s.world.slots.all[uint32(e)], true)
	}
}

// reserve makes room for the entity of a slot: in the dense list, in the entries and in the marks. Error: an [ErrLimit], of tag entries or of bytes.
func (s *tagSet) reserve(slot uint32) (err error) {
	if n := len(s.dense) + 1; n > cap(s.dense) {
		most, err := s.tagRoom(n)
		if err != nil {
			return err
		}
		var owned bool
		s.world.undo.resizes(s)
		if s.dense, err = enlargeUpTo(s.world, nil, s.dense, &owned, n, most); err != nil {
			return err
		}
	}
	if err := s.sparse.reserve(s.world, slot); err != nil {
		return err
	}
	if !s.marked.has(slot, s.bit) {
		return s.marks.reserve(s.world, uint32(s.id), slot)
	}
	return nil
}

// remove removes e and reports whether it had the tag. The last entity of the dense list takes its place. The mark
// of e stays set.
func (s *tagSet) remove(e Entity) bool {
	dense := s.dense
	entry, n := s.sparse.at(uint32(e)), len(dense)-1
	if int64(entry.generation) != int64(e)>>32 {
		return false
	}
	last, place := dense[n], entry.place
	dense[place], s.sparse.at(uint32(last)).place = last, place // also right if e is the last one
	*entry = tagEntry{generation: untagged, place: uint32(e >> 32)}
	s.dense = dense[:n]
	if s.kept != nil {
		s.note(&s.world.slots.all[uint32(e)], false)
	}
	return true
}

// forget removes an entity that dies. Its mark has been cleared.
func (s *tagSet) forget(e Entity) {
	s.remove(e)
	if s.sparse.has(uint32(e)) {
		s.sparse.at(uint32(e)).place = 0
	}
}

// DeclareTag returns the id of the tag of that name and declares it if it is new. Error: [ErrMismatch] if the name
// belongs to a component or relation.
func (w *World) DeclareTag(name string) (TagID, error) {
	made(len(w.tables) != 0, "World", "ecs.NewWorld")
	if id, ok := w.tagNames[name]; ok {
		return id, nil
	}
	w.mustBeAlone()
	if name == "" {
		return 0, fail("declare tag", None, name, fmt.Errorf("a tag needs a name"))
	}
	if of, taken := w.componentNames[name]; taken {
		return 0, fail("declare tag", None, name, fmt.Errorf("%w: the name belongs to a %s", ErrMismatch, w.components[of].kind))
	}
	if w.LookupIndex(name) != nil {
		return 0, fail("declare tag", None, name, fmt.Errorf("%w: the name belongs to an index", ErrMismatch))
	}
	id := TagID(len(w.tags))
	w.tags = append(w.tags, newTagSet(id, name, w))
	w.tagNames[name] = id
	return id, nil
}

// LookupTag returns the id of a tag, false if the name is not declared.
func (w *World) LookupTag(name string) (TagID, bool) {
	id, ok := w.tagNames[name]
	return id, ok
}

// TagNames returns the names of all tags in the order of declaration; a TagID is an index into it.
func (w *World) TagNames() []string {
	names := make([]string, len(w.tags))
	for i, s := range w.tags {
		names[i] = s.name
	}
	return names
}

// Tag sets a tag on e. It reports true if the entity is alive, also if it had the tag before, and false if it is
// dead. It moves no row, stamps nothing, and is allowed while a query loop is open. Panics for an id that this
// world has not declared. If there is no room within [Options.MaxTags] or [Options.MaxBytes], it reports false and sets no tag: see
// [World.TryTag].
func (w *World) Tag(e Entity, id TagID) bool {
	return w.TagSet(id).Tag(e)
}

// TryTag is [World.Tag] with an error if there is no room: an [ErrLimit].
func (w *World) TryTag(e Entity, id TagID) (bool, error) {
	return w.TagSet(id).TryTag(e)
}

// TryTags is [World.TryTag] for several tags: if there is no room for one of them, none is set.
func (w *World) TryTags(e Entity, ids ...TagID) (bool, error) {
	if len(ids) == 1 || w.slots.find(e) == nil {
		for _, id := range ids {
			return w.TryTag(e, id)
		}
		return w.Alive(e), nil
	}
	w.mustBeAlone()
	left := Raw.TagsLeft(w)
	for i, id := range ids {
		set := w.tag(id)
		if set.has(e) || slices.Contains(ids[:i], id) {
			continue
		}
		if left--; left < 0 {
			return false, fail("tag "+set.name, e, "", countError{w.options.MaxTags, "tag entry", "tag entries", ErrTags})
		}
		if err := set.reserve(uint32(e)); err != nil {
			return false, fail("tag "+set.name, e, "", err)
		}
	}
	ok := true
	for _, id := range ids {
		set, err := w.TryTag(e, id)
		if err != nil {
			return false, err
		}
		ok = ok && set
	}
	return ok, nil
}

// Untag removes a tag from e and reports whether e had it.
func (w *World) Untag(e Entity, id TagID) bool { return w.TagSet(id).Untag(e) }

// Tagged reports whether e is alive and has the tag.
func (w *World) Tagged(e Entity, id TagID) bool {
	if uint(id) >= uint(len(w.tags)) {
		panic(noSuchTag)
	}
	return w.tags[id].has(e)
}

// TagMembers returns the entities that have the tag, prefabs among them. Their order depends only on the operations made. The slice is
// valid until a tag is set or removed, or an entity despawned, next. Do not change it.
func (w *World) TagMembers(id TagID) []Entity { return w.tag(id).dense }

// A TagSet is one tag of a world, for code that tests, sets or removes the tag on many entities. It is valid as
// long as its world.
//
// The zero value is not usable: methods panic with a sentence. Has, Tag, TryTag and Untag are too fast to look for it, and end in a nil dereference.
type TagSet struct {
	set   *tagSet
	slots *slots
}

// TagSet returns the set of a tag. Panics for an id that this world has not declared.
func (w *World) TagSet(id TagID) TagSet { return TagSet{w.tag(id), &w.slots} }

// Has is [World.Tagged].
func (s TagSet) Has(e Entity) bool { return s.set.has(e) }

// Tag is [World.Tag].
func (s TagSet) Tag(e Entity) bool {
	set, all, i := s.set, s.slots.all, uint32(e) // written out as [Component.Get] is
	if s.slots.guarded {
		set.guard(e)
	}
	if set.has(e) {
		return true // only living entities have tags
	}
	if uint(i) >= uint(len(all)) || all[i].meta&liveMask != uint32(e>>32) || int64(e) < 0 {
		return false
	}
	n, entry := len(set.dense), set.sparse.at(i)
	if n == cap(set.dense) || entry.place != uint32(e>>32) {
		if set.reserve(i) != nil {
			return false
		}
		set.marks.mark(uint32(set.id), i)
		if s.slots.log != nil {
			s.slots.log.note(i, all[i], slotFlagged)
		}
		all[i].meta |= slotTagged
		set.add(e)
	} else {
		set.dense = set.dense[:n+1]
		set.dense[n] = e
		*entry = tagEntry{generation: uint32(e >> 32), place: uint32(n)}
		if set.kept != nil {
			set.note(&all[i], true)
		}
	}
	if set.watch != nil {
		set.tagged(e)
	}
	return true
}

// TryTag is [World.TryTag].
func (s TagSet) TryTag(e Entity) (bool, error) {
	if s.Tag(e) {
		return true, nil
	}
	if s.slots.find(e) == nil {
		return false, nil
	}
	err := s.set.reserve(uint32(e))
	if err == nil { // what was refused now has room: memory was given back in between
		return s.Tag(e), nil
	}
	return false, fail("tag "+s.set.name, e, "", err)
}

// Untag is [World.Untag].
func (s TagSet) Untag(e Entity) bool {
	if s.set.watch != nil {
		s.set.world.mustBeAlone()
		s.set.untagging(e) // observers may tag and untag others, so the change of e is noted after theirs
	}
	if s.slots.guarded {
		s.set.guard(e)
	}
	return s.set.remove(e)
}

// Len returns how many entities have the tag, prefabs among them.
func (s TagSet) Len() int {
	made(s.set != nil, "TagSet", "World.TagSet")
	return len(s.set.dense)
}

// TagName returns the name of a tag. Panics for an id this world never gave out.
func (w *World) TagName(id TagID) string { return w.tag(id).name }

// TagsOf returns the tags of e in the order of declaration, nil if it has none. Its cost depends on the tags of e,
// not on how many are declared.
func (w *World) TagsOf(e Entity) []TagID {
	var ids []TagID
	var buf [16]uint32
	for _, id := range w.tagMarks.list(buf[:0], uint32(e)) {
		if w.tags[id].has(e) {
			ids = append(ids, TagID(id))
		}
	}
	return ids
}

// untag removes a dying entity from all tag sets, and clears its marks.
func (w *World) untag(e Entity) {
	if w.journal != nil {
		for _, id := range w.tagMarks.list(nil, uint32(e)) {
			w.tags[id].before(e)
		}
	}
	if len(w.tagMarks.levels) == 1 { // up to 64 tags are declared
		for word := w.tagMarks.takeWord(uint32(e)); word != 0; word &= word - 1 {
			w.tags[bits.TrailingZeros64(word)].forget(e)
			w.work++
		}
		return
	}
	w.marked = w.tagMarks.take(w.marked[:0], uint32(e))
	w.work += uint64(len(w.marked))
	for _, id := range w.marked {
		w.tags[id].forget(e)
	}
}
