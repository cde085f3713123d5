package interp

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// Translated code: the data, and the translator that makes it. translate.go has the translation of each instruction
// of gopher-lua; run.go and execute.go execute what it makes.

// A code is a function of gopher-lua, translated for this interpreter. It is made once for each function and
// machine, at the first call, and belongs to that machine.
type code struct {
	proto      *lua.FunctionProto
	ins        []instruction
	start      []int32 // by pc of gopher-lua: index of the first instruction made of it
	constants  []Value
	sites      []site
	layouts    []*Layout // of the tables that it makes with known names
	size       int       // number of registers of a call
	below      int       // number of further registers for slots, below the others: see shape.go
	slotted    []slotted // where they are in use
	params     int
	clears     int // number of registers that have a value when a call begins: size, or params if the others are written before they are read
	vararg     bool
	needsArg   bool   // the function has a local "arg" with the extra arguments
	captures   bool   // functions made in it capture some of its registers
	order      *order // the function as the order of a sort; nil if it has to be called
	orderKnown bool   // order was looked for

	counted int64 // number of its instructions that the budget counts

	isCareful bool  // it is careful code, for the end of a budget: see budget.go
	other     *code // the same function as careful code, or as ordinary code; nil before it is needed
}

// An instruction is one of gopher-lua's, with decoded operands, or a step of one (see step). Registers are offsets
// in bytes from local 0, constants are offsets in bytes from the first constant.
type instruction struct {
	op      opcode
	step    bool  // it is a part of the instruction before it, and the budget does not count it
	flag    bool  // of comparisons and tests: the result that jumps; of opCall: only a field of the result is read
	a, b, c int32 // the operands, whose meaning depends on op
	site    int32 // index in code.sites; for comparisons and tests: where they go if they do not jump
	add     int32 // what a jump adds to Machine.left
	before  int32 // number of counted instructions before it
	pc      int32 // pc of the instruction of gopher-lua
}

// next returns the instruction behind another one, which is not the last one.
func (in *instruction) next() *instruction {
	return (*instruction)(unsafe.Add(unsafe.Pointer(in), instructionSize))
}

const (
	valueSize       = int32(unsafe.Sizeof(Value{}))
	instructionSize = unsafe.Sizeof(instruction{})
)

// A site is what an instruction remembers from its last execution. It only saves time: what it remembers is checked
// before it is used.
type site struct {
	proto *lua.FunctionProto // CALL: the function that was called
	code  *code
	field Field       // GETTABLEKS, SETTABLEKS: of an Object
	bases bases       // GETTABLEKS, SELF: of a table
	table *lua.LTable // TFORLOOP over pairs: the table
	index int         // TFORLOOP over pairs: the index of the last key
	shape *shapeSite  // opCallShape, opReturnShape, opTailCall
}

// An opcode says what an instruction does. The comments name the operands a, b and c of the instruction.
type opcode uint16

const (
	opSlow opcode = iota // gopher-lua executes the instruction
	opMove
	opLoadK
	opLoadBool
	opLoadBoolSkip
	opLoadNil
	opGetUpval
	opSetUpval
	opGetGlobal
	opGetTable
	opGetTableK
	opGetField
	opSetTable   // a[b] = c, all registers
	opSetTableK  // a[register b] = constant c
	opSetTableAt // a[constant b] = register c
	opSetTableAtK
	opSetField // a.constant b = register c
	opSetFieldK
	opNewTable
	opAllocate   // the price of a constructor that makes no table: see shape.go
	opNewLaidOut // a = a new table with layout site, room for b list items
	opInitField  // field b of layout site, of the table in a = register c
	opInitFieldK
	opSelf
	opAdd
	opAddK // register, constant
	opKAdd // constant, register
	opSub
	opSubK
	opKSub
	opMul
	opMulK
	opKMul
	opDiv
	opDivK
	opKDiv
	opMod
	opModK
	opKMod
	opPow
	opPowK
	opKPow
	opUnm
	opNot
	opLen
	opJmp
	opEq
	opEqK
	opLt
	opLtK
	opKLt
	opLe
	opLeK
	opKLe
	opTest
	opTestSet
	opCall
	opTailCall
	opReturn
	opForLoop
	opForPrep
	opTForCall
	opTForTest
	opSetList
	opClose
	opClosure
	opVararg
	opNop
	opLoadBox  // register a = the captured variable in it
	opStoreBox // the captured variable in register a = its register
	opLoadBoxes
	opStoreBoxes
	opForLoopBox  // opForLoop whose variable is captured
	opCheck       // asks the budget for one more instruction
	opReturnShape // opReturn of a constructor
	opCallShape   // opCall whose last argument is a constructor: see shape.go
)
