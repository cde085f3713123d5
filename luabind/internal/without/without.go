// Package without names the mechanisms that only make the engine quicker, so that tests and measurements can turn each of them off. What a
// world does is the same without any of them. Users have no such choice: a Runtime takes its set from tests, or from the linker.
package without

import (
	"fmt"
	"math/bits"
	"strings"
)

// A Set is some mechanisms. The zero value is none: everything is on.
type Set uint32

// The mechanisms.
const (
	Interp     Set = 1 << iota // gopher-lua's own interpreter runs all Lua code that is not compiled
	Loops                      // no loop is compiled
	Closures                   // loops that are not machine code are interpreted
	Machine                    // no loop is machine code
	Ahead                      // no loop is compiled before it begins
	Linked                     // functions of other files and of tables are not inlined
	Classes                    // methods of objects are not inlined
	Again                      // a loop that begins as it has begun before has no way of its own
	Plain                      // nor has machine code that needs little
	Pace                       // loops are machine code when they first begin, and do not rest
	NearFilter                 // near entities are not filtered before the body runs
	Packing                    // machine code does one row at a time
	FastPath                   // machine code has no shorter way for rows that do not come to a rare branch
	Exits                      // a loop that machine code can do only a part of is closures
	Share                      // one core does all rows
	Seal                       // the journal keeps what the last loop of a turn writes
	SelfCheck                  // new machine code is not compared with closures before its first use
	Watch                      // nor while it runs
	Order                      // table.sort calls its comparer as any function
	Forged                     // tables are made and read by gopher-lua only; it holds for a whole process, so only [Built] turns it off
	last                       // after the last one
)

// All is every mechanism.
const All = last - 1

// Counted are the mechanisms without which a turn uses the same instructions.
const Counted = Machine | Ahead | Again | Plain | Packing | FastPath | Share | Seal | SelfCheck | Watch | Order

var names = [...]string{
	"interp", "loops", "closures", "machine", "ahead", "linked", "classes", "again", "plain", "pace", "nearfilter", "packing", "fastpath",
	"exits", "share", "seal", "selfcheck", "watch", "order", "forged",
}

// Built is set by the linker, to names that [Parse] knows: go build -ldflags "-X github.com/ecsrun/ecsrun/luabind/internal/without.Built=packing,share".
var Built string

// Process is what no Runtime of the process has, as the linker has set it.
var Process = built()

func built() Set {
	s, err := Parse(Built)
	if err != nil {
		panic(err)
	}
	return s
}

// Parse returns the mechanisms with some names, which are separated by commas; "" is none.
func Parse(list string) (s Set, err error) {
	for name := range strings.SplitSeq(list, ",") {
		found := list == ""
		for i, n := range names {
			if n == name {
				s |= 1 << i
				found = true
			}
		}
		if !found {
			return 0, fmt.Errorf("there is no mechanism %q; there are %s", name, strings.Join(names[:], ", "))
		}
	}
	return s, nil
}

// Has reports whether a set contains one of some mechanisms.
func (s Set) Has(m Set) bool { return s&m != 0 }

// String returns the names, separated by commas.
func (s Set) String() string {
	var list []string
	for ; s != 0; s &= s - 1 {
		list = append(list, names[bits.TrailingZeros32(uint32(s))])
	}
	return strings.Join(list, ",")
}
