package closures

import (
	"cmp"
	"math"
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
)

// Lua tables that rows look up by key: ir.Lookup, ir.HasKey, ir.PutKey. This is a write-back cache. The Lua table is asked for a key once in a run, when a row first uses the key (kernel.Keyed.Find).
// Until the run ends, rows read and write the copy here. Then the assigned values are written to the Lua table, new
// keys in the order in which rows have assigned them.

// A keyed has the values of one Lua table at the keys that the rows of the current run have used.
type keyed struct {
	source  kernel.Keyed
	width   int
	kept    map[string]*keptValues     // by key, if the keys are strings
	counted map[float64]*keptValues    // by key, if the keys are numbers
	paired  map[kernel.Key]*keptValues // by key, if the keys are pairs
	last    *keptValues                // of the key that was used last; nil at the beginning
	all     []*keptValues              // the first used ones belong to this run; the others are memory of earlier runs
	used    int
	order   float64       // the order of the newest key
	slots   []kernel.Slot // memory for find
}

// A keptValues has the values at one key. The undo log restores numbers through their addresses; flags and the
// order are numbers so that it can restore them, too.
type keptValues struct {
	key     kernel.Key
	finding kernel.Finding // what the Lua table has there
	order   float64        // 0: there is no value; 1: the Lua table has one; from 2 on: rows made it, in this order
	values  []keptValue
}

// A keptValue is the value at a key, or one member of it.
type keptValue struct {
	has   float64 // 0: it is nil
	n     float64
	s     string
	wrote float64 // 1: rows assigned it
}

// newKeyed returns the state for the keyed tables of a Program.
func newKeyed(p *ir.Program) []keyed {
	list := make([]keyed, len(p.Keyed))
	for i := range list {
		n := p.Keyed[i].Width()
		list[i] = keyed{width: n, kept: map[string]*keptValues{}, counted: map[float64]*keptValues{}, paired: map[kernel.Key]*keptValues{}, order: 1, slots: make([]kernel.Slot, n)}
	}
	return list
}

// SetKeyed implements [kernel.Kernel].
func (k *Kernel) SetKeyed(i int, t kernel.Keyed) { k.frame.keyed[i].source = t }

// atText returns the values at a string; nil if they are not what the Program expects.
func (t *keyed) atText(key string) *keptValues {
	v := t.last
	if v == nil || v.key.S != key {
		if v = t.kept[key]; v == nil {
			v = t.find(kernel.Key{S: key})
			t.kept[key] = v
		}
		t.last = v
	}
	if v.finding == kernel.Unfit {
		return nil
	}
	return v
}

// atNumber returns the values at a number; nil if they are not what the Program expects, and for NaN, which cannot
// be a key.
func (t *keyed) atNumber(key float64) *keptValues {
	key += 0 // -0 becomes 0; putKey makes no key of it
	v := t.last
	if v == nil || v.key.N != key {
		if v = t.counted[key]; v == nil {
			if key != key {
				return nil
			}
			t.source.Whole(1)
			v = t.find(kernel.Key{N: key})
			t.counted[key] = v
		}
		t.last = v
	}
	if v.finding == kernel.Unfit {
		return nil
	}
	return v
}

// atPair returns the values at a pair; nil if they are not what the Program expects, and if a part is NaN.
func (t *keyed) atPair(key kernel.Key) *keptValues {
	key.N, key.SecondN = key.N+0, key.SecondN+0 // as in atNumber
	v := t.last
	if v == nil || v.key != key {
		if v = t.paired[key]; v == nil {
			if key.N != key.N || key.SecondN != key.SecondN {
				return nil
			}
			t.source.Whole(1)
			v = t.find(key)
			t.paired[key] = v
		}
		t.last = v
	}
	if v.finding == kernel.Unfit {
		return nil
	}
	return v
}

// find asks the Lua table for a key, and keeps the answer.
func (t *keyed) find(key kernel.Key) *keptValues {
	if t.used == len(t.all) {
		t.all = append(t.all, &keptValues{values: make([]keptValue, t.width)})
	}
	v := t.all[t.used]
	t.used++
	clear(t.slots)
	v.key, v.order = key, 0
	v.finding = t.source.Find(key, t.slots)
	if v.finding == kernel.Found {
		v.order = 1
	}
	for i := range v.values {
		v.values[i] = keptValue{n: t.slots[i].N, s: t.slots[i].S}
		if t.slots[i].Has && v.order > 0 {
			v.values[i].has = 1
		}
	}
	return v
}

// each calls visit for each key that this run has used: see [Shadow.EachKey].
func (t *keyed) each(visit func(key kernel.Key, e kernel.Entry)) {
	for _, v := range t.all[:t.used] {
		visit(v.key, t.entry(v))
	}
}

// entry returns what there is at a key. Its values are valid until the next call.
func (t *keyed) entry(v *keptValues) kernel.Entry {
	e := kernel.Entry{Order: v.order, Values: t.slots}
	for i := range v.values {
		x := &v.values[i]
		t.slots[i] = kernel.Slot{Has: x.has != 0, N: x.n, S: x.s}
		if x.wrote != 0 {
			e.Wrote |= 1 << i
		}
	}
	return e
}

// end writes to the Lua table what rows have assigned, if stored is set, and forgets all values. rows is
// ir.Keyed.Rows.
func (t *keyed) end(stored, rows bool) {
	if stored {
		t.put(rows)
	}
	clear(t.kept)
	clear(t.counted)
	clear(t.paired)
	clear(t.slots)
	for _, v := range t.all[:t.used] {
		v.key = kernel.Key{}
		clear(v.values)
	}
	t.used, t.order, t.last = 0, 1, nil
}

