package draft

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
)

// A model is a Lua table without copy on write: every read makes a deep copy.
type model struct {
	keys   []ecs.Value
	values []any // an ecs.Value or a *model
}

func modelOf(d *ecs.Data) *model {
	m := &model{}
	for _, e := range d.Entries() {
		m.keys = append(m.keys, e.Key)
		if e.Value.Kind() == ecs.TableValue {
			m.values = append(m.values, modelOf(e.Value.Data()))
		} else {
			m.values = append(m.values, e.Value)
		}
	}
	return m
}

func (m *model) find(key ecs.Value) int {
	return slices.IndexFunc(m.keys, func(k ecs.Value) bool { return k.Equal(key) })
}

func (m *model) set(key ecs.Value, v any) {
	i := m.find(key)
	switch {
	case v == nil && i >= 0:
		m.keys, m.values = slices.Delete(m.keys, i, i+1), slices.Delete(m.values, i, i+1)
	case v == nil:
	case i >= 0:
		m.values[i] = v
	default:
		m.keys, m.values = append(m.keys, key), append(m.values, v)
	}
}

func (m *model) items() int {
	n := 0
	for m.find(ecs.Number(float64(n+1))) >= 0 {
		n++
	}
	return n
}

// data returns the content, nil and false if the model contains itself or is nested too deeply.
func (m *model) data(path []*model) (*ecs.Data, bool) {
	if slices.Contains(path, m) || len(path) >= ecs.MaxDataDepth {
		return nil, false
	}
	path = append(slices.Clone(path), m)
	var entries []ecs.DataEntry
	for i, key := range m.keys {
		v, isScalar := m.values[i].(ecs.Value)
		if !isScalar {
			d, ok := m.values[i].(*model).data(path)
			if !ok {
				return nil, false
			}
			v = ecs.TableOf(d)
		}
		entries = append(entries, ecs.DataEntry{Key: key, Value: v})
	}
	d, err := ecs.NewData(entries)
	return d, err == nil
}

// A pair is a table and its model.
type pair struct {
	table *Table
	model *model
}

// randomData makes data of some levels.
func randomData(r *rand.Rand, depth int) *ecs.Data {
	var entries []ecs.DataEntry
	for i := range r.IntN(5) {
		key := ecs.Number(float64(i + 1))
		switch r.IntN(6) {
		case 0:
			key = ecs.Text(string(rune('a' + r.IntN(4))))
		case 1:
			key = ecs.Number(float64(r.IntN(9) - 2))
		case 2:
			key = ecs.Boolean(r.IntN(2) == 0)
		}
		v := ecs.Number(float64(r.IntN(100)))
		if depth > 0 && r.IntN(2) == 0 {
			v = ecs.TableOf(randomData(r, depth-1))
		} else if r.IntN(3) == 0 {
			v = ecs.Text("word")
		}
		entries = append(entries, ecs.DataEntry{Key: key, Value: v})
	}
	d, err := ecs.NewData(entries)
	if err != nil {
		panic(err)
	}
	return d
}

