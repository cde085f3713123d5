package ecs

import "fmt"

// The state of a world is everything that decides its future: if two worlds with equal states run the same
// systems, they have the same digests from then on. Not part of the state is what follows from it (matches of
// queries, the pages that find columns), what only saves time (plans of moves, scratch memory), and what ties the
// world to its program (Memory, handles).
//
// The table of sections below is the only list of the parts of the state. An operation on the state as a whole is
// a column of this table: Blank, Copy, Restore, Save, Load, Digest, Check and Stats go through the sections in order. A test
// finds each field of the structs with state by reflection, and requires that it belongs to a section or is
// listed, with a reason, as not being state.

// A section is one part of the state of a world. A function that is nil means that the operation has nothing to do
// for this part.
type section struct {
	name string // for messages

	// declare declares in to, a new world, everything that from declares, with the same ids.
	declare func(to, from *World)
	// differs returns an error that names the first difference between two worlds' declarations, nil if there is
	// none.
	differs func(a, b *World) error
	// restore makes this part of w equal to that of from, which has the same declarations. Objects that other code
	// may point at stay where they are.
	restore func(w, from *World)
	// save writes this part to a file, and load reads it into w, a new world in which the parts before it are loaded.
	save func(w *World, s *saver)
	load func(w *World, l *loader)
	// digest hashes what counts for [World.Digest]. The order of the sections is the order of the digest.
	digest func(w *World, d *digester)
	// check returns an error for the first invariant that does not hold.
	check func(w *World) error
	// count adds to the statistics.
	count func(w *World, s *Stats)
}

// sections lists the whole state of a world. The literals do not name the fields, so a section that leaves one out
// does not compile.
var sections = [...]section{
	{"options", nil, nil, restoreOptions, saveOptions, loadOptions, nil, nil, nil},
	{"clock", nil, nil, restoreClock, saveClock, loadClock, nil, nil, nil},
	{"components", declareComponents, differentComponents, nil, saveComponents, loadComponents, nil, nil, countComponents},
	{"slots", nil, nil, restoreSlots, saveSlots, loadSlots, digestSlots, checkSlots, countSlots},
	{"tables", nil, nil, restoreTables, saveTables, loadTables, digestTables, checkTables, countTables},
	{"tags", declareTags, differentTags, restoreTags, saveTags, loadTags, digestTags, checkTags, countTags},
	{"relations", nil, nil, restoreRelations, saveRelations, loadRelations, digestRelations, checkRelations, countRelations}, // declared as components
	{prefabSection, declarePrefabs, differentPrefabs, restorePrefabs, savePrefabs, loadPrefabs, digestPrefabs, checkPrefabs, nil},
	{"events", declareEvents, differentEvents, restoreEvents, saveEvents, loadEvents, digestEvents, checkEvents, countEvents},
	{waitSection, nil, nil, restoreWaits, saveWaits, loadWaits, digestWaits, checkWaits, countWaits},
	{"resources", declareResources, differentResources, restoreResources, saveResources, loadResources, digestResources, nil, nil},
	{"layers", declareLayers, differentLayers, restoreLayers, saveLayers, loadLayers, digestLayers, nil, nil},
	{stateSection, declareStates, differentStates, restoreStates, saveStates, loadStates, digestStates, nil, nil},
	{"indexes", declareIndexes, differentIndexes, restoreIndexes, saveIndexes, loadIndexes, digestIndexes, checkIndexes, nil},
	{"random streams", nil, nil, restoreStreams, saveStreams, loadStreams, digestStreams, nil, nil},
	{"removals", declareRemovals, nil, restoreRemovals, saveRemovals, loadRemovals, nil, nil, nil},
	{"grids", declareGrids, differentGrids, restoreGrids, saveGrids, loadGrids, nil, nil, nil},
	{"commands", nil, nil, restoreCommands, saveCommands, loadCommands, nil, nil, nil},
	{"limits", nil, nil, restoreLimits, saveLimits, loadLimits, nil, checkBytes, nil}, // last, because it measures the others
}

// Blank returns an empty world, made with o, with the declarations of w and the same ids: components, relations,
// tags, events, grids, and resources at their first values. The entities of prefabs are made as they are declared,
// whatever o allows. It only reads w, so a system or a query loop may be running. It costs O(declarations).
func (w *World) Blank(o Options) *World {
	b := w.blank(o)
	if len(b.prefabs) > 0 {
		b.makePrefabs()
	}
	return b
}

