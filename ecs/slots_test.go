package ecs

import (
	"fmt"
	"testing"
)

func TestAllocFreeAlloc_0_10(t *testing.T) {
	w := newWorld(Options{})
	a := must[Entity](t)(w.Spawn())
	first := w.Alive(a)
	must[bool](t)(w.Despawn(a))
	b := must[Entity](t)(w.Spawn())
	if got := fmt.Sprint(first, w.Alive(a), w.Alive(b)); got != "true false true" {
		t.Fatalf("alloc, free, alloc: %s", got)
	}
	if a.Index() != b.Index() || b.Generation() != a.Generation()+1 {
		t.Fatalf("%s after %s", b, a)
	}
}

func TestHandles_0_3(t *testing.T) {
	w := newWorld(Options{})
	e := must[Entity](t)(w.Spawn())
	if e.Generation() != 1 || e.Number() < 1<<32 || e.String() != "0v1" || None.String() != "none" {
		t.Fatalf("first handle %s is %v", e, e.Number())
	}
	last := makeEntity(1<<32-1, MaxGeneration)
	if back, ok := EntityFromNumber(last.Number()); !ok || back != last || last.Number() >= 1<<53 {
		t.Fatalf("%s as a number and back is %s, %v", last, back, ok)
	}
	for _, v := range []float64{1, 1<<32 - 1, 1 << 53, -1 << 40, 1<<32 + 0.5} {
		if e, ok := EntityFromNumber(v); ok && e.Number() != v || v < 1<<32 && ok {
			t.Fatalf("%v is taken for %s", v, e)
		}
	}
	if e, ok := EntityFromNumber(0); !ok || e != None {
		t.Fatal("0 is not none")
	}
	if w.Alive(None) {
		t.Fatal("none lives")
	}
}

func TestFreedIndexesComeBackLastFirst_0_7(t *testing.T) {
	w := newWorld(Options{})
	var es []Entity
	for range 5 {
		es = append(es, must[Entity](t)(w.Spawn()))
	}
	for _, i := range []int{1, 3, 0} {
		must[bool](t)(w.Despawn(es[i]))
	}
	for _, want := range []string{"0v2", "3v2", "1v2", "5v1"} {
		if e := must[Entity](t)(w.Spawn()); e.String() != want {
			t.Fatalf("got %s, want %s", e, want)
		}
	}
}

func TestUnknownHandlesGiveNone_0_9_0_12_0_20(t *testing.T) {
	w := newWorld(Options{})
	pos := MustRegister[position](w, "Position")
	lacking := must[Entity](t)(w.Spawn())
	dead := must[Entity](t)(w.Spawn(pos.ID()))
	must[bool](t)(w.Despawn(dead))
	for _, e := range []Entity{None, dead, lacking, makeEntity(1<<31, 1), makeEntity(0, 77), Entity(^uint64(0))} {
		if e != lacking && w.Alive(e) || pos.Get(e) != nil || pos.Write(e) != nil || pos.Has(e) || w.Has(e, pos.ID()) || pos.Modify(e, nil) {
			t.Fatalf("%s has a position", e)
		}
		if table, _ := w.TableOf(e); e != lacking && (table != nil || w.ComponentsOf(e) != nil) {
			t.Fatalf("%s is somewhere", e)
		}
		if e == lacking {
			continue
		}
		for op, err := range map[string]func() (bool, error){
			"despawn": func() (bool, error) { return w.Despawn(e) },
			"add":     func() (bool, error) { return w.Add(e, pos.ID()) },
			"remove":  func() (bool, error) { return w.Remove(e, pos.ID()) },
			"set":     func() (bool, error) { return w.Set(e, pos.ID()) },
			"Set":     func() (bool, error) { return pos.Set(e, position{}) },
			"tag":     func() (bool, error) { return w.Tag(e, must[TagID](t)(w.DeclareTag("t"))), nil },
		} {
			if ok, err := err(); ok || err != nil {
				t.Fatalf("%s of %s: %v, %v", op, e, ok, err)
			}
		}
	}
	if w.Has(lacking, 99) {
		t.Fatal("has an undeclared component")
	}
	check(t, w)
}

func TestSpentSlotIsRetired_0_8_0_11(t *testing.T) {
	w := newWorld(Options{})
	e := must[Entity](t)(w.Spawn())
	must[bool](t)(w.Despawn(e))
	w.slots.all[0].meta = MaxGeneration | slotFree
	last := must[Entity](t)(w.Spawn())
	if last.Index() != 0 || last.Generation() != MaxGeneration {
		t.Fatalf("got %s", last)
	}
	must[bool](t)(w.Despawn(last))
	check(t, w)
	for range 10 {
		if e := must[Entity](t)(w.Spawn()); e.Index() == 0 {
			t.Fatalf("the spent slot came back as %s", e)
		}
	}
	if w.Alive(last) {
		t.Fatal("the last handle lives again")
	}
	q := w.Commands()
	reserved := must[Entity](t)(q.Spawn())
	w.slots.all[reserved.Index()].meta = MaxGeneration | slotFree
	q.ops[0].entity = makeEntity(reserved.Index(), MaxGeneration)
	q.Drop()
	check(t, w)
	if e := must[Entity](t)(w.Spawn()); e.Index() == reserved.Index() {
		t.Fatal("a slot spent by a dropped command came back")
	}
}

func TestDoubleDespawn_0_19(t *testing.T) {
	w := newWorld(Options{})
	a := must[Entity](t)(w.Spawn())
	for i, want := range []bool{true, false, false} {
		if ok := must[bool](t)(w.Despawn(a)); ok != want {
			t.Fatalf("despawn %d: %v", i, ok)
		}
	}
	b, c := must[Entity](t)(w.Spawn()), must[Entity](t)(w.Spawn())
	if b.Index() == c.Index() {
		t.Fatalf("%s and %s share a slot", b, c)
	}
	check(t, w)
}