// Random reads, writes, inserts, removals and stores do the same with drafts as with deep copies, and what is stored
// never changes.
func TestDraftsAreDeepCopies(t *testing.T) {
	t.Parallel()
	shared := 0
	names := map[string]*Name{}
	for _, text := range []string{"a", "b", "c", "d"} {
		names[text] = NewName(text)
	}
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		var pool Pool
		for range 2 { // the second row uses the memory of the first one again
			pool.Reset()
			stored := []*ecs.Data{randomData(r, 3), randomData(r, 2), nil}
			texts := make([]string, len(stored))
			for i, d := range stored {
				texts[i] = d.String()
			}
			var held []pair
			hold := func(table *Table, m *model) pair {
				for _, p := range held { // a table has one model, and a model one table
					if (p.table == table) != (p.model == m) {
						t.Fatalf("seed %d: identities differ", seed)
					}
				}
				held = append(held, pair{table, m})
				return held[len(held)-1]
			}
			pick := func() pair {
				if len(held) == 0 || r.IntN(8) == 0 {
					d := stored[r.IntN(len(stored))]
					return hold(pool.Table(d), modelOf(d))
				}
				return held[r.IntN(len(held))]
			}
			key := func() ecs.Value {
				switch r.IntN(4) {
				case 0:
					return ecs.Text(string(rune('a' + r.IntN(4))))
				case 1:
					return ecs.Boolean(r.IntN(2) == 0)
				}
				if r.IntN(8) == 0 {
					return ecs.Number(float64(r.IntN(4)) + 0.5) // between two items
				}
				return ecs.Number(float64(r.IntN(8) - 1))
			}
			value := func() (Ref, any) {
				switch r.IntN(4) {
				case 0:
					return Ref{Value: &Nil}, nil
				case 1:
					p := pick()
					return Ref{Table: p.table}, p.model
				}
				v := ecs.Number(float64(r.IntN(100)))
				return Ref{Value: &v}, v
			}
			same := func(got Ref, m any) {
				switch m := m.(type) {
				case nil:
					if !got.IsNil() {
						t.Fatalf("seed %d: %v, want nil", seed, got)
					}
				case ecs.Value:
					if got.Table != nil || !got.Value.Equal(m) {
						t.Fatalf("seed %d: %v, want %v", seed, got, m)
					}
				case *model:
					hold(got.Table, m)
				}
			}
			for range 40 {
				p := pick()
				switch r.IntN(7) {
				case 0, 1: // read
					k := key()
					n, isNumber := (Ref{Value: &k}).Number()
					item, isItem := p.table.Item(n)
					got, _ := Ref{Table: p.table}.Get(Ref{Value: &k}, true)
					if name := names[k.Str()]; name != nil {
						if v := (Ref{Table: p.table}).Scalar(name); v != nil && (got.Table != nil || !v.Equal(*got.Value)) {
							t.Fatalf("seed %d: %v where Get gives %v", seed, v, got)
						}
						if n, ok := p.table.Number(name); ok && !got.Value.Equal(ecs.Number(n)) {
							t.Fatalf("seed %d: the number %v where Get gives %v", seed, n, got)
						}
						if v, ok := (Ref{Table: p.table}).Name(name, true); !ok || v.Table != got.Table || v.Table == nil && !v.Value.Equal(*got.Value) {
							t.Fatalf("seed %d: %v where Get gives %v", seed, v, got)
						}
					}
					if isNumber && isItem != (n >= 1 && n <= float64(p.table.items) && n == math.Trunc(n)) {
						t.Fatalf("seed %d: item %v of %d: %v", seed, n, p.table.items, isItem)
					}
					if isNumber && isItem && (item.Table != got.Table || item.Table == nil && !item.Value.Equal(*got.Value)) {
						t.Fatalf("seed %d: item %v where Get gives %v", seed, item, got)
					}
					var want any
					if i := p.model.find(k); i >= 0 {
						want = p.model.values[i]
					}
					same(got, want)
				case 2, 3: // write
					k := key()
					v, m := value()
					n, isNumber := v.Number()
					var ok bool
					switch {
					case k.Kind() == ecs.StringValue && isNumber:
						ok = p.table.SetNumber(names[k.Str()], n)
					case k.Kind() == ecs.StringValue:
						ok = p.table.SetName(names[k.Str()], v)
					default:
						ok = p.table.Set(Ref{Value: &k}, v)
					}
					if !ok {
						t.Fatalf("seed %d: set fails", seed)
					}
					p.model.set(k, m)
				case 4: // insert
					v, m := value()
					n := p.model.items()
					at := r.IntN(n+1) + 1
					if p.table.Insert(float64(at), v) {
						for i := n; i >= at; i-- {
							p.model.set(ecs.Number(float64(i+1)), p.model.values[p.model.find(ecs.Number(float64(i)))])
						}
						p.model.set(ecs.Number(float64(at)), m)
					}
				case 5: // remove
					n := p.model.items()
					at := r.IntN(n+1) + 1
					var out ecs.Value
					if got, ok := p.table.Remove(float64(at), false, &out); ok {
						want := p.model.values[p.model.find(ecs.Number(float64(at)))]
						for i := at; i < n; i++ {
							p.model.set(ecs.Number(float64(i)), p.model.values[p.model.find(ecs.Number(float64(i+1)))])
						}
						p.model.set(ecs.Number(float64(n)), nil)
						same(got, want)
					}
				case 6: // store
					got, ok := p.table.Freeze()
					want, possible := p.model.data(nil)
					if ok != possible || !got.Equal(want) || got.Total() != want.Total() || got.Levels() != want.Levels() || got.Items() != want.Items() {
						t.Fatalf("seed %d: %v, %v, want %v, %v", seed, got, ok, want, possible)
					}
					if ok {
						for _, d := range stored {
							if got != nil && d == got {
								shared++
							}
						}
						stored, texts = append(stored, got), append(texts, want.String())
					} else {
						clear(held) // a row that cannot store ends
						held = held[:0]
					}
				}
			}
			for i, d := range stored {
				if d.String() != texts[i] {
					t.Fatalf("seed %d: what is stored has changed from %s to %v", seed, texts[i], d)
				}
			}
		}
	}
	if shared < 100 {
		t.Errorf("%d stores shared what was stored before", shared)
	}
}

