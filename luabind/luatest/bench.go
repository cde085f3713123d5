package luatest

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	lua "github.com/yuin/gopher-lua"
)

// t.bench("name", function() … end): measures a function. It runs only with Options.Bench, and does not fail.

// A Bench is what t.bench has measured.
type Bench struct {
	Calls   int
	PerCall time.Duration // mean of the last calls; 0 without Options.Now
	Allocs  float64       // heap allocations per call; negative if they were not counted
	Error   string        // why the function could not be measured; "" otherwise
}

const (
	benchTime  = 300 * time.Millisecond // of the calls that count
	benchCalls = 1 << 20                // at most
)

// bench is t.bench(…).
func (s *suite) bench(L *lua.LState) int {
	s.whileLoading(L, "t.bench")
	surface.AtMost(L, "bench", 2, 0)
	t := &test{name: s.name(L, "bench"), line: s.state.Where().Line, bench: true}
	t.fn = s.function(L, 2, "bench")
	s.state.NameFunction(t.fn, "bench")
	s.add(t)
	return 0
}

// runBench calls the function of a bench, twice as often each time, until the calls take long enough to measure.
// before_each runs once, before all calls. An error is shown and does not fail the run.
func (s *suite) runBench(t *test, groups []*group, r *Result) {
	one, b := *r, Bench{Allocs: -1}
	s.runOnce(groups, &one, func() error {
		for n := 1; ; n *= 2 {
			began, mallocs := s.o.now(), uint64(0)
			if s.o.Mallocs != nil {
				mallocs = s.o.Mallocs()
			}
			budget := s.state.Budget()
			for range n {
				before := budget.Used()
				if err := s.state.Call(t.fn); err != nil {
					return err
				}
				budget.Refund(budget.Used() - before) // a bench is ended by its time, a call by its instructions
			}
			took := s.o.now() - began
			b.Calls, b.PerCall = n, took/time.Duration(n)
			if s.o.Mallocs != nil {
				b.Allocs = float64(s.o.Mallocs()-mallocs) / float64(n)
			}
			if took >= benchTime || n >= benchCalls || s.o.Now == nil || s.ctx.Err() != nil {
				return nil
			}
		}
	})
	if len(one.Failures) > 0 {
		b.Error = one.Failures[0].Error()
	}
	r.Bench, r.Status = &b, Measured
	if one.Status == Pending {
		r.Status, r.Reason = Pending, one.Reason
	}
}

// String returns "1.25 µs and 3.0 allocations per call, mean of 262144 calls".
func (b *Bench) String() string {
	if b.Error != "" {
		return "cannot be measured: " + b.Error
	}
	var parts []string
	if b.PerCall > 0 {
		parts = append(parts, strconv.FormatFloat(b.PerCall.Seconds()*1e6, 'g', 4, 64)+" µs")
	}
	if b.Allocs >= 0 {
		parts = append(parts, fmt.Sprintf("%.1f allocations", b.Allocs))
	}
	return fmt.Sprintf("%s per call, mean of %s", strings.Join(parts, " and "), counted(b.Calls, "call"))
}
