package machine

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
)

// sources lists the sources of an entity for a loop: [abi.ImportSources]. It is false if there is no memory. A number that is no
// handle has no sources, as one that is dead.
func (k *Kernel) sources(loop int, target float64) bool {
	k.listed = k.listed[:0]
	if e, ok := ecs.EntityFromNumber(target); ok {
		k.listed = ir.Listed(k.listed, k.outside.world, k.unit.Sources[loop], e)
	}
	l := &k.taken.sources[loop]
	words := l.Set(2 * len(k.listed))
	if words == nil && len(k.listed) > 0 {
		return false
	}
	for i, e := range k.listed {
		words[2*i], words[2*i+1] = uint32(e), uint32(e>>32)
	}
	at := k.frame.Address + k.unit.Layout.Sources() + abi.SourceList*uint32(loop)
	*(*uint32)(k.memory.At(at + abi.SourceStart)) = l.Address
	*(*uint32)(k.memory.At(at + abi.SourceCount)) = uint32(len(k.listed))
	return true
}
