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
	bad  atomic.Pointer[taskPanic]
}

// A taskPanic is what a task panicked with.
type taskPanic struct {
	task  int64
	value any
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

// Run implements [Pool]. A panic in a task is raised again here, once all workers have stopped; of several, that of the first task, which
// is where one worker would have stopped.
func (p *Workers) Run(n int, task func(i int)) {
	p.task, p.last = task, int64(n)
	p.next.Store(0)
	helpers := max(0, min(p.n, n)-1)
	p.busy.Add(helpers)
	for range helpers {
		p.wake <- struct{}{}
	}
	p.work()
	p.busy.Wait()
	p.task = nil
	if bad := p.bad.Swap(nil); bad != nil {
		panic(bad.value)
	}
}

// work takes tasks, in order, until there are none or one panics.
func (p *Workers) work() {
	i := int64(0)
	defer func() {
		if r := recover(); r != nil {
			p.note(&taskPanic{task: i, value: r})
		}
	}()
	for i = p.next.Add(1) - 1; i < p.last; i = p.next.Add(1) - 1 {
		p.task(int(i))
	}
}

// note keeps the panic of the first task.
func (p *Workers) note(bad *taskPanic) {
	for old := p.bad.Load(); old == nil || bad.task < old.task; old = p.bad.Load() {
		if p.bad.CompareAndSwap(old, bad) {
			return
		}
	}
}

// Close ends the goroutines. The pool cannot be used afterwards.
func (p *Workers) Close() { close(p.wake) }