// A table that has lost most of its entries does not keep the memory of all of them when it is stored.
func TestStoredTablesAreSmall(t *testing.T) {
	t.Parallel()
	var entries []ecs.DataEntry
	for i := range 100 {
		entries = append(entries, ecs.DataEntry{Key: ecs.Number(float64(i + 1)), Value: ecs.Number(1)})
	}
	d, _ := ecs.NewData(entries)
	var pool Pool
	list := pool.Table(d)
	var out ecs.Value
	for range 99 {
		list.Remove(0, true, &out)
	}
	held := &list.own[0]
	got, ok := list.Freeze()
	if !ok || got.Len() != 1 {
		t.Fatalf("got %v", got)
	}
	if values, _, _ := ecs.Raw.Content(got); &values[0] == held {
		t.Error("one entry is stored in memory for a hundred")
	}
}

// A Ref fits into registers: Go keeps values of more than four words in memory, and each read of a table passes on a few.
func TestSizeOfRefs(t *testing.T) {
	t.Parallel()
	if words := unsafe.Sizeof(Ref{}) / unsafe.Sizeof(uintptr(0)); words > 4 {
		t.Errorf("a Ref has %d words", words)
	}
}

// A write copies the tables on its way, and none beside them.
func TestAWriteCopiesItsPath(t *testing.T) {
	t.Parallel()
	var entries []ecs.DataEntry
	for i := range 100 {
		inner, _ := ecs.NewData([]ecs.DataEntry{{Key: ecs.Text("w"), Value: ecs.Number(float64(i))}})
		entries = append(entries, ecs.DataEntry{Key: ecs.Number(float64(i + 1)), Value: ecs.TableOf(inner)})
	}
	d, _ := ecs.NewData(entries)
	var pool Pool
	list := pool.Table(d)
	if got, ok := list.Freeze(); got != d || !ok {
		t.Error("a table that has not changed is copied")
	}
	item, _ := Ref{Table: list}.Item(7, true)
	key, v := ecs.Text("w"), ecs.Number(-1)
	item.Table.Set(Ref{Value: &key}, Ref{Value: &v})
	got, ok := list.Freeze()
	if !ok || d.String() == got.String() || !strings.Contains(got.String(), "{w = -1}") {
		t.Fatalf("got %v", got)
	}
	for i, e := range got.Entries() {
		if same := e.Value.Data() == d.Entries()[i].Value.Data(); same != (i != 6) {
			t.Errorf("item %d is shared: %v", i+1, same)
		}
	}
	if pool.Copied > 250 {
		t.Errorf("%d entries were copied", pool.Copied)
	}
}

// Pairs give the list first, and then the other keys in order, whatever a body removes meanwhile.
func TestWalk(t *testing.T) {
	t.Parallel()
	var entries []ecs.DataEntry
	for _, k := range []ecs.Value{ecs.Number(0), ecs.Number(1), ecs.Number(2), ecs.Number(2.5), ecs.Number(5), ecs.Text("a"), ecs.Text("b"), ecs.Boolean(true)} {
		entries = append(entries, ecs.DataEntry{Key: k, Value: k})
	}
	d, _ := ecs.NewData(entries)
	for _, removes := range []bool{false, true} {
		var pool Pool
		table := pool.Table(d)
		var got []string
		var w Walk
		for {
			v, more, ok := w.Next(Ref{Table: table}, true)
			if !ok {
				t.Fatal("the order is not known")
			}
			if !more {
				break
			}
			got = append(got, v.Value.String())
			if removes {
				table.Set(Ref{Value: &w.Key}, Ref{Value: &Nil})
			}
		}
		if s := strings.Join(got, " "); s != `1 2 0 2.5 5 "a" "b" true` {
			t.Errorf("pairs give %s", s)
		}
		if removes {
			if d, ok := table.Freeze(); d != nil || !ok {
				t.Errorf("%v is left", d)
			}
		}
		key, v := ecs.Text("new"), ecs.Number(1)
		table.Set(Ref{Value: &key}, Ref{Value: &v})
		var last string
		var order Walk
		for {
			_, more, ok := order.Next(Ref{Table: table}, true)
			if !ok || !more {
				break
			}
			last = order.Key.String()
		}
		if last != `"new"` {
			t.Errorf("the last key is %s", last)
		}
	}
}
