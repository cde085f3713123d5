package luabind

import "testing"

// A frame of native and compiled systems allocates nothing once it has run.
func TestFrameAllocatesNothing(t *testing.T) {
	for _, c := range loopCases {
		for _, impl := range []Impl{Native, Closures, Auto} {
			n := 300
			if c.name == "pairs" {
				n = 40
			}
			frame := loopFrame(t, c, n, impl, nil)
			for range 50 { // what events and commands of a frame need grows to its full size
				frame()
			}
			if got := testing.AllocsPerRun(10, frame); got != 0 {
				t.Errorf("%s, %v: %v allocations a frame", c.name, impl, got)
			}
		}
	}
}
