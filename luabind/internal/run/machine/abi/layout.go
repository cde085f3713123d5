package abi

import "github.com/ecsrun/ecsrun/luabind/internal/compile/ir"

// The frame: the record in linear memory through which host and code talk. Numbers are offsets in bytes from the
// address of the frame. The fixed part comes first; the rest depends on the Program (Layout).

// The arguments of run, by local.
const (
	ArgFrame = iota // address of the frame
	ArgRows         // how many rows there are to do
)

// Limits of a Program and of a call.
const (
	MostViews = 16      // views of a query loop, with those of queries within
	MostRows  = 1 << 14 // rows of a call; what bounds its time is the fuel
	Grain     = 1 << 16 // units of fuel that are granted at a time
	MostMasks = MostRows / 64
	MarkSize  = 1 // bytes of the mark of a row: a bit for each view that only some rows store
)

// A Layout says where things are in the frame of a kernel. The address of the frame is the first argument of run.
// The host computes the Layout with LayoutOf, and code has its numbers as constants.
type Layout struct {
	Numbers   uint32 // registers, 8 bytes each
	Bools     uint32 // registers, 4 bytes each
	Texts     uint32 // registers, 4 bytes each
	Constants uint32 // 8 bytes each
	Results   uint32 // values of a return, 8 bytes each
	Words     uint32 // 4 bytes each
	Nears     uint32 // one GridView for each loop over near entities
	Random    uint32 // the state of the random stream, and its state before the row
	Missing   uint32 // why a row failed for which the host is to find a key of a table: see MissingTable
	Size      uint32
}

const (
	FrameFuel = 0  // int64: fuel that is left
	FrameSite = 8  // uint32: the number of the return that ended the loop
	FrameRing = 12 // uint32: after the last record of an effect
	FrameLog  = 16 // uint32: after the last record of a store
	FrameUndo = 20 // uint32: the end of the log when the last row began
	FrameMask = 24 // uint32: the address of masks, if only some rows of the call are to be done: one bit for each row, from the first one on
	FramePtr  = 32 // uint32 for each walker: address of its first row; run moves the first walker to where it stopped

	MostWalkers   = 32
	MostConstants = 64
	MostResults   = 16
)

// LayoutOf returns the layout of the frame of a Program.
func LayoutOf(p *ir.Program) (l Layout) {
	l.Numbers = FramePtr + 4*MostWalkers
	l.Bools = l.Numbers + 8*uint32(p.Numbers)
	l.Texts = l.Bools + 4*uint32(p.Bools)
	l.Constants = (l.Texts + 4*uint32(p.Texts) + 7) &^ 7
	l.Results = l.Constants + 8*MostConstants
	l.Words = l.Results + 8*MostResults
	l.Nears = (l.Words + 4*MostWords + 7) &^ 7
	l.Random = (l.Nears + GridViewSize*CountNear(p) + 7) &^ 7
	l.Missing = l.Random + streamSize
	l.Size = l.Sources() + SourceList*countSources(p)
	if CallsOnTexts(p) {
		l.Size += callArea
	}
	return l
}

// Sources returns where the lists of loops over sources are: see SourceStart.
func (l Layout) Sources() uint32 { return l.Missing + missingSize }

// What run returns: how it ended.
const (
	Ended    = iota // all rows are done
	Broke           // the last finished row left the loop by break
	Returned        // the last finished row left the loop by return
	Failed          // a row was restored
	Filled          // there is no room to record the effects of a row, which was not begun
	Starved         // the fuel did not suffice for a row, which was not begun
)

// ElementWidth returns the number of values of each element of a table.
func ElementWidth(t *ir.Table) int { return max(1, len(t.Members)) }

// What a nested query loop walks is a list of tables: for each the number of rows,
// the address of the handles, and that of each view's first row, 0 for one that is
// nil.
const (
	WalkedRows     = 0
	WalkedEntities = 4
	WalkedViews    = 8
)

// A row stops as if it had failed where it needs a key of a keyed table that the host has not looked up yet, or where there
// is no room for a new key. It says so at Layout.Missing. The host looks the key up, or makes room, and the row is run again.
const (
	MissingTable = 0 // uint32: 1 + the index of the keyed table; 0: a row that failed needs nothing; MissingLayer + the index of a layer
	MissingKey   = 8 // float64: the key, or the cell whose page is to be opened; of a pair, its second part stands after it
	MissingLayer = 1 << 31
	MissingFuel  = 24 // int64: the fuel that was left when the row began, if it has inner loops
	missingSize  = 32
)

// The list that the host makes for a loop over sources: handles of entities.
const (
	SourceStart = 0 // uint32: address
	SourceCount = 4 // uint32
	SourceList  = 8 // bytes
)

// countSources returns the number of loops over sources in a body.
func countSources(p *ir.Program) (n uint32) {
	Walk(p.Body, func(s *ir.Stmt) {
		if s.Op == ir.Sources {
			n++
		}
	}, func(*ir.Expr) {})
	return n
}

// Where the halves of the random generator's state are, and the state that the row began with.
const (
	StreamHigh   = 0
	StreamLow    = 8
	StreamBefore = 16
	streamSize   = 32
)
