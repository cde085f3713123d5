package ecs

import (
	"sync"
	"sync/atomic"
)

// A Pool runs the parts of a parallel walk on several cores. A world starts no goroutines of its own: the caller brings the pool, its own
// or one of [NewPool], which several worlds may share in turn.
type Pool interface {
	// Workers returns how many tasks run at once, at least 1.
	Workers() int
	// Run calls task(0) … task(n-1), each once, in any order and on any goroutines, and returns when all have returned.
	Run(n int, task func(i int))
}

// Workers is a [Pool] of goroutines that wait for work. Run is for one caller at a time.
type Workers struct {
	n    int
	wake chan struct{}
	task func(int)
	last int64
	next atomic.Int64
	busy sync.WaitGroup
	bad  atomic.Pointer[any] // what a task panicked with
}

// NewPool starts n-1 goroutines, which with the caller of Run make n workers. Close ends them.
func NewPool(n int) *Workers {
	p := &Workers{n: max(1, n), wake: make(chan struct{})}
	for range p.n - 1 {
		go func() {
			for range p.wake {
				p.work()
				p.busy.Done()
			}
		}()
	}
	return p
}

// Workers returns n.
func (p *Workers) Workers() int { return p.n }

// Run implements [Pool]. A panic in a task is raised again here, once all workers have stopped.
func (p *Workers) Run(n int, task func(i int)) {
	p.task, p.last = task, int64(n)
	p.next.Store(0)
	helpers := min(p.n, n) - 1
	p.busy.Add(helpers)
	for range helpers {
		p.wake <- struct{}{}
	}
	p.work()
	p.busy.Wait()
	p.task = nil
	if bad := p.bad.Swap(nil); bad != nil {
		panic(*bad)
	}
}

// work takes tasks until there are none.
func (p *Workers) work() {
	defer func() {
		if r := recover(); r != nil {
			bad := r
			p.bad.Store(&bad)
		}
	}()
	for i := p.next.Add(1) - 1; i < p.last; i = p.next.Add(1) - 1 {
		p.task(int(i))
	}
}

// Close ends the goroutines. The pool cannot be used afterwards.
func (p *Workers) Close() { close(p.wake) }
