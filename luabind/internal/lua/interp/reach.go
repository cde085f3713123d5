package interp

import (
	"slices"

	lua "github.com/yuin/gopher-lua"
)

// List parts with holes. gopher-lua keeps all positive whole numbers as keys in a list: cells[x * 10000 + y] = c makes one
// of that length. It appends the nils before the new item one by one, so the list moves to larger memory many times. Here
// it moves once.

// reach makes the list part so long that item i is the next one. The caller sets that item with RawSetInt, which leaves
// the table as it would be without reach.
func (t *table) reach(i int) {
	n := len(t.array)
	if i <= n+1 {
		return
	}
	t.array = slices.Grow(t.array, i-n)[:i-1]
	for j := n; j < i-1; j++ {
		t.array[j] = lua.LNil
	}
}
