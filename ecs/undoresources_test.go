package ecs

import (
	"errors"
	"testing"
)

// What a failed turn has written of a large resource is taken back, and the log holds the pages that were written only. What Go code holds by its
// address is copied as a whole.
func TestUndoOfLargeResources(t *testing.T) {
	const n = 100_000
	w := NewWorld(Options{})
	id := must[ResourceID](t)(w.DeclareResource("map", ArrayOf(F64, n), Value{}))
	lent := must[*[1000]float64](t)(RegisterResource[[1000]float64](w, "lent"))
	row := w.Resource(id)
	s := NewSchedule(w)
	s.RollBack, s.OnError = true, func(*System, error) error { return nil }
	fails, held := false, 0
	must[*System](t)(s.AddSystem(SystemSpec{Name: "write", Run: func(w *World, _ float64) error {
		for _, k := range []int{1, 2, 512, 513, n} {
			if err := row.SetItem(0, k, Number(row.Item(0, k).Float()+1)); err != nil {
				return err
			}
		}
		lent[999]++
		held = len(w.undo.resourceLog.bytes)
		if fails {
			return errors.New("it fails")
		}
		return nil
	}}))
	for i, c := range []struct {
		fails bool
		want  float64
	}{{false, 1}, {true, 1}, {true, 1}, {false, 2}} {
		fails = c.fails
		if err := s.Run(1); err != nil {
			t.Fatal(err)
		}
		for _, k := range []int{1, 2, 512, 513, n} {
			if got := row.Item(0, k).Float(); got != c.want {
				t.Errorf("frame %d: [%d] is %v, not %v", i+1, k, got, c.want)
			}
		}
		if lent[999] != c.want {
			t.Errorf("frame %d: what Go code holds is %v, not %v", i+1, lent[999], c.want)
		}
		if want := 2*pagedBytes + n*8%pagedBytes + 8000; held != want {
			t.Errorf("frame %d: the log holds %d bytes, not %d", i+1, held, want)
		}
	}
	if err := row.Set(0, TableOf(nil)); err != nil || row.Item(0, 1).Float() != 0 {
		t.Errorf("a list of nothing: %v, %v", err, row.Item(0, 1))
	}
}
