package machine

import "github.com/ecsrun/ecsrun/luabind/internal/ir"

// layout says where things lie in the frame of a kernel: the piece of memory
// through which host and code talk. Its address is the first argument of run.
type layout struct {
	numbers   uint32 // registers, 8 bytes each
	bools     uint32 // registers, 4 bytes each
	texts     uint32 // registers, 4 bytes each
	constants uint32 // 8 bytes each
	results   uint32 // of a return, 8 bytes each
	words     uint32 // 4 bytes each
	nears     uint32 // a grid view each
	random    uint32 // the stream of random numbers, twice
	size      uint32
}

const (
	frameFuel = 0  // int64: what may be used up
	frameSite = 8  // uint32: which return ended the loop
	frameRing = 12 // uint32: behind the last record of an effect
	frameLog  = 16 // uint32: behind the last record of a store
	frameUndo = 20 // uint32: behind that, when the last row began
	frameMask = 24 // uint64: which rows, where those are some of 64 (bit 0 is set)
	framePtr  = 32 // uint32 by walker: where its first row lies; run moves the first of them on to where it stopped

	mostWalkers   = 32
	mostConstants = 64
	mostResults   = 16
)

func layoutOf(p *ir.Program) (l layout) {
	l.numbers = framePtr + 4*mostWalkers
	l.bools = l.numbers + 8*uint32(p.Numbers)
	l.texts = l.bools + 4*uint32(p.Bools)
	l.constants = (l.texts + 4*uint32(p.Texts) + 7) &^ 7
	l.results = l.constants + 8*mostConstants
	l.words = l.results + 8*mostResults
	l.nears = (l.words + 4*mostWords + 7) &^ 7
	l.random = (l.nears + gridViewSize*nears(p) + 7) &^ 7
	l.size = l.random + streamSize
	return l
}

// What run returns: how it ended.
const (
	ended    = iota // all rows are done
	broke           // the last row that is done broke the loop
	returned        // the last row that is done returned
	failed          // a row was put back
	filled          // there is no room to record the effects of a row, which was not begun
	starved         // the fuel did not suffice for a row, which was not begun
)
