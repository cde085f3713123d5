package loops

import "testing"

// run lets a kernel leave every so many rows of a walk, and returns in how many of the rows it goes on.
func (p *pace) run(rows, every int) (exits int, whole bool) {
	for done := 0; done+every <= rows; done += every {
		exits++
		if !p.leaves(every-1, 0, rows-done-every) {
			return exits, false
		}
	}
	p.ends(rows % every)
	return exits, true
}

// A kernel that seldom leaves always goes on. One that leaves often stops, and tries again after some walks.
func TestPace(t *testing.T) {
	seldom := pace{credit: firstCredit}
	for range 100 {
		if _, whole := seldom.run(2000, exitCost+1); !whole || seldom.resting() {
			t.Fatal("it stops for rows that are seldom left")
		}
	}
	often := pace{credit: firstCredit}
	total, tries := 0, 10
	for range tries * (restingWalks + 1) {
		if !often.resting() {
			exits, whole := often.run(2000, 1)
			if whole {
				t.Fatal("it goes on though each row is left")
			}
			total += exits
		}
	}
	if total < tries || total > tries*(2000/exitCost+1)+firstCredit {
		t.Errorf("%d rows are left", total)
	}
	tables := pace{credit: firstCredit}
	if tables.leaves(100, 4096, 0) {
		t.Error("it reads a large table again for each row")
	}
	if again := (pace{credit: firstCredit}); !again.leaves(100, 64, 0) {
		t.Error("a small table keeps it from going on")
	}
}

// It does not matter where in a walk the rows are that a kernel leaves.
func TestPaceOfRowsSideBySide(t *testing.T) {
	for _, c := range []struct {
		before, left, after int
		whole               bool
	}{{0, 500, 19500, true}, {19500, 500, 0, true}, {10000, 500, 9500, true}, {0, 3000, 17000, false}, {17000, 3000, 0, false}} {
		p := pace{credit: firstCredit}
		for walk := range 3 {
			goesOn := true
			for i := range c.left {
				rows := 0
				if i == 0 {
					rows = c.before
				}
				if goesOn = p.leaves(rows, 0, c.left-i-1+c.after); !goesOn {
					break
				}
			}
			if goesOn {
				p.ends(c.after)
			}
			if goesOn != c.whole {
				t.Errorf("%+v: in walk %d the kernel goes on: %v", c, walk, goesOn)
				break
			}
			if c.whole == p.resting() {
				t.Errorf("%+v: after walk %d the kernel rests: %v", c, walk, !c.whole)
			}
			if !c.whole {
				break
			}
		}
	}
	left := pace{credit: firstCredit} // walks that their first row ends
	for range 20 {
		if left.resting() {
			return
		}
		left.leaves(0, 0, 1000)
	}
	t.Error("a kernel goes on that is left in the first row of each walk")
}
