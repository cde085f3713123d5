package machine

import "github.com/ecsrun/ecsrun/luabind/internal/machine/wasm"

// A word is a number of 32 bits that the host puts into the frame before each call:
// where to find what lies outside the columns of the table at hand. Addresses of
// what does not exist are 0.
type word struct {
	kind wordKind
	id   int
}

type wordKind uint8

const (
	wordPresent    wordKind = iota // whether the table at hand has the component of view id
	wordSlots                      // address of the world's slots
	wordSlotCount                  // how many there are
	wordTag                        // address of the entries of tag id
	wordTagCount                   // how many there are
	wordColumns                    // address of the addresses of component id's columns, by table
	wordWalk                       // address of what Subquery id walks: see walked
	wordWalkCount                  // how many tables those are
	wordRingEnd                    // no row begins when effects are recorded behind it
	wordLogEnd                     // nor when stores are logged behind it
	wordTable                      // address of the elements of table id
	wordTableFrom                  // key of the first of them
	wordTableCount                 // how many there are
)

const mostWords = 64

// word is the local that holds a word. It is loaded in front of the loops over
// rows.
func (e *emitter) word(kind wordKind, id int) int {
	w := word{kind, id}
	if l, ok := e.wordLocals[w]; ok {
		return l
	}
	if len(e.words) == mostWords {
		refuse("it looks at too much beside its own rows")
	}
	l := e.Local(wasm.I32)
	e.ahead.Get(argFrame)
	e.ahead.Memory(wasm.I32Load, e.layout.words+4*uint32(len(e.words)))
	e.ahead.Set(l)
	e.words = append(e.words, w)
	e.wordLocals[w] = l
	return l
}
