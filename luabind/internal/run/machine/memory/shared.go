package memory

import (
	"sync"
	"weak"

	"github.com/ecsrun/ecsrun/ecs"
)

// The linear memory of worlds whose columns are on Go's heap. Code cannot access their columns, but its frames, and
// the copies of rows it works on, need a linear memory.

// common is the memory that these worlds share. It exists as long as one of them uses it.
var common struct {
	sync.Mutex
	memory weak.Pointer[Memory]
}

// For returns the memory in which the code of a world has its frames; nil if no addresses can be reserved. own
// reports that the columns of the world are in it, too. Otherwise it is the one that all such worlds share.
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
