package machine

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
)

// settleStores empties the log of stores after a call: the stores of a row that failed are undone, and the rows of other
// entities that the others have stored are stamped, and the world is told who has moved in an index.
func (k *Kernel) settleStores(status int) {
	if !k.unit.Logs {
		return
	}
	if status == abi.Failed {
		k.frame.UndoRow()
	}
	k.carryOut()
	log := &k.frame.Log
	for at := log.Start; (k.unit.StoresBeyond || k.unit.Moves) && at < *log.End; at += abi.LogRecord {
		if !k.frame.LogTells(at) {
			continue
		}
		if id, table, row, ok := k.frame.LoggedRow(at); ok {
			k.outside.world.Tables()[table].Column(id).Stamp(row)
		} else if layer, slot, place, previous, ok := k.frame.LoggedMove(at); ok {
			ecs.Raw.Moved(k.outside.world.LookupIndex(k.program.Layers[layer].Name), slot, place, previous)
		}
	}
	*log.End = log.Start
}
