package wasm

import (
	"encoding/binary"
	"math"
)

// The binary format of instructions. Each method of an Encoder appends one instruction; the comments say what it
// does with the stack of the code.

// An Encoder is a piece of code in the binary format of WebAssembly, which its methods extend.
type Encoder []byte

// Op appends the bytes of instructions: opcodes, and operands of one byte.
func (e *Encoder) Op(bytes ...byte) { *e = append(*e, bytes...) }

// unsigned appends an unsigned number in the variable length of operands (LEB128).
func (e *Encoder) unsigned(v uint64) { *e = binary.AppendUvarint(*e, v) }

// signed appends a signed number in the variable length of operands.
func (e *Encoder) signed(v int64) {
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

// I32 puts a constant on the stack.
func (e *Encoder) I32(v int32) { e.Op(I32Const); e.signed(int64(v)) }

// I64 puts a constant on the stack.
func (e *Encoder) I64(v int64) { e.Op(I64Const); e.signed(v) }

// F64 puts a constant on the stack.
func (e *Encoder) F64(v float64) {
	e.Op(F64Const)
	*e = binary.LittleEndian.AppendUint64(*e, math.Float64bits(v))
}

// Get pushes the value of a local on the stack.
func (e *Encoder) Get(local int) { e.Op(LocalGet); e.unsigned(uint64(local)) }

// Set pops the value of a local from the stack.
func (e *Encoder) Set(local int) { e.Op(LocalSet); e.unsigned(uint64(local)) }

// Tee sets a local to the value on the stack, and leaves the value there.
func (e *Encoder) Tee(local int) { e.Op(LocalTee); e.unsigned(uint64(local)) }

// Call calls the function with a number. Imported functions are counted first: see [Module].
func (e *Encoder) Call(function int) { e.Op(Call); e.unsigned(uint64(function)) }

// Memory appends a load or store at the address on the stack plus offset. A store has its value on the stack, above
// the address.
func (e *Encoder) Memory(op byte, offset uint32) { e.Op(op, 0); e.unsigned(uint64(offset)) }

// Saturating appends a conversion to integers that never traps, such as [I32TruncSatF64S].
func (e *Encoder) Saturating(op byte) { e.Op(SaturatingPrefix, op) }

// Vector appends an instruction on vectors, such as [F64x2Add].
func (e *Encoder) Vector(op uint32) { e.Op(VectorPrefix); e.unsigned(uint64(op)) }

// VectorMemory appends a load or store of a vector.
func (e *Encoder) VectorMemory(op, offset uint32) { e.Vector(op); e.Op(0); e.unsigned(uint64(offset)) }

// text appends a string with its length before it.
func (e *Encoder) text(s string) { e.unsigned(uint64(len(s))); *e = append(*e, s...) }

// section appends a section of a module, with its length before it.
func (e *Encoder) section(id byte, body Encoder) {
	e.Op(id)
	e.unsigned(uint64(len(body)))
	*e = append(*e, body...)
}
