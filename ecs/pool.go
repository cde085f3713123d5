package ecs

import (
	"sync"
	"sync/atomic"
)

// A Pool runs the parts of a parallel walk on several cores. A world starts no goroutines: the caller passes a
// pool to [Query.Parallel], its own or one of [NewPool]. Several worlds may share one.
type Pool interface {
	// Workers returns how many tasks run at once, at least 1.
	Workers() int
	// Run calls task(0) … task(n-1), each once, in any order and on any goroutines, and returns when all have returned.
	Run(n int, task func(i int))
}

// Workers is a [Pool] of goroutines that wait for work. It serves one caller at a time. A Run that is called while
// another one is under way, inside of a task or on another goroutine, does its tasks on the calling goroutine.
type Workers struct {
	n       int                       // workers, with the caller of Run
	wake    chan struct{}             // one message per goroutine that is to work
	task    func(int)                 // of the current Run
	last    int64                     // number of tasks of the current Run
	next    atomic.Int64              // the next task to take
	busy    sync.WaitGroup            // goroutines at work
	bad     atomic.Pointer[taskPanic] // panic of the first task that panicked
	running atomic.Bool
	closed  atomic.Bool
}

// taskExited is the value with which Run panics if a task ended the goroutine of a worker.
const taskExited = "ecs: a task ended its goroutine (runtime.Goexit, which FailNow of a test calls, too)"

// A taskPanic is the value with which a task panicked.
type taskPanic struct {
	task  int64
	value any
}

// NewPool starts n-1 goroutines; with the goroutine that calls Run they are n workers. Call Close to end them.
func NewPool(n int) *Workers {
	p := &Workers{n: max(1, n), wake: make(chan struct{})}
	for range p.n - 1 {
		go p.help()
	}
	return p
}

// help is the body of a goroutine: it works whenever Run wakes it, until Close. If a task ends the goroutine, help
// starts another one in its place.
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

// Run implements [Pool]. If tasks panic, Run panics after all workers have stopped, with the value of the first of
// these tasks, which is where a single worker would have stopped. It also panics if a task ends a worker's
// goroutine, and after Close.
func (p *Workers) Run(n int, task func(i int)) {
	made(p.wake != nil, "Workers", "ecs.NewPool")
	given(task != nil, "Workers.Run", "a task")
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

// finish waits for the workers and raises the panic of a task again.
func (p *Workers) finish() {
	p.busy.Wait()
	p.task = nil
	bad := p.bad.Swap(nil)
	p.running.Store(false)
	if bad != nil {
		panic(bad.value)
	}
}

// work takes tasks in order until there are none left or one panics. helper is false on the goroutine of the
// caller of Run.
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

// note records the panic of a task, unless an earlier task has panicked.
func (p *Workers) note(bad *taskPanic) {
	for old := p.bad.Load(); old == nil || bad.task < old.task; old = p.bad.Load() {
		if p.bad.CompareAndSwap(old, bad) {
			return
		}
	}
}

// Close ends the goroutines. The pool cannot be used afterwards; closing it again does nothing. Panics during a Run.
func (p *Workers) Close() {
	made(p.wake != nil, "Workers", "ecs.NewPool")
	if p.running.Load() {
		panic("ecs: Workers.Close during a Run")
	}
	if p.closed.CompareAndSwap(false, true) {
		close(p.wake)
	}
}
