package loops

// When a kernel reads all numeric keys of a Lua table, instead of those that rows ask for one by one. Machine code copies the keys
// then (machine/frame); closures do not. Both are charged alike, because pace.go decides by this charge when a kernel rests.

const (
	fewKeys       = 64 // a Lua table with so many keys is read when a run begins
	manyAsked     = 32 // single keys after which the whole table is read
	askedFraction = 16 // or this part of its keys, if that is more
)

// A whole decides when one table is read whole.
type whole struct {
	asked int  // in this run: the keys that rows have asked for one by one
	read  int  // in this run: the keys of the table if it is read whole, otherwise 0
	is    bool // it is read whole in this run
	eager int  // a table with at most so many keys is read when a run begins
}

// begin begins a run.
func (w *whole) begin() { w.asked, w.read, w.is = 0, 0, false }

// pays notes that rows have asked for some further keys of a table with n keys, and reports whether it pays to read the table
// whole. No further keys stand for the beginning of a run.
func (w *whole) pays(further, n int) bool {
	switch w.asked += further; {
	case w.is:
	case further == 0 && n <= max(fewKeys, w.eager):
		w.is, w.read = true, n
	case w.asked >= manyAsked && w.asked >= n/askedFraction:
		w.is, w.read, w.eager = true, n, 2*n
	}
	return w.is
}
