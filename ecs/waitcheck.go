package ecs

import "fmt"

// checkWaits verifies the order, the heaps, the keys and the rows.
func checkWaits(w *World) error {
	q := &w.waits
	gone, keys, before := 0, 0, uint64(0)
	rows := make([]int, len(q.stores))
	for i := range q.all {
		e := &q.all[i]
		if e.number <= before || e.number > q.last {
			return fmt.Errorf("waiting event %d follows %d, the last number is %d", e.number, before, q.last)
		}
		before = e.number
		if int(e.row) != rows[e.event] {
			return fmt.Errorf("waiting event %d has row %d, not %d", e.number, e.row, rows[e.event])
		}
		rows[e.event]++
		switch {
		case e.gone:
			gone++
		case e.key != "":
			keys++
			if q.keys[waitKey{e.event, e.key}] != e.number {
				return fmt.Errorf("waiting event %d is not found by its key", e.number)
			}
		}
	}
	if gone != q.gone || keys != len(q.keys) {
		return fmt.Errorf("%d waiting events are gone and %d have keys, the counts say %d and %d", gone, keys, q.gone, len(q.keys))
	}
	for i := range q.stores {
		if q.stores[i].n != rows[i] {
			return fmt.Errorf("%d rows of %s wait, the count says %d", rows[i], w.events[i].name, q.stores[i].n)
		}
	}
	in := 0
	for h, n := range q.heaps {
		for i := range n {
			at := q.all[i].heap[h]
			if int(at) >= len(q.all) || (q.all[at].inTime != (h == 1)) || i > 0 && q.less(at, q.all[(i-1)/2].heap[h]) {
				return fmt.Errorf("waiting event at %d is at a wrong place", at)
			}
			if !q.all[at].gone {
				in++
			}
		}
	}
	if in != q.live() {
		return fmt.Errorf("%d of %d waiting events have a time", in, q.live())
	}
	return nil
}
