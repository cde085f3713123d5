package wasm

import "slices"

// A Function is code that is being written, with its parameters, locals and open blocks. A local is known by its
// number; those of parameters come first.
type Function struct {
	Encoder
	Params, Results []byte
	locals          []byte // types, without the parameters
	depth           int    // open blocks
	turning         []bool // by open block: whether it is a loop

	// What wazero takes to compile a function grows with these.
	Branches int // jumps and blocks
	Loops    int // loops, each counted once for itself and once for each loop around it
}

// Local makes a local of a value type and returns its number.
func (f *Function) Local(typ byte) int {
	f.locals = append(f.locals, typ)
	return len(f.Params) + len(f.locals) - 1
}

// TypeOf is the type of a local.
func (f *Function) TypeOf(local int) byte { return f.locals[local-len(f.Params)] }

// A Label is where a jump goes: the end of a block, or the start of a loop. It is valid while its block is open.
type Label int

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

// Block opens a block, and Loop a loop. Each needs an End.
func (f *Function) Block() Label { return f.open(Block, Void) }
func (f *Function) Loop() Label  { return f.open(Loop, Void) }

// Then begins what is done if the number on the stack is not 0. result is the type that it leaves on the stack, or
// [Void]. It needs an End, with or without an Otherwise.
func (f *Function) Then(result byte) Label { return f.open(If, result) }

// Otherwise begins what is done if the number was 0.
func (f *Function) Otherwise() { f.Op(Else) }

// End closes the innermost open block.
func (f *Function) End() {
	f.Op(End)
	f.depth--
	f.turning = f.turning[:f.depth]
}

// Jump goes to a label.
func (f *Function) Jump(to Label) { f.branch(Br, to) }

// JumpIf goes to a label if the number on the stack is not 0.
func (f *Function) JumpIf(to Label) { f.branch(BrIf, to) }

func (f *Function) branch(op byte, to Label) {
	f.Op(op)
	f.unsigned(uint64(f.depth - int(to)))
	f.Branches++
}

// Insert puts the code that write writes in where the function had that many bytes.
func (f *Function) Insert(at int, write func()) {
	code := f.Encoder
	f.Encoder = nil
	write()
	f.Encoder = slices.Insert(code, at, f.Encoder...)
}

// bytes is the function as a module holds it.
func (f *Function) bytes() []byte {
	var out Encoder
	out.unsigned(uint64(len(f.locals)))
	for _, typ := range f.locals {
		out.Op(1, typ)
	}
	return append(append(out, f.Encoder...), End)
}

// Again ends a loop that Loop has begun: it begins the next iteration if the number on the stack is not 0. The compiler fuses a
// comparison with the branch of an if, not with a br_if to the start of a loop.
func (f *Function) Again(top Label) {
	f.Then(Void)
	f.Jump(top)
	f.End()
	f.End()
}
