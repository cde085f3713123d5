package kernel

import (
	"math"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
)

// The values of effects: which ones fit, and how they are stored in fields. ir/effect.go says which arguments an
// effect has.

// fits reports whether the arguments of an effect fit its fields and relations. If not, the call would raise an
// error.
func fits(e *ir.Effect, args []Arg) bool {
	if e.Op == ir.TableSet {
		return args[0].N == args[0].N
	}
	if e.ForEntity() {
		args = args[1:]
	}
	for i, f := range e.Fields {
		if !Fits(f.Field.Type, args[i].N) {
			return false
		}
	}
	if e.Op == ir.QueueUnrelate {
		return true
	}
	for i := range e.Relations { // a target may be a dead entity, but must be an entity
		if entityOf(args[len(e.Fields)+i].N) == ecs.None {
			return false
		}
	}
	return true
}

// Fits reports whether a number can be stored in a field of type t: an entity in a field for entities, a whole
// number in range in an integer. It is true for all other types.
func Fits(t ecs.FieldType, v float64) bool {
	if t == ecs.EntityField {
		_, ok := ecs.EntityFromNumber(v)
		return ok
	}
	lo, hi, integer := t.Range()
	return !integer || v >= lo && v <= hi && v == math.Trunc(v)
}

// entityOf converts a number to an entity; None if the number is not a handle.
func entityOf(v float64) ecs.Entity {
	if e, ok := ecs.EntityFromNumber(v); ok {
		return e
	}
	return ecs.None
}

// value converts an argument to a value for a field of type t.
func value(t ecs.FieldType, a Arg) ecs.Value {
	switch t {
	case ecs.Bool:
		return ecs.Boolean(a.N != 0)
	case ecs.EntityField:
		return ecs.EntityOf(entityOf(a.N))
	case ecs.String:
		return ecs.Text(a.S)
	case ecs.TableField:
		return ecs.TableOf(a.T)
	}
	return ecs.Number(a.N)
}

// Value returns what a field of type t holds after an argument that fits was stored in it. An f32 is rounded.
func Value(t ecs.FieldType, a Arg) ecs.Value {
	if t == ecs.F32 {
		a.N = float64(float32(a.N))
	}
	return value(t, a)
}

// write stores an argument that fits in a field of type t at p.
func write(p unsafe.Pointer, t ecs.FieldType, a Arg) {
	switch t {
	case ecs.F64:
		*(*float64)(p) = a.N
	case ecs.F32:
		*(*float32)(p) = float32(a.N)
	case ecs.EntityField:
		*(*ecs.Entity)(p) = entityOf(a.N)
	case ecs.String:
		*(*string)(p) = a.S
	case ecs.TableField:
		*(**ecs.Data)(p) = a.T
	case ecs.I64:
		*(*int64)(p) = int64(a.N)
	case ecs.I32:
		*(*int32)(p) = int32(a.N)
	case ecs.I16:
		*(*int16)(p) = int16(a.N)
	case ecs.I8:
		*(*int8)(p) = int8(a.N)
	case ecs.U64:
		*(*uint64)(p) = uint64(a.N)
	case ecs.U32:
		*(*uint32)(p) = uint32(a.N)
	case ecs.U16:
		*(*uint16)(p) = uint16(a.N)
	case ecs.U8, ecs.Bool:
		*(*uint8)(p) = uint8(a.N)
	default:
		panic("kernel: an event has a field of unknown type")
	}
}

// EventRow writes to row what the event log holds after e, a Send, was performed with these arguments. Fields
// without an argument have their defaults. The event must not have strings or tables.
func EventRow(row []byte, e *ir.Effect, args []Arg) {
	copy(row, ecs.Raw.Defaults(e.Schema))
	for i, f := range e.Fields {
		write(unsafe.Pointer(&row[f.Field.Offset]), f.Field.Type, args[i])
	}
}

// commands returns how many commands an effect queues.
func commands(e *ir.Effect) int {
	switch e.Op {
	case ir.Send, ir.Made, ir.TableSet, ir.Print:
		return 0
	case ir.QueueTag, ir.QueueUntag:
		return len(e.Tags)
	case ir.QueueSpawn:
		n := 1 + len(e.Tags)
		for i := range e.Components {
			if gives(e, i) {
				n++
			}
		}
		return n
	case ir.QueueSend, ir.QueueDespawn, ir.QueueAdd, ir.QueueRemove, ir.QueueSet, ir.QueueRelate, ir.QueueUnrelate:
		return 1
	}
	panic("kernel: an effect of unknown operation")
}

// gives reports whether a field of component i gets a value.
func gives(e *ir.Effect, i int) bool {
	for _, f := range e.Fields {
		if f.Component == i {
			return true
		}
	}
	return false
}
