package interp

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"
)

// A keyModel is a table as its rules say: a list part, and other keys in the order in which they came.
type keyModel struct {
	list  []lua.LValue
	other map[lua.LValue]lua.LValue
	order []lua.LValue
}

func (m *keyModel) set(key, v lua.LValue) {
	n, isNumber := key.(lua.LNumber)
	i, ok := listKey(n)
	switch {
	case isNumber && ok && i <= len(m.list):
		m.list[i-1] = v
	case v == lua.LNil:
		delete(m.other, key)
	case isNumber && ok && i == len(m.list)+1:
		m.list = append(m.list, v)
		for m.other[lua.LNumber(len(m.list)+1)] != nil {
			next := lua.LNumber(len(m.list) + 1)
			m.list = append(m.list, m.other[next])
			delete(m.other, next)
		}
	default:
		for _, k := range m.order {
			if k == key {
				m.other[key] = v
				return
			}
		}
		m.order, m.other[key] = append(m.order, key), v
	}
}

func (m *keyModel) text() string {
	var b strings.Builder
	for i, v := range m.list {
		if v != lua.LNil {
			fmt.Fprint(&b, i+1, "=", v, " ")
		}
	}
	for _, k := range m.order {
		if v := m.other[k]; v != nil {
			fmt.Fprint(&b, k, "=", v, " ")
		}
	}
	return b.String()
}

// Whole numbers as keys are items of a list or other keys, whatever is set in whatever order.
func TestWholeNumbersAsKeys(t *testing.T) {
	t.Parallel()
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 11))
		m, tb := &keyModel{other: map[lua.LValue]lua.LValue{}}, &lua.LTable{Metatable: lua.LNil}
		for step := range 40 {
			var key lua.LValue = lua.LNumber(1 + r.IntN(1+r.IntN(12)))
			switch r.IntN(12) {
			case 0:
				key = lua.LNumber(r.IntN(5000) - 10)
			case 1:
				key = lua.LString("name")
			case 2:
				key = lua.LNumber(float64(r.IntN(4)) + 0.5)
			}
			var v lua.LValue = lua.LNumber(step)
			if r.IntN(4) == 0 {
				v = lua.LNil
			}
			price := int64(0)
			if v != lua.LNil && Get(tb, key) == lua.LNil {
				price = EntryBytes
			}
			if got := GrowthBytes(tb, key, v); got != price {
				t.Fatalf("seed %d: t[%v] = %v costs %d, want %d", seed, key, v, got, price)
			}
			if got := Set(tb, key, v); got != price {
				t.Fatalf("seed %d: t[%v] = %v has cost %d, want %d", seed, key, v, got, price)
			}
			m.set(key, v)
			var b strings.Builder
			for k, x := tb.Next(lua.LNil); k != lua.LNil; k, x = tb.Next(k) {
				if Get(tb, k) != x {
					t.Fatalf("seed %d: t[%v] is %v, pairs gives %v", seed, k, Get(tb, k), x)
				}
				fmt.Fprint(&b, k, "=", x, " ")
			}
			if got, want := b.String(), m.text(); got != want {
				t.Fatalf("seed %d: pairs gives %s, want %s", seed, got, want)
			}
			if n := Length(tb); n > 0 && Get(tb, lua.LNumber(n)) == lua.LNil || Get(tb, lua.LNumber(n+1)) != lua.LNil {
				t.Fatalf("seed %d: # of %s is %d", seed, m.text(), n)
			}
		}
	}
}
