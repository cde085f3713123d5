package ecs

import (
	"fmt"
	"testing"
)

// A run of tagged rows is as long as it can be, also from one block to the next, and each walk stamps what it visits.
func TestRunsOfTaggedRows(t *testing.T) {
	w := newWorld(Options{})
	pos := MustRegister[position](w, "Position")
	tag := must[TagID](t)(w.DeclareTag("t"))
	es := must[[]Entity](t)(must[*Bundle](t)(w.Bundle(pos.ID())).SpawnMany(400, nil))
	var want [][2]int
	for _, run := range [][2]int{{1, 2}, {3, 5}, {60, 64}, {66, 67}, {120, 130}, {190, 193}, {200, 201}, {255, 256}, {319, 400}} {
		want = append(want, run)
		for _, e := range es[run[0]:run[1]] {
			w.Tag(e, tag)
		}
	}
	q := must[*Query1[Mut[position]]](t)(NewQuery1[Mut[position]](w, Filter{Tagged: []TagID{tag}}))
	for _, mode := range []string{"Next", "NextRun", "Slices"} {
		w.advanceTick()
		var got [][2]int
		for e := q.Start(); e.Ok(); {
			row := int(e.Entity().Index())
			end := row + len(e.Entities())
			switch mode {
			case "Next":
				for range end - row - 1 {
					e = e.Next()
				}
				got, e = append(got, [2]int{row, end}), e.Next()
			case "Slices":
				got = append(got, [2]int{row, row + len(e.Slices())})
				e = e.NextRun()
			default:
				got, e = append(got, [2]int{row, end}), e.NextRun()
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: runs %v, want %v", mode, got, want)
		}
		col := pos.Column(w.tables[1])
		for i := range es {
			visited := false
			for _, run := range want {
				visited = visited || i >= run[0] && (i < run[1] && mode != "NextRun" || i == run[0])
			}
			if changed := col.stampOf(i).changed == w.now; changed != visited {
				t.Errorf("%s: row %d changed: %v", mode, i, changed)
			}
		}
	}
	var left Walk1[Mut[position]]
	for e := q.Start(); e.Ok(); e = e.Next() {
		if e.Entity() == es[3] {
			left = e
		}
		if e.Entity() == es[66] {
			if panicOfWalk(func() { left.Get() }) == "" || panicOfWalk(func() { left.NextRun() }) == "" {
				t.Error("a copy that was left behind can be used")
			}
		}
	}
}

func panicOfWalk(fn func()) (text string) {
	defer func() { text, _ = recover().(string) }()
	fn()
	return ""
}
