package machine

// function is code being written, with its locals.
type function struct {
	encoder
	params, results []byte
	locals          []byte // types, beyond the params
	depth           int    // blocks open
	turning         []bool // by open block: whether it is a loop

	// What compiling it takes grows with these: see cost.
	branches int // jumps, and blocks that can be left early or entered again
	loops    int // loops, each as often as it has loops around it, itself included
}

// local makes a local.
func (f *function) local(typ byte) int {
	f.locals = append(f.locals, typ)
	return len(f.params) + len(f.locals) - 1
}

// A label is a place to leave for: the end of a block, the start of a loop.
type label int

func (f *function) open(op, result byte) label {
	f.op(op, result)
	f.depth++
	f.branches++
	f.turning = append(f.turning, op == opLoop)
	if op == opLoop {
		for _, loop := range f.turning {
			if loop {
				f.loops++
			}
		}
	}
	return label(f.depth)
}

func (f *function) block() label { return f.open(opBlock, void) }
func (f *function) loop() label  { return f.open(opLoop, void) }

// then begins what is done if the number on the stack is not 0; result is what it
// leaves there, or void.
func (f *function) then(result byte) label { return f.open(opIf, result) }

func (f *function) otherwise() { f.op(opElse) }

func (f *function) end() {
	f.op(opEnd)
	f.depth--
	f.turning = f.turning[:f.depth]
}

func (f *function) jump(to label) { f.branch(opBr, to) }

func (f *function) jumpIf(to label) { f.branch(opBrIf, to) }

func (f *function) branch(op byte, to label) {
	f.op(op)
	f.unsigned(uint64(f.depth - int(to)))
	f.branches++
}

// bytes is the function as a module holds it.
func (f *function) bytes() []byte {
	var out encoder
	out.unsigned(uint64(len(f.locals)))
	for _, typ := range f.locals {
		out.op(1, typ)
	}
	return append(append(out, f.encoder...), opEnd)
}
