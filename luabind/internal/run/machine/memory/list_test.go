package memory

import "testing"

// A list keeps its place while it has room, moves when it grows, and gives its memory back.
func TestListGrows(t *testing.T) {
	m := newMemory(1 << 20)
	l := List{Memory: m}
	small := l.Set(3)
	at := l.Address
	if len(small) != 3 || l.Room != 16 || l.Len != 3 {
		t.Fatalf("%d numbers, room for %d", len(small), l.Room)
	}
	small[2] = 7
	if got := *(*uint32)(m.At(at + 8)); got != 7 {
		t.Errorf("code reads %d, not 7", got)
	}
	if again := l.Set(16); len(again) != 16 || l.Address != at || again[2] != 7 {
		t.Errorf("%d numbers at %d, not at %d", len(again), l.Address, at)
	}
	if more := l.Set(17); len(more) != 17 || l.Address == at || l.Room != 34 {
		t.Errorf("%d numbers at %d, room for %d", len(more), l.Address, l.Room)
	}
	if l.Set(1<<20) != nil || l.Start != nil || l.Room != 0 {
		t.Errorf("numbers that do not fit: room for %d", l.Room)
	}
	if l.Set(1) == nil {
		t.Error("a list without memory has no room again")
	}
	l.Free()
	if l.Start != nil || l.Room != 0 {
		t.Error("memory is not given back")
	}
}
