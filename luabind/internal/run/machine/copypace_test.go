package machine

import "testing"

// A run that gains more than its copies cost goes on; one that does not rests for some walks, and is tried again then.
func TestCopyPace(t *testing.T) {
	var p copyPace
	run := func(rows, texts, fetches, asked int, fuel int64) {
		p.begin(1000)
		for range fetches {
			p.fetched()
		}
		p.copied(rows, texts)
		p.end(100, asked, 1000+fuel)
	}
	run(0, 0, 0, 0, 0)
	if p.balance != 0 || p.poor || p.resting() {
		t.Errorf("nothing copied: %+v", p)
	}
	run(200, 0, 0, 0, 0) // 100 rows gain 500, and 200 copies cost 400
	if p.balance != 100 || p.poor || p.resting() {
		t.Errorf("few copies: %+v", p)
	}
	run(300, 0, 0, 0, 0) // 500 and 600
	if p.balance != 0 || p.poor {
		t.Errorf("as much as it gains: %+v", p)
	}
	for name, bad := range map[string]func(){
		"rows":    func() { run(251, 0, 0, 0, 0) },
		"strings": func() { run(101, 1, 0, 0, 0) },
		"calls":   func() { run(0, 0, 4, 0, 0) },
		"asked":   func() { run(0, 0, 0, 9, 0) },
	} {
		p = copyPace{balance: -mayLose}
		bad()
		if !p.poor || p.balance != mayLoseMore-mayLose {
			t.Errorf("%s: %+v", name, p)
		}
		for i := range restingWalks {
			if !p.resting() {
				t.Errorf("%s: it rests for %d walks", name, i)
			}
			if p.end(100, 9, 1<<40); p.balance != mayLoseMore-mayLose || !p.poor {
				t.Errorf("%s: a walk of closures counts: %+v", name, p)
			}
		}
		if p.resting() || !p.poor {
			t.Errorf("%s: it is not tried again", name)
		}
		run(1, 0, 0, 0, 1000)
		if p.poor || p.balance != mayLoseMore-mayLose+500+2000-2 {
			t.Errorf("%s, then good: %+v", name, p)
		}
	}
	p = copyPace{}
	for range 10 { // a walk without rows asks for the keys of constant tables
		run(0, 0, 0, 40, 0)
		if p.poor || p.resting() {
			t.Errorf("a few bad walks at first: %+v", p)
		}
	}
	run(1, 0, 0, 0, 1<<30)
	if p.balance != mostBalance {
		t.Errorf("the balance grows without an end: %+v", p)
	}
}
