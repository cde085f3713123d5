package plan

import (
	"bytes"
	"cmp"
	"slices"
)

// An Index finds the rows of a key. It holds 20 bytes a row.
type Index struct {
	Keys  []Key   // by row
	order []int32 // rows, sorted by key, then by row
}

// Index makes the index of the plan. It costs about a second for a million rows.
func (p *Plan) Index() *Index {
	x := &Index{Keys: make([]Key, p.Rows()), order: make([]int32, p.Rows())}
	points := p.Points()
	for point := range points { // the overrides of a point are the same for all of its seeds
		overrides := p.Overrides(point)
		for k := range p.Sweep.Seeds.Len() {
			x.Keys[k*points+point] = KeyOf(p.Base, overrides, p.Sweep.Seeds.At(k))
		}
	}
	for i := range x.order {
		x.order[i] = int32(i)
	}
	slices.SortFunc(x.order, func(a, b int32) int {
		return cmp.Or(bytes.Compare(x.Keys[a][:], x.Keys[b][:]), cmp.Compare(a, b))
	})
	return x
}

// Find returns the first row that has a key; false if none has.
func (x *Index) Find(k Key) (row int, ok bool) {
	at, ok := slices.BinarySearchFunc(x.order, k, func(row int32, k Key) int { return bytes.Compare(x.Keys[row][:], k[:]) })
	if !ok {
		return 0, false
	}
	return int(x.order[at]), true // the first of those that are equal
}

// First returns the first row that has the key of a row.
func (x *Index) First(row int) int {
	first, _ := x.Find(x.Keys[row])
	return first
}
