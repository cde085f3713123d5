package machine

import "github.com/ecsrun/ecsrun/luabind/internal/kernel"

// layout says where things lie in the frame of a kernel: the piece of memory
// through which host and code talk. Its address is the first argument of run.
type layout struct {
	numbers   uint32 // registers, 8 bytes each
	bools     uint32 // registers, 4 bytes each
	constants uint32 // 8 bytes each
	size      uint32
}

const (
	frameFuel = 0  // int64: what may be used up
	framePtr  = 16 // uint32 by walker: where its first row lies; run moves the first of them on to where it stopped

	mostWalkers   = 32
	mostConstants = 64
)

func layoutOf(p *kernel.Program) (l layout) {
	l.numbers = framePtr + 4*mostWalkers
	l.bools = l.numbers + 8*uint32(p.Numbers)
	l.constants = (l.bools + 4*uint32(p.Bools) + 7) &^ 7
	l.size = l.constants + 8*mostConstants
	return l
}

// What run returns: how it ended.
const (
	ended   = iota // all rows are done
	broke          // the last row that is done broke the loop
	failed         // a row was put back
	starved        // the fuel did not suffice for a row, which was not begun
)
