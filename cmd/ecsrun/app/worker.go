package app

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/plan"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/queue"
)

// The command worker: it runs jobs of any sweep that waits on a NATS server, in processes of their own that are confined.

// An agent is a worker: some processes, and the sweeps that they run jobs of.
type agent struct {
	*program
	name    string // of this run of the command
	workers int
	dir     string // of the files of sweeps
	conn    *queue.Connection
	say     chan string // lines for stderr, which belongs to one goroutine
	alone   sync.RWMutex

	mu      sync.Mutex
	sweeps  []*queue.Sweep
	laid    map[string]string // the folders of sweeps by their names; "" for one that is refused
	last    time.Time         // when a job was there
	working int
	stuck   int                  // of them, those whose result the server does not take
	wrong   trouble              // of results that are sent
	empty   map[string]time.Time // when a sweep had no job, by its name
	all     map[*jobProcess]bool
	dropped bool
}

func (p *program) workerCommand() *cobra.Command {
	var o queue.Options
	var workers int
	var idle time.Duration
	cmd := &cobra.Command{
		Use:   "worker URL",
		Short: "Run worlds of sweeps that other machines send over NATS",
		Long: `worker takes jobs of all sweeps on a NATS server (sweep --queue), and runs them in
processes that are confined. It needs this program and the address, nothing else.`,
		Example: `  ecsrun worker nats://queue.example:4222 --workers 8 --idle 60s`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || args[0] == "" {
				return usageError("worker needs the address of a NATS server, as in ecsrun worker nats://localhost:4222")
			}
			return nil
		},
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := workersOf(workers); err != nil {
				return err
			}
			if cmd.Flags().Changed("idle") && idle <= 0 {
				return usageError("--idle wants a time above 0, as in 60s")
			}
			o.URL = args[0]
			return p.work(o, workers, idle)
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&workers, "workers", runtime.NumCPU(), "run `N` processes at a time")
	flags.DurationVar(&idle, "idle", 0, "end when there was nothing to do for a `TIME`, as 60s (default: wait for ever)")
	connectionFlags(flags, &o)
	return cmd
}

// mostWorkers is how many processes a machine may be asked for.
const mostWorkers = 1000

func workersOf(n int) error {
	if n < 1 || n > mostWorkers {
		return usageError("--workers wants a number from 1 to %s, and not %d", grouped(mostWorkers), n)
	}
	return nil
}

// work runs jobs until a signal comes, or nothing was there for a while.
func (p *program) work(o queue.Options, workers int, idle time.Duration) error {
	o.Name = "ecsrun worker"
	conn, err := queue.Connect(o)
	if err != nil {
		return usageError("worker: %w", err)
	}
	defer conn.Close()
	dir, err := os.MkdirTemp("", "ecsrun-worker-")
	if err != nil {
		return usageError("worker: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // what is left is in the folder for temporary files
	id := make([]byte, 8)
	_, _ = rand.Read(id) // it never fails
	a := &agent{program: p, name: hostName() + "/" + hex.EncodeToString(id), workers: workers, dir: dir, conn: conn, say: make(chan string, 64), laid: map[string]string{}, empty: map[string]time.Time{}, last: time.Now(), all: map[*jobProcess]bool{}}
	incoming := make(chan os.Signal, 4)
	signal.Notify(incoming, caughtSignals()...)
	defer signal.Stop(incoming)
	taking, stop := context.WithCancel(context.Background()) // ends with the first signal
	defer stop()
	sending, drop := context.WithCancel(context.Background()) // ends with the second
	defer drop()
	fmt.Fprintf(p.console.stderr(), "worker: %s at %s\n", counted(workers, "process"), queue.Redacted(o.URL))
	var all sync.WaitGroup
	all.Go(func() { a.look(taking) })
	for range workers {
		all.Go(func() { a.slot(taking, sending) })
	}
	done := make(chan bool)
	go func() { all.Wait(); close(done) }()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	stopped, gaveUp := time.Now(), false // when the worker last had something to do but to wait for the server
	for {
		select {
		case line := <-a.say:
			fmt.Fprintf(p.console.stderr(), "worker: %s\n", withoutControls(line))
		case <-incoming:
			if taking.Err() != nil {
				drop()
				a.drop()
			}
			stop()
		case <-tick.C:
			a.mu.Lock()
			tired := idle > 0 && a.working == a.stuck && time.Since(a.last) > idle
			waits := a.stuck > 0 && a.working == a.stuck // for nothing but the server
			stuck := a.stuck
			a.mu.Unlock()
			if tired {
				stop()
			}
			if taking.Err() == nil || !waits {
				stopped = time.Now()
			} else if !gaveUp && time.Since(stopped) > longestStuck {
				fmt.Fprintf(p.console.stderr(), "worker: %s could not be sent; other workers run these worlds again\n", counted(stuck, "result"))
				gaveUp = true
				drop()
			}
		case <-done:
			if sending.Err() != nil && !gaveUp {
				return &exit{code: exitInterrupted}
			}
			return nil
		}
	}
}

// longestStuck is how long a worker that ends waits for the server to take its results. Then their jobs go to others anyway.
const longestStuck = 30 * time.Second

// look looks for sweeps once a second.
func (a *agent) look(ctx context.Context) {
	for ctx.Err() == nil {
		found, err := a.conn.Find(ctx)
		if err == nil {
			a.mu.Lock()
			for i, s := range found { // those that are known keep what they have of the server
				for _, old := range a.sweeps {
					if old.Name() == s.Name() {
						found[i] = old
					}
				}
			}
			a.sweeps = found
			a.mu.Unlock()
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

// drop ends all processes at once.
func (a *agent) drop() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.dropped = true
	for p := range a.all {
		p.kill()
	}
}

// folder returns the folder with the files of a sweep, "" if its jobs are refused.
func (a *agent) folder(ctx context.Context, s *queue.Sweep) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	dir, known := a.laid[s.Name()]
	if known {
		return dir
	}
	if s.Program != programIdentity() {
		a.laid[s.Name()] = ""
		a.tell(fmt.Sprintf("refused: the sweep %s is of another program, %s, and this is %s; use the same build everywhere", s.ID, s.Program, programIdentity()))
		return ""
	}
	data, err := s.Files(ctx)
	var b *plan.Bundle
	if err == nil {
		b, err = plan.Decode(data)
	}
	dir = filepath.Join(a.dir, fmt.Sprint(len(a.laid)))
	if err == nil {
		err = layJobs(dir, b)
	}
	if err != nil {
		a.tell(fmt.Sprintf("the files of the sweep %s: %v", s.ID, err))
		return "" // they are asked for again
	}
	a.laid[s.Name()] = dir
	return dir
}
