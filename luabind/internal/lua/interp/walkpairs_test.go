package interp

import (
	"math/rand/v2"
	"testing"

	lua "github.com/yuin/gopher-lua"
)

// A Pairs gives what Next gives, whatever changes in the table meanwhile, and a change has the price that GrowthBytes says.
func TestPairsIsNext(t *testing.T) {
	t.Parallel()
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 3))
		table, log := &lua.LTable{Metatable: lua.LNil}, &ChangeLog{}
		key := func() lua.LValue {
			switch r.IntN(5) {
			case 0:
				return lua.LString(rune('a' + r.IntN(6)))
			case 1:
				return lua.LNumber(r.IntN(9))
			case 2:
				return lua.LNumber(float64(r.IntN(8))/2 - 1)
			case 3:
				return lua.LBool(r.IntN(2) == 0)
			}
			return lua.LNumber(1<<33 + r.IntN(8))
		}
		change := func() {
			k, v := key(), lua.LValue(lua.LNumber(r.IntN(100)))
			if r.IntN(3) == 0 {
				v = lua.LNil
			}
			switch k := k.(type) {
			case lua.LString:
				log.SetName(table, string(k), v)
			case lua.LNumber:
				want := GrowthBytes(table, k, v)
				if got := log.SetNumber(table, float64(k), v); got != want {
					t.Fatalf("seed %d: the price of [%v] = %v is %d, want %d", seed, k, v, got, want)
				}
			default:
				log.SetOther(table, k, v)
			}
		}
		for range r.IntN(20) {
			change()
		}
		var walk Pairs
		last := lua.LValue(lua.LNil)
		for range 40 {
			if r.IntN(3) == 0 {
				change()
			}
			wantKey, wantValue := table.Next(last)
			key, v := walk.Next(table)
			if key != wantKey || v != wantValue {
				t.Fatalf("seed %d: behind %v comes %v, %v; want %v, %v", seed, last, key, v, wantKey, wantValue)
			}
			if last = key; key == lua.LNil {
				break
			}
		}
	}
}
