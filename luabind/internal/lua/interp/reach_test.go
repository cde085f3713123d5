package interp

import (
	"math/rand/v2"
	"slices"
	"testing"

	lua "github.com/yuin/gopher-lua"
)

// Items far behind the end of a list give the list that RawSetInt gives.
func TestItemsBehindTheEndOfAList(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 11))
		want := &lua.LTable{Metatable: lua.LNil}
		item := &lua.LTable{Metatable: lua.LNil}
		for range 1 + r.IntN(12) {
			i := 1 + r.IntN(1+r.IntN(3000))
			var v lua.LValue = lua.LNumber(r.IntN(100))
			if r.IntN(4) == 0 {
				v = lua.LNil
			}
			want.RawSetInt(i, v)
			SetItem(item, i, v)
			if !slices.Equal(tableOf(item).array, tableOf(want).array) {
				t.Fatalf("seed %d: item %d: %v, want %v", seed, i, tableOf(item).array, tableOf(want).array)
			}
		}
	}
}
