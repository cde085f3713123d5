package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
	"github.com/ecsrun/ecsrun/luabind/luatest"
)

// recorder is a reporter that keeps the names of results.
type recorder struct{ names []string }

func (r *recorder) Result(one luatest.Result) {
	r.names = append(r.names, fmt.Sprintf("%s %s", one.FullName(), one.Status))
}
func (r *recorder) End(*luatest.Report) {}

func testFilesOf(n int, source func(i int) string) (list []*testTask, j *testJobs, seen *recorder) {
	fsys := fstest.MapFS{}
	seen = &recorder{}
	j = &testJobs{program: &program{console: newConsole(&strings.Builder{}, &strings.Builder{})}, reporters: []luatest.Reporter{seen}, watchdog: testWatchdog}
	for i := range n {
		name := fmt.Sprintf("%02d_test.lua", i)
		fsys[name] = &fstest.MapFile{Data: []byte(source(i))}
		list = append(list, &testTask{file: luatest.File{Name: name, FS: fsys, Path: name}, done: make(chan struct{})})
	}
	return list, j, seen
}

// Many small files on more jobs than cores have the results of one job, in the same order.
func TestJobsKeepTheOrder(t *testing.T) {
	source := func(i int) string {
		return fmt.Sprintf(`local t = require("ecs.test")
it("n%d", function()
  local w = t.world{ components = { { name = "Health", fields = { "current f64" } } } }
  for i = 1, %d do w:spawn{ Health = { current = i } } end
  w:step(3)
  if %d %% 7 == 0 then error("x") end
end)`, i, 1+i*37%50, i)
	}
	run := func(jobs int) (*luatest.Report, []string) {
		tasks, j, seen := testFilesOf(40, source)
		report := &luatest.Report{}
		run := j.together
		if jobs == 1 {
			run = j.inTurn
		}
		if err := run(context.Background(), tasks, jobs, report); err != nil {
			t.Fatal(err)
		}
		return report, seen.names
	}
	one, first := run(1)
	many, second := run(8)
	if !slices.Equal(first, second) || len(first) != 40 || one.Count(luatest.Failed) != 6 || many.Count(luatest.Failed) != 6 {
		t.Errorf("one job: %q\nmany jobs: %q", first, second)
	}
}

// A task that the watchdog has ended because of the memory of all runs once more, alone, and only that result counts.
func TestAGreedyTaskRunsAlone(t *testing.T) {
	tasks, j, seen := testFilesOf(3, func(i int) string {
		return fmt.Sprintf("it('n%d', function() require('host').turn(%d) end)", i, i)
	})
	var running, turns atomic.Int32
	dogs := make(chan *watchdog, 10)
	j.watchdog = func() *watchdog {
		dog := testWatchdog()
		dogs <- dog
		return dog
	}
	for _, task := range tasks {
		task.options.Modules = map[string]map[string]luabind.Function{"host": {"turn": func(args []ecs.Value) ([]ecs.Value, error) {
			running.Add(1)
			defer running.Add(-1)
			if args[0].Float() != 1 {
				return nil, nil
			}
			if turns.Add(1) == 1 {
				for range 3 {
					(<-dogs).ended.Add(1)
				}
				return nil, errors.New("scripts hold too much")
			}
			if n := running.Load(); n != 1 {
				return nil, fmt.Errorf("%d tasks run beside", n-1)
			}
			return nil, nil
		}}}
	}
	report := &luatest.Report{}
	if err := j.together(context.Background(), tasks, 3, report); err != nil {
		t.Fatal(err)
	}
	if want := []string{"n0 passed", "n1 passed", "n2 passed"}; !slices.Equal(seen.names, want) || turns.Load() != 2 {
		t.Errorf("%q after %d turns", seen.names, turns.Load())
	}
}

// A panic of a job ends the command as a bug, and the other jobs end.
func TestAJobThatPanics(t *testing.T) {
	tasks, j, _ := testFilesOf(5, func(int) string { return "it('x', function() end)" })
	tasks[2].options.Match = func(string) bool { panic("row 4 is nobody's") }
	err := j.together(context.Background(), tasks, 2, &luatest.Report{})
	var e *exit
	if !errors.As(err, &e) || e.code != exitBug {
		t.Errorf("%v", err)
	}
	if out := j.console.err.(*strings.Builder).String(); !strings.Contains(out, "row 4 is nobody's") {
		t.Error(out)
	}
}
