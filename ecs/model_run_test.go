package ecs

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
)

// machine turns a stream of bytes into operations and makes each of them in a world and in the model.
type machine struct {
	in      []byte
	w       *World
	m       *model
	pos     Component[position]
	vel     Component[velocity]
	label   Component[modelLabel]
	ids     []ComponentID // the components this run uses
	all     []ComponentID // those and the relations
	tags    []TagID
	event   EventID
	typed   Event[modelHit]
	score   ResourceID
	handles []Entity
	names   []string // of all components
	windows [3]Tick
	readers []*EventReader
	filters []Filter
	queries []*Query
	bundles []*Bundle
	queue   *Commands
	queued  []func() // the same commands for the model
	cycles  int      // commands of the last application that would have formed one
	ops     int
	trace   []string // nil unless wanted
	tracing bool
}

type modelLabel struct {
	Text string
	N    float64
}

type modelHit struct {
	Target Entity
	Amount float64
}

const modelWide = 300 // component types declared in every run

func (r *machine) byte() int {
	if len(r.in) == 0 {
		return 0
	}
	b := r.in[0]
	r.in = r.in[1:]
	return int(b)
}

func (r *machine) pick(n int) int { return r.byte() % n }

func (r *machine) say(format string, args ...any) {
	if r.tracing {
		r.trace = append(r.trace, fmt.Sprintf(format, args...))
	}
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

// newMachine sets a world up as the first bytes say.
func newMachine(in []byte, tracing bool) *machine {
	r := &machine{in: in, m: newModel(), tracing: tracing}
	setup := r.byte()
	r.m.limit = math.MaxUint32
	options := Options{Seed: 1}
	if setup&1 != 0 {
		r.m.limit = 150
		options.MaxEntities = 150
	}
	if setup&2 != 0 {
		options.Memory = &countingMemory{}
	}
	w := NewWorld(options)
	r.w = w
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

func (r *machine) declare(setup int) {
	w := r.w
	r.pos, r.vel = MustRegister[position](w, "Position"), MustRegister[velocity](w, "Velocity")
	r.label = MustRegister[modelLabel](w, "Label")
	declare := func(name string, fields ...Field) {
		s, err := NewSchema(fields...)
		r.ok(err)
		_, err = w.DeclareComponent(name, s)
		r.ok(err)
	}
	declare("Info", Field{Name: "data", Type: TableField}, Field{Name: "owner", Type: EntityField}, Field{Name: "title", Type: String, Default: Text("none")})
	declare("Health", Field{Name: "current", Type: I32, Default: Number(10)}, Field{Name: "max", Type: U8, Default: Number(100)})
	declare("Marker")
	for i := len(w.ComponentNames()); i < modelWide; i++ {
		declare(fmt.Sprintf("C%d", i), Field{Name: "v", Type: F32, Default: Number(float64(i))})
	}
	r.ids = []ComponentID{0, 1, 2, 3, 4, 5, 63, 64, 65, 127, 128, 255, 256, 299}
	for _, name := range []string{ChildOf, "Likes", IsA} {
		id, err := w.DeclareRelation(name)
		r.ok(err)
		r.m.relations = append(r.m.relations, &modelRelation{id: id, childOf: name == ChildOf, isA: name == IsA, sources: map[Entity][]Entity{}})
	}
	r.names = w.ComponentNames()
	if setup&16 != 0 { // few components: many rows in each table
		r.ids = []ComponentID{0, 2, 256}
	} else {
		rand.New(rand.NewPCG(uint64(setup), 1)).Shuffle(len(r.ids)-3, func(i, j int) { r.ids[i+3], r.ids[j+3] = r.ids[j+3], r.ids[i+3] })
		r.ids = r.ids[:7]
	}
	r.all = slices.Clone(r.ids)
	for _, rel := range r.m.relations {
		r.all = append(r.all, rel.id)
	}
	for _, name := range []string{"selected", "burning"} {
		id, err := w.DeclareTag(name)
		r.ok(err)
		r.tags = append(r.tags, id)
		r.m.tags = append(r.m.tags, nil)
	}
	var err error
	r.typed, err = RegisterEvent[modelHit](w, "Hit")
	r.ok(err)
	r.event = r.typed.ID()
	r.score, err = w.DeclareResource("score", I32, Number(3))
	r.ok(err)
	r.m.resource = Number(3)
	r.queue = w.Commands()
	r.filters = r.makeFilters(uint64(setup))
	for _, f := range r.filters {
		q, err := w.Query(f)
		r.ok(err)
		r.queries = append(r.queries, q)
	}
	for _, id := range r.ids[:2] {
		w.TrackRemoved(id)
		r.m.tracked[id] = true
	}
	for i := range 3 {
		r.bundles = append(r.bundles, r.bundle(r.ids[:i+1]))
	}
}

func (r *machine) bundle(ids []ComponentID) *Bundle {
	b, err := r.w.Bundle(ids...)
	r.ok(err)
	r.m.table(ids)
	return b
}

// makeFilters returns a set of filters that uses every kind of condition.
func (r *machine) makeFilters(seed uint64) []Filter {
	rng := rand.New(rand.NewPCG(seed, 2))
	some := func(most int) []ComponentID {
		var list []ComponentID
		for range rng.IntN(most + 1) {
			if id := r.all[rng.IntN(len(r.all))]; !slices.Contains(list, id) {
				list = append(list, id)
			}
		}
		return list
	}
	var expr func(depth int) *Expr
	expr = func(depth int) *Expr {
		id := r.all[rng.IntN(len(r.all))]
		switch n := rng.IntN(8); {
		case depth == 0 || n < 4:
			return []*Expr{Contains(id), Changed(id), Added(id), HasTag(r.tags[rng.IntN(2)])}[n%4]
		case n == 4:
			return And(expr(depth-1), expr(depth-1))
		case n == 5:
			return Or(expr(depth-1), expr(depth-1), expr(depth-1))
		case n == 6:
			return Xor(expr(depth-1), expr(depth-1))
		default:
			return Not(expr(depth - 1))
		}
	}
	list := []Filter{{}, {Required: r.ids[:1]}, {Required: r.ids[:1], Changed: r.ids[:1]}, {Added: r.ids[:2]}}
	for i := range 12 {
		f := Filter{Inherited: i%2 == 1, Required: some(2), Without: some(1), Any: some(2), Changed: some(2 * (i % 2)), Added: some(2 * (i % 3))}
		for _, id := range some(2) {
			if !slices.Contains(f.Required, id) {
				f.Optional = append(f.Optional, id)
			}
		}
		switch rng.IntN(4) {
		case 0:
			f.Tagged = r.tags[:1]
		case 1:
			f.Untagged = r.tags[1:]
		}
		if i%3 == 0 {
			f.Where = expr(3)
		}
		list = append(list, f)
	}
	return list
}

func (r *machine) now() Tick { return r.w.Tick() }

// entity picks a handle: mostly a living one, sometimes a dead, reserved or invented one.
func (r *machine) entity() Entity {
	b := r.byte()
	if b >= 250 {
		return []Entity{None, Entity(7), makeEntity(1<<31, 1), makeEntity(3, MaxGeneration), Entity(math.MaxUint64), makeEntity(0, 900)}[b-250]
	}
	if len(r.handles) == 0 {
		return None
	}
	i := b<<8 | r.byte()
	for range 8 {
		if e := r.handles[i%len(r.handles)]; i%16 == 0 || r.m.entities[e] != nil {
			return e
		}
		i += 7
	}
	return r.handles[i%len(r.handles)]
}

// some picks up to three components, possibly one twice.
func (r *machine) some() []ComponentID {
	b := r.byte()
	var ids []ComponentID
	for range b % 4 {
		ids = append(ids, r.ids[r.pick(len(r.ids))])
	}
	return ids
}

func (r *machine) list(ids []ComponentID) string {
	if !r.tracing {
		return ""
	}
	var b strings.Builder
	for _, id := range ids {
		fmt.Fprintf(&b, ", %q", r.names[id])
	}
	return b.String()
}

func (r *machine) born(e Entity) { r.handles = append(r.handles, e) }

// value picks a value that fits field f.
func (r *machine) value(f Field) Value {
	b := r.byte()
	switch f.Type {
	case String:
		return Text(strings.Repeat("ab", b%5) + fmt.Sprint(b))
	case TableField:
		d, err := NewData([]DataEntry{{Text("k"), Number(float64(b))}, {Number(1), Text(fmt.Sprint("v", b))}})
		r.ok(err)
		return TableOf(d)
	case EntityField:
		if len(r.handles) == 0 {
			return EntityOf(None)
		}
		return EntityOf(r.handles[b%len(r.handles)])
	case F64, F32:
		return Number(float64(b) + 0.5)
	default:
		return Number(float64(b % 120))
	}
}

// fields picks values for some fields of a component.
func (r *machine) fields(id ComponentID) []FieldValue {
	info, _ := r.w.ComponentInfo(id)
	var list []FieldValue
	for i, f := range info.Schema.Fields() {
		if r.byte()%3 > 0 {
			list = append(list, FieldValue{i, r.value(f)})
		}
	}
	return list
}

// step makes one operation.
func (r *machine) step() {
	op := r.byte()
	r.ops++
	if len(r.m.entities) > 350 && op < 100 {
		op = 104 // too crowded: despawn
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
	case op < 244:
		r.queryOp(op)
	case op < 247:
		r.stampOp(op)
	case op < 250:
		r.wholeOp(op)
	default:
		r.worldOp(op)
	}
}

// spawnOp makes one entity, in one of three ways.
func (r *machine) spawnOp(op int) {
	w, m := r.w, r.m
	switch {
	case op < 8:
		ids, targets := r.some(), r.targets()
		e, err := w.SpawnRelated(targets, ids...)
		r.say("w.SpawnRelated(%v%s) -> %s, %v", targets, r.list(ids), e, err)
		if slices.ContainsFunc(targets, func(to Target) bool { return m.entities[to.Entity] == nil }) {
			r.same("a dead target", errors.Is(err, ErrDead), true)
		} else if !r.refuse(1, err) {
			r.same("handle", e, m.take())
			r.settleRelated(e, ids, targets)
			r.born(e)
		}
	case op < 30:
		ids := r.some()
		e, err := w.Spawn(ids...)
		r.say("w.Spawn(%s) -> %s, %v", strings.TrimPrefix(r.list(ids), ", "), e, err)
		m.table(ids)
		if !r.refuse(1, err) {
			r.same("handle", e, m.take())
			m.settle(w, e, ids, r.now())
			r.born(e)
		}
	case op < 45:
		b := r.bundles[op%3]
		e, err := b.Spawn()
		r.say("bundle %d.Spawn() -> %s, %v", op%3, e, err)
		if !r.refuse(1, err) {
			r.same("handle", e, m.take())
			m.settle(w, e, b.Components(), r.now())
			r.born(e)
		}
	default:
		ids := r.some()
		v := modelLabel{fmt.Sprint("built", op), float64(op)}
		b := r.pos.With(r.label.With(w.Build().With(ids...), v), position{1, 2}).Tag(r.tags[op%2])
		e, err := b.Spawn()
		ids = append(ids, r.pos.ID(), r.label.ID())
		r.say("w.Build(%s with values).Tag(%d).Spawn() -> %s, %v", r.list(ids), op%2, e, err)
		m.table(ids)
		if !r.refuse(1, err) {
			r.same("handle", e, m.take())
			m.settle(w, e, ids, r.now())
			m.set(w, e, r.label.ID(), []FieldValue{{0, Text(v.Text)}, {1, Number(v.N)}}, r.now())
			m.set(w, e, r.pos.ID(), []FieldValue{{0, Number(1)}, {1, Number(2)}}, r.now())
			m.tag(e, r.tags[op%2])
			r.born(e)
		}
	}
}

// manyOp spawns a batch, up to 140 rows at once so that blocks of 64 fill.
func (r *machine) manyOp(op int) {
	b, n := r.bundles[op%3], r.pick(20)
	if op%8 == 0 {
		n = 60 + r.pick(80)
	}
	calls := 0
	es, err := b.SpawnMany(n, func(t *Table, from, to int) {
		calls++
		r.same("rows", to-from, n)
		if _, err := r.w.Spawn(); !errors.Is(err, ErrLocked) {
			r.fail("spawn inside the init of SpawnMany: %v", err)
		}
		if col := r.pos.Slice(t); col != nil {
			for i := from; i < to; i++ {
				col[i] = position{float64(i - from), 7}
			}
		}
	})
	r.say("bundle %d.SpawnMany(%d) -> %d, %v", op%3, n, len(es), err)
	if r.refuse(n, err) {
		r.same("calls of init", calls, 0)
		return
	}
	r.same("calls of init", calls, 1)
	for i, e := range es {
		r.same("handle", e, r.m.take())
		r.m.settle(r.w, e, b.Components(), r.now())
		if c := r.m.entities[e].comps[r.pos.ID()]; c != nil {
			c.fields = []Value{Number(float64(i)), Number(7)}
		}
		r.born(e)
	}
}

func (r *machine) despawnOp() {
	n := 1
	if len(r.m.entities) > 350 {
		n = 40
	}
	for range n {
		e := r.entity()
		got, err := r.w.Despawn(e)
		r.say("w.Despawn(%s) -> %v", e, got)
		r.ok(err)
		r.same("despawn", got, r.m.despawn(r.w, e, r.now()))
	}
}

func (r *machine) moveOp(op int) {
	w, m, e := r.w, r.m, r.entity()
	var got, want bool
	var err error
	switch {
	case op < 135:
		ids := r.some()
		got, err = w.Add(e, ids...)
		r.say("w.Add(%s%s) -> %v", e, r.list(ids), got)
		want = m.add(w, e, ids, r.now())
	case op < 150:
		ids := r.some()
		if op%4 == 0 {
			ids = append(ids, r.all[len(r.ids)+op/4%3])
		}
		got, err = w.Remove(e, ids...)
		r.say("w.Remove(%s%s) -> %v", e, r.list(ids), got)
		want = m.remove(w, e, ids, r.now())
	case op < 155:
		b := r.bundles[op%3]
		got, err = b.Add(e)
		r.say("bundle %d.Add(%s) -> %v", op%3, e, got)
		want = m.add(w, e, b.Components(), r.now())
	default:
		b := r.bundles[op%3]
		got, err = b.Remove(e)
		r.say("bundle %d.Remove(%s) -> %v", op%3, e, got)
		want = m.remove(w, e, b.Components(), r.now())
	}
	r.ok(err)
	r.same("lives", got, want)
}

func (r *machine) writeOp(op int) {
	w, m, e := r.w, r.m, r.entity()
	switch {
	case op < 168:
		id := r.ids[r.pick(len(r.ids))]
		fields := r.fields(id)
		got, err := w.Set(e, id, fields...)
		r.say("w.Set(%s%s, %v) -> %v", e, r.list([]ComponentID{id}), fields, got)
		r.ok(err)
		r.same("lives", got, m.set(w, e, id, fields, r.now()))
	case op < 172:
		v := velocity{float64(r.byte()), 2}
		got, err := r.vel.Set(e, v)
		r.say("velocity.Set(%s, %v) -> %v", e, v, got)
		r.ok(err)
		r.same("lives", got, m.set(w, e, r.vel.ID(), []FieldValue{{0, Number(v.DX)}, {1, Number(v.DY)}}, r.now()))
	case op < 176:
		v := modelLabel{fmt.Sprint("mut", r.byte()), 1}
		r.say("label.Modify(%s, %v)", e, v)
		got := r.label.Modify(e, func(l *modelLabel) { *l = v })
		en := m.entities[e]
		r.same("has Label", got, en != nil && en.comps[r.label.ID()] != nil)
		if got {
			m.set(w, e, r.label.ID(), []FieldValue{{0, Text(v.Text)}, {1, Number(v.N)}}, r.now())
		}
	default:
		id := r.ids[r.pick(len(r.ids))]
		ref := w.Ref(e, id)
		if len(ref.Schema().Fields()) == 0 {
			return
		}
		v := r.value(ref.Schema().Fields()[0])
		err := ref.Set(0, v)
		r.say("w.Ref(%s%s).Set(0, %s) -> %v", e, r.list([]ComponentID{id}), v, err)
		en := m.entities[e]
		switch {
		case en == nil:
			r.same("error", errors.Is(err, ErrDead), true)
		case en.comps[id] == nil && m.visible(en, id) != nil:
			r.same("error", errors.Is(err, ErrInherited), true)
		case en.comps[id] == nil:
			r.same("error", errors.Is(err, ErrNoComponent), true)
		default:
			r.ok(err)
			m.set(w, e, id, []FieldValue{{0, v}}, r.now())
		}
	}
}

func (r *machine) tagOp(op int) {
	e, id := r.entity(), r.tags[op%2]
	if op < 194 {
		got := r.w.Tag(e, id)
		r.say("w.Tag(%s, %d) -> %v", e, id, got)
		r.same("tag", got, r.m.tag(e, id))
		return
	}
	got := r.w.Untag(e, id)
	r.say("w.Untag(%s, %d) -> %v", e, id, got)
	r.same("untag", got, r.m.untag(e, id))
}

func (r *machine) stampOp(op int) {
	t := r.w.Tables()[r.pick(len(r.w.Tables()))]
	if len(t.Components()) == 0 {
		return
	}
	id := t.Components()[r.pick(len(t.Components()))]
	from := r.byte() % (t.Len() + 1)
	to := from + r.byte()%(t.Len()-from+1)
	if op%2 == 0 {
		from, to = 0, t.Len()
		t.Column(id).StampAll()
	} else {
		t.Column(id).StampRange(from, to)
	}
	r.say("table %d, column %s: stamp rows %d to %d", t.ID(), r.list([]ComponentID{id}), from, to)
	for _, e := range t.Entities()[from:to] {
		r.m.entities[e].comps[id].changed = r.now()
	}
}

func (r *machine) worldOp(op int) {
	w := r.w
	switch op {
	case 250, 251:
		r.say("frame")
		w.BeginFrame(0.5)
		w.scheduled, w.oldest = true, min(r.windows[0], r.windows[1], r.windows[2])
		w.EndFrame()
		r.m.frame++
		r.m.watermark = w.Tick() - 1
	case 252:
		n := r.pick(90)
		ids := r.some()
		r.say("w.Reserve(%d%s)", n, r.list(ids))
		r.ok(w.Reserve(n, ids...))
		r.m.table(ids)
	case 253:
		r.say("w.Shrink()")
		r.ok(w.Shrink())
	case 254:
		if r.byte()%16 == 0 {
			r.say("runtime.GC()")
			runtime.GC()
		}
	default:
		v := Number(float64(r.byte()))
		r.say("score = %s", v)
		r.ok(w.Resource(r.score).Set(0, v))
		r.m.resource = v
	}
}
