package memory

import "github.com/ecsrun/ecsrun/ecs"

// Instruments change how the machine code of a world runs. They are for tests, which set them before the code runs; the zero
// value is what production uses. They are held by the Memory of the world, so that tests of several worlds run in parallel. A
// Memory without a mapping can hold them for a world on Go's heap.
type Instruments struct {
	// WatchEvery is how often calls are watched: see watch.Watch.Begin.
	WatchEvery int
	// ShareFrom is how many rows are shared among cores in any case; 0: as many as are worth it.
	ShareFrom int
	// NeverRests makes code run also where closures would run walks because of what code copies.
	NeverRests bool
	// Miscompiled, if it is not nil, makes the code of watched kernels wrong.
	Miscompiled *Miscompiled
}

// Miscompiled says what wrong code computes: in place of a number n, Wrong(n).
type Miscompiled struct {
	View  int    // of the loop; -1: the variables that it assigns
	Field string // of type f64
	Wrong func(n float64) float64
}

// Instruments returns the instruments of the worlds that use the Memory.
func (m *Memory) Instruments() *Instruments { return &m.instruments }

// InstrumentsOf returns the instruments of a world; nil if it has none.
func InstrumentsOf(w *ecs.World) *Instruments {
	if m, ok := w.Options().Memory.(*Memory); ok {
		return m.Instruments()
	}
	return nil
}
