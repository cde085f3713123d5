package abi

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
)

// Records: what code writes down while a row runs, for the host to use after the call. The log has old values of
// stores, the ring has effects. Both have fixed sizes; code stops before a row for which there may not be enough
// room (Filled).

// Offsets in a record of the log, which is written before a row stores anything beyond its own fields. The host restores
// rows from the log, and stamps other rows when the call has ended.
const (
	LogAddress = 0  // uint32: where the value lies
	LogWhat    = 4  // uint32: its bytes, and 16 times the number of its view in [ir.Program.Refs], counted from 1; 0 needs no stamp. Behind these numbers are those of layers: the value is the entry of an entity that has moved in an index
	LogBits    = 8  // uint64: its old bits
	LogSlot    = 16 // uint32: of a view of another entity, the address of that entity's slot; of an entity that has moved, the number of its slot
	LogRecord  = 24 // bytes of a record

	LogSize = 1 << 17 // bytes of the log
)

// movedRecords is how many records of the log a move in an index takes at most.
const movedRecords = 7

// LogsStores reports whether a body stores anything but fields of its own row.
func LogsStores(p *ir.Program) bool {
	found := false
	for _, ref := range p.Refs {
		found = found || ref.Stored
	}
	Walk(p.Body, func(s *ir.Stmt) { found = found || s.Op == ir.Put || s.Op == ir.PutKey }, func(*ir.Expr) {})
	return found
}

// Sizes of the ring. Effects are recorded in it row by row, and the host performs them after the call, in that order. A
// record is the index of the statement in [Unit.Emits], and 8 bytes for each of its Args, except for constant strings,
// which the host knows. An event without strings and tables is recorded as the row that it becomes: see SendsRow.
const (
	RingSize   = 1 << 16 // bytes of the ring
	MostRecord = 8 * 64  // bytes of a record, at most
)

// SendsRow reports whether the record of an effect is the row of the event that it sends.
func SendsRow(x *ir.Effect) bool {
	return x.Op == ir.Send && x.Schema.PointerFree() && 8+x.Schema.Size()+8 <= MostRecord
}

// RowRecord returns the number of bytes of such a row in the ring.
func RowRecord(s *ecs.Schema) uint32 { return uint32(s.Size()+7) &^ 7 }

// IsConstantText reports whether a value is a constant string, which the host knows without a record.
func IsConstantText(x *ir.Expr) bool { return x.Type == ir.Text && x.Op == ir.Const }

// NeedsRoom reports whether one row may need more room than the ring or the log has. Code leaves such a row to
// closures, which have no such limit.
func NeedsRoom(p *ir.Program) bool {
	found, room := false, 0 // bytes that a row without loops may need
	Walk(p.Body, func(st *ir.Stmt) {
		switch {
		case st.Op == ir.Emit:
			room += 8 + 8*len(st.Args)
		case st.Op == ir.PutKey && st.Member < 0:
			room += LogRecord // two records
		case st.Op == ir.PutKey:
			room += LogRecord * 3 / 2
		case st.Op == ir.Put && st.Field != nil && p.Layers[st.I].Places == ir.PlaceOf:
			room += movedRecords * LogRecord / 2
		case st.Op == ir.Put, st.Op == ir.Store:
			room += LogRecord / 2 // the log has twice the room of the ring
		}
		found = found || st.Op == ir.Near || st.Price > 0 && recorded(p, st.Body)
	}, func(*ir.Expr) {})
	return found || room > RingSize/2-MostRecord
}

// recorded reports whether statements write records. Stores of a row's own fields may be logged where others are: see
// [LogsStores].
func recorded(p *ir.Program, body []*ir.Stmt) bool {
	found, logs := false, LogsStores(p)
	Walk(body, func(st *ir.Stmt) {
		found = found || st.Op == ir.Emit || st.Op == ir.Put || st.Op == ir.PutKey || st.Op == ir.Store && (logs || st.I >= p.Views)
	}, func(x *ir.Expr) { found = found || FlipsTag(x) })
	return found
}
