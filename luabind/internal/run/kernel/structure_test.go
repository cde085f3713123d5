package kernel

import (
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
)

// change records a change of structure, for which the entities are its arguments.
func (b *bed) change(op ir.EffectOp, relation ecs.RelationID, entities ...ecs.Entity) bool {
	e := &ir.Effect{Op: op, Now: true}
	if op == ir.QueueRelate {
		e.Relations = []ecs.RelationID{relation}
	}
	args := b.x.Args(len(entities))
	for i, of := range entities {
		args[i].N = float64(of)
	}
	_, ok := b.x.Record(e, len(entities))
	return ok
}

// A call that might fail behind the calls that are recorded before it is not recorded.
func TestChangesThatMightFail(t *testing.T) {
	b := newBed(t)
	child, err := b.w.DeclareRelation(ecs.ChildOf)
	b.ok(err)
	x, y := b.one, b.other
	p, err := b.w.Spawn()
	b.ok(err)
	_, err = b.w.Relate(p, child, x)
	b.ok(err)
	if b.change(ir.QueueRelate, child, x, p) {
		t.Error("a cycle was recorded")
	}
	if !b.change(ir.QueueRelate, child, x, y) {
		t.Fatal("a relation was not recorded")
	}
	if b.change(ir.QueueRelate, child, y, p) {
		t.Error("a cycle with a recorded relation was recorded")
	}
	b.x.Apply()
	if to := b.w.Related(x, child); to != y {
		t.Errorf("the target is %v, not %v", to, y)
	}
	if !b.change(ir.QueueDespawn, 0, p) || b.change(ir.QueueRelate, b.likes, y, p) {
		t.Error("a relation to an entity that a recorded call ends was recorded")
	}
	b.x.Apply()
	if b.w.Alive(p) {
		t.Error("the entity was not despawned")
	}
}

// Untouched tells which entities the recorded calls concern, and a call that concerns others with its entity concerns all.
func TestUntouched(t *testing.T) {
	b := newBed(t)
	if !b.x.Untouched(b.one, int(b.a)) || b.x.Changes() {
		t.Error("an entity is touched before anything is recorded")
	}
	b.x.Args(1)[0].N = float64(b.other)
	if _, ok := b.x.Record(&ir.Effect{Op: ir.QueueAdd, Now: true, Components: []ecs.ComponentID{b.b}}, 1); !ok {
		t.Fatal("add was not recorded")
	}
	for _, c := range []struct {
		e    ecs.Entity
		id   int
		want bool
	}{{b.other, int(b.b), false}, {b.other, int(b.a), true}, {b.other, -1, true}, {b.one, int(b.b), true}} {
		if b.x.Untouched(c.e, c.id) != c.want {
			t.Errorf("Untouched(%v, %d) is not %v", c.e, c.id, c.want)
		}
	}
	if b.x.ChangesTags() || b.x.Ends() {
		t.Error("add changes tags, or ends an entity")
	}
	before := b.x.Mark()
	if !b.change(ir.QueueDespawn, 0, b.one) || !b.x.Ends() || !b.x.ChangesTags() || b.x.Untouched(b.one, -1) || !b.x.Untouched(b.other, -1) {
		t.Error("a despawn concerns another entity than its own")
	}
	b.x.DropTo(before)
	if b.x.Ends() || !b.x.Untouched(b.one, -1) {
		t.Error("a call that was dropped still counts")
	}
	_, err := b.w.Relate(b.other, b.likes, b.one)
	b.ok(err)
	if !b.change(ir.QueueDespawn, 0, b.one) || b.x.Untouched(b.other, -1) {
		t.Error("the despawn of a target does not concern all entities")
	}
	b.x.Apply()
	if b.x.Changes() || b.w.Alive(b.one) || !b.w.Has(b.other, b.b) {
		t.Error("the calls were not performed")
	}
}
