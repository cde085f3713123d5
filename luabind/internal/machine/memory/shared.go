package memory

import (
	"sync"
	"weak"

	"github.com/ecsrun/ecsrun/ecs"
)

// common is the memory in which the loops of worlds on Go's heap have their frames
// and blocks. It is there as long as one of them is.
var common struct {
	sync.Mutex
	memory weak.Pointer[Memory]
}

// For returns the memory in which the code of a world has its frames; nil when no addresses can be reserved. own
// reports that the world's columns lie there, too; otherwise it is a memory that all such worlds share.
func For(w *ecs.World) (m *Memory, own bool) {
	if m, ok := w.Options().Memory.(*Memory); ok && m.Reserved() != nil {
		return m, true
	}
	common.Lock()
	defer common.Unlock()
	if m = common.memory.Value(); m == nil {
		if m = New(); m.Reserved() == nil {
			return nil, false
		}
		common.memory = weak.Make(m)
	}
	return m, false
}
