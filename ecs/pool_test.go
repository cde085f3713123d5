package ecs

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"
)

// meet reports whether a pool runs as many tasks at once as it has workers: each task waits for all others to begin.
func meet(p *Workers) bool {
	n := p.Workers()
	var begun atomic.Int64
	all := make(chan struct{})
	var met atomic.Int64
	p.Run(n, func(int) {
		if begun.Add(1) == int64(n) {
			close(all)
		}
		select {
		case <-all:
			met.Add(1)
		case <-time.After(time.Minute): // only when the pool is broken
		}
	})
	return met.Load() == int64(n)
}

// A pool has as many workers as it was made with, at least one, and they all work in each Run, whatever became of the one before.
func TestAllWorkersOfAPoolWork(t *testing.T) {
	for n, want := range map[int]int{-3: 1, 0: 1, 1: 1, 2: 2, 3: 3} {
		p := NewPool(n)
		if p.Workers() != want || !meet(p) || !meet(p) {
			t.Fatalf("a pool of %d has %d workers, or they do not work at once", n, p.Workers())
		}
		p.Run(0, func(int) { t.Error("no task is none") })
		if !meet(p) {
			t.Fatal("after no tasks they do not")
		}
		if text := said(func() { p.Run(5, func(i int) { panic(fmt.Sprint("task ", i)) }) }); text != "task 0" {
			t.Errorf("it says %q", text)
		}
		if !meet(p) || p.task != nil || p.running.Load() {
			t.Fatal("after a panic they do not")
		}
		var within atomic.Int64
		p.Run(4, func(int) { p.Run(3, func(int) { within.Add(1) }) })
		if within.Load() != 12 || !meet(p) {
			t.Fatalf("after a Run within a Run they do not; %d tasks within", within.Load())
		}
		for tasks := range 8 {
			var done [8]atomic.Int64
			p.Run(tasks, func(i int) { done[i].Add(1) })
			for i := range done {
				if ran := done[i].Load(); ran != int64(min(1, max(0, tasks-i))) {
					t.Fatalf("%d tasks: task %d was run %d times", tasks, i, ran)
				}
			}
		}
		p.Close()
		p.Close()
		if text := said(func() { p.Run(1, func(int) {}) }); text != "ecs: Workers.Run after Close" {
			t.Errorf("it says %q", text)
		}
	}
	p := NewPool(2)
	if text := said(func() { p.Run(1, func(int) { p.Close() }) }); text != "ecs: Workers.Close during a Run" {
		t.Errorf("it says %q", text)
	}
	p.Close()
}

// countingPool counts what it is asked to run.
type countingPool struct{ workers, runs, tasks int }

func (p *countingPool) Workers() int { return p.workers }

func (p *countingPool) Run(n int, task func(i int)) {
	p.runs, p.tasks = p.runs+1, p.tasks+n
	for i := range n {
		task(i)
	}
}

// A walk is shared out when there are enough rows, more than one part, and more than one worker.
func TestWhenAWalkIsSharedOut(t *testing.T) {
	w := newWorld(Options{})
	ids := letters(t, w, "A", "B")
	tag := must[TagID](t)(w.DeclareTag("t"))
	must[int](t)(must[*Bundle](t)(w.Bundle(ids[0])).SpawnRows(3*partRows, nil))
	must[int](t)(must[*Bundle](t)(w.Bundle(ids[1])).SpawnRows(partRows, nil))
	one, three, none := Filter{Required: ids[1:]}, Filter{Required: ids[:1]}, Filter{Required: ids}
	tested := Filter{Required: ids[:1], Untagged: []TagID{tag}}
	for i, c := range []struct {
		f             Filter
		workers, rows int
		runs, tasks   int
		parts         int
	}{
		{three, 2, 0, 1, 3, 3},
		{three, 2, 3 * partRows, 1, 3, 3},
		{three, 2, 3*partRows + 1, 0, 0, 3},
		{three, 1, 0, 0, 0, 3},
		{three, 5, 1, 1, 3, 3},
		{one, 2, 0, 0, 0, 1},
		{none, 2, 0, 0, 0, 0},
		{tested, 2, 0, 2, 6, 3},
		{tested, 2, 3*partRows + 1, 0, 0, 3},
	} {
		q := must[*Query](t)(w.Query(c.f))
		pool := &countingPool{workers: c.workers}
		parts, rows := 0, 0
		ok(t, q.Parallel(pool, c.rows, func(p *Part) {
			parts++
			from, to := p.Range()
			rows += to - from
			if to-from != len(p.Entities()) || p.Table().Len() < to || from%partRows != 0 {
				t.Errorf("case %d: rows %d to %d", i, from, to)
			}
			for row := range p.Rows {
				if row < 0 || row >= to-from {
					t.Errorf("case %d: row %d", i, row)
				}
				break
			}
		}))
		if pool.runs != c.runs || pool.tasks != c.tasks || parts != c.parts || rows != c.parts*partRows {
			t.Errorf("case %d: %d runs of %d tasks, %d parts, %d rows", i, pool.runs, pool.tasks, parts, rows)
		}
		ok(t, q.Parallel(nil, 0, func(*Part) {}))
		for _, p := range w.parts {
			if p.match != nil || p.table != nil || p.commands.Len() != 0 {
				t.Errorf("case %d: a part is kept: %+v", i, p)
			}
		}
	}
	for _, e := range w.tables[1].Entities()[:2*partRows+1] { // only the last part has rows left
		w.Tag(e, tag)
	}
	q, pool, parts := must[*Query](t)(w.Query(tested)), &countingPool{workers: 2}, 0
	ok(t, q.Parallel(pool, 0, func(p *Part) {
		parts++
		rows := 0
		for range p.Rows {
			rows++
		}
		if from, _ := p.Range(); from != 2*partRows || rows != partRows-1 {
			t.Errorf("%d rows from %d on", rows, from)
		}
	}))
	if parts != 1 || pool.runs != 1 {
		t.Errorf("%d parts, %d runs", parts, pool.runs)
	}
}
