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

// Workers is a [Pool] of goroutines that wait for work. It serves one caller at a time: a Run while another is under way, inside one of its
// tasks or on another goroutine, does its tasks by itself.
type Workers struct {
	n       int
	wake    chan struct{}
	task    func(int)
	last    int64
	next    atomic.Int64
	busy    sync.WaitGroup
	bad     atomic.Pointer[taskPanic]
	running atomic.Bool
	closed  atomic.Bool
}

// taskExited is what Run panics with when a task ended the goroutine of a worker.
const taskExited = "ecs: a task ended its goroutine (runtime.Goexit, which FailNow of a test calls, too)"

// A taskPanic is what a task panicked with.
type taskPanic struct {
	task  int64
	value any
}

// NewPool starts n-1 goroutines, which with the caller of Run make n workers. Close ends them.
func NewPool(n int) *Workers {
	p := &Workers{n: max(1, n), wake: make(chan struct{})}
	for range p.n - 1 {
		go p.help()
	}
	return p
}

// help works whenever Run asks. When a task ends the goroutine, another takes its place.
func (p *Workers) help() {
	working := false
	defer func() {
		if working {
			go p.help()
			p.busy.Done()
		}
	}()
	for range p.wake {
		working = true
		p.work(true)
		working = false
		p.busy.Done()
	}
}

// Workers returns n.
func (p *Workers) Workers() int { return p.n }

// Run implements [Pool]. A panic in a task is raised again here, once all workers have stopped; of several, that of the first task, which
// is where one worker would have stopped. So is the end of a worker's goroutine. Panics after Close.
func (p *Workers) Run(n int, task func(i int)) {
	if p.closed.Load() {
		panic("ecs: Workers.Run after Close")
	}
	if !p.running.CompareAndSwap(false, true) {
		for i := range n {
			task(i)
		}
		return
	}
	p.task, p.last = task, int64(n)
	p.next.Store(0)
	helpers := max(0, min(p.n, n)-1)
	p.busy.Add(helpers)
	for range helpers {
		p.wake <- struct{}{}
	}
	defer p.finish() // also when a task ends the goroutine of the caller
	p.work(false)
}

// finish waits for the workers and raises what a task panicked with.
func (p *Workers) finish() {
	p.busy.Wait()
	p.task = nil
	bad := p.bad.Swap(nil)
	p.running.Store(false)
	if bad != nil {
		panic(bad.value)
	}
}

// work takes tasks, in order, until there are none or one panics.
func (p *Workers) work(helper bool) {
	i, done := int64(0), false
	defer func() {
		if r := recover(); r != nil {
			p.note(&taskPanic{task: i, value: r})
		} else if helper && !done {
			p.note(&taskPanic{task: i, value: taskExited})
		}
	}()
	for i = p.next.Add(1) - 1; i < p.last; i = p.next.Add(1) - 1 {
		p.task(int(i))
	}
	done = true
}

// note keeps the panic of the first task.
func (p *Workers) note(bad *taskPanic) {
	for old := p.bad.Load(); old == nil || bad.task < old.task; old = p.bad.Load() {
		if p.bad.CompareAndSwap(old, bad) {
			return
		}
	}
}

// Close ends the goroutines. The pool cannot be used afterwards; closing it again does nothing. Panics during a Run.
func (p *Workers) Close() {
	if p.running.Load() {
		panic("ecs: Workers.Close during a Run")
	}
	if p.closed.CompareAndSwap(false, true) {
		close(p.wake)
	}
}
