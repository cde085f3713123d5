package ecs

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// The tests in this file find every field of a schedule and its world by reflection. A field that is not named in noState is state: it must be
// equal in a copy and after a Restore, and some world of this file must give it a value that is not zero, so that the comparison says something.

// noState names the fields that are not part of the state, by type and field, each with the reason.
var noState = map[string]string{
	"World.codecs":    "what Go code has registered; the schemas that were declared since have it",
	"component.shown": "only makes Register stricter",
	"Options.Memory":  "binds the world to its program",

	"Table.tags":         "remembers what entities and tags say",
	"tagSet.kept":        "likewise",
	"World.occupied":     "may have tables without rows: it only saves queries a look at them",
	"World.byMask":       "derived from tables",
	"World.queries":      "belong to the program; their matches are derived from tables",
	"World.queriesByKey": "likewise",
	"GridSpec.Query":     "a query of the own world; differentGrids compares its condition",
	"World.typedQueries": "likewise",
	"World.parked":       "likewise",
	"World.choices":      "scratch of walks",
	"World.locks":        "0 whenever the state is copied",
	"World.changing":     "0 whenever no operation is under way",
	"World.layout":       "tells caches that something moved, so it only grows",
	"World.restored":     "likewise",
	"World.hold":         "of open walks",
	"World.walks":        "of open walks",
	"World.goTypes":      "belong to the program, which registers its types in each world",
	"World.cascade":      "scratch of despawn",
	"World.prefabAt":     "an index of prefabs",
	"World.making":       "scratch of Instance",
	"World.parts":        "scratch of parallel walks",
	"World.partWork":     "of an open parallel walk",
	"World.runPart":      "of parallel walks",
	"World.streamNamed":  "an index of streams",
	"Schedule.outside":   "have a turn between frames only, and keep nothing from one to the next",
	"World.journal":      "belongs to whoever takes changes back",
	"World.undo":         "likewise",
	"World.spareUndo":    "likewise",
	"World.heap":         "says where the memory lies, which is no state",
	"World.memory":       "likewise",
	"slots.grown":        "likewise",
	"World.taps":         "belong to whoever passes events on",
	"World.system":       "nil whenever the state is copied",
	"World.marked":       "scratch",
	"World.below":        "scratch",
	"World.ended":        "scratch",
	"state.due":          "scratch",
	"System.in":          "derived from SystemSpec.In",
	"SystemSpec.In":      "belongs to the program",
	"Schedule.loaded":    "says that nothing runs",

	"slots.memory":   "binds the world to its program",
	"slots.owned":    "says where memory lies",
	"slots.log":      "of a turn that is recorded",
	"slots.guarded":  "says whether there is a journal or a parallel walk",
	"slots.parallel": "of an open parallel walk",

	"component.pages":     "derived from tables",
	"component.directory": "likewise",
	"component.slots":     "points back",
	"removedLog.seen":     "scratch",

	"Table.world":     "points back",
	"Table.open":      "says whether there is a journal",
	"Table.owned":     "says where memory lies",
	"Table.edgeIndex": "derived from edges",
	"Table.targets":   "derived from the components",
	"Table.same":      "likewise",
	"Table.typed":     "likewise",
	"Table.sized":     "of a turn that is recorded",
	"Table.before":    "of a turn that is recorded",
	"Column.mark":     "likewise",
	"Table.weight":    "likewise",
	"Column.size":     "derived from the schema",
	"Column.info":     "points back",
	"Column.table":    "points back",
	"Column.owned":    "says where memory lies",
	"Column.words":    "derived from the schema",
	"Column.zero":     "likewise",
	"Column.memory":   "likewise",
	"Column.blank":    "likewise",
	"move.planned":    "a plan is made when it is first used",
	"move.shared":     "part of the plan",
	"move.fresh":      "part of the plan",
	"move.lost":       "part of the plan",
	"move.ended":      "part of the plan",
	"move.interest":   "derived from the observers",
	"Table.interest":  "derived from the observers",
	"Table.joint":     "likewise",
	"Table.sole":      "likewise",
	"move.joint":      "likewise",
	"World.watched":   "of the observers, which copies do not have",
	"component.watch": "a copy has no observers: they belong to the world that has declared them",
	"tagSet.watch":    "likewise",
	"World.observers": "likewise",
	"World.fault":     "ends the next frame: copies have it, files do not",
	"World.declaring": "nil whenever the state is copied",
	"World.queue":     "likewise",

	"tagSet.world":      "points back",
	"slotPages.none":    "the same for all",
	"slotPages.made":    "tells those who remember addresses that there are others",
	"slotPages.memory":  "binds the world to its program",
	"slotPages.owned":   "says where memory lies",
	"relation.info":     "points back",
	"forest.steps":      "points back",
	"eventLog.world":    "points back",
	"eventLog.full":     "says where in its memory a log lies",
	"eventLog.most":     "says when its rows move",
	"eventLog.noted":    "of a turn that is recorded",
	"eventLog.note":     "likewise",
	"EventReader.log":   "points back",
	"EventReader.home":  "points back",
	"EventReader.root":  "says which readers of two worlds are one",
	"EventReader.saved": "says how a reader of another world finds it",
	"EventReader.loose": "says whether the reader of a copy is used",

	"Grid.world": "points back",
	"Grid.taken": "tells caches that the snapshot is another one, so it only grows",
	"Grid.owned": "says where memory lies",
	"Grid.asked": "decides when to sweep, which changes no result",
	"Grid.walks": "0 whenever the state is copied",

	"resource.pages":  "of a turn that is recorded",
	"AnyLayer.world":  "points back",
	"AnyLayer.size":   "derived from the schema",
	"AnyLayer.owned":  "says where memory lies",
	"AnyLayer.open":   "of a turn that is recorded",
	"AnyLayer.opened": "likewise",
	"AnyLayer.wrote":  "tells whether a turn wrote, which is asked in the turn only",

	"Index.world":       "points back",
	"Index.info":        "points back",
	"Index.fields":      "derived from the schema",
	"Index.query":       "belongs to the program",
	"Index.entries":     "compared by places: numbers of places decide nothing",
	"Index.indexPlaces": "likewise",
	"Index.spare":       "memory for other walks",
	"Index.wrote":       "tells whether a turn wrote, which is asked in the turn only",

	"Commands.world":        "points back",
	"Commands.wakes":        "names the chain in the error of observers that call each other without an end",
	"Commands.woken":        "scratch of applying a batch",
	"Commands.joins":        "false whenever the state is copied",
	"Commands.spare":        "memory for another queue",
	"Commands.last":         "scratch of applying a batch",
	"Commands.runs":         "compared by queues: what looks at single commands writes runs out first",
	"Commands.made":         "likewise",
	"Commands.free":         "likewise",
	"Commands.values":       "compared by queues: components without values are left out",
	"Commands.stored":       "likewise; the order decides nothing",
	"Commands.worker":       "of queues of parallel walks, which are empty whenever the state is copied",
	"Commands.spawns":       "likewise",
	"commandStore.capacity": "is not counted by any limit",

	"Schedule.named":     "an index of systems",
	"Schedule.Observing": "belongs to the program",
	"waiting.heap":       "derived from due",
	"waits.heaps":        "derived from due",
	"waiting.ordered":    "scratch",
	"waits.due":          "scratch",
	"System.schedule":    "points back",
	"System.inTurn":      "false whenever the state is copied",
	"Schedule.errs":      "a schedule that has errors cannot be copied",
	"Schedule.RollBack":  "belongs to the program",
	"Schedule.OnError":   "belongs to the program",
	"Schedule.Before":    "belongs to the program",
	"Schedule.After":     "belongs to the program",
	"Schedule.Calling":   "belongs to the program",
	"Schedule.Ending":    "belongs to the program",
	"SystemSpec.Run":     "belongs to the program",
	"SystemSpec.When":    "belongs to the program",
}

