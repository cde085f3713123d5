package ledger

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/joblog"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/plan"
	"github.com/ecsrun/ecsrun/config"
)

// planOf returns a plan with so many seeds of the values.
func planOf(t *testing.T, seeds uint64, values ...string) *plan.Plan {
	t.Helper()
	s := &config.Sweep{Seeds: config.Seeds{From: 1, Count: seeds}, Design: config.Design{Kind: config.DesignGrid}, Vary: []config.Vary{{Key: "resources.x", Values: values}}}
	p, err := plan.New(s, nil, [32]byte{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func nobody(int) bool { return false }

// Jobs that die, have to run alone, come back or are done twice, in random order: each ends with one result, those that die three times are parked.
func TestAnyOrder(t *testing.T) {
	for seed := range uint64(200) {
		src := rand.New(rand.NewPCG(seed, 0))
		x := planOf(t, 5, "1", "2", "3").Index()
		l := New(x, Shard{})
		l.Audit([]float64{0, 0.3, 1}[src.IntN(3)])
		l.Begin()
		deaths, results, seconds := map[int]int{}, map[int]int{}, map[int]int{}
		var running []Job
		offset := int64(0)
		for step := 0; ; step++ {
			if step > 10_000 {
				t.Fatal("it does not end")
			}
			if len(running) < 3 && src.IntN(2) == 0 {
				if j, ok := l.Take(nobody); ok {
					if j.Audit && results[j.Row] == 0 {
						t.Fatalf("row %d is audited before it is done", j.Row)
					}
					running = append(running, j)
				} else if len(running) == 0 {
					break
				}
				continue
			}
			if len(running) == 0 {
				continue
			}
			i := src.IntN(len(running))
			j := running[i]
			running = append(running[:i], running[i+1:]...)
			note := func(parked bool) {
				offset++
				if _, twice := l.Note(j.Row, joblog.Place{Log: 1, Offset: offset}, parked, j.Audit); twice && !j.Audit {
					t.Fatalf("row %d twice", j.Row)
				}
				if j.Audit {
					seconds[j.Row]++
				} else {
					results[j.Row]++
				}
			}
			switch src.IntN(6) {
			case 0:
				deaths[j.Row]++
				if l.Died(j) {
					if deaths[j.Row] != mostDeaths {
						t.Fatalf("row %d is parked after %d deaths", j.Row, deaths[j.Row])
					}
					note(true)
				}
			case 1:
				if !j.Audit && !j.Alone && deaths[j.Row] == 0 {
					l.Again(j)
				} else {
					l.Return(j)
				}
			default:
				note(false)
			}
		}
		c := l.Counts()
		if !l.Over() || c.Done != 15 || c.Jobs != 15 || c.Running != 0 || c.Fresh != 15 {
			t.Fatalf("seed %d: %+v", seed, c)
		}
		for row := range 15 {
			if results[row] != 1 || seconds[row] > 1 {
				t.Fatalf("seed %d: row %d has %d results and %d audits", seed, row, results[row], seconds[row])
			}
			if _, ok := l.Place(row); !ok {
				t.Fatalf("row %d has no place", row)
			}
		}
	}
}

// Rows of the same key are one job, and jobs are in the order of the plan.
func TestOneJobForEqualRows(t *testing.T) {
	p := planOf(t, 2, "1", "2", "1.0")
	p.Sweep.Vary[0].Values[2] = "1" // as a list may have
	l := New(p.Index(), Shard{})
	got := ""
	for {
		j, ok := l.Take(nobody)
		if !ok {
			break
		}
		got += fmt.Sprint(j.Row, " ")
		l.Note(j.Row, joblog.Place{Offset: int64(10 + j.Row)}, false, false)
	}
	if got != "0 1 3 4 " {
		t.Errorf("rows %s", got)
	}
	if at, ok := l.Place(5); !ok || at.Offset != 13 {
		t.Errorf("row 5: %v %v", at, ok)
	}
}

func TestShards(t *testing.T) {
	p := planOf(t, 7, "1", "2", "3")
	x, all := p.Index(), map[int]int{}
	for n := 1; n <= 4; n++ {
		s, err := ParseShard(fmt.Sprintf("%d/4", n))
		if err != nil {
			t.Fatal(err)
		}
		l := New(x, s)
		for {
			j, ok := l.Take(nobody)
			if !ok {
				break
			}
			all[j.Row]++
		}
	}
	if len(all) != 21 {
		t.Errorf("%d rows", len(all))
	}
	for _, text := range []string{"0/3", "4/3", "a/3", "3", "3/", "03/4", "3/4 "} {
		if _, err := ParseShard(text); err == nil {
			t.Errorf("%s is a shard", text)
		}
	}
	if got := (Shard{3, 100}).Folder(); got != "shard-003-of-100" {
		t.Error(got)
	}
}

// Rows behind an early end are no jobs.
func TestStop(t *testing.T) {
	l := New(planOf(t, 10, "1", "2").Index(), Shard{})
	for range 6 {
		j, _ := l.Take(nobody)
		l.Note(j.Row, joblog.Place{}, false, false)
	}
	l.Stop(4)
	if _, ok := l.Take(nobody); ok {
		t.Error("a job behind the end")
	}
	if c := l.Counts(); c.Jobs != 4 || c.Done != 4 || !l.Over() {
		t.Errorf("%+v", c)
	}
}

// Parked jobs are tried again at the next start, and another result takes their place.
func TestParkedAgain(t *testing.T) {
	l := New(planOf(t, 1, "1", "2").Index(), Shard{})
	l.Note(0, joblog.Place{Offset: 1}, true, false)
	l.Note(1, joblog.Place{Offset: 2}, true, false)
	l.Note(1, joblog.Place{Offset: 3}, false, false) // of a later start
	if c := l.Counts(); c.Parked != 1 || c.Done != 2 {
		t.Errorf("%+v", c)
	}
	l.Begin()
	if j, ok := l.Take(nobody); !ok || j.Row != 0 {
		t.Error("the parked job is not tried again")
	}
	if at, ok := l.Place(1); !ok || at.Offset != 3 {
		t.Errorf("%v %v", at, ok)
	}
}

// A job that has to run alone, and comes back, still has to.
func TestReturnedJobStaysAlone(t *testing.T) {
	l := New(planOf(t, 1, "1", "2").Index(), Shard{})
	l.Begin()
	first, _ := l.Take(nobody)
	l.Again(first)
	second, _ := l.Take(nobody)
	l.Return(second)
	for range 2 {
		j, ok := l.Take(nobody)
		if !ok || j.Alone != (j.Row == first.Row) {
			t.Fatalf("%+v, %v", j, ok)
		}
		if j.Alone {
			l.Return(j)
			if again, ok := l.Take(nobody); !ok || again != j {
				t.Errorf("%+v came back as %+v, %v", j, again, ok)
			}
		}
	}
}
