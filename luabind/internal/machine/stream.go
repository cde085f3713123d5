package machine

import "github.com/ecsrun/ecsrun/ecs"

// lendRandom brings the running system's stream into the frame.
func (k *Kernel) lendRandom(w *ecs.World) {
	if k.program.Random {
		k.random = w.Random()
		*k.stream = ecs.Raw.RandomState(k.random)
	}
}

// returnRandom makes the stream go on from where code has left it.
func (k *Kernel) returnRandom() {
	if k.random != nil {
		ecs.Raw.PutBackRandom(k.random, *k.stream)
		k.random = nil
	}
}
