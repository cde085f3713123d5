package ecs

import (
	"bytes"
	"slices"
	"testing"
)

// A handle that a failed turn has given out stays dead, and its slot has another handle the next time: a new slot, one that was free, one of an
// entity that has died in the turn.
func TestHandlesOfFailedTurnsAreUsedUp(t *testing.T) {
	u := newUndone(t)
	must[bool](t)(u.Despawn(u.es[3]))
	u.copied()
	var kept []Entity
	turn := func() {
		must[bool](t)(u.Despawn(u.es[7]))
		must[bool](t)(u.Despawn(u.es[8]))
		for range 3 {
			kept = append(kept, must[Entity](t)(u.Spawn(u.pos.ID())))
		}
		must[bool](t)(u.Despawn(kept[len(kept)-1]))
		for range 3 { // the last two of them are new slots
			kept = append(kept, must[Entity](t)(u.Spawn(u.pos.ID())))
		}
		kept = append(kept, must[Entity](t)(u.Commands().Spawn()))
	}
	for range 3 {
		u.fails(turn)
	}
	if !u.Alive(u.es[7]) || !u.Alive(u.es[8]) {
		t.Error("entities that have died in a failed turn are dead")
	}
	slots := len(u.slots.all)
	for n := range 3 { // slot 3, and those that are new, in the order of a world without the failed turns
		must[bool](t)(u.Despawn(u.es[7+n]))
		kept = append(kept, must[Entity](t)(u.Spawn(u.pos.ID())))
		if e := kept[len(kept)-1]; e.Index() != u.es[7+n].Index() {
			t.Errorf("the slot after that of %v is taken: %v", u.es[7+n], e)
		}
	}
	for _, index := range []uint32{3, 200, 201, 202} {
		kept = append(kept, must[Entity](t)(u.Spawn()))
		if e := kept[len(kept)-1]; e.Index() != index {
			t.Errorf("%v is spawned, want slot %d", e, index)
		}
	}
	if len(u.slots.all) != slots {
		t.Errorf("%d slots, there were %d", len(u.slots.all), slots)
	}
	slices.Sort(kept)
	if n := len(kept); len(slices.Compact(kept)) != n {
		t.Errorf("handles are given out twice: %v", kept)
	}
	check(t, u.World)
}

// What is used up is part of a world: of its digest, its copies and its files.
func TestUsedUpHandlesAreSaved(t *testing.T) {
	u := newUndone(t)
	before := u.Digest()
	u.fails(func() {
		must[bool](t)(u.Despawn(u.es[7]))
		must[Entity](t)(u.Spawn())
	})
	if u.Digest() == before {
		t.Error("worlds with other handles to come have the same digest")
	}
	var file bytes.Buffer
	ok(t, u.Save(&file))
	for name, w := range map[string]*World{"loaded": must[*World](t)(Load(&file, Options{})), "copied": must[*World](t)(u.Copy())} {
		check(t, w)
		must[bool](t)(w.Despawn(u.es[7]))
		if e := must[Entity](t)(w.Spawn()); e.Index() != u.es[7].Index() || e.Generation() != u.es[7].Generation()+2 {
			t.Errorf("%s: %v is spawned after %v and one that is used up", name, e, u.es[7])
		}
	}
}

// A slot of which more handles are used up than it can count, or all, is not used again.
func TestSlotsWhoseHandlesAreUsedUpAreRetired(t *testing.T) {
	u := newUndone(t)
	turn := func() {
		must[bool](t)(u.Despawn(u.es[7]))
		must[Entity](t)(u.Spawn())
	}
	for range 254 {
		u.fails(turn)
	}
	c := must[*World](t)(u.Copy())
	must[bool](t)(c.Despawn(u.es[7]))
	if e := must[Entity](t)(c.Spawn()); e.Generation() != 256 {
		t.Errorf("%v is spawned after 254 failed turns", e)
	}
	for range 3 {
		u.fails(func() { must[bool](t)(u.Despawn(u.es[7])); must[Entity](t)(u.Spawn()) })
	}
	for _, c := range []*World{u.World, must[*World](t)(u.Copy())} {
		must[bool](t)(c.Despawn(u.es[7]))
		check(t, c)
		if e := must[Entity](t)(c.Spawn()); e.Index() == u.es[7].Index() {
			t.Errorf("%v is spawned", e)
		}
	}
	u.slots.all[u.es[9].Index()].meta = MaxGeneration - 1 // an entity, a handle that is used up, and no more
	last := makeEntity(u.es[9].Index(), MaxGeneration-1)
	place := u.slots.find(last)
	u.tables[place.table].entities[place.row] = last
	must[bool](t)(u.Despawn(last))
	u.fails(func() { must[Entity](t)(u.Spawn()) })
	if e := must[Entity](t)(u.Spawn()); e.Index() == last.Index() {
		t.Errorf("%v is spawned after the last generation was used up", e)
	}
}

// A slot that a queue had reserved before the turn keeps its handle, whatever the turn does.
func TestReservedHandlesOfBeforeAFailedTurn(t *testing.T) {
	u := newUndone(t)
	queue := newCommands(u.World)
	waits := must[Entity](t)(queue.Spawn(u.pos.ID()))
	u.fails(func() { must[Entity](t)(u.Spawn()) })
	apply(t, queue)
	if !u.Alive(waits) {
		t.Errorf("%v is not alive", waits)
	}
	if e := must[Entity](t)(u.Spawn()); e.Index() != waits.Index()+1 || e.Generation() != 2 {
		t.Errorf("%v is spawned after %v", e, waits)
	}
	check(t, u.World)
}

// A world that is restored by other means uses up what it has given out since.
func TestHandlesAreUsedUpAfterARestore(t *testing.T) {
	u := newUndone(t)
	queue := u.Commands()
	before := must[*World](t)(u.Copy())
	must[bool](t)(u.Despawn(u.es[7]))
	kept := []Entity{must[Entity](t)(u.Spawn()), must[Entity](t)(u.Spawn()), must[Entity](t)(queue.Spawn())}
	given := Raw.GivenOut(u.World)
	queue.Drop()
	ok(t, queue.Apply())
	ok(t, u.Restore(before))
	Raw.UseUp(u.World, given)
	check(t, u.World)
	must[bool](t)(u.Despawn(u.es[7]))
	for i, old := range kept {
		if e := must[Entity](t)(u.Spawn()); e.Index() != old.Index() || e.Generation() != old.Generation()+1 || u.Alive(kept[i]) {
			t.Errorf("%v is spawned after %v", e, old)
		}
	}
	if !slices.Equal(Raw.GivenOut(u.World)[200:], []uint32{3, 3}) {
		t.Errorf("given out: %v", Raw.GivenOut(u.World)[200:])
	}
}
