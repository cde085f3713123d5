package draft

import (
	"fmt"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// names returns n strings, in descending order if down is set.
func names(n int, down bool) (list []ecs.Value) {
	for i := range n {
		if down {
			i = n - i
		}
		list = append(list, ecs.Text(fmt.Sprintf("name%04d", i)))
	}
	return list
}

// A table that is made at once counts as many copied entries as one that gets its entries one after the other.
func TestAShapeCopiesAsEntriesDo(t *testing.T) {
	t.Parallel()
	mixed := append(names(25, true), ecs.Number(2.5), ecs.Number(-1), ecs.Boolean(true))
	for _, keys := range [][]ecs.Value{names(1, false), names(8, false), names(9, true), names(100, false), names(100, true), mixed, {ecs.Number(1), ecs.Number(2), ecs.Text("a")}} {
		var one, all Pool
		shape, single, whole := NewShape(keys), one.Table(nil), all.Table(nil)
		single.Grow(len(keys))
		whole.Begin(shape)
		for i := range keys {
			v := ecs.Number(float64(i))
			if !whole.Put(shape, i, Ref{Value: &v}) || !single.Set(Ref{Value: &keys[i]}, Ref{Value: &v}) {
				t.Fatalf("%v is refused", keys[i])
			}
		}
		whole.End(shape)
		if one.Copied != all.Copied {
			t.Errorf("%d keys from %v on: at once %d entries are copied, one by one %d", len(keys), keys[0], all.Copied, one.Copied)
		}
	}
}

// An entry that is added or removed moves those behind it. An eighth of these counts as copied.
func TestMovedEntriesCount(t *testing.T) {
	t.Parallel()
	const n = 800
	for _, at := range []int{0, 400, n - 1} {
		var pool Pool
		table := pool.Table(nil)
		keys, v := names(n, false), ecs.Number(1)
		for i := range keys {
			table.Set(Ref{Value: &keys[i]}, Ref{Value: &v})
		}
		for _, c := range []struct {
			does string
			v    *ecs.Value
		}{{"removes", &Nil}, {"adds", &v}} {
			pool.Copied = 0
			table.Set(Ref{Value: &keys[at]}, Ref{Value: c.v})
			if want := int64(n-at) / 8; pool.Copied > want || pool.Copied < want-1 {
				t.Errorf("%s entry %d of %d: %d entries are copied, want %d", c.does, at, n, pool.Copied, want)
			}
		}
	}
}
