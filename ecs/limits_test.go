package ecs

import (
	"errors"
	"math"
	"slices"
	"testing"
)

func TestReserveKnowsTheLimits(t *testing.T) {
	w := newWorld(Options{MaxEntities: 100})
	pos := MustRegister[position](w, "Position")
	must[[]Entity](t)(must[*Bundle](t)(w.Bundle(pos.ID())).SpawnMany(60, nil))
	before := w.Bytes()
	for _, n := range []int{41, 1 << 20, math.MaxInt} {
		if err := w.Reserve(n, pos.ID()); !errors.Is(err, ErrLimit) {
			t.Errorf("%d more: %v", n, err)
		}
	}
	if w.Bytes() != before {
		t.Error("a reservation that was refused takes memory")
	}
	ok(t, w.Reserve(40, pos.ID()))
	ok(t, w.Reserve(-1, pos.ID()))
}

// As many rows as the world may have, of which each takes so much that they are more than the address space.
func TestMoreRowsThanMemoryHasAddresses(t *testing.T) {
	w := newWorld(Options{})
	type padded struct {
		X float64
		_ [1<<20 - 8]byte // the largest row that there is: more than 2^31 with 2^12 rows
	}
	big := MustRegister[padded](w, "Padded")
	n := math.MaxInt / (1 << 20)
	if uint64(n) > uint64(Raw.Room(w)) {
		n = Raw.Room(w)
	}
	if pointerSize == 4 {
		for _, err := range []error{
			w.Reserve(n+1, big.ID()),
			func() error { _, err := must[*Bundle](t)(w.Bundle(big.ID())).SpawnMany(n+1, nil); return err }(),
		} {
			if !errors.Is(err, ErrLimit) {
				t.Error(err)
			}
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("rows were allocated that have no addresses")
		}
	}()
	allocRows(nil, big.info.schema, math.MaxInt/(1<<19))
}

func TestTheListOfSpawnManyIsTheCallers(t *testing.T) {
	w := newWorld(Options{})
	pos := MustRegister[position](w, "Position")
	b := must[*Bundle](t)(w.Bundle(pos.ID()))
	list := must[[]Entity](t)(b.SpawnMany(4, nil))
	before := slices.Clone(list)
	must[bool](t)(w.Despawn(list[0]))
	if !slices.Equal(list, before) {
		t.Errorf("%v has become %v", before, list)
	}
	clear(list)
	check(t, w)
	first := must[int](t)(b.SpawnRows(3, nil))
	if first != 3 || w.Len() != 6 {
		t.Errorf("rows from %d, %d entities", first, w.Len())
	}
}

// A system that is added late has missed what was written before: only what comes after the last frame, or after Settle, is news to it.
func TestALateSystemIsNotToldOldNews(t *testing.T) {
	for _, settled := range []bool{true, false} {
		w := newWorld(Options{})
		pos := MustRegister[position](w, "Position")
		es := must[[]Entity](t)(must[*Bundle](t)(w.Bundle(pos.ID())).SpawnMany(3, nil))
		changed := must[*Query](t)(w.Query(Filter{Required: []ComponentID{pos.ID()}, Changed: []ComponentID{pos.ID()}}))
		s := NewSchedule(w)
		if settled {
			s.Settle()
		} else {
			ok(t, s.Run(1))
		}
		pos.Write(es[1]).X = 1
		var seen []Entity
		s.Add("late", func(*World, float64) error {
			seen = nil
			for e := range changed.each {
				seen = append(seen, e)
			}
			return nil
		})
		ok(t, s.Run(1))
		if !slices.Equal(seen, es[1:2]) {
			t.Errorf("settled %v: the late system sees %v", settled, seen)
		}
	}
	w := newWorld(Options{})
	MustRegister[position](w, "Position")
	if sys := must[*System](t)(NewSchedule(w).AddSystem(SystemSpec{Name: "early", Run: func(*World, float64) error { return nil }})); sys.Window() != 0 {
		t.Error("without Settle the first turn sees all of set-up")
	}
}
