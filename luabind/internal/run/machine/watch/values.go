package watch

import (
	"math"
	"strconv"

	"github.com/ecsrun/ecsrun/ecs"
)

// Values are compared by their bits, so that 0 and -0 differ. All NaNs are equal: their bits depend on the processor.

// sameBits reports whether two values of a field are equal.
func sameBits(t ecs.FieldType, x, y uint64) bool {
	return x == y || (t == ecs.F64 || t == ecs.F32) && bothNaN(t.Size(), x, y)
}

// sameNumber reports whether two numbers are equal.
func sameNumber(a, b float64) bool {
	return sameBits(ecs.F64, math.Float64bits(a), math.Float64bits(b))
}

// bothNaN reports whether two numbers of 8 or 4 bytes, given as bits, are NaN.
func bothNaN(size uintptr, x, y uint64) bool {
	switch size {
	case 8:
		a, b := math.Float64frombits(x), math.Float64frombits(y)
		return a != a && b != b
	case 4:
		a, b := math.Float32frombits(uint32(x)), math.Float32frombits(uint32(y))
		return a != a && b != b
	}
	return false
}

// textOf formats a value of a field for a message.
func textOf(t ecs.FieldType, bits uint64) string {
	shift := 64 - 8*t.Size()
	switch t {
	case ecs.F64:
		return ecs.Number(math.Float64frombits(bits)).String()
	case ecs.F32:
		return ecs.Number(float64(math.Float32frombits(uint32(bits)))).String()
	case ecs.Bool:
		return strconv.FormatBool(bits != 0)
	case ecs.EntityField:
		return ecs.Entity(bits).String()
	case ecs.I8, ecs.I16, ecs.I32, ecs.I64:
		return strconv.FormatInt(int64(bits<<shift)>>shift, 10)
	case ecs.U8, ecs.U16, ecs.U32, ecs.U64:
		return strconv.FormatUint(bits, 10)
	}
	panic("watch: code stores a field of type " + t.String())
}
