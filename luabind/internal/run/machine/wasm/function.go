package wasm

import "slices"

// Functions: instructions with locals and open blocks. Packages scalar, packing, nearby, pcg and fieldcode write
// into a Function; a Module takes it when it is complete.

// A Function is code that is being written, with its parameters, its locals and the blocks that are open. Locals
// are numbered, those of the parameters first. Every block must be closed by End before the Function goes into a
// [Module].
type Function struct {
	Encoder
	Params, Results []byte
	locals          []byte // types of the locals, without the parameters
	depth           int    // number of open blocks
	turning         []bool // for each open block: whether it is a loop

	// The time that wazero takes to compile a function grows with these.
	Branches int // jumps and blocks
	Loops    int // loops, each counted once for itself and once for each loop around it
}

// Local makes a local of a value type and returns its number.
func (f *Function) Local(typ byte) int {
	f.locals = append(f.locals, typ)
	return len(f.Params) + len(f.locals) - 1
}

// TypeOf returns the type of a local, which must not be a parameter.
func (f *Function) TypeOf(local int) byte { return f.locals[local-len(f.Params)] }

// A Label is the target of a jump: the end of a block, or the start of a loop. It is valid while its block is open.
type Label int

// open opens a block of any kind.
func (f *Function) open(op, result byte) Label {
	f.Op(op, result)
	f.depth++
	f.Branches++
	f.turning = append(f.turning, op == Loop)
	if op == Loop {
		for _, loop := range f.turning {
			if loop {
				f.Loops++
			}
		}
	}
	return Label(f.depth)
}

// Block opens a block, whose label is its end. It needs an End.
func (f *Function) Block() Label { return f.open(Block, Void) }

// Loop opens a loop, whose label is its start. It needs an End or an Again.
func (f *Function) Loop() Label { return f.open(Loop, Void) }

// Then begins the code that runs if the number on the stack is not 0. result is the type of the value that it
// leaves on the stack, or [Void]. It needs an End, with or without an Otherwise.
func (f *Function) Then(result byte) Label { return f.open(If, result) }

// Otherwise begins the code that runs if the number was 0.
func (f *Function) Otherwise() { f.Op(Else) }

// End closes the innermost open block.
func (f *Function) End() {
	f.Op(End)
	f.depth--
	f.turning = f.turning[:f.depth]
}

// Jump appends a jump to a label.
func (f *Function) Jump(to Label) { f.branch(Br, to) }

// JumpIf appends a jump to a label that is taken if the number on the stack is not 0.
func (f *Function) JumpIf(to Label) { f.branch(BrIf, to) }

// branch appends a jump. The format counts blocks from the inside.
func (f *Function) branch(op byte, to Label) {
	f.Op(op)
	f.unsigned(uint64(f.depth - int(to)))
	f.Branches++
}

// Insert inserts the code that write writes at a byte position of the function, where at is an earlier length of
// it.
func (f *Function) Insert(at int, write func()) {
	code := f.Encoder
	f.Encoder = nil
	write()
	f.Encoder = slices.Insert(code, at, f.Encoder...)
}

// bytes returns the function as the code section of a module holds it.
func (f *Function) bytes() []byte {
	var out Encoder
	out.unsigned(uint64(len(f.locals)))
	for _, typ := range f.locals {
		out.Op(1, typ)
	}
	return append(append(out, f.Encoder...), End)
}

// Again closes a loop that Loop has opened. The code begins the next iteration if the number on the stack is not 0.
// It uses an if with a jump in it, because wazero's compiler fuses a comparison with the branch of an if, and not
// with a br_if to the start of a loop.
func (f *Function) Again(top Label) {
	f.Then(Void)
	f.Jump(top)
	f.End()
	f.End()
}
