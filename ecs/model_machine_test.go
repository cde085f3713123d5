package ecs

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// machine turns a stream of bytes into operations and makes each of them in a world and in the model.
type machine struct {
	in         []byte
	drawn      *modelDraw // instead of in, within expand
	w          *World
	m          *model
	pos        Component[position]
	vel        Component[velocity]
	label      Component[modelLabel]
	ids        []ComponentID // the components this run uses
	all        []ComponentID // those and the relations
	tags       []TagID
	event      EventID
	typed      Event[modelHit]
	score      ResourceID
	layers     [2]*AnyLayer
	indexes    []*Index
	info       ComponentID // Info, which holds an entity and plain data
	handles    []Entity
	names      []string // of all components
	windows    [3]Tick
	readers    []*EventReader
	filters    []Filter
	queries    []*Query
	bundles    []*Bundle
	queue      *Commands
	spawners   map[*World]*Spawner1[modelLabel] // of queued spawns
	queued     []func()                         // the same commands for the model
	waiting    int                              // how many they are
	pools      []Pool                           // what parallel walks run on
	cycles     int                              // commands of the last application that would have formed one
	ops        int
	checkpoint *modelCheckpoint // the last, nil before the first
	trace      []string         // nil unless wanted
	tracing    bool
	inTurn     bool // the operations are those of a turn that will fail
}

type modelLabel struct {
	Text string
	N    float64
}

func (l modelLabel) fields() []FieldValue { return []FieldValue{{0, Text(l.Text)}, {1, Number(l.N)}} }

type modelHit struct {
	Target Entity
	Amount float64
}

const modelWide = 300 // component types declared in every run

// newMachine sets a world up as the first bytes say.
func newMachine(in []byte, tracing bool) *machine {
	r := &machine{in: in, tracing: tracing}
	setup := r.byte()
	options := Options{Seed: 1}
	if setup&1 != 0 {
		options.MaxEntities = 150
	}
	if setup&2 != 0 {
		options.Memory = &countingMemory{}
	}
	w := newWorld(options)
	r.w, r.m = w, newModel(w)
	r.m.limit = w.Options().MaxEntities
	if setup&4 != 0 { // old slots: the first generations handed out are nearly the last
		for i := range uint32(8) {
			e := w.slots.take()
			w.slots.all[e.Index()].meta = MaxGeneration - i%3 | slotFree
			r.m.generations = append(r.m.generations, MaxGeneration-i%3)
		}
		for i := range uint32(8) {
			w.slots.free = append(w.slots.free, i)
			r.m.free = append(r.m.free, i)
		}
	}
	if setup&8 != 0 {
		w.now = math.MaxUint32 - 40 // the base of the stamps moves soon
	}
	r.declare(setup)
	return r
}

// declare declares all there is, and chooses what this run uses.
func (r *machine) declare(setup int) {
	r.declareComponents()
	for _, name := range []string{ChildOf, "Likes", "Knows", IsA} {
		rel := &modelRelation{childOf: name == ChildOf, isA: name == IsA, sources: map[Entity][]Entity{}}
		var how []RelationOption
		if name == "Knows" {
			how, rel.targets = []RelationOption{ManyTargets}, map[Entity][]Entity{}
		}
		var err error
		rel.id, err = r.w.DeclareRelation(name, how...)
		r.ok(err)
		r.m.relations = append(r.m.relations, rel)
	}
	r.names = r.w.ComponentNames()
	r.chooseComponents(setup)
	r.declareOthers(setup)
	r.queue = r.w.Commands()
	r.filters = r.makeFilters(uint64(setup))
	for _, f := range r.filters {
		q, err := r.w.Query(f)
		r.ok(err)
		r.queries = append(r.queries, q)
	}
	for _, id := range r.ids[:2] {
		r.w.TrackRemoved(id)
		r.m.tracked[id] = true
	}
	for i := range 3 {
		r.bundles = append(r.bundles, r.bundle(r.ids[:i+1]))
	}
}

// declareComponents declares all kinds of components, and so many that masks are several words wide.
func (r *machine) declareComponents() {
	w := r.w
	r.pos, r.vel = MustRegister[position](w, "Position"), MustRegister[velocity](w, "Velocity")
	r.label = MustRegister[modelLabel](w, "Label")
	declare := func(name string, fields ...Field) ComponentID {
		s, err := NewSchema(fields...)
		r.ok(err)
		id, err := w.DeclareComponent(name, s)
		r.ok(err)
		return id
	}
	r.info = declare("Info", Field{Name: "data", Type: TableField}, Field{Name: "owner", Type: EntityField},
		Field{Name: "title", Type: String, Default: Text("none")}, Field{Name: "flags", Type: ArrayOf(I64, 2)})
	declare("Health", Field{Name: "current", Type: I32, Default: Number(10)}, Field{Name: "max", Type: U8, Default: Number(100)},
		Field{Name: "marks", Type: ArrayOf(I16, 3), Default: Number(4)}, Field{Name: "friends", Type: ArrayOf(EntityField, 2)})
	declare("Marker")
	for i := len(w.ComponentNames()); i < modelWide; i++ {
		declare(fmt.Sprintf("C%d", i), Field{Name: "v", Type: F32, Default: Number(float64(i))})
	}
}

