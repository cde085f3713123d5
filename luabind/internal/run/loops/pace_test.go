package loops

import "testing"

// run lets a kernel leave every so many rows of a walk, and returns in how many of the rows it goes on.
func (p *pace) run(rows, every int) (exits int, whole bool) {
	for done := 0; done+every <= rows; done += every {
		exits++
		if !p.leaves(every-1, 0) {
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
	total := 0
	for range 10 * (restingWalks + 1) {
		if !often.resting() {
			exits, whole := often.run(2000, 1)
			if whole {
				t.Fatal("it goes on though each row is left")
			}
			total += exits
		}
	}
	if total < 10 || total > 10*3+firstCredit {
		t.Errorf("%d rows are left", total)
	}
	tables := pace{credit: firstCredit}
	if tables.leaves(100, 4096) {
		t.Error("it reads a large table again for each row")
	}
	if again := (pace{credit: firstCredit}); !again.leaves(100, 64) {
		t.Error("a small table keeps it from going on")
	}
}
