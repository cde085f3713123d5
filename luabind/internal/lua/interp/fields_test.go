package interp

import (
	"fmt"
	"testing"
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// A place that was remembered in a large map lies behind the end of a small one.
func TestPlacesOfLargeMapsAreNoneOfSmallOnes(t *testing.T) {
	if !mapsKnown {
		t.Fatal("the maps of this version of Go are not known")
	}
	header := func(m map[string]lua.LValue) *mapHeader { return *(**mapHeader)(unsafe.Pointer(&m)) }
	small, large := newFields(2), newFields(64)
	for i := range 8 {
		small[fmt.Sprint("name", i)] = lua.LTrue
	}
	beyond := 0
	for i := range 60 {
		name := fmt.Sprint("name", i)
		large[name] = lua.LTrue
		e := header(large).find(&name, hashOf(name))
		place := header(large).placeOf(e)
		if uintptr(place) >= groupSize {
			beyond++
			if header(small).groupsWith(place) != nil {
				t.Fatalf("a small map has groups for the place %d", place)
			}
		}
	}
	if beyond == 0 {
		t.Error("no name lies behind the first group of the large map")
	}
}
