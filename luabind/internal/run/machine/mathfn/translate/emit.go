package translate

import (
	"encoding/binary"
	"go/types"
	"math"
)

// Value types and operations of the binary format, as far as they are used.
const (
	f64 byte = 0x7c
	i64 byte = 0x7e
	i32 byte = 0x7f

	opUnreachable = 0x00
	opBlock       = 0x02
	opLoop        = 0x03
	opIf          = 0x04
	opElse        = 0x05
	opEnd         = 0x0b
	opBr          = 0x0c
	opBrIf        = 0x0d
	opBrTable     = 0x0e
	opReturn      = 0x0f
	opCall        = 0x10
	opDrop        = 0x1a
	opSelect      = 0x1b
	opLocalGet    = 0x20
	opLocalSet    = 0x21
	opLocalTee    = 0x22
	opI32Const    = 0x41
	opI64Const    = 0x42
	opF64Const    = 0x44
	opI32Eqz      = 0x45
	opI32And      = 0x71
	opI32Or       = 0x72
	opI64LtS      = 0x53
	opI64Xor      = 0x85
	opI64Sub      = 0x7d
	opF64Abs      = 0x99
	opF64Neg      = 0x9a
	opF64Eq       = 0x61

	noResult = 0x40 // the type of a block
)

// An instr is one instruction; a local is still the number the translator gave it.
type instr struct {
	op     byte
	sat    bool // one of those after 0xfc
	n      int64
	labels int // of br_table: 0 … labels-1, and the last again for whatever is beyond
}

// fun is a function on its way.
type fun struct {
	t      *translator
	code   []instr
	kinds  []byte // of all locals, parameters first
	params int
	depth  int // open blocks
	vars   map[types.Object][]int
	frames []frame
}

func (f *fun) add(in instr) { f.code = append(f.code, in) }

func (f *fun) op(op byte) { f.add(instr{op: op}) }

func (f *fun) opN(op byte, n int64) { f.add(instr{op: op, n: n}) }

// open begins a block, loop or if and returns its depth, by which branch finds it.
func (f *fun) open(op byte) int {
	f.opN(op, noResult)
	f.depth++
	return f.depth
}

func (f *fun) end() {
	f.op(opEnd)
	f.depth--
}

func (f *fun) branch(op byte, to int) { f.opN(op, int64(f.depth-to)) }

func (f *fun) locals(kinds []byte) []int {
	out := make([]int, len(kinds))
	for i, k := range kinds {
		out[i] = len(f.kinds)
		f.kinds = append(f.kinds, k)
	}
	return out
}

func (f *fun) get(locals ...int) {
	for _, l := range locals {
		if last := len(f.code) - 1; last >= 0 && f.code[last].op == opLocalSet && f.code[last].n == int64(l) {
			f.code[last].op = opLocalTee
			continue
		}
		f.opN(opLocalGet, int64(l))
	}
}

// set pops values into locals, the last first.
func (f *fun) set(locals ...int) {
	for i := len(locals) - 1; i >= 0; i-- {
		f.opN(opLocalSet, int64(locals[i]))
	}
}

func (f *fun) zero(kind byte) {
	switch kind {
	case f64:
		f.float(0)
	case i64:
		f.opN(opI64Const, 0)
	default:
		f.opN(opI32Const, 0)
	}
}

func (f *fun) float(v float64) { f.opN(opF64Const, int64(math.Float64bits(v))) }

// encode writes the locals, sorted by type as the format counts them in runs, and the code.
func (f *fun) encode() (body []byte, calls []Call) {
	number := make([]int64, len(f.kinds))
	next := f.params
	for i := range f.params {
		number[i] = int64(i)
	}
	var runs []byte
	count := 0
	for _, kind := range []byte{f64, i64, i32} {
		from := next
		for i, k := range f.kinds {
			if i >= f.params && k == kind {
				number[i] = int64(next)
				next++
			}
		}
		if next > from {
			runs = append(binary.AppendUvarint(runs, uint64(next-from)), kind)
			count++
		}
	}
	body = append(binary.AppendUvarint(body, uint64(count)), runs...)
	for _, in := range f.code {
		if in.sat {
			body = append(body, 0xfc)
		}
		body = append(body, in.op)
		switch {
		case in.sat:
		case in.op == opBlock, in.op == opLoop, in.op == opIf:
			body = append(body, byte(in.n))
		case in.op == opBr, in.op == opBrIf:
			body = binary.AppendUvarint(body, uint64(in.n))
		case in.op == opLocalGet, in.op == opLocalSet, in.op == opLocalTee:
			body = binary.AppendUvarint(body, uint64(number[in.n]))
		case in.op == opBrTable:
			body = binary.AppendUvarint(body, uint64(in.labels))
			for i := range in.labels {
				body = binary.AppendUvarint(body, uint64(i))
			}
			body = binary.AppendUvarint(body, uint64(in.labels-1))
		case in.op == opCall:
			calls = append(calls, Call{At: len(body), Callee: int(in.n)})
			body = append(body, 0, 0, 0, 0, 0)
		case in.op == opI32Const, in.op == opI64Const:
			body = appendSigned(body, in.n)
		case in.op == opF64Const:
			body = binary.LittleEndian.AppendUint64(body, uint64(in.n))
		}
	}
	return append(body, opEnd), calls
}

// appendSigned is signed LEB128, which is not Go's Varint.
func appendSigned(b []byte, n int64) []byte {
	for {
		c := byte(n & 0x7f)
		n >>= 7
		if n == 0 && c&0x40 == 0 || n == -1 && c&0x40 != 0 {
			return append(b, c)
		}
		b = append(b, c|0x80)
	}
}