// put writes the assigned values to the Lua table, in the order of the keys.
func (t *keyed) put(rows bool) {
	list := t.all[:t.used]
	slices.SortStableFunc(list, func(a, b *keptValues) int { return cmp.Compare(a.order, b.order) })
	for _, v := range list {
		e := t.entry(v)
		e.Return(t.source, v.key, rows)
	}
}

// keptAt returns a function that evaluates the key x and finds its values in keyed table i; nil if they are not
// what the Program expects.
func (c *compiler) keptAt(i int, x *ir.Expr) func(*frame) *keptValues {
	switch {
	case x.Op == ir.Pair:
		key := c.pairKey(x)
		return func(f *frame) *keptValues { return f.keyed[i].atPair(key(f)) }
	case x.Type == ir.Number:
		key := c.number(x)
		return func(f *frame) *keptValues { return f.keyed[i].atNumber(key(f)) }
	}
	key := c.text(x)
	return func(f *frame) *keptValues { return f.keyed[i].atText(key(f)) }
}

// putAt is keptAt for a key that may be new. minus is set to whether the key, or the second part of a pair, is -0: Lua keeps it so if it is
// new, and that is left to the interpreter.
func (c *compiler) putAt(i int, x *ir.Expr, minus *bool) func(*frame) *keptValues {
	isMinus := func(n float64) bool { return n == 0 && math.Signbit(n) }
	switch {
	case x.Op == ir.Pair && x.B.Type == ir.Number:
		key := c.pairKey(x)
		return func(f *frame) *keptValues {
			k := key(f)
			*minus = isMinus(k.SecondN)
			return f.keyed[i].atPair(k)
		}
	case x.Op != ir.Pair && x.Type == ir.Number:
		key := c.number(x)
		return func(f *frame) *keptValues {
			k := key(f)
			*minus = isMinus(k)
			return f.keyed[i].atNumber(k)
		}
	}
	return c.keptAt(i, x)
}

// pairKey compiles an ir.Pair.
func (c *compiler) pairKey(x *ir.Expr) func(*frame) kernel.Key {
	first, second := c.valueFn(x.A), c.valueFn(x.B)
	return func(f *frame) (key kernel.Key) {
		key.N, key.S = first.eval(f)
		key.SecondN, key.SecondS = second.eval(f)
		return key
	}
}

// lookup returns a function that finds the value of an ir.Lookup. If there is no value, the function returns nil
// and fails the row.
func (c *compiler) lookup(x *ir.Expr) func(*frame) *keptValue {
	find, member := c.keptAt(x.I, x.A), max(0, x.Member)
	return func(f *frame) *keptValue {
		if v := find(f); v != nil && v.order != 0 && v.values[member].has != 0 {
			return &v.values[member]
		}
		f.failed = true
		return nil
	}
}

// lookupNumber compiles an ir.Lookup of type Number.
func (c *compiler) lookupNumber(x *ir.Expr) numberFn {
	find := c.lookup(x)
	return func(f *frame) float64 {
		if v := find(f); v != nil {
			return v.n
		}
		return 0
	}
}

// lookupFlag compiles an ir.Lookup of type Bool.
func (c *compiler) lookupFlag(x *ir.Expr) boolFn {
	find := c.lookup(x)
	return func(f *frame) bool {
		v := find(f)
		return v != nil && v.n != 0
	}
}

// lookupText compiles an ir.Lookup of type Text.
func (c *compiler) lookupText(x *ir.Expr) textFn {
	find := c.lookup(x)
	return func(f *frame) string {
		if v := find(f); v != nil {
			return v.s
		}
		return ""
	}
}

// hasKey compiles ir.HasKey.
func (c *compiler) hasKey(x *ir.Expr) boolFn {
	find, member := c.keptAt(x.I, x.A), x.Member
	return func(f *frame) bool {
		v := find(f)
		if v == nil || member >= 0 && v.order == 0 {
			f.failed = true
			return false
		}
		return v.order != 0 && (member < 0 || v.values[member].has != 0)
	}
}

// putKey compiles ir.PutKey. The key is evaluated before the value. Every change is logged first.
func (c *compiler) putKey(s *ir.Stmt) step {
	minus := false
	find, value, i, member := c.putAt(s.I, s.A, &minus), c.valueFn(s.B), s.I, s.Member
	return func(f *frame) int {
		v := find(f)
		late := minus
		n, text := value.eval(f)
		t := &f.keyed[i]
		if v == nil || v.order == 0 && (member >= 0 || late) || len(f.undo.puts)+len(f.undo.texts) >= mostUndone {
			return stopped
		}
		x := &v.values[max(0, member)]
		if value.typ == ir.Text {
			f.undo.texts = append(f.undo.texts, storedText{p: &x.s, old: x.s, element: true})
			x.s = text
		} else {
			f.undo.puts = append(f.undo.puts, storedPut{&x.n, x.n})
			x.n = n
		}
		if x.wrote == 0 || x.has == 0 {
			f.undo.puts = append(f.undo.puts, storedPut{&x.wrote, x.wrote}, storedPut{&x.has, x.has})
			x.wrote, x.has = 1, 1
		}
		if v.order == 0 {
			f.undo.puts = append(f.undo.puts, storedPut{&v.order, 0})
			t.order++
			v.order = t.order
		}
		return next
	}
}
