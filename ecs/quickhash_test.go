package ecs

import (
	"math"
	"slices"
	"testing"
)

// Each bit, each length and the order of words count.
func TestQuickHash(t *testing.T) {
	seen := map[uint64]string{}
	add := func(what string, list []uint64) {
		var h quickHash
		h.words(list)
		if was, double := seen[h.sum()]; double {
			t.Errorf("%s has the hash of %s", what, was)
		}
		seen[h.sum()] = what
	}
	for n := range 40 {
		add("zeros", make([]uint64, n))
	}
	list := make([]uint64, 27)
	for i := range list {
		list[i] = uint64(i+1) * 0x123456789
	}
	add("the list", list)
	for i := range list {
		for bit := range 64 {
			list[i] ^= 1 << bit
			add("a flipped bit", list)
			list[i] ^= 1 << bit
		}
		for j := range i {
			list[i], list[j] = list[j], list[i]
			add("two words that change places", list)
			list[i], list[j] = list[j], list[i]
		}
		for _, special := range []uint64{quick0, quick1} { // a factor that is zero does not wipe out what came before
			was := list[i]
			list[i] = special
			add("a word of the hash itself", list)
			if i > 0 {
				list[i-1]++
				add("a word before it", list)
				list[i-1]--
			}
			list[i] = was
		}
	}
	text := []byte("a text that is longer than the words of a block, and longer than 64 bytes, so that there is more than one part")
	for n := range text {
		var h quickHash
		_, _ = h.Write(text[:n])
		if was, double := seen[h.sum()]; double && n > 0 {
			t.Errorf("%d bytes have the hash of %s", n, was)
		}
		seen[h.sum()] = "bytes"
	}
}

// In whole columns as in single rows each field counts, and padding does not; all NaNs are one value.
func TestPartDigestsOfEachFieldType(t *testing.T) {
	const rows = 150
	fields := []Field{}
	for i, kind := range allFieldTypes {
		if kind != String && kind != TableField {
			fields = append(fields, Field{Name: string(rune('a' + i)), Type: kind})
		}
	}
	make := func(change func(c *Column)) (parts []PartDigest, whole, one uint64) {
		w := newWorld(Options{})
		id := must[ComponentID](t)(w.DeclareComponent("Kinds", must[*Schema](t)(NewSchema(fields...))))
		must[[]Entity](t)(must[*Bundle](t)(w.Bundle(id)).SpawnMany(rows, nil))
		c := w.tables[len(w.tables)-1].Column(id)
		change(c)
		digests := w.NewTurnDigests()
		for _, from := range []int{0, 1} { // all rows of each block, and all but one
			w.advanceTick()
			digests.Begin()
			w.advanceTick()
			c.StampRange(from, rows)
			if sum := digests.End(nil, nil); from == 0 {
				whole = sum
			} else {
				one = sum
			}
		}
		return w.PartDigests(nil), whole, one
	}
	parts, whole, one := make(func(*Column) {})
	for i := range fields {
		f := &fields[i]
		for _, row := range []int{2, 70, 149} {
			changed, w, o := make(func(c *Column) {
				at := Row{ptr: c.at(row), schema: c.info.schema}.field(c.info.schema.fields[i].Offset)
				*(*byte)(at) = 1
			})
			if changed[1] == parts[1] || changed[0] != parts[0] || w == whole || o == one {
				t.Errorf("a change of a %s in row %d is not seen: %v, %v, %v", f.Type, row, changed[1] == parts[1], w == whole, o == one)
			}
		}
	}
	nan := func(bits uint64, narrow uint32) []PartDigest {
		p, _, _ := make(func(c *Column) {
			*(*uint64)(Row{ptr: c.at(3), schema: c.info.schema}.field(c.info.schema.fields[0].Offset)) = bits
			*(*uint32)(Row{ptr: c.at(3), schema: c.info.schema}.field(c.info.schema.fields[1].Offset)) = narrow
		})
		return p
	}
	if a, b := nan(0x7ff8000000000001, 0x7fc00000), nan(0xfff0000000000123, 0xffc00012); !slices.Equal(a, b) {
		t.Error("two NaNs are told apart")
	}
	if a, b := nan(math.Float64bits(math.Inf(1)), 0), nan(math.Float64bits(math.NaN()), 0); slices.Equal(a, b) {
		t.Error("inf is taken for NaN")
	}
	type padded struct {
		A uint8
		B float64
	}
	pad := func(fill byte) []PartDigest {
		w := newWorld(Options{})
		c := MustRegister[padded](w, "Padded")
		for range rows {
			must[Entity](t)(w.Spawn(c.ID()))
		}
		col := w.tables[len(w.tables)-1].Column(c.ID())
		*(*byte)(Row{ptr: col.at(5), schema: col.info.schema}.field(1)) = fill
		return w.PartDigests(nil)
	}
	if !slices.Equal(pad(0), pad(9)) {
		t.Error("padding counts")
	}
}

// Worlds whose parts are equal, but whose tables are in another order, have other digests of the order.
func TestOrderDigest(t *testing.T) {
	world := func(first, second bool) (*World, uint64) {
		w := newWorld(Options{})
		a, b := MustRegister[position](w, "Position"), MustRegister[velocity](w, "Velocity")
		if first {
			must[Entity](t)(w.Spawn())
		}
		for _, ids := range [][]ComponentID{{a.ID()}, {b.ID()}} {
			if second {
				ids = []ComponentID{a.ID() + b.ID() - ids[0]}
			}
			must[Entity](t)(w.Spawn(ids...))
		}
		return w, w.OrderDigest()
	}
	_, one := world(false, false)
	if _, again := world(false, false); again != one {
		t.Error("equal worlds differ")
	}
	for _, c := range [][2]bool{{true, false}, {false, true}, {true, true}} {
		if _, other := world(c[0], c[1]); other == one {
			t.Errorf("%v: the order of a different world is equal", c)
		}
	}
}
