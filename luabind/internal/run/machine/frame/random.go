package frame

import "github.com/ecsrun/ecsrun/ecs"

// The random stream while code runs. Its state is in the frame, so that code can draw without calling the host.

// LendRandom copies the state of the running system's random stream into the frame, if the Program draws numbers.
func (f *Frame) LendRandom(w *ecs.World) {
	if f.Program.Random {
		f.Random = w.Random()
		*f.Stream = ecs.Raw.RandomState(f.Random)
	}
}

// ReturnRandom sets the system's stream to the state that code has left in the frame.
func (f *Frame) ReturnRandom() {
	if f.Random != nil {
		ecs.Raw.PutBackRandom(f.Random, *f.Stream)
		f.Random = nil
	}
}
