package app

import (
	"strings"
	"testing"
	"time"

	"github.com/ecsrun/ecsrun/ecs"
)

func TestSummary(t *testing.T) {
	s := &summary{
		frames: 600, world: 10, wall: 834 * time.Millisecond, entities: 1204, events: 1, ended: "all frames done",
		failures: []string{"failed: 2 turns"},
		systems: []systemTime{
			{"populate", "lua", "", 1, 1500 * time.Microsecond, memoryUse{1, 3 << 10, 1 << 20}},
			{"poison.tick", "lua", "poison", 600, 600 * time.Millisecond, memoryUse{600, -512, 3 << 19}},
			{"movement", "native", "", 600, 60 * time.Millisecond, memoryUse{}},
			{"poison.never", "lua", "poison", 0, 0, memoryUse{}},
		},
	}
	want := `
600 frames, 10.0 s of world time in 0.83 s; 1,204 entities, 1 event
ended: all frames done
failed: 2 turns

system        impl    turns  total ms  share  µs/turn
poison.tick   lua       600     600.0   91 %   1000.0
movement      native    600      60.0    9 %    100.0
populate      lua         1       1.5    0 %   1500.0
poison.never  lua         0       0.0    0 %      0.0

mod       systems  total ms  share  world KB  allocated MB
poison          2     600.0   91 %      -0.5           1.5
(config)        2      61.5    9 %       3.0           1.0
`
	var got strings.Builder
	s.write(&got)
	if "\n"+got.String() != want {
		t.Errorf("got\n%s\nwant%s", got.String(), want)
	}
}

func TestGrouped(t *testing.T) {
	for n, want := range map[int]string{0: "0", 7: "7", 999: "999", 1000: "1,000", 1234567: "1,234,567"} {
		if got := grouped(n); got != want {
			t.Errorf("grouped(%d) = %s, want %s", n, got, want)
		}
	}
}

// The memory of a turn counts as that of its system, in the first turns and, by samples, later; without a meter of memory nothing is read.
func TestMeterOfMemory(t *testing.T) {
	w := ecs.NewWorld(ecs.Options{})
	schema, err := ecs.NewSchema(ecs.Field{Name: "x", Type: ecs.F64})
	if err != nil {
		t.Fatal(err)
	}
	position, err := w.DeclareComponent("P", schema)
	if err != nil {
		t.Fatal(err)
	}
	var kept [][]byte
	s := ecs.NewSchedule(w)
	add := func(name string, turn ecs.SystemFunc) *ecs.System {
		sys, err := s.AddSystem(ecs.SystemSpec{Name: name, Run: turn})
		if err != nil {
			t.Fatal(err)
		}
		return sys
	}
	spawns := add("spawns", func(w *ecs.World, _ float64) error {
		if w.Frame() != 1 {
			return nil
		}
		_, err := w.Spawn(position)
		return err
	})
	allocates := add("allocates", func(*ecs.World, float64) error {
		kept = append(kept[:0], make([]byte, 1<<20))
		return nil
	})
	m := measure(s)
	frames := func(n int) {
		for range n {
			if err := s.Run(0.1); err != nil {
				t.Fatal(err)
			}
		}
	}
	m.measureMemory(w)
	before := w.Bytes()
	frames(320)
	if got := m.memory[spawns].world; got <= 0 || got != int64(w.Bytes()-before) || m.memory[allocates].world != 0 {
		t.Errorf("the world grew by %d bytes, the systems made it %d and %d larger", w.Bytes()-before, got, m.memory[allocates].world)
	}
	if got := m.memory[allocates].allocated >> 20; got < 320 || got > 340 {
		t.Errorf("%d MB were allocated, 320 by the system", got)
	}
	if got := m.memory[spawns].allocated >> 20; got > 20 {
		t.Errorf("%d MB count for a system that allocates nothing", got)
	}
}
