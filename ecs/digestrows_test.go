package ecs

import (
	"math"
	"testing"
	"unsafe"
)

// TestDigestOfRowsIsThatOfTheirFields hashes rows of every type without pointers, with NaNs of several bits, at each fill of
// the buffer: hashing a row at once gives what hashing field by field gives. The hash depends on how its input is cut into pieces, so
// it also shows that the buffer is emptied at the same places.
func TestDigestOfRowsIsThatOfTheirFields(t *testing.T) {
	type all struct {
		A float64
		B float32
		C int64
		D uint64
		E int32
		F uint32
		G int16
		H uint16
		I int8
		J uint8
		K bool
		L Entity
	}
	w := newWorld(Options{})
	info := w.components[MustRegister[all](w, "All").ID()]
	rows := []all{
		{},
		{math.Float64frombits(0xfff8000000000123), float32(math.NaN()), -1, math.MaxUint64, -2, 3, -4, 5, -6, 7, true, 8},
		{math.Copysign(0, -1), math.MaxFloat32, math.MinInt64, 1 << 63, math.MinInt32, math.MaxUint32, math.MinInt16, math.MaxUint16, math.MinInt8, 255, false, 1<<32 | 9},
		{math.Inf(-1), float32(math.Copysign(0, -1)), 1, 2, 3, 4, 5, 6, 7, 8, true, None},
	}
	handles := []Entity{1, 1<<40 | 2, 3, None, 5}
	for size := 8; size <= 400; size += 8 {
		sum := func(row func(*digester, unsafe.Pointer), entities func(*digester)) uint64 {
			h := &quickHash{}
			d := &digester{hash: h, buf: make([]byte, 0, size)}
			for i := range rows {
				row(d, unsafe.Pointer(&rows[i]))
				entities(d)
			}
			d.flush()
			return h.sum()
		}
		one := sum(func(d *digester, p unsafe.Pointer) {
			for _, f := range info.schema.fields {
				d.value(unsafe.Add(p, f.Offset), f.Type)
			}
		}, func(d *digester) {
			for _, e := range handles {
				d.u64(uint64(e))
			}
		})
		if whole := sum(func(d *digester, p unsafe.Pointer) { d.row(info.schema, p) }, func(d *digester) { d.entities(handles) }); whole != one {
			t.Fatalf("a buffer of %d bytes: %x by rows, %x by fields", size, whole, one)
		}
	}
}
