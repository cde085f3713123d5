package watch

import (
	"math"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
)

func number(n float64) kernel.Slot { return kernel.Slot{Has: true, N: n} }

// An entry is what code or closures have at a key.
type entry struct {
	key          kernel.Key
	order, wrote uint32
	values       []kernel.Slot
}

func one(name string, order, wrote uint32, v kernel.Slot) entry {
	return entry{kernel.Key{S: name}, order, wrote, []kernel.Slot{v}}
}

// closuresLeft makes a table with two values as it was before, and with what closures have assigned since.
func closuresLeft(entries ...entry) *keyedBefore {
	b := &keyedBefore{keys: map[kernel.Key]keyBefore{}, seen: map[kernel.Key]keyBefore{}, width: 1}
	for i, name := range []string{"old", "other"} {
		b.keys[kernel.Key{S: name}] = keyBefore{kernel.Entry{Order: 1}, i}
		b.values = append(b.values, number(float64(i+1)))
	}
	b.keys[kernel.Key{S: "missing"}] = keyBefore{kernel.Entry{Wrote: 1}, 2}
	b.values = append(b.values, kernel.Slot{})
	for _, e := range entries { // as keepKeyed does
		b.seen[e.key] = keyBefore{kernel.Entry{Order: 1, Wrote: e.wrote}, len(b.made)}
		b.made = append(b.made, e.values...)
		if e.order > 1 {
			b.theirs = append(b.theirs, newKey{e.key, float64(e.order)})
		}
	}
	return b
}

func TestComparedKeys(t *testing.T) {
	nan := number(math.NaN())
	for _, c := range []struct {
		name           string
		closures, code []entry
		wrong          string // what the code has; "" if the two agree
	}{
		{"nothing", nil, nil, ""},
		{"the same value", []entry{one("old", 1, 1, number(5))}, []entry{one("old", 1, 1, number(5))}, ""},
		{"another value", []entry{one("old", 1, 1, number(5))}, []entry{one("old", 1, 1, number(6))}, "old[{true 6 }]"},
		{"a string in place of a number", []entry{one("old", 1, 1, number(5))}, []entry{one("old", 1, 1, kernel.Slot{Has: true, N: 5, S: "x"})}, "old[{true 5 x}]"},
		{"nil in place of a number", []entry{one("old", 1, 1, number(0))}, []entry{one("old", 1, 1, kernel.Slot{})}, "old[{false 0 }]"},
		{"nil, whatever is left in it", []entry{one("old", 1, 1, kernel.Slot{N: 3})}, []entry{one("old", 1, 1, kernel.Slot{N: 4, S: "x"})}, ""},
		{"nan", []entry{one("old", 1, 1, nan)}, []entry{one("old", 1, 1, nan)}, ""},
		{"only looked up by code", nil, []entry{one("old", 1, 0, number(9))}, ""},
		{"assigned by code only, as it was", nil, []entry{one("other", 1, 1, number(2))}, ""},
		{"assigned by code only", nil, []entry{one("other", 1, 1, number(3))}, "other[{true 3 }]"},
		{"a new key of code only", nil, []entry{one("new", 2, 1, number(3))}, "new[{true 3 }]"},
		{"assigned by closures only", []entry{one("old", 1, 1, number(5))}, nil, "the new keys []"},
		{"new keys", []entry{one("a", 2, 1, number(1)), one("b", 3, 1, number(2))}, []entry{one("b", 9, 1, number(2)), one("a", 7, 1, number(1))}, ""},
		{"a key that was missing", []entry{one("missing", 2, 1, number(1))}, []entry{one("missing", 5, 1, number(1))}, ""},
		{"new keys in another order", []entry{one("a", 2, 1, number(1)), one("b", 3, 1, number(2))}, []entry{one("a", 9, 1, number(1)), one("b", 7, 1, number(2))}, "the new keys [b a]"},
		{"a pair", []entry{one("x", 2, 1, number(1))}, []entry{{kernel.Key{N: 3, SecondS: "x"}, 2, 1, []kernel.Slot{number(1)}}}, "3 and x[{true 1 }]"},
		{"a number as key", []entry{{kernel.Key{N: 1.5}, 1, 1, []kernel.Slot{number(1)}}}, []entry{{kernel.Key{N: 1.5}, 1, 1, []kernel.Slot{number(2)}}}, "1.5 [{true 2 }]"},
	} {
		b := closuresLeft(c.closures...)
		code, _, same := b.compare(func(visit visitKey) {
			for _, e := range c.code {
				visit(e.key, kernel.Entry{Order: float64(e.order), Wrote: e.wrote, Values: e.values})
			}
		})
		if code != c.wrong || same != (c.wrong == "") {
			t.Errorf("%s: %q, the same %v; want %q", c.name, code, same, c.wrong)
		}
	}
}

// live is the Lua table, which closures ask for keys that code did not know before.
type live struct{ kernel.Keyed }

func (live) Find(_ kernel.Key, values []kernel.Slot) kernel.Finding {
	values[0] = number(99)
	return kernel.Found
}

// Closures see the table as it was before the call, whatever has been assigned to it since.
func TestKeysOfBefore(t *testing.T) {
	b := closuresLeft()
	b.live = live{}
	b.Put(kernel.Key{S: "old"}, -1, number(7))
	for _, c := range []struct {
		name  string
		found kernel.Finding
		value float64
	}{
		{"old", kernel.Found, 1},
		{"other", kernel.Found, 2},
		{"missing", kernel.Absent, 0},
		{"unknown", kernel.Found, 99},
	} {
		values := make([]kernel.Slot, 1)
		if found := b.Find(kernel.Key{S: c.name}, values); found != c.found || values[0].N != c.value {
			t.Errorf("%s: %v, %v", c.name, found, values)
		}
	}
}
