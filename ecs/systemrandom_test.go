package ecs

import "testing"

// A system that names its random stream draws what the system of that name would draw, and systems that name the same stream share it.
func TestRandomStreamOfASystem(t *testing.T) {
	draw := func(specs ...SystemSpec) (drawn []float64, digest Digest) {
		w := newWorld(Options{Seed: 7})
		s := NewSchedule(w)
		for _, spec := range specs {
			spec.Run = func(w *World, _ float64) error {
				drawn = append(drawn, w.Random().Float64())
				return nil
			}
			must[*System](t)(s.AddSystem(spec))
		}
		for range 2 {
			if err := s.Run(0.1); err != nil {
				t.Fatal(err)
			}
		}
		return drawn, w.Digest()
	}
	old, before := draw(SystemSpec{Name: "burning"})
	renamed, after := draw(SystemSpec{Name: "fire.burning", Random: "burning"})
	if old[0] != renamed[0] || old[1] != renamed[1] || before != after {
		t.Errorf("drew %v, and after the change of its name %v", old, renamed)
	}
	other, _ := draw(SystemSpec{Name: "fire.burning"})
	if other[0] == old[0] {
		t.Error("another name gives the same numbers")
	}
	shared, _ := draw(SystemSpec{Name: "a", Random: "burning"}, SystemSpec{Name: "b", Random: "burning"})
	if shared[0] != old[0] || shared[1] != old[1] || shared[2] == old[0] {
		t.Errorf("two systems with one stream drew %v", shared)
	}
}