// chooseComponents picks those that the operations of this run use.
func (r *machine) chooseComponents(setup int) {
	if setup&16 != 0 { // few components: many rows in each table
		r.ids = []ComponentID{0, 2, 256}
	} else {
		r.ids = []ComponentID{0, 1, 2, r.info, 4, 5, 63, 64, 65, 127, 128, 255, 256, 299}
		rand.New(rand.NewPCG(uint64(setup), 1)).Shuffle(len(r.ids)-3, func(i, j int) { r.ids[i+3], r.ids[j+3] = r.ids[j+3], r.ids[i+3] })
		r.ids = r.ids[:7]
	}
	r.all = slices.Clone(r.ids)
	for _, rel := range r.m.relations {
		r.all = append(r.all, rel.id)
	}
}

// declareOthers declares tags, an event and a resource.
func (r *machine) declareOthers(setup int) {
	for _, name := range []string{"selected", "burning"} {
		id, err := r.w.DeclareTag(name)
		r.ok(err)
		r.tags = append(r.tags, id)
		r.m.tags = append(r.m.tags, nil)
	}
	var err error
	r.typed, err = RegisterEvent[modelHit](r.w, "Hit")
	r.ok(err)
	r.event = r.typed.ID()
	r.score, err = r.w.DeclareResource("score", I32, Number(3))
	r.ok(err)
	r.m.resource = Number(3)
	for i, spec := range []LayerSpec{
		{Name: "ground", Type: U8, Width: 60, Height: 23, Wrap: true, Default: Number(2)}, {Name: "heat", Type: F32, Width: 9, Height: 60},
	} {
		r.layers[i], err = r.w.DeclareLayer(spec)
		r.ok(err)
		r.m.cells[i] = slices.Repeat([]float64{r.layers[i].spec.Default.Float()}, spec.Width*spec.Height)
	}
	if (setup^setup>>1)&1 != 0 {
		r.declareIndexes()
	}
}

func (r *machine) bundle(ids []ComponentID) *Bundle {
	b, err := r.w.Bundle(ids...)
	r.ok(err)
	r.m.table(ids)
	return b
}

// step makes one operation.
func (r *machine) step() {
	op, since := r.byte(), r.now()
	r.operation(op)
	r.followIndexes(since, op >= 60 && op < 100 || op >= 212)
}

// operation makes the operation of a number.
func (r *machine) operation(op int) {
	r.ops++
	if len(r.m.entities) > 350 && op < 100 {
		op = 104 // too crowded: despawn
	}
	if r.inTurn && op >= 246 { // a turn does not end frames, and does not copy the world
		op -= 246
	}
	switch {
	case op < 60:
		r.spawnOp(op)
	case op < 100:
		r.manyOp(op)
	case op < 120:
		r.despawnOp()
	case op < 160:
		r.moveOp(op)
	case op < 180:
		r.writeOp(op)
	case op < 186:
		r.relateOp(op)
	case op < 200:
		r.tagOp(op)
	case op < 212:
		r.eventOp(op)
	case op < 232:
		r.commandOp(op)
	case op < 239:
		r.queryOp(op)
	case op < 244:
		r.parallelOp(op)
	case op < 246:
		r.stampOp(op)
	case op < 247:
		if r.undoOp(); r.byte()%4 == 0 && !r.spared() {
			r.failedTurnOp()
		}
	case op < 250:
		r.wholeOp(op)
	default:
		r.worldOp(op)
	}
}

func (r *machine) now() Tick { return r.w.Tick() }

func (r *machine) say(format string, args ...any) {
	if r.tracing {
		r.trace = append(r.trace, fmt.Sprintf(format, args...))
	}
}

// text is for the trace: "" unless one is wanted.
func (r *machine) text(format string, args ...any) string {
	if !r.tracing {
		return ""
	}
	return fmt.Sprintf(format, args...)
}

// modelFailure is what a broken expectation panics with.
type modelFailure string

func (r *machine) fail(format string, args ...any) {
	panic(modelFailure(fmt.Sprintf(format, args...)))
}

func (r *machine) same(what string, got, want any) {
	if got != want {
		r.fail("%s: the world says %v, the model %v", what, got, want)
	}
}

func (r *machine) ok(err error) {
	if err != nil {
		r.fail("unexpected error: %v", err)
	}
}

// refuse says whether the model expects ErrLimit for n more entities, and checks that the world agrees.
func (r *machine) refuse(n int, err error) bool {
	if full := r.m.full(n); full != errors.Is(err, ErrLimit) || (!full && err != nil) {
		r.fail("room for %d more is %v, the error %v", n, !full, err)
	}
	return err != nil
}
