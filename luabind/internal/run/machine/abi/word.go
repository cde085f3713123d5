package abi

// Words: addresses and counts that the host puts into the frame, because they change while the world runs.

// A Word is a 32-bit number that the host writes to the frame before each call. It says where to find something
// outside the columns of the current table. The address of something that does not exist is 0.
type Word struct {
	Kind WordKind
	ID   int
}

// A WordKind says what a word contains. The comments call Word.ID id.
type WordKind uint8

const (
	WordPresent        WordKind = iota // whether the table at hand has the component of view id
	WordSlots                          // address of the world's slots
	WordSlotCount                      // how many there are
	WordTag                            // address of the entries of tag id
	WordTagCount                       // how many there are
	WordColumns                        // address of the addresses of component id's columns, by table
	WordWalk                           // address of what Subquery id walks: see [WalkedRows]
	WordWalkCount                      // how many tables those are
	WordRingEnd                        // no row begins when effects are recorded after it
	WordLogEnd                         // nor when stores are logged after it
	WordTable                          // address of the elements of table id
	WordTableFrom                      // key of the first of them
	WordTableCount                     // how many there are
	WordKeyed                          // address of what code knows of keyed table id: see [KeyedHeader]
	WordKeyedCount                     // how many entries it has
	WordLayer                          // address of the cells of layer id
	WordLayerOpen                      // address of the marks of its pages: see [ecs.RawLayer]
	WordIndexEnds                      // address of the ends of the lists of the index that layer id names: see [ecs.RawAccess.Places]
	WordIndexPages                     // address of the addresses of its pages of entries
	WordIndexPageCount                 // how many there are
)

// MostWords is the number of words that a frame has room for.
const MostWords = 64
