package app

import (
	"runtime"
	"sync"

	"github.com/ecsrun/ecsrun/ecs"
)

// cores is the pool for all runs of the process. It has as many workers as there are cores, and starts them when a
// run first asks for it.
var cores = sync.OnceValue(func() ecs.Pool { return &sharedPool{workers: ecs.NewPool(runtime.GOMAXPROCS(0))} })

// sharedPool lets runs on several goroutines use one pool in turn.
type sharedPool struct {
	mu      sync.Mutex
	workers *ecs.Workers
}

// Workers implements [ecs.Pool].
func (p *sharedPool) Workers() int { return p.workers.Workers() }

// Run implements [ecs.Pool].
func (p *sharedPool) Run(n int, task func(i int)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.workers.Run(n, task)
}
