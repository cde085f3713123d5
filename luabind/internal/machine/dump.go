package machine

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
)

// Dump writes what Compile makes of a Program as text, for a reader: the module that wazero gets, an instruction a line, in the names of the WebAssembly text format. Functions of Lua's math
// library are left out; host functions and those are called by number. The error is that of [Compile] where there is no code.
func Dump(p *kernel.Program, q *ecs.Query, w *ecs.World) (string, error) {
	u, err := emitFor(p, q, w, forms, false)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	how := "row by row"
	if u.packed {
		how = "several rows at a time"
	}
	fmt.Fprintf(&out, "module of %d bytes, %s\n", len(u.code), how)
	for i, c := range u.constants {
		fmt.Fprintf(&out, "constant %d: %v\n", i, c)
	}
	for i, f := range hostFunctions {
		fmt.Fprintf(&out, "function %d: %s of the host\n", i, f.name)
	}
	out.WriteString(dumpRun(u.code))
	return out.String(), nil
}

// dumpRun writes the last function of a module, which is the one that the host calls, in the text format: an instruction a line, indented by blocks.
func dumpRun(module []byte) string {
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
		if op == opEnd || op == opElse {
			depth--
		}
		fmt.Fprintf(&out, "%s%s\n", strings.Repeat("  ", depth), text)
		if op == opBlock || op == opLoop || op == opIf || op == opElse {
			depth++
		}
	}
	return out.String()
}

func typeName(typ byte) string {
	name, ok := map[byte]string{i32: "i32", i64: "i64", f64: "f64", v128: "v128"}[typ]
	if !ok {
		panic(fmt.Sprintf("machine: a value of type %#x", typ))
	}
	return name
}

// A decoder reads instructions that an [encoder] has written.
type decoder struct{ rest []byte }

func (d *decoder) byte() byte {
	b := d.rest[0]
	d.rest = d.rest[1:]
	return b
}

func (d *decoder) unsigned() uint64 {
	v, n := binary.Uvarint(d.rest)
	d.rest = d.rest[n:]
	return v
}

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
	case op == opSaturating:
		sub := d.byte()
		name, ok = saturatingNames[sub]
		if !ok {
			panic(fmt.Sprintf("machine: saturating instruction %d has no name", sub))
		}
		return op, name
	case op == opVector:
		return op, d.vector()
	case !ok:
		panic(fmt.Sprintf("machine: instruction %#x has no name", op))
	}
	switch op {
	case opBlock, opLoop, opIf:
		if typ := d.byte(); typ != void {
			name += " " + typeName(typ)
		}
	case opBr, opBrIf, opCall, opLocalGet, opLocalSet, opLocalTee:
		name += fmt.Sprint(" ", d.unsigned())
	case opI32Const, opI64Const:
		name += fmt.Sprint(" ", d.signed())
	case opF64Const:
		name += fmt.Sprint(" ", math.Float64frombits(binary.LittleEndian.Uint64(d.rest)))
		d.rest = d.rest[8:]
	}
	if op >= opI32Load && op <= opI32Store16 {
		name += d.offset()
	}
	return op, name
}

// offset reads the operands of a load or store.
func (d *decoder) offset() string {
	d.unsigned() // alignment
	return fmt.Sprint(" offset=", d.unsigned())
}

// vector reads the rest of an instruction on vectors.
func (d *decoder) vector() string {
	op := uint32(d.unsigned())
	name, ok := vectorNames[op]
	if !ok {
		panic(fmt.Sprintf("machine: vector instruction %#x has no name", op))
	}
	switch op {
	case vecLoad, vecStore, vecLoad64Zero:
		return name + d.offset()
	case vecI64x2Lane, vecI64x2Replace, vecF64x2Lane, vecF64x2Replace:
		return name + fmt.Sprint(" ", d.byte())
	}
	return name
}

