package frame

import "github.com/ecsrun/ecsrun/ecs"

// LendRandom copies the state of the running system's random stream into the frame, if the Program draws numbers.
func (f *Frame) LendRandom(w *ecs.World) {
	if f.Program.Random {
		f.Random = w.Random()
		*f.Stream = ecs.Raw.RandomState(f.Random)
	}
}

// ReturnRandom sets the stream to the state that code has left.
func (f *Frame) ReturnRandom() {
	if f.Random != nil {
		ecs.Raw.PutBackRandom(f.Random, *f.Stream)
		f.Random = nil
	}
}
