package loops

import (
	"fmt"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
	lua "github.com/yuin/gopher-lua"
)

// A listIndex finds the list of each key, also when it has grown, and gives each pending one away once.
func TestListIndex(t *testing.T) {
	for _, typ := range []ir.Type{ir.Number, ir.Text} {
		key := func(i int) kernel.Key {
			if typ == ir.Text {
				return kernel.Key{S: fmt.Sprint("k", i)}
			}
			return kernel.Key{N: float64(i-3) * 1.5}
		}
		var x listIndex
		for run := range 3 {
			n := []int{300, 5, 70}[run]
			lists := make([]*lua.LTable, n)
			for round := range 2 {
				for i := range n {
					at := x.at(key(i), typ)
					if at.table != lists[i] {
						t.Fatalf("%v, run %d, round %d: key %d has another list", typ, run, round, i)
					}
					if at.table == nil {
						lists[i] = new(lua.LTable)
						at.table, at.pending = lists[i], i%2 == 0
					}
				}
			}
			if x.used != n {
				t.Errorf("%v, run %d: %d lists, want %d", typ, run, x.used, n)
			}
			for i := range n + 2 {
				want := (*lua.LTable)(nil)
				if i < n && i%2 == 0 {
					want = lists[i]
				}
				if got := x.take(key(i), typ); got != want {
					t.Errorf("%v, run %d: take of key %d gives %p, want %p", typ, run, i, got, want)
				}
				if x.take(key(i), typ) != nil {
					t.Errorf("%v, run %d: key %d is taken twice", typ, run, i)
				}
			}
			x.made, x.appended = 2, 50
			x.end()
			if x.used != 0 || x.room != 25 || x.take(key(0), typ) != nil {
				t.Errorf("%v, run %d: %d lists behind the end, room for %d", typ, run, x.used, x.room)
			}
			if len(x.slots) > max(leastLists, 16*n) {
				t.Errorf("%v, run %d: %d slots for %d lists", typ, run, len(x.slots), n)
			}
		}
	}
}
