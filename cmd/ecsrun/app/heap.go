package app

import "runtime"

// headroom is how much a process allocates at least between two garbage collections. Worlds with tables in fields
// and interpreted scripts make garbage in each frame. A small heap would be collected every few frames, which costs
// them a third of their time.
const headroom = 64 << 20

// keepHeadroom tells the garbage collector to wait for more garbage, until release is called. A collection begins
// when as much was allocated as is in use, and a block that nothing reads or writes counts as in use. The operating
// system gives no memory to such a block. So a small process may hold that much more garbage, and a large one is
// collected as often as before. The variable GOGC works as usual.
func keepHeadroom() (release func()) {
	block := make([]byte, headroom)
	return func() { runtime.KeepAlive(block) }
}