// fullSimulation returns a schedule whose world holds something in every part of the state.
func fullSimulation(t *testing.T, o Options) *Schedule {
	t.Helper()
	w := newWorld(o)
	w.tickBase, w.watermark = 100, 100
	s := newSimulation(t, w)
	ok(t, s.RunStartup())
	run(t, s, 40)
	ids := []ComponentID{}
	for _, name := range []string{"Position", "Info"} {
		id, _ := w.LookupComponent(name)
		ids = append(ids, id)
	}
	likes, _ := w.LookupRelation("Likes")
	childOf, _ := w.LookupRelation(ChildOf)
	parent := must[Entity](t)(w.Spawn())
	family := w.components[childOf].relation
	family.forest = w.buildForest(family)
	for range 9 {
		child := must[Entity](t)(w.SpawnRelated([]Target{{childOf, parent}}))
		family.forest.above(uint32(parent), uint32(child))
		parent = child
	}
	for range 3 {
		must[Entity](t)(w.SpawnRelated([]Target{{likes, parent}}))
	}
	family.forest.splay(uint32(parent) - 3)
	for range 3 {
		must[Entity](t)(w.SpawnRelated([]Target{{likes, parent}}))
	}
	knows, _ := w.LookupRelation("Knows")
	must[Entity](t)(w.SpawnRelated([]Target{{knows, parent}, {knows, parent - 1}, {knows, parent - 2}}))
	must[bool](t)(w.UnrelateFrom(must[Entity](t)(w.SpawnRelated([]Target{{knows, parent}, {knows, parent - 3}})), knows, parent))
	bundle := must[*Bundle](t)(w.Bundle(ids...))
	must[[]Entity](t)(bundle.SpawnMany(130, func(table *Table, from, to int) { table.Column(ids[0]).StampRange(from, to) })) // whole blocks
	q := w.Commands()
	q.At(3)
	e := must[Entity](t)(q.SpawnRelated([]Target{{likes, parent}}, ids...))
	q.Join(true)
	ok(t, q.Set(e, ids[0], FieldValue{0, Number(8)}))
	q.Join(false)
	data := must[*Data](t)(NewData([]DataEntry{{Number(1), Text("one")}}))
	ok(t, q.Set(e, ids[1], FieldValue{0, TableOf(data)}, FieldValue{1, EntityOf(parent)}, FieldValue{2, Text("queued")}))
	MustRegister[position](w, "Position").QueueSet(q, e, position{3, 4})
	number := must[uint64](t)(q.SendAt(1, w.Frame()+50, "far", FieldValue{1, Number(2)}))
	must[uint64](t)(q.SendAfter(1, 60, "later"))
	q.Cancel(number)
	ok(t, q.CancelKey(1, "later"))
	ok(t, q.State(0, "summer"))
	w.states[0].asked = 2
	w.ReaderOf(1).Next()
	w.EventReader(0)
	w.gaveBack = w.Tick()
	w.Stop("enough")
	check(t, w)
	return s
}

