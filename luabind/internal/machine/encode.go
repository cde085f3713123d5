package machine

import (
	"encoding/binary"
	"math"
)

// Value types of WebAssembly.
const (
	i32  = 0x7f
	i64  = 0x7e
	f64  = 0x7c
	v128 = 0x7b

	void = 0x40 // of a block that leaves nothing
)

// Instructions.
const (
	opUnreachable = 0x00
	opBlock       = 0x02
	opLoop        = 0x03
	opIf          = 0x04
	opElse        = 0x05
	opEnd         = 0x0b
	opBr          = 0x0c
	opBrIf        = 0x0d
	opReturn      = 0x0f
	opCall        = 0x10
	opDrop        = 0x1a
	opLocalGet    = 0x20
	opLocalSet    = 0x21
	opLocalTee    = 0x22

	opI32Load    = 0x28
	opI64Load    = 0x29
	opF32Load    = 0x2a
	opF64Load    = 0x2b
	opI32Load8S  = 0x2c
	opI32Load8U  = 0x2d
	opI32Load16S = 0x2e
	opI32Load16U = 0x2f
	opI32Store   = 0x36
	opI64Store   = 0x37
	opF32Store   = 0x38
	opF64Store   = 0x39
	opI32Store8  = 0x3a
	opI32Store16 = 0x3b

	opI32Const = 0x41
	opI64Const = 0x42
	opF64Const = 0x44

	opI32Eqz  = 0x45
	opI32Eq   = 0x46
	opI32Ne   = 0x47
	opI32LtS  = 0x48
	opI32LtU  = 0x49
	opI32GtS  = 0x4a
	opI32GtU  = 0x4b
	opI32LeS  = 0x4c
	opI32LeU  = 0x4d
	opI32GeS  = 0x4e
	opI32GeU  = 0x4f
	opI64Eqz  = 0x50
	opI64Ctz  = 0x7a
	opI64Eq   = 0x51
	opI64LtS  = 0x53
	opI64LtU  = 0x54
	opI64GtS  = 0x55
	opI64GeS  = 0x59
	opF64Eq   = 0x61
	opF64Ne   = 0x62
	opF64Lt   = 0x63
	opF64Gt   = 0x64
	opF64Le   = 0x65
	opF64Ge   = 0x66
	opI32Add  = 0x6a
	opI32Sub  = 0x6b
	opI32Mul  = 0x6c
	opI32DivU = 0x6e
	opI32And  = 0x71
	opI32Or   = 0x72
	opI32Xor  = 0x73
	opI32Shl  = 0x74
	opI32ShrU = 0x76
	opI64Add  = 0x7c
	opI64Sub  = 0x7d
	opI64Mul  = 0x7e
	opI64DivU = 0x80
	opI64RemU = 0x82
	opI64And  = 0x83
	opI64Or   = 0x84
	opI64Xor  = 0x85
	opI64Shl  = 0x86
	opI64ShrU = 0x88

	opF64Abs     = 0x99
	opF64Neg     = 0x9a
	opF64Ceil    = 0x9b
	opF64Floor   = 0x9c
	opF64Trunc   = 0x9d
	opF64Nearest = 0x9e
	opF64Sqrt    = 0x9f
	opF64Add     = 0xa0
	opF64Sub     = 0xa1
	opF64Mul     = 0xa2
	opF64Div     = 0xa3
	opF64Min     = 0xa4
	opF64Max     = 0xa5

	opI32WrapI64        = 0xa7
	opI64ExtendI32U     = 0xad
	opF32DemoteF64      = 0xb6
	opF64ConvertI32S    = 0xb7
	opF64ConvertI32U    = 0xb8
	opF64ConvertI64S    = 0xb9
	opF64PromoteF32     = 0xbb
	opI64ReinterpretF64 = 0xbd
	opF64ReinterpretI64 = 0xbf
	opI32Extend8S       = 0xc0
	opI32Extend16S      = 0xc1

	opSaturating = 0xfc // prefix
	opVector     = 0xfd // prefix
)

// After opSaturating.
const (
	satI32F64S = 2
	satI32F64U = 3
	satI64F64S = 6
)

// After opVector.
const (
	vecF64x2Splat = 0x14
	vecI64x2Lane  = 0x1d
	vecF64x2PMin  = 0xf6
	vecF64x2PMax  = 0xf7
)

// encoder writes the binary format.
type encoder []byte

func (e *encoder) op(bytes ...byte) { *e = append(*e, bytes...) }

func (e *encoder) unsigned(v uint64) { *e = binary.AppendUvarint(*e, v) }

func (e *encoder) signed(v int64) {
	for {
		b := byte(v & 0x7f)
		v >>= 7
		if v == 0 && b&0x40 == 0 || v == -1 && b&0x40 != 0 {
			*e = append(*e, b)
			return
		}
		*e = append(*e, b|0x80)
	}
}

func (e *encoder) i32(v int32) { e.op(opI32Const); e.signed(int64(v)) }

func (e *encoder) i64(v int64) { e.op(opI64Const); e.signed(v) }

func (e *encoder) f64(v float64) {
	e.op(opF64Const)
	*e = binary.LittleEndian.AppendUint64(*e, math.Float64bits(v))
}

func (e *encoder) get(local int) { e.op(opLocalGet); e.unsigned(uint64(local)) }
func (e *encoder) set(local int) { e.op(opLocalSet); e.unsigned(uint64(local)) }
func (e *encoder) tee(local int) { e.op(opLocalTee); e.unsigned(uint64(local)) }

func (e *encoder) call(function int) { e.op(opCall); e.unsigned(uint64(function)) }

// memory is a load or store at the address on the stack plus offset. The address
// of a store lies below the value.
func (e *encoder) memory(op byte, offset uint32) { e.op(op, 0); e.unsigned(uint64(offset)) }

func (e *encoder) saturating(op byte) { e.op(opSaturating, op) }

func (e *encoder) vector(op uint32) { e.op(opVector); e.unsigned(uint64(op)) }

// vectorMemory is a load or store of a vector.
func (e *encoder) vectorMemory(op, offset uint32) { e.vector(op); e.op(0); e.unsigned(uint64(offset)) }

func (e *encoder) text(s string) { e.unsigned(uint64(len(s))); *e = append(*e, s...) }

// section is a part of a module, with its length in front.
func (e *encoder) section(id byte, body encoder) {
	e.op(id)
	e.unsigned(uint64(len(body)))
	*e = append(*e, body...)
}
