package loops

import "testing"

// A small table is read whole when a run begins, a large one when rows have asked for a part of its keys, and from then on when
// a run begins until it is twice as large.
func TestWhole(t *testing.T) {
	var w whole
	begin := func(n int) bool {
		w.begin()
		return w.pays(0, n)
	}
	if !begin(fewKeys) || w.read != fewKeys {
		t.Errorf("a small table is not read: %+v", w)
	}
	for range 2 {
		if begin(1000) || w.read != 0 {
			t.Errorf("a large table is read at once: %+v", w)
		}
		for asked := 1; asked < 1000/askedFraction; asked++ {
			if w.pays(1, 1000) {
				t.Fatalf("a table of 1000 keys is read after %d keys", asked)
			}
		}
	}
	if !w.pays(1, 1000) || w.read != 1000 || !w.pays(1, 1001) || w.read != 1000 {
		t.Errorf("it is not read once: %+v", w)
	}
	if !begin(2000) || w.read != 2000 || begin(2001) {
		t.Errorf("the next run does not begin with it: %+v", w)
	}
	begin(100)
	if w = (whole{}); begin(100) || w.pays(manyAsked-1, 100) || !w.pays(1, 100) {
		t.Errorf("few keys are enough: %+v", w)
	}
}
