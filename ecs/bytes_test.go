package ecs

import "testing"

func TestBytesFollowTheTables(t *testing.T) {
	w := newWorld(Options{})
	if got := w.Bytes(); got != 0 {
		t.Fatalf("an empty world holds %d bytes", got)
	}
	pos := MustRegister[position](w, "Position")
	b, err := w.Bundle(pos.ID())
	if err != nil {
		t.Fatal(err)
	}
	es, err := b.SpawnMany(1000, nil)
	if err != nil {
		t.Fatal(err)
	}
	// 8 bytes of handle, 12 of slot, 16 of value and 8 of stamps.
	if got, want := w.Bytes(), uint64(1000*(8+12+16+8)); got != want {
		t.Fatalf("1000 rows hold %d bytes, want %d", got, want)
	}
	for _, e := range append([]Entity(nil), es...) {
		if _, err := w.Despawn(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Shrink(); err != nil {
		t.Fatal(err)
	}
	if got := w.Bytes(); got != 0 {
		t.Fatalf("after Shrink %d bytes are left", got)
	}
}
