package interp

import (
	"math/rand/v2"
	"testing"

	lua "github.com/yuin/gopher-lua"
)

// SetOther does what RawSetH does, also with keys that were removed, and beside names and list items: the values and the
// order of pairs are the same.
func TestSetOther(t *testing.T) {
	t.Parallel()
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 7))
		got, want := new(lua.LState).NewTable(), new(lua.LState).NewTable()
		if r.IntN(2) == 0 {
			Reserve(got, 4, 8)
		}
		if r.IntN(4) == 0 {
			l := NewLayout(lua.LString("a"), lua.LString("b"))
			m := l.Table(0)
			m.Set(lua.LString("a"), lua.LNumber(1))
			m.Set(lua.LString("b"), lua.LNumber(2))
			got = m.Table()
			want.RawSetString("a", lua.LNumber(1))
			want.RawSetString("b", lua.LNumber(2))
		}
		for range r.IntN(60) {
			var v lua.LValue = lua.LNumber(r.IntN(100))
			if r.IntN(4) == 0 {
				v = lua.LNil
			}
			switch r.IntN(8) {
			case 0:
				name := string(rune('a' + r.IntN(4)))
				got.RawSetString(name, v)
				want.RawSetString(name, v)
			case 1:
				got.Append(lua.LNumber(1))
				want.Append(lua.LNumber(1))
			case 2:
				key := lua.LBool(r.IntN(2) == 0)
				price := GrowthBytes(got, key, v)
				if bytes := SetOther(got, key, v); bytes != price {
					t.Fatalf("seed %d: %v = %v costs %d, want %d", seed, key, v, bytes, price)
				}
				want.RawSetH(key, v)
			default:
				key := lua.LNumber(float64(r.IntN(12)) + 0.5)
				price := GrowthBytes(got, key, v)
				if bytes := SetOther(got, key, v); bytes != price {
					t.Fatalf("seed %d: %v = %v costs %d, want %d", seed, key, v, bytes, price)
				}
				want.RawSetH(key, v)
			}
		}
		a, b := lua.LValue(lua.LNil), lua.LValue(lua.LNil)
		for {
			var x, y lua.LValue
			a, x = got.Next(a)
			b, y = want.Next(b)
			if a != b || x != y {
				t.Fatalf("seed %d: %v = %v, want %v = %v", seed, a, x, b, y)
			}
			if a == lua.LNil {
				break
			}
		}
	}
}
