package ecs

import "fmt"

// The state of a world is all that decides how it goes on: run by the same systems, two worlds of equal state give the same digests for
// ever. What can be worked out from the state (matches of queries, the pages that find columns), what only makes things fast (plans of
// moves, scratch) and what binds the world to its program (Memory, handles) is not part of it.
//
// The table of sections below is the one place that lists the parts of the state. What is done to the state as a whole is a column of it:
// Blank, Copy, Restore, Digest, Check and Stats go through the sections in order. A test finds each field of the structs that hold state, by
// reflection, and demands that it belongs to a section or is named as none with the reason.

// A section is one part of the state of a world. A nil function says that the section has nothing of that kind.
type section struct {
	name string // as messages show it

	// declare makes to, a new world, declare what from declares, under the same ids.
	declare func(to, from *World)
	// differs says what the two declare differently, nil when they agree.
	differs func(a, b *World) error
	// restore makes this part of w equal to that of from, which declares the same. What other code may hold pointers to stays where it is.
	restore func(w, from *World)
	// digest hashes what counts for [World.Digest]. The order of the sections is that of the digest.
	digest func(w *World, d *digester)
	// check returns the first invariant that does not hold.
	check func(w *World) error
	// count adds to the statistics.
	count func(w *World, s *Stats)
}

// sections lists the whole state of a world. The fields are not named, so that a section that leaves one out does not compile.
var sections = [...]section{
	{"options", nil, nil, restoreOptions, nil, nil, nil},
	{"clock", nil, nil, restoreClock, nil, nil, nil},
	{"components", declareComponents, differentComponents, nil, nil, nil, countComponents},
	{"slots", nil, nil, restoreSlots, digestSlots, checkSlots, countSlots},
	{"tables", nil, nil, restoreTables, digestTables, checkTables, countTables},
	{"tags", declareTags, differentTags, restoreTags, digestTags, checkTags, countTags},
	{"relations", nil, nil, restoreRelations, digestRelations, checkRelations, countRelations}, // declared as components
	{"events", declareEvents, differentEvents, restoreEvents, digestEvents, checkEvents, countEvents},
	{"resources", declareResources, differentResources, restoreResources, digestResources, nil, nil},
	{"random streams", nil, nil, restoreStreams, digestStreams, nil, nil},
	{"removals", declareRemovals, nil, restoreRemovals, nil, nil, nil},
	{"grids", declareGrids, differentGrids, restoreGrids, nil, nil, nil},
	{"commands", nil, nil, restoreCommands, nil, nil, nil},
	{"limits", nil, nil, restoreLimits, nil, checkBytes, nil}, // the last, as it measures the others
}

// Blank returns an empty world, made with o, that declares what w declares under the same ids: components, relations, tags, events, grids,
// and resources at the values they start with. It reads w only, so a system or a query loop may be running. It costs O(declarations).
func (w *World) Blank(o Options) *World {
	b := NewWorld(o)
	for i := range sections {
		if declare := sections[i].declare; declare != nil {
			declare(b, w)
		}
	}
	return b
}

// Copy returns an independent world in the same state: entities with generations and free list, values and change stamps, tags, relations,
// resources, events with the marks of readers, random streams, clock, ticks, removals and the world's own queue of commands. If the
// same systems run, both worlds stay equal; [Schedule.Copy] copies the state of the systems, too. Queries, event readers and typed handles
// belong to their world: make new ones for the copy. Strings and plain data are shared, as they never change. Memory of pointer-free columns comes from the
// same [Options.Memory]. Error: [ErrLocked] inside a system or a query loop.
//
// A copy that is only kept for [World.Restore] costs its memory and nothing else.
func (w *World) Copy() (*World, error) {
	if w.busy() {
		return nil, fail("copy world", None, "", ErrLocked)
	}
	c := w.Blank(w.options)
	c.restore(w)
	return c, nil
}

// Restore gives w the state of another world, usually an earlier copy of w. From then on the same systems have the same results in both. The
// other world is not changed and can be used again. It costs about as much as [World.Copy], without its memory.
//
// Handles of w stay valid: typed components, queries, bundles, tags, events, grids, resources, random streams, and event readers that were
// open when the copy was made. Readers that were opened later stay open, and begin again with the events that Peek returns. Tables that were
// made later are removed: do not keep a [Table] or [Column] across a Restore, just as across any structural change.
//
// Errors: [ErrLocked] when a system or a query loop of one of the worlds is running; [ErrMismatch] when the two do not declare the same in
// the same order: declare everything before the copy is made. After an error w is as it was.
func (w *World) Restore(from *World) error {
	if w.busy() || from.busy() {
		return fail("restore world", None, "", ErrLocked)
	}
	if err := differentDeclarations(w, from); err != nil {
		return fail("restore world", None, "", err)
	}
	if w != from {
		w.restore(from)
	}
	return nil
}

// busy reports whether a system or a query loop is running.
func (w *World) busy() bool { return w.locks != 0 || w.system != nil }

// restore goes through the sections. The caller has checked that the worlds declare the same.
func (w *World) restore(from *World) {
	w.layout++
	w.restored++
	for i := range sections {
		if restore := sections[i].restore; restore != nil {
			restore(w, from)
		}
	}
}

// Check verifies every invariant of the world and returns the first that is broken, nil when it is whole. It is for tests and costs
// O(everything).
func (w *World) Check() error {
	for i := range sections {
		if check := sections[i].check; check != nil {
			if err := check(w); err != nil {
				return fmt.Errorf("ecs: check: %w", err)
			}
		}
	}
	if err := w.checkQueries(); err != nil { // which are no state, but go wrong with it
		return fmt.Errorf("ecs: check: %w", err)
	}
	return nil
}

// differentDeclarations says what two worlds declare differently, nil when they agree.
func differentDeclarations(a, b *World) error {
	for i := range sections {
		if differs := sections[i].differs; differs != nil {
			if err := differs(a, b); err != nil {
				return err
			}
		}
	}
	return nil
}

// differentNames compares lists of names that were declared in order.
func differentNames(what string, a, b []string) error {
	for i := range max(len(a), len(b)) {
		switch {
		case i >= len(b):
			return fmt.Errorf("%w: %s %q is not declared in the world to restore from; declare it before that copy is made", ErrMismatch, what, a[i])
		case i >= len(a):
			return fmt.Errorf("%w: %s %q is declared in the world to restore from only", ErrMismatch, what, b[i])
		case a[i] != b[i]:
			return fmt.Errorf("%w: %s %q was declared where the world to restore from has %q", ErrMismatch, what, a[i], b[i])
		}
	}
	return nil
}

// differentSchema compares the layouts that one name has in two worlds.
func differentSchema(what, name string, a, b *Schema) error {
	if a == b || a.sameFields(b) && b.sameFields(a) && a.sameLayout(b) {
		return nil
	}
	return fmt.Errorf("%w: %s %q is %s here and %s there", ErrMismatch, what, name, a.describe(), b.describe())
}

// like returns a slice with the elements and the capacity of src. It is dst where that has this capacity. Capacities are part of the state:
// they decide when something grows, and growing is limited.
func like[T any](m Memory, dst []T, owned *bool, src []T) []T {
	if cap(dst) != cap(src) {
		release(m, dst, owned)
		dst = room[T](m, nil, owned, cap(src))
	}
	dst = append(dst[:0], src...)
	clear(dst[len(dst):cap(dst)]) // what grows within its capacity counts on zeros there
	return dst
}

// likeHeap is like for memory of Go's heap.
func likeHeap[T any](dst, src []T) []T {
	var owned bool
	return like(nil, dst, &owned, src)
}
