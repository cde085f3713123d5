package wasm

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
)

// The printer of modules, for `ecsrun explain --dump` and for tests that record code. It decodes the bytes that the
// rest of this package has written.

// Dump returns the last function of a module, which is the one that the host calls, in the text format of
// WebAssembly: one instruction a line, indented by blocks. The module must be one that [Module.Bytes] has written.
// An instruction without a name here is a bug, and panics.
func Dump(module []byte) string {
	d := decoder{rest: module[8:]}
	for d.byte() != sectionCode {
		n := d.unsigned()
		d.rest = d.rest[n:]
	}
	d.unsigned() // bytes of the section, which is the last
	number := d.unsigned() - 1
	for range number {
		n := d.unsigned()
		d.rest = d.rest[n:]
	}
	d.unsigned() // bytes of the function
	var out strings.Builder
	fmt.Fprintf(&out, "function run(i32, i32) i32\n")
	local := 2
	for range d.unsigned() {
		n, typ := d.unsigned(), d.byte()
		for range n {
			fmt.Fprintf(&out, "  local %d %s\n", local, typeName(typ))
			local++
		}
	}
	for depth := 1; depth > 0; {
		op, text := d.instruction()
		if op == End || op == Else {
			depth--
		}
		fmt.Fprintf(&out, "%s%s\n", strings.Repeat("  ", depth), text)
		if op == Block || op == Loop || op == If || op == Else {
			depth++
		}
	}
	return out.String()
}

// typeName returns the name of a value type.
func typeName(typ byte) string {
	name, ok := map[byte]string{I32: "i32", I64: "i64", F64: "f64", V128: "v128"}[typ]
	if !ok {
		panic(fmt.Sprintf("machine: a value of type %#x", typ))
	}
	return name
}

// A decoder reads what an [Encoder] has written.
type decoder struct{ rest []byte }

func (d *decoder) byte() byte {
	b := d.rest[0]
	d.rest = d.rest[1:]
	return b
}

// unsigned reads an unsigned number of variable length (LEB128).
func (d *decoder) unsigned() uint64 {
	v, n := binary.Uvarint(d.rest)
	d.rest = d.rest[n:]
	return v
}

// signed reads a signed number of variable length.
func (d *decoder) signed() (v int64) {
	for shift := 0; ; shift += 7 {
		b := d.byte()
		v |= int64(b&0x7f) << shift
		if b&0x80 == 0 {
			if shift += 7; shift < 64 && b&0x40 != 0 {
				v |= -1 << shift
			}
			return v
		}
	}
}

// instruction reads one instruction, with its operands.
func (d *decoder) instruction() (op byte, text string) {
	op = d.byte()
	name, ok := instructionNames[op]
	switch {
	case op == SaturatingPrefix:
		sub := d.byte()
		name, ok = saturatingNames[sub]
		if !ok {
			panic(fmt.Sprintf("machine: saturating instruction %d has no name", sub))
		}
		return op, name
	case op == VectorPrefix:
		return op, d.vector()
	case !ok:
		panic(fmt.Sprintf("machine: instruction %#x has no name", op))
	}
	switch op {
	case Block, Loop, If:
		if typ := d.byte(); typ != Void {
			name += " " + typeName(typ)
		}
	case Br, BrIf, Call, LocalGet, LocalSet, LocalTee:
		name += fmt.Sprint(" ", d.unsigned())
	case I32Const, I64Const:
		name += fmt.Sprint(" ", d.signed())
	case F64Const:
		name += fmt.Sprint(" ", math.Float64frombits(binary.LittleEndian.Uint64(d.rest)))
		d.rest = d.rest[8:]
	}
	if op >= I32Load && op <= I32Store16 {
		name += d.offset()
	}
	return op, name
}

// offset reads the operands of a load or store, and returns the offset as text.
func (d *decoder) offset() string {
	d.unsigned() // alignment
	return fmt.Sprint(" offset=", d.unsigned())
}

// vector reads the rest of an instruction on vectors, after the prefix.
func (d *decoder) vector() string {
	op := uint32(d.unsigned())
	name, ok := vectorNames[op]
	if !ok {
		panic(fmt.Sprintf("machine: vector instruction %#x has no name", op))
	}
	switch op {
	case V128Load, V128Store, V128Load64Zero:
		return name + d.offset()
	case I64x2ExtractLane, I64x2ReplaceLane, F64x2ExtractLane, F64x2ReplaceLane:
		return name + fmt.Sprint(" ", d.byte())
	}
	return name
}