// blank is Blank without the entities of prefabs, for a world that gets them from another one.
func (w *World) blank(o Options) *World {
	b := newWorld(o)
	for i := range sections {
		if declare := sections[i].declare; declare != nil {
			declare(b, w)
		}
	}
	return b
}

// Copy returns an independent world in the same state: entities with generations and the free list, values and
// change stamps, tags, relations, resources, events with the positions of readers, random streams, clock, ticks,
// removals, and the world's own queue of commands. If the same systems run, both worlds stay equal;
// [Schedule.Copy] copies the state of the systems, too. Queries, event readers and typed handles belong to their
// world: make new ones for the copy. Strings and plain data are shared, because they never change. The memory of
// columns without pointers comes from the same [Options.Memory]. Error: [ErrLocked] inside of a system or a query
// loop.
//
// A copy that is only kept for [World.Restore] costs nothing but its memory, which a Memory does not get back when it is dropped:
// [Schedule.Copy] makes copies on Go's heap.
func (w *World) Copy() (*World, error) {
	made(len(w.tables) != 0, "World", "ecs.NewWorld")
	if w.busy() {
		return nil, fail("copy world", None, "", w.lockedBy())
	}
	c := w.blank(w.options)
	c.restore(w)
	return c, nil
}

// Restore gives w the state of another world, usually an earlier copy of w. From then on the same systems have the
// same results in both. The other world does not change and can be used again. Restore costs about as much time as
// [World.Copy], and no additional memory.
//
// Handles of w stay valid: typed components, queries, bundles, tags, events, grids, resources, random streams, and
// event readers that were open when the copy was made. Readers that were opened later stay open and start again
// with the events that Peek returns. Tables that were made later are removed: do not keep a [Table] or [Column]
// across a Restore, as across any structural change.
//
// Errors: [ErrLocked] if a system or a query loop of one of the worlds is running; [ErrMismatch] if the two do not
// have the same declarations in the same order, so declare everything before the copy is made. After an error w is
// unchanged.
func (w *World) Restore(from *World) error {
	made(len(w.tables) != 0, "World", "ecs.NewWorld")
	if from == nil {
		return noSource("restore world", "world")
	}
	if w.busy() || from.busy() {
		return fail("restore world", None, "", w.lockedBy())
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

// restore restores section by section. The caller has checked that the declarations are the same.
func (w *World) restore(from *World) {
	w.beginChange()
	defer w.endChange()
	from.notChanging()
	w.layout++
	w.restored++
	for i := range sections {
		if restore := sections[i].restore; restore != nil {
			restore(w, from)
		}
	}
}

// Check verifies every invariant of the world and returns an error for the first that does not hold. It is for
// tests, and costs O(world).
func (w *World) Check() error {
	for i := range sections {
		if check := sections[i].check; check != nil {
			if err := check(w); err != nil {
				return fmt.Errorf("ecs: check: %w", err)
			}
		}
	}
	if err := w.checkQueries(); err != nil { // queries are not state, but are wrong if the state is
		return fmt.Errorf("ecs: check: %w", err)
	}
	return nil
}

// differentDeclarations returns an error that names the first difference between the declarations of two worlds,
// nil if there is none.
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

// differentNames compares two lists of names in the order of declaration. what is the kind of name, for messages.
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

// differentSchema compares the layouts of one name in two worlds.
func differentSchema(what, name string, a, b *Schema) error {
	if a == b || a.sameFields(b) && b.sameFields(a) && a.sameLayout(b) {
		return nil
	}
	return fmt.Errorf("%w: %s %q is %s here and %s there", ErrMismatch, what, name, a.describe(), b.describe())
}

// like returns a slice with the elements and the capacity of src; it reuses dst if dst has this capacity.
// Capacities are part of the state, because they decide when something grows, and growth is limited.
func like[T any](m Memory, dst []T, owned *bool, src []T) []T {
	if cap(dst) != cap(src) {
		release(m, dst, owned)
		dst = room[T](m, nil, owned, cap(src))
	}
	dst = append(dst[:0], src...)
	clear(dst[len(dst):cap(dst)]) // code that grows a slice within its capacity relies on zeros there
	return dst
}

// likeHeap is like for memory of Go's heap.
func likeHeap[T any](dst, src []T) []T {
	var owned bool
	return like(nil, dst, &owned, src)
}
