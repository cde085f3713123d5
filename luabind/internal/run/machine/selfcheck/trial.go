package selfcheck

import (
	"fmt"
	"math/rand/v2"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
)

// A scratch world: it declares what the real world does, and has entities for which the body has something to do.

// A trial is a Program in a scratch world.
type trial struct {
	*subject
	world    *ecs.World
	schedule *ecs.Schedule
	system   *ecs.System
	program  *ir.Program
	query    *ecs.Query
	all      *ecs.Query
	budget   sandbox.Budget
	extras   []ecs.ComponentID // that no query asks for
	handles  []ecs.Entity      // of the living and of some dead
	tables   [][]float64       // of the Program
	sinks    sinks
	keyed    []*keyedTable // likewise
}

func newTrial(s *subject, w *ecs.World, o ecs.Options) (*trial, error) {
	t := &trial{subject: s, world: w.Blank(o)}
	one, err := ecs.NewSchema(ecs.Field{Name: "x", Type: ecs.F64})
	if err != nil {
		return nil, err
	}
	for i := range 3 {
		id, err := t.world.DeclareComponent(fmt.Sprint("of no query ", i), one)
		if err != nil {
			return nil, err
		}
		t.extras = append(t.extras, id)
	}
	if t.all, err = t.world.Query(ecs.Filter{}); err != nil {
		return nil, err
	}
	if t.query, err = t.world.Query(s.filter); err != nil {
		return nil, err
	}
	if t.program, err = moved(s.program, t.world); err != nil {
		return nil, err
	}
	t.schedule = ecs.NewSchedule(t.world)
	t.system, err = t.schedule.AddSystem(ecs.SystemSpec{Name: "check", Run: func(*ecs.World, float64) error { return nil }})
	return t, err
}

// call runs a function as the system of a new frame, with a budget.
func (t *trial) call(fuel int64, do func()) error {
	t.budget.Reset(fuel)
	t.sinks.clear()
	t.world.BeginFrame(1)
	return t.schedule.Call(t.system, func(*ecs.World, float64) error { do(); return nil })
}

// prepare makes the world ready for a round.
func (t *trial) prepare(round int) error {
	if t.effects {
		t.world.EndFrame() // twice: no event is left
		t.world.EndFrame()
	}
	if round == 0 || t.changes {
		return t.populate(uint64(round))
	}
	return nil
}

// mostRelated is how many entities get targets, beside those that a layout gives them.
const mostRelated = 60

// populate removes all entities and makes new ones.
func (t *trial) populate(round uint64) error {
	w := t.world
	if _, err := t.all.DespawnAll(); err != nil {
		return err
	}
	t.handles = append(t.handles[:0], ecs.None)
	var anchors []ecs.Entity
	for range 6 {
		e, err := w.Spawn()
		if err != nil {
			return err
		}
		anchors, t.handles = append(anchors, e), append(t.handles, e)
	}
	for _, e := range anchors[4:] { // others get their slots
		if _, err := w.Despawn(e); err != nil {
			return err
		}
	}
	for _, l := range t.layouts {
		if err := t.spawn(l, anchors[:4]); err != nil {
			return err
		}
	}
	for range 3 { // nobody gets the slots of these
		e, err := w.Spawn()
		if err != nil {
			return err
		}
		t.handles = append(t.handles, e)
	}
	for _, e := range t.handles[len(t.handles)-3:] {
		if _, err := w.Despawn(e); err != nil {
			return err
		}
	}
	rng := rand.New(rand.NewPCG(2, round))
	for _, id := range t.subject.relations {
		for range mostRelated {
			source, target := t.handles[rng.IntN(len(t.handles))], t.handles[rng.IntN(len(t.handles))]
			_, _ = w.Relate(source, id, target) // it may be refused: of a dead entity, or for a circle
		}
	}
	for i, id := range t.subject.tags {
		for _, e := range t.handles {
			if rng.IntN(8) < t.often[i] {
				w.Tag(e, id)
			}
		}
	}
	return nil
}

// spawn makes the entities of a layout.
func (t *trial) spawn(l layoutOfRows, anchors []ecs.Entity) error {
	ids := l.ids[:len(l.ids):len(l.ids)]
	for i, id := range t.extras {
		if l.extra&(1<<i) != 0 {
			ids = append(ids, id)
		}
	}
	if len(l.relations) == 0 {
		b, err := t.world.Bundle(ids...)
		if err != nil {
			return err
		}
		list, err := b.SpawnMany(l.rows, nil)
		t.handles = append(t.handles, list...)
		return err
	}
	for i := range l.rows {
		var targets []ecs.Target
		for _, id := range l.relations {
			targets = append(targets, ecs.Target{Relation: id, Entity: anchors[i%len(anchors)]})
			if info, _ := t.world.ComponentInfo(id); info.Many {
				targets = append(targets, ecs.Target{Relation: id, Entity: anchors[(i+1)%len(anchors)]})
			}
		}
		e, err := t.world.SpawnRelated(targets, ids...)
		if err != nil {
			return err
		}
		t.handles = append(t.handles, e)
	}
	return nil
}

// handle returns the handle of a living entity, of a dead one, or 0.
func (t *trial) handle(rng *rand.Rand) ecs.Entity {
	n := len(t.handles)
	switch rng.IntN(8) {
	case 0:
		return ecs.None
	case 1:
		return t.handles[n-1-rng.IntN(3)]
	case 2:
		return t.handles[1+rng.IntN(6)]
	}
	return t.handles[rng.IntN(n)]
}

// fills reports whether a component gets values. Relations do not: their targets are set when entities are made.
func (t *trial) fills(id ecs.ComponentID) bool {
	info, _ := t.world.ComponentInfo(id)
	return !info.Relation && info.Schema.Size() > 0
}

// fillAll gives new values to all rows, ordinary ones or edge values.
func (t *trial) fillAll(rng *rand.Rand, mild bool) {
	for _, table := range t.world.Tables() {
		for row := range table.Len() {
			t.fillRow(table, row, rng, mild)
		}
	}
}

func (t *trial) fillRow(table *ecs.Table, row int, rng *rand.Rand, mild bool) {
	for _, id := range table.Components() {
		if t.fills(id) {
			t.fill(table.Column(id).Row(row), rng, mild)
		}
	}
}

// copyFrom copies the values of another world with the same entities.
func (t *trial) copyFrom(other *trial) {
	for i, table := range t.world.Tables() {
		for _, id := range table.Components() {
			copyColumn(table.Column(id), other.world.Tables()[i].Column(id))
		}
	}
}

// copyColumn copies all rows, field by field if there are strings.
func copyColumn(to, from *ecs.Column) {
	if copy(bytesOf(to), bytesOf(from)) > 0 {
		return
	}
	for row := range to.Len() {
		x, y := from.Row(row), to.Row(row)
		for i := range x.Schema().Fields() {
			if err := y.Set(i, x.Get(i)); err != nil {
				panic("machine: a value of a check does not fit: " + err.Error())
			}
		}
	}
}

// cellsOf returns the cells of a layer as bytes.
func cellsOf(l *ecs.AnyLayer) []byte {
	return unsafe.Slice((*byte)(ecs.Raw.Layer(l).Cells), l.Len()*int(l.Spec().Type.Size()))
}

// bytesOf returns the memory of a column; nil if it has pointers.
func bytesOf(c *ecs.Column) []byte {
	base, stride := ecs.Raw.Column(c)
	if c.Len() == 0 || stride == 0 || !c.Row(0).Schema().PointerFree() {
		return nil
	}
	return unsafe.Slice((*byte)(base), c.Len()*int(stride))
}
