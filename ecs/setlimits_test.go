package ecs

import (
	"errors"
	"testing"
)

// Limits that are changed while a world is in use: below what it holds nothing more is made, and nothing is lost.
func TestSetLimits(t *testing.T) {
	w := newWorld(Options{})
	pos := MustRegister[position](w, "Pos").ID()
	for range 10 {
		must[Entity](t)(w.Spawn(pos))
	}
	w.SetLimits(Options{MaxEntities: 5, MaxBytes: 0})
	if _, err := w.Spawn(pos); !errors.Is(err, ErrLimit) || w.Len() != 10 || Raw.Room(w) != 0 {
		t.Errorf("error %v, %d entities, room for %d", err, w.Len(), Raw.Room(w))
	}
	w.SetLimits(Options{MaxEntities: 11, MaxBytes: 0})
	must[Entity](t)(w.Spawn(pos))
	if _, err := w.Spawn(pos); !errors.Is(err, ErrLimit) {
		t.Errorf("error %v", err)
	}
	w.SetLimits(Options{MaxEntities: 0, MaxBytes: 1})
	var err error
	for err == nil && w.Len() < 10_000 {
		_, err = w.Spawn(pos)
	}
	if !errors.Is(err, ErrBytes) {
		t.Errorf("error %v", err)
	}
	w.SetLimits(Options{MaxEntities: 0, MaxBytes: 0})
	must[Entity](t)(w.Spawn(pos))
	if err := w.Check(); err != nil {
		t.Error(err)
	}
}