// The names of instructions in the text format, by opcode. An instruction that code uses needs a name here.
var instructionNames = map[byte]string{
	Unreachable: "unreachable", Block: "block", Loop: "loop", If: "if", Else: "else", End: "end", Br: "br", BrIf: "br_if",
	Return: "return", Call: "call", Drop: "drop", LocalGet: "local.get", LocalSet: "local.set", LocalTee: "local.tee",
	I32Load: "i32.load", I64Load: "i64.load", F32Load: "f32.load", F64Load: "f64.load",
	I32Load8S: "i32.load8_s", I32Load8U: "i32.load8_u", I32Load16S: "i32.load16_s", I32Load16U: "i32.load16_u",
	I32Store: "i32.store", I64Store: "i64.store", F32Store: "f32.store", F64Store: "f64.store", I32Store8: "i32.store8", I32Store16: "i32.store16",
	I32Const: "i32.const", I64Const: "i64.const", F64Const: "f64.const",
	I32Eqz: "i32.eqz", I32Eq: "i32.eq", I32Ne: "i32.ne", I32LtS: "i32.lt_s", I32LtU: "i32.lt_u", I32GtS: "i32.gt_s", I32GtU: "i32.gt_u",
	I32LeS: "i32.le_s", I32LeU: "i32.le_u", I32GeS: "i32.ge_s", I32GeU: "i32.ge_u",
	I64Eqz: "i64.eqz", I64Ctz: "i64.ctz", I64Eq: "i64.eq", I64LtS: "i64.lt_s", I64LtU: "i64.lt_u", I64GtS: "i64.gt_s", I64GeS: "i64.ge_s",
	F64Eq: "f64.eq", F64Ne: "f64.ne", F64Lt: "f64.lt", F64Gt: "f64.gt", F64Le: "f64.le", F64Ge: "f64.ge",
	I32Add: "i32.add", I32Sub: "i32.sub", I32Mul: "i32.mul", I32DivU: "i32.div_u", I32And: "i32.and", I32Or: "i32.or", I32Xor: "i32.xor",
	I64Ne: "i64.ne", I32Shl: "i32.shl", I32ShrU: "i32.shr_u", I32ShrS: "i32.shr_s", I32Rotl: "i32.rotl", I32Rotr: "i32.rotr",
	I64Add: "i64.add", I64Sub: "i64.sub", I64Mul: "i64.mul", I64DivU: "i64.div_u", I64RemU: "i64.rem_u", I64And: "i64.and", I64Or: "i64.or",
	I64Xor: "i64.xor", I64Shl: "i64.shl", I64ShrU: "i64.shr_u",
	F64Abs: "f64.abs", F64Neg: "f64.neg", F64Ceil: "f64.ceil", F64Floor: "f64.floor", F64Trunc: "f64.trunc", F64Nearest: "f64.nearest",
	F64Sqrt: "f64.sqrt", F64Add: "f64.add", F64Sub: "f64.sub", F64Mul: "f64.mul", F64Div: "f64.div", F64Min: "f64.min", F64Max: "f64.max",
	I32WrapI64: "i32.wrap_i64", I64ExtendI32U: "i64.extend_i32_u", F32DemoteF64: "f32.demote_f64", F64ConvertI32S: "f64.convert_i32_s",
	F64ConvertI32U: "f64.convert_i32_u", F64ConvertI64S: "f64.convert_i64_s", F64PromoteF32: "f64.promote_f32",
	I64ReinterpretF64: "i64.reinterpret_f64", F64ReinterpretI64: "f64.reinterpret_i64", I32Extend8S: "i32.extend8_s", I32Extend16S: "i32.extend16_s",
}

var saturatingNames = map[byte]string{I32TruncSatF64S: "i32.trunc_sat_f64_s", I32TruncSatF64U: "i32.trunc_sat_f64_u", I64TruncSatF64S: "i64.trunc_sat_f64_s"}

var vectorNames = map[uint32]string{
	V128Load: "v128.load", V128Store: "v128.store", V128Load64Zero: "v128.load64_zero", I64x2Splat: "i64x2.splat", F64x2Splat: "f64x2.splat",
	I64x2ExtractLane: "i64x2.extract_lane", I64x2ReplaceLane: "i64x2.replace_lane", F64x2ExtractLane: "f64x2.extract_lane", F64x2ReplaceLane: "f64x2.replace_lane",
	F64x2Eq: "f64x2.eq", F64x2Lt: "f64x2.lt", F64x2Lt + 1: "f64x2.gt", F64x2Le: "f64x2.le", F64x2Le + 1: "f64x2.ge", F64x2Eq + 1: "f64x2.ne",
	V128Not: "v128.not", V128And: "v128.and", V128AndNot: "v128.andnot", V128Or: "v128.or", V128Xor: "v128.xor", V128Bitselect: "v128.bitselect",
	F32x4DemoteF64x2Zero: "f32x4.demote_f64x2_zero", F64x2PromoteLowF32x4: "f64x2.promote_low_f32x4", I8x16Bitmask: "i8x16.bitmask", I8x16NarrowI16x8S: "i8x16.narrow_i16x8_s",
	I16x8NarrowI32x4S: "i16x8.narrow_i32x4_s", F64x2Ceil: "f64x2.ceil", F64x2Floor: "f64x2.floor", F64x2Abs: "f64x2.abs", F64x2Neg: "f64x2.neg", F64x2Sqrt: "f64x2.sqrt",
	F64x2Add: "f64x2.add", F64x2Add + 1: "f64x2.sub", F64x2Mul: "f64x2.mul", F64x2Div: "f64x2.div", F64x2PMin: "f64x2.pmin", F64x2PMax: "f64x2.pmax",
}
