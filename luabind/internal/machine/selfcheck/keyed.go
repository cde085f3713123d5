package selfcheck

import (
	"math/rand/v2"
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
)

// A keyedTable stands for a Lua table that is looked up by strings. It implements [kernel.Keyed].
type keyedTable struct {
	keys   []string // in the order in which they were made
	values map[string][]kernel.Slot
}

// Find is that of [kernel.Keyed].
func (t *keyedTable) Find(key kernel.Key, values []kernel.Slot) kernel.Finding {
	found, ok := t.values[key.S]
	if !ok {
		return kernel.Absent
	}
	copy(values, found)
	return kernel.Found
}

// Put is that of [kernel.Keyed].
func (t *keyedTable) Put(key kernel.Key, member int, v kernel.Slot) {
	if t.values[key.S] == nil {
		t.keys = append(t.keys, key.S)
		t.values[key.S] = make([]kernel.Slot, 1)
	}
	t.values[key.S][max(0, member)] = v
}

// clone returns a table with the same values.
func (t *keyedTable) clone() *keyedTable {
	c := &keyedTable{slices.Clone(t.keys), map[string][]kernel.Slot{}}
	for key, values := range t.values {
		c.values[key] = slices.Clone(values)
	}
	return c
}

// equal compares keys, their order, and values; NaN is NaN.
func (t *keyedTable) equal(other *keyedTable) bool {
	same := func(a, b kernel.Slot) bool { return a.Has == b.Has && equal(a.N, b.N) && a.S == b.S }
	return slices.Equal(t.keys, other.keys) && !slices.ContainsFunc(t.keys, func(key string) bool { return !slices.EqualFunc(t.values[key], other.values[key], same) })
}

// keyedOf makes a table that has most of the strings that the Program may look up.
func (s *subject) keyedOf(p *ir.Keyed, rng *rand.Rand) *keyedTable {
	t := &keyedTable{nil, map[string][]kernel.Slot{}}
	for _, key := range s.texts {
		if t.values[key] != nil || rng.IntN(4) == 0 {
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
			switch p.ValueType(member) {
			case ir.Any: // no machine code has it: see emit.vet
			case ir.Number:
				v.N = s.pick(rng, true)
			case ir.Bool:
				v.N = float64(rng.IntN(2))
			case ir.Text:
				v.S = s.texts[rng.IntN(len(s.texts))]
			}
		}
		t.keys, t.values[key] = append(t.keys, key), values
	}
	return t
}

// setKeyed gives both the same tables that are looked up by strings.
func (d *selfTest) setKeyed() {
	d.want.keyed, d.got.keyed = nil, nil
	for i := range d.want.program.Keyed {
		t := d.keyedOf(&d.want.program.Keyed[i], d.rng)
		d.want.keyed, d.got.keyed = append(d.want.keyed, t), append(d.got.keyed, t.clone())
		d.closures.SetKeyed(i, t)
		d.code.SetKeyed(i, d.got.keyed[i])
	}
}