var instructionNames = map[byte]string{
	opUnreachable: "unreachable", opBlock: "block", opLoop: "loop", opIf: "if", opElse: "else", opEnd: "end", opBr: "br", opBrIf: "br_if",
	opReturn: "return", opCall: "call", opDrop: "drop", opLocalGet: "local.get", opLocalSet: "local.set", opLocalTee: "local.tee",
	opI32Load: "i32.load", opI64Load: "i64.load", opF32Load: "f32.load", opF64Load: "f64.load",
	opI32Load8S: "i32.load8_s", opI32Load8U: "i32.load8_u", opI32Load16S: "i32.load16_s", opI32Load16U: "i32.load16_u",
	opI32Store: "i32.store", opI64Store: "i64.store", opF32Store: "f32.store", opF64Store: "f64.store", opI32Store8: "i32.store8", opI32Store16: "i32.store16",
	opI32Const: "i32.const", opI64Const: "i64.const", opF64Const: "f64.const",
	opI32Eqz: "i32.eqz", opI32Eq: "i32.eq", opI32Ne: "i32.ne", opI32LtS: "i32.lt_s", opI32LtU: "i32.lt_u", opI32GtS: "i32.gt_s", opI32GtU: "i32.gt_u",
	opI32LeS: "i32.le_s", opI32LeU: "i32.le_u", opI32GeS: "i32.ge_s", opI32GeU: "i32.ge_u",
	opI64Eqz: "i64.eqz", opI64Ctz: "i64.ctz", opI64Eq: "i64.eq", opI64LtS: "i64.lt_s", opI64LtU: "i64.lt_u", opI64GtS: "i64.gt_s", opI64GeS: "i64.ge_s",
	opF64Eq: "f64.eq", opF64Ne: "f64.ne", opF64Lt: "f64.lt", opF64Gt: "f64.gt", opF64Le: "f64.le", opF64Ge: "f64.ge",
	opI32Add: "i32.add", opI32Sub: "i32.sub", opI32Mul: "i32.mul", opI32DivU: "i32.div_u", opI32And: "i32.and", opI32Or: "i32.or", opI32Xor: "i32.xor",
	opI32Shl: "i32.shl", opI32ShrU: "i32.shr_u",
	opI64Add: "i64.add", opI64Sub: "i64.sub", opI64Mul: "i64.mul", opI64DivU: "i64.div_u", opI64RemU: "i64.rem_u", opI64And: "i64.and", opI64Or: "i64.or",
	opI64Xor: "i64.xor", opI64Shl: "i64.shl", opI64ShrU: "i64.shr_u",
	opF64Abs: "f64.abs", opF64Neg: "f64.neg", opF64Ceil: "f64.ceil", opF64Floor: "f64.floor", opF64Trunc: "f64.trunc", opF64Nearest: "f64.nearest",
	opF64Sqrt: "f64.sqrt", opF64Add: "f64.add", opF64Sub: "f64.sub", opF64Mul: "f64.mul", opF64Div: "f64.div", opF64Min: "f64.min", opF64Max: "f64.max",
	opI32WrapI64: "i32.wrap_i64", opI64ExtendI32U: "i64.extend_i32_u", opF32DemoteF64: "f32.demote_f64", opF64ConvertI32S: "f64.convert_i32_s",
	opF64ConvertI32U: "f64.convert_i32_u", opF64ConvertI64S: "f64.convert_i64_s", opF64PromoteF32: "f64.promote_f32",
	opI64ReinterpretF64: "i64.reinterpret_f64", opF64ReinterpretI64: "f64.reinterpret_i64", opI32Extend8S: "i32.extend8_s", opI32Extend16S: "i32.extend16_s",
}

var saturatingNames = map[byte]string{satI32F64S: "i32.trunc_sat_f64_s", satI32F64U: "i32.trunc_sat_f64_u", satI64F64S: "i64.trunc_sat_f64_s"}

var vectorNames = map[uint32]string{
	vecLoad: "v128.load", vecStore: "v128.store", vecLoad64Zero: "v128.load64_zero", vecI64x2Splat: "i64x2.splat", vecF64x2Splat: "f64x2.splat",
	vecI64x2Lane: "i64x2.extract_lane", vecI64x2Replace: "i64x2.replace_lane", vecF64x2Lane: "f64x2.extract_lane", vecF64x2Replace: "f64x2.replace_lane",
	vecEqual: "f64x2.eq", vecLess: "f64x2.lt", vecLess + 1: "f64x2.gt", vecLessEqual: "f64x2.le", vecLessEqual + 1: "f64x2.ge", vecEqual + 1: "f64x2.ne",
	vecNot: "v128.not", vecAnd: "v128.and", vecAndNot: "v128.andnot", vecOr: "v128.or", vecXor: "v128.xor", vecBitselect: "v128.bitselect",
	vecDemote: "f32x4.demote_f64x2_zero", vecPromote: "f64x2.promote_low_f32x4", vecBits: "i8x16.bitmask", vecNarrow16: "i8x16.narrow_i16x8_s",
	vecNarrow32: "i16x8.narrow_i32x4_s", vecCeil: "f64x2.ceil", vecFloor: "f64x2.floor", vecAbs: "f64x2.abs", vecNeg: "f64x2.neg", vecSqrt: "f64x2.sqrt",
	vecAdd: "f64x2.add", vecAdd + 1: "f64x2.sub", vecMul: "f64x2.mul", vecDiv: "f64x2.div", vecF64x2PMin: "f64x2.pmin", vecF64x2PMax: "f64x2.pmax",
}