// TestEveryFieldOfTheStateIsCopied compares all fields of a simulation, its copy, and itself restored after it has gone on.
func TestEveryFieldOfTheStateIsCopied(t *testing.T) {
	met := map[string]bool{}
	for _, o := range []Options{{Seed: 3, MaxEntities: 5000, MaxBytes: 1 << 30, MaxEvents: 1 << 20, MaxTags: 1 << 21}, {Seed: 3, MaxEntities: 5000, MaxBytes: 1 << 30, MaxEvents: 1 << 20, MaxTags: 1 << 21, Memory: &countingMemory{}}} {
		s := fullSimulation(t, o)
		copied := must[*Schedule](t)(s.Copy(bindSimulation(t)))
		compare := func(what string, a, b *Schedule) {
			c := newStateComparison()
			c.schedules(a, b)
			c.report(t, what)
			for field, full := range c.fields {
				met[field] = met[field] || full
			}
			check(t, a.world)
			check(t, b.world)
			if a.world.Digest() != b.world.Digest() {
				t.Errorf("%s: the digests differ", what)
			}
		}
		compare("a copy", copied, s)
		run(t, s, 30)
		ok(t, s.Restore(copied))
		compare("restored", s, copied)

		other := newWorld(Options{Seed: 77, Memory: o.Memory}) // one that has gone another way from the start
		apart := newSimulation(t, other)
		for i := range 5 {
			must[Entity](t)(other.Spawn(ComponentID(i)))
		}
		run(t, apart, 20)
		ok(t, apart.Restore(s))
		compare("restored from a stranger", apart, s)
	}
	for field, full := range met {
		if !full {
			t.Errorf("%s is zero in the world of the test: give it a value there, or say in noState why it is no state", field)
		}
	}
	for field := range noState {
		kind, name, _ := strings.Cut(field, ".")
		if !slices.ContainsFunc(stateTypes, func(t reflect.Type) bool {
			_, there := t.FieldByName(name)
			generic, _, _ := strings.Cut(t.Name(), "[")
			return generic == kind && there
		}) {
			t.Errorf("noState names %s, which there is not", field)
		}
	}
}

// stateTypes are the types that noState may name.
var stateTypes = []reflect.Type{
	reflect.TypeFor[Options](), reflect.TypeFor[World](), reflect.TypeFor[slots](), reflect.TypeFor[component](), reflect.TypeFor[removedLog](), reflect.TypeFor[Table](),
	reflect.TypeFor[Column](), reflect.TypeFor[move](), reflect.TypeFor[tagSet](), reflect.TypeFor[slotPages[tagEntry]](), reflect.TypeFor[relation](), reflect.TypeFor[forest](), reflect.TypeFor[eventLog](),
	reflect.TypeFor[EventReader](), reflect.TypeFor[Grid](), reflect.TypeFor[GridSpec](), reflect.TypeFor[AnyLayer](), reflect.TypeFor[resource](), reflect.TypeFor[Index](), reflect.TypeFor[Commands](), reflect.TypeFor[commandStore](), reflect.TypeFor[Schedule](), reflect.TypeFor[SystemSpec](), reflect.TypeFor[System](), reflect.TypeFor[waits](), reflect.TypeFor[waiting](), reflect.TypeFor[state](),
}
