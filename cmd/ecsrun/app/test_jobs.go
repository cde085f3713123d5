package app

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/ecsrun/ecsrun/config/files"
	"github.com/ecsrun/ecsrun/luabind"
	"github.com/ecsrun/ecsrun/luabind/luatest"
	"github.com/ecsrun/ecsrun/luabind/worldfile"
)

// Running test files in parallel, for the command test. Each file is a task, in each round of --repeat. Tasks share
// nothing: each has Lua states and worlds of its own. The results are reported in the order of the tasks, so that the
// output does not depend on the number of jobs.

// A testTask is one file in one round, and its outcome.
type testTask struct {
	file    luatest.File
	options luatest.Options
	covers  bool          // counts the lines that run
	done    chan struct{} // closed when the fields below are set

	report  *luatest.Report
	covered []luabind.CoveredFile

	greedy bool // the watchdog has ended a test because of the memory that all tasks hold together
	panic  any  // what a job has panicked with; nil if it has not
	stack  string
}

// testJobs is a run of test files.
type testJobs struct {
	*program
	base      luatest.Options
	reporters []luatest.Reporter
	began     time.Time
	watchdog  func() *watchdog
	covered   *coverageFile // nil: nothing is counted
	alone     sync.RWMutex  // held for reading by tasks, and for writing by a task that must run alone

	mu      sync.Mutex
	written []string // golden files
}

// runTests runs the files and reports the results as they come. The error is that of a job that panicked.
func (p *program) runTests(files []luatest.File, f testFlags, o luatest.Options, covered *coverageFile, signal *interruption) (*luatest.Report, error) {
	j := &testJobs{program: p, base: o, reporters: p.reporters(f), began: time.Now(), watchdog: testWatchdog, covered: covered}
	j.base.Modules = p.modules
	j.base.Now = func() time.Duration { return time.Since(j.began) }
	j.base.Mallocs = mallocs
	if f.update {
		j.base.Golden = j.golden
	}
	report := luatest.Run(signal.first, nil, j.base)
	var tasks []*testTask
	for round := range f.repeat {
		list := files
		if f.shuffle {
			list = luatest.Shuffled(files, report.Seed, round)
		}
		for _, file := range list {
			task := &testTask{file: file, options: j.base, covers: covered != nil, done: make(chan struct{})}
			task.options.Round = round
			tasks = append(tasks, task)
		}
	}
	jobs := min(f.jobs, len(tasks))
	if f.bench && !f.jobsSet {
		jobs = 1 // they would disturb each other
	}
	run := j.together
	if jobs <= 1 {
		run = j.inTurn
	}
	err := run(signal.first, tasks, jobs, report)
	report.Interrupted = signal.came()
	report.Elapsed = time.Since(j.began)
	for _, r := range j.reporters {
		r.End(report)
	}
	j.tellWritten()
	return report, err
}

// inTurn runs the tasks one after another, and reports each result at once.
func (j *testJobs) inTurn(ctx context.Context, tasks []*testTask, _ int, report *luatest.Report) error {
	dog := j.watchdog()
	defer dog.close()
	for _, t := range tasks {
		t.options.Done = j.result
		t.run(ctx, j.program, dog)
		report.Add(t.report)
		j.covered.add(t.covered)
		if t.panic != nil {
			return j.bug(t)
		}
		if ctx.Err() != nil || report.Stopped {
			break
		}
	}
	return nil
}

// together runs so many tasks at the same time, and reports each in its turn.
func (j *testJobs) together(ctx context.Context, tasks []*testTask, jobs int, report *luatest.Report) error {
	ctx, stop := context.WithCancel(ctx)
	var running sync.WaitGroup
	defer running.Wait()
	defer stop()
	queue := make(chan *testTask, len(tasks))
	for _, t := range tasks {
		queue <- t
	}
	close(queue)
	for range jobs {
		running.Go(func() {
			dog := j.watchdog()
			defer dog.close()
			for t := range queue {
				j.alone.RLock()
				t.run(ctx, j.program, dog)
				j.alone.RUnlock()
				close(t.done)
			}
		})
	}
	for _, t := range tasks {
		<-t.done
		if t.greedy && ctx.Err() == nil {
			j.again(ctx, t)
		}
		if t.panic != nil {
			return j.bug(t)
		}
		report.Add(t.report)
		j.covered.add(t.covered)
		for _, r := range t.report.Results {
			j.result(r)
		}
		if report.Stopped {
			return nil
		}
	}
	return nil
}

// bug reports what a task has panicked with, and returns the exit.
func (j *testJobs) bug(t *testTask) error {
	j.reportBug(t.panic, t.stack)
	return &exit{code: exitBug}
}

// again runs a task alone. The watchdog measures the memory of the whole process, so only then it is known whether
// the task itself holds too much.
func (j *testJobs) again(ctx context.Context, t *testTask) {
	j.alone.Lock()
	defer j.alone.Unlock()
	dog := j.watchdog()
	defer dog.close()
	t.run(ctx, j.program, dog)
}

// run runs a task. It does not panic.
func (t *testTask) run(ctx context.Context, p *program, dog *watchdog) {
	defer func() {
		if v := recover(); v != nil {
			t.panic, t.stack, t.report = v, string(debug.Stack()), &luatest.Report{}
		}
	}()
	o := t.options
	o.Watchdog = dog
	o.ParseData = worldfile.ParseData
	o.Worlds = func(spec luatest.WorldSpec) (*luatest.World, error) { return p.testWorld(spec, dog) }
	if t.covers {
		o.Coverage = luabind.NewCoverage().Named(coveredName)
	}
	dog.ended.Store(0)
	t.report = luatest.Run(ctx, []luatest.File{t.file}, o)
	if t.covers {
		t.covered = o.Coverage.Files()
	}
	t.greedy = dog.ended.Load() > 0
}

func testWatchdog() *watchdog {
	dog := newWatchdog(testTime, testMemory)
	dog.timeLimit, dog.memoryLimit = "the limit of a test", "the limit of a test"
	go dog.watch()
	return dog
}

func (j *testJobs) result(r luatest.Result) {
	for _, reporter := range j.reporters {
		reporter.Result(r)
	}
	j.console.flush()
}

// golden writes a golden file, path in the folder of a test file, which no link leaves. It may be called by several jobs at a time.
func (j *testJobs) golden(f luatest.File, path string, text []byte) error {
	dir := filepath.Dir(filepath.FromSlash(f.Name))
	at := filepath.Join(dir, filepath.FromSlash(path))
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	local := filepath.FromSlash(path)
	if err = root.MkdirAll(filepath.Dir(local), 0o777); err == nil {
		err = root.WriteFile(local, text, 0o666)
	}
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", filepath.ToSlash(at), files.Reason(err))
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.written = append(j.written, filepath.ToSlash(at))
	return nil
}

// tellWritten lists the golden files that were written.
func (j *testJobs) tellWritten() {
	slices.Sort(j.written)
	for _, at := range slices.Compact(j.written) {
		fmt.Fprintf(j.console.stderr(), "wrote %s\n", at)
	}
}

// mallocs returns the number of heap allocations of the process so far.
func mallocs() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Mallocs
}
