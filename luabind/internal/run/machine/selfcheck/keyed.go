package selfcheck

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
)

// A keyedTable stands for a Lua table that is looked up by key. It implements [kernel.Keyed].
type keyedTable struct {
	keys   []kernel.Key // in the order in which they were made
	values map[kernel.Key][]kernel.Slot
}

// Find implements [kernel.Keyed].
func (t *keyedTable) Find(key kernel.Key, values []kernel.Slot) kernel.Finding {
	found, ok := t.values[key]
	if !ok {
		return kernel.Absent
	}
	copy(values, found)
	return kernel.Found
}

// Whole implements [kernel.Keyed]. Code knows the keys of small tables from the beginning.
func (t *keyedTable) Whole(asked int) bool { return asked > 0 || len(t.keys) <= 64 }

// Each implements [kernel.Keyed].
func (t *keyedTable) Each(most int, visit func(key kernel.Key, found kernel.Finding, values []kernel.Slot)) int {
	if len(t.keys) <= most {
		for _, key := range t.keys {
			visit(key, kernel.Found, t.values[key])
		}
	}
	return len(t.keys)
}

// Put implements [kernel.Keyed].
func (t *keyedTable) Put(key kernel.Key, member int, v kernel.Slot) {
	if t.values[key] == nil {
		t.keys = append(t.keys, key)
		t.values[key] = make([]kernel.Slot, 1)
	}
	t.values[key][max(0, member)] = v
}

// clone returns a table with the same values.
func (t *keyedTable) clone() *keyedTable {
	c := &keyedTable{slices.Clone(t.keys), map[kernel.Key][]kernel.Slot{}}
	for key, values := range t.values {
		c.values[key] = slices.Clone(values)
	}
	return c
}

// equal compares keys, their order and values; NaN is NaN.
func (t *keyedTable) equal(other *keyedTable) bool {
	same := func(a, b kernel.Slot) bool { return a.Has == b.Has && equal(a.N, b.N) && a.S == b.S }
	return slices.Equal(t.keys, other.keys) && !slices.ContainsFunc(t.keys, func(key kernel.Key) bool { return !slices.EqualFunc(t.values[key], other.values[key], same) })
}

// mostPairs is about how many pairs a table may have.
const mostPairs = 40

// keysFor returns keys that the Program may look up: its strings, or numbers, among them handles of the world.
func (t *trial) keysFor(p *ir.Keyed, rng *rand.Rand) (keys []kernel.Key) {
	if p.Pairs {
		first, second := t.keysFor(&t.program.Keyed[p.Of], rng), t.keysFor(&ir.Keyed{Key: p.Second}, rng)
		for _, a := range first {
			for _, b := range second {
				if rng.IntN(len(first)*len(second)) < mostPairs {
					keys = append(keys, kernel.Key{N: a.N, S: a.S, SecondN: b.N, SecondS: b.S})
				}
			}
		}
		return keys
	}
	if p.Key == ir.Text {
		for _, s := range t.texts {
			keys = append(keys, kernel.Key{S: s})
		}
		return keys
	}
	for n := range 12 {
		keys = append(keys, kernel.Key{N: float64(n) - 2})
	}
	for _, n := range t.constants {
		keys = append(keys, kernel.Key{N: n})
	}
	for range rng.IntN(3) * len(t.handles) / 2 {
		keys = append(keys, kernel.Key{N: t.handle(rng).Number()})
	}
	return slices.DeleteFunc(keys, func(k kernel.Key) bool { return k.N != k.N || k.N == 0 && math.Signbit(k.N) })
}

// keyedOf makes a table that has most of the keys that the Program may look up.
func (t *trial) keyedOf(p *ir.Keyed, rng *rand.Rand) *keyedTable {
	table := &keyedTable{nil, map[kernel.Key][]kernel.Slot{}}
	for _, key := range t.keysFor(p, rng) {
		if table.values[key] != nil || rng.IntN(4) == 0 {
			continue
		}
		values := make([]kernel.Slot, p.Width())
		for i := range values {
			member := i
			if len(p.Members) == 0 {
				member = -1
			}
			v := &values[i]
			if v.Has = member < 0 || rng.IntN(6) > 0; !v.Has {
				continue
			}
			if member >= 0 && p.Members[member].Kind != ir.Plain {
				v.N = t.memberOf(&p.Members[member], key, rng)
				continue
			}
			switch p.ValueType(member) {
			case ir.Any: // no machine code has it: see emit.vet
			case ir.Number:
				v.N = t.pick(rng, true)
			case ir.Bool:
				v.N = float64(rng.IntN(2))
			case ir.Text:
				v.S = t.texts[rng.IntN(len(t.texts))]
			}
		}
		table.keys, table.values[key] = append(table.keys, key), values
	}
	return table
}

// memberOf returns the number that stands for a class or for a view, for the value at a key.
func (t *trial) memberOf(m *ir.Member, key kernel.Key, rng *rand.Rand) float64 {
	switch {
	case m.Kind == ir.Class:
		return float64(1 + rng.IntN(max(1, m.Classes)))
	case m.Own && rng.IntN(8) > 0:
		return key.N
	}
	return t.handle(rng).Number()
}

// setKeyed gives both the same tables that are looked up by key.
func (d *selfTest) setKeyed() {
	d.want.keyed, d.got.keyed = nil, nil
	for i := range d.want.program.Keyed {
		t := d.want.keyedOf(&d.want.program.Keyed[i], d.rng)
		d.want.keyed, d.got.keyed = append(d.want.keyed, t), append(d.got.keyed, t.clone())
		d.closures.SetKeyed(i, t)
		d.code.SetKeyed(i, d.got.keyed[i])
	}
}
