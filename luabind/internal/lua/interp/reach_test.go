package interp

import (
	"math/rand/v2"
	"slices"
	"testing"

	lua "github.com/yuin/gopher-lua"
)

// Items far behind the end of a list give the list that RawSetInt gives; an undo takes them away again.
func TestItemsBehindTheEndOfAList(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 11))
		want := &lua.LTable{Metatable: lua.LNil}
		item, logged := &lua.LTable{Metatable: lua.LNil}, &lua.LTable{Metatable: lua.LNil}
		log := &ChangeLog{}
		for range 1 + r.IntN(12) {
			i := 1 + r.IntN(1+r.IntN(3000))
			var v lua.LValue = lua.LNumber(r.IntN(100))
			if r.IntN(4) == 0 {
				v = lua.LNil
			}
			before := slices.Clone(tableOf(logged).array)
			want.RawSetInt(i, v)
			if n := SetItem(item, i, v); n != log.SetNumber(logged, float64(i), v) {
				t.Fatalf("seed %d: item %d has two prices", seed, i)
			}
			for _, got := range []*lua.LTable{item, logged} {
				if !slices.Equal(tableOf(got).array, tableOf(want).array) {
					t.Fatalf("seed %d: item %d: %v, want %v", seed, i, tableOf(got).array, tableOf(want).array)
				}
			}
			log.Undo(0)
			if !slices.Equal(tableOf(logged).array, before) {
				t.Fatalf("seed %d: item %d: undone %v, want %v", seed, i, tableOf(logged).array, before)
			}
			log.SetNumber(logged, float64(i), v)
			log.Keep()
		}
	}
}

// A name that a compiled loop gives a new table comes into a small map, in which a FieldsReader finds it at once, and the
// order of pairs is that of RawSetString.
func TestNamesOfANewTable(t *testing.T) {
	t.Parallel()
	got, want := &lua.LTable{Metatable: lua.LNil}, &lua.LTable{Metatable: lua.LNil}
	log := &ChangeLog{}
	for _, c := range []struct {
		name string
		v    lua.LValue
	}{{"e", lua.LNumber(1)}, {"pos", lua.LTrue}, {"e", lua.LNumber(2)}, {"pos", lua.LNil}, {"body", lua.LFalse}, {"none", lua.LNil}, {"pos", lua.LTrue}} {
		log.SetName(got, c.name, c.v)
		want.RawSetString(c.name, c.v)
	}
	if _, size := groupsOf(tableOf(got).strdict); mapsKnown && size != groupSize {
		t.Errorf("the map of names has %d bytes; want %d", size, groupSize)
	}
	for g, w := lua.LValue(lua.LNil), lua.LValue(lua.LNil); ; {
		var gv, wv lua.LValue
		g, gv = got.Next(g)
		w, wv = want.Next(w)
		if g != w || gv != wv {
			t.Fatalf("pairs gives %v, %v; want %v, %v", g, gv, w, wv)
		}
		if w == lua.LNil {
			return
		}
	}
}
