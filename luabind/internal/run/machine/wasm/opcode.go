package wasm

// The numbers of value types and instructions that this program uses, as the specification of WebAssembly names
// them.

// Value types.
const (
	I32  = 0x7f
	I64  = 0x7e
	F64  = 0x7c
	V128 = 0x7b

	Void = 0x40 // of a block that leaves nothing
)

// Instructions, named as in the specification of WebAssembly.
const (
	Unreachable = 0x00
	Block       = 0x02
	Loop        = 0x03
	If          = 0x04
	Else        = 0x05
	End         = 0x0b
	Br          = 0x0c
	BrIf        = 0x0d
	Return      = 0x0f
	Call        = 0x10
	Drop        = 0x1a
	LocalGet    = 0x20
	LocalSet    = 0x21
	LocalTee    = 0x22

	I32Load    = 0x28
	I64Load    = 0x29
	F32Load    = 0x2a
	F64Load    = 0x2b
	I32Load8S  = 0x2c
	I32Load8U  = 0x2d
	I32Load16S = 0x2e
	I32Load16U = 0x2f
	I32Store   = 0x36
	I64Store   = 0x37
	F32Store   = 0x38
	F64Store   = 0x39
	I32Store8  = 0x3a
	I32Store16 = 0x3b

	I32Const = 0x41
	I64Const = 0x42
	F64Const = 0x44

	I32Eqz  = 0x45
	I32Eq   = 0x46
	I32Ne   = 0x47
	I32LtS  = 0x48
	I32LtU  = 0x49
	I32GtS  = 0x4a
	I32GtU  = 0x4b
	I32LeS  = 0x4c
	I32LeU  = 0x4d
	I32GeS  = 0x4e
	I32GeU  = 0x4f
	I64Eqz  = 0x50
	I64Ctz  = 0x7a
	I64Eq   = 0x51
	I64Ne   = 0x52
	I64LtS  = 0x53
	I64LtU  = 0x54
	I64GtS  = 0x55
	I64GeS  = 0x59
	F64Eq   = 0x61
	F64Ne   = 0x62
	F64Lt   = 0x63
	F64Gt   = 0x64
	F64Le   = 0x65
	F64Ge   = 0x66
	I32Add  = 0x6a
	I32Sub  = 0x6b
	I32Mul  = 0x6c
	I32DivU = 0x6e
	I32And  = 0x71
	I32Or   = 0x72
	I32Xor  = 0x73
	I32Shl  = 0x74
	I32ShrS = 0x75
	I32ShrU = 0x76
	I32Rotl = 0x77
	I32Rotr = 0x78
	I64Add  = 0x7c
	I64Sub  = 0x7d
	I64Mul  = 0x7e
	I64DivU = 0x80
	I64RemU = 0x82
	I64And  = 0x83
	I64Or   = 0x84
	I64Xor  = 0x85
	I64Shl  = 0x86
	I64ShrU = 0x88

	F64Abs     = 0x99
	F64Neg     = 0x9a
	F64Ceil    = 0x9b
	F64Floor   = 0x9c
	F64Trunc   = 0x9d
	F64Nearest = 0x9e
	F64Sqrt    = 0x9f
	F64Add     = 0xa0
	F64Sub     = 0xa1
	F64Mul     = 0xa2
	F64Div     = 0xa3
	F64Min     = 0xa4
	F64Max     = 0xa5

	I32WrapI64        = 0xa7
	I64ExtendI32U     = 0xad
	F32DemoteF64      = 0xb6
	F64ConvertI32S    = 0xb7
	F64ConvertI32U    = 0xb8
	F64ConvertI64S    = 0xb9
	F64PromoteF32     = 0xbb
	I64ReinterpretF64 = 0xbd
	F64ReinterpretI64 = 0xbf
	I32Extend8S       = 0xc0
	I32Extend16S      = 0xc1

	SaturatingPrefix = 0xfc
	VectorPrefix     = 0xfd
)

// Conversions that saturate, for [Encoder.Saturating].
const (
	I32TruncSatF64S = 2
	I32TruncSatF64U = 3
	I64TruncSatF64S = 6
)

// Instructions on vectors, for [Encoder.Vector].
const (
	V128Load             = 0x00
	V128Store            = 0x0b
	I64x2Splat           = 0x12
	F64x2Splat           = 0x14
	I64x2ExtractLane     = 0x1d
	I64x2ReplaceLane     = 0x1e
	F64x2ExtractLane     = 0x21
	F64x2ReplaceLane     = 0x22
	F64x2Eq              = 0x47
	F64x2Lt              = 0x49
	F64x2Le              = 0x4b
	V128Not              = 0x4d
	V128And              = 0x4e
	V128AndNot           = 0x4f
	V128Or               = 0x50
	V128Xor              = 0x51
	V128Bitselect        = 0x52
	V128Load64Zero       = 0x5d
	F32x4DemoteF64x2Zero = 0x5e
	F64x2PromoteLowF32x4 = 0x5f
	I8x16Bitmask         = 0x64
	I8x16NarrowI16x8S    = 0x65
	F64x2Ceil            = 0x74
	F64x2Floor           = 0x75
	I16x8NarrowI32x4S    = 0x85
	F64x2Abs             = 0xec
	F64x2Neg             = 0xed
	F64x2Sqrt            = 0xef
	F64x2Add             = 0xf0
	F64x2Mul             = 0xf2
	F64x2Div             = 0xf3
	F64x2PMin            = 0xf6
	F64x2PMax            = 0xf7
)
