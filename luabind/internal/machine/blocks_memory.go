package machine

import (
	"sync"
	"weak"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
)

// common is the memory in which the loops of worlds on Go's heap have their frames
// and blocks. It is there as long as one of them is.
var common struct {
	sync.Mutex
	memory weak.Pointer[Memory]
}

// memoryFor is the memory that the code of a world works in; own says that the
// world lies there, too. The error says why there is none.
func memoryFor(w *ecs.World) (m *Memory, own bool, err error) {
	if !supported() {
		return nil, false, refusal("there is no compiler for this processor or system")
	}
	if m, ok := w.Options().Memory.(*Memory); ok && m.mapping != nil {
		return m, true, nil
	}
	common.Lock()
	defer common.Unlock()
	if m = common.memory.Value(); m == nil {
		if m = NewMemory(); m.mapping == nil {
			return nil, false, refusal("no memory is to be had for it")
		}
		common.memory = weak.Make(m)
	}
	return m, false, nil
}

// looksBeyond reports whether code reads what lies in the memory of the world
// beside the rows of its query.
func (u *unit) looksBeyond() bool {
	for _, w := range u.words {
		switch w.kind {
		case wordSlots, wordTag, wordColumns, wordWalk:
			return true
		}
	}
	return len(u.nears) > 0
}

// beyondBlocks says why blocks do not do for the components of a loop that have
// strings or tables; nil when they do.
func beyondBlocks(p *kernel.Program, schemas []*ecs.Schema) (err error) {
	walk(p.Body, func(s *kernel.Stmt) {
		switch {
		case s.Op == kernel.Store && s.Field.Type == ecs.String:
			err = refusal("it assigns a field of type string")
		case s.Op == kernel.Near && s.Grid != nil && storesPointered(p, schemas, s.Grid.Spec().Component):
			err = refusal("it moves who may be near, in a component with a field of type string or table")
		}
	}, func(x *kernel.Expr) {
		if x.Op == kernel.Load && x.Field.Type == ecs.String {
			err = refusal("it reads a field of type string")
		}
	})
	return err
}

// storesPointered reports whether rows store a component that lies on Go's heap in
// any world.
func storesPointered(p *kernel.Program, schemas []*ecs.Schema, id ecs.ComponentID) bool {
	for _, t := range p.Stores {
		if p.Components[t.View] == id && !schemas[t.View].PointerFree() {
			return true
		}
	}
	return false
}
