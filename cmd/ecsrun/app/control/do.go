package control

// Do calls fn on the goroutine of the world: at the next edge, or at once while the run is paused. After the end of the run it does nothing.
// Any goroutine may call it.
func (p *Plane) Do(fn func()) { p.post(marker(func(*Plane) { fn() })) }
