package app

import (
	"errors"
	"fmt"
	"time"

	"github.com/ecsrun/ecsrun/luabind"
)

// This file decides after each turn of bisect whether the two runs still do the same: failures are compared first, then the
// worlds, then printed lines.

// judge looks at what is new on both sides: failures first, then the difference d between the worlds, then what scripts have
// printed. name is the system whose turn it was, "" for none. It reports false if the runs are over.
func (b *bisection) judge(name string, d discrepancy, newsA, newsB news) bool {
	for _, side := range []struct {
		s *bisectSide
		n news
	}{{b.a, newsA}, {b.b, newsB}} {
		for _, err := range side.n.failed {
			if errors.Is(err, errInterrupted) {
				b.stopped = true
				return false
			}
			if errors.Is(err, luabind.ErrBug) {
				side.s.fail(err)
				return false
			}
		}
	}
	if b.found = b.differentFailure(name, newsA.failed, newsB.failed); b.found != "" {
		return false
	}
	for _, err := range newsA.failed {
		b.a.failures.report(err, time.Now())
	}
	b.failed = b.a.err != nil || b.b.err != nil
	if d.what == "" {
		d.what, d.a, d.b = differentLine("printed line", newsA.printed, newsB.printed)
	}
	if d.what == "" {
		return !b.failed
	}
	b.nowhere = name == ""
	b.found = fmt.Sprintf("%s: %s: %s in A, %s in B%s", b.place(name), d.what, d.a, d.b, d.note)
	return false
}

// differentFailure returns a failure that one side has and the other has not, or that has another text, and shows it in
// full; "" if there is none.
func (b *bisection) differentFailure(name string, failedA, failedB []error) string {
	for i := range max(len(failedA), len(failedB)) {
		errA, errB := failureAt(failedA, i), failureAt(failedB, i)
		first := errA
		if first == nil {
			first = errB
		}
		var script *luabind.ScriptError
		if errors.As(first, &script) && script.System != "" {
			name = script.System
		}
		switch {
		case errB == nil:
			b.a.failures.report(errA, time.Now())
			return fmt.Sprintf("%s: a failure in A, and none in B: %v", b.place(name), errA)
		case errA == nil:
			b.b.failures.report(errB, time.Now())
			return fmt.Sprintf("%s: a failure in B, and none in A: %v", b.place(name), errB)
		}
		if b.failure(errA) != b.failure(errB) {
			b.a.failures.report(errA, time.Now())
			b.b.failures.report(errB, time.Now())
			return fmt.Sprintf("%s: another failure: %v in A, %v in B", b.place(name), errA, errB)
		}
	}
	return ""
}

func failureAt(list []error, i int) error {
	if i < len(list) {
		return list[i]
	}
	return nil
}

// failure returns the text that is compared of a failure. A native system words its failures in its own way, so where it
// stands against a script, only the fact that it failed is compared.
func (b *bisection) failure(err error) string {
	var script *luabind.ScriptError
	if errors.As(err, &script) && b.rules.otherLanguage[script.System] {
		return fmt.Sprintf("system %q failed", script.System)
	}
	return err.Error()
}
