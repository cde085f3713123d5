package app

import (
	"errors"
	"fmt"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
)

// A tally counts failures by what they mean for the exit code.
type tally struct {
	scripts, limits, bugs int
}

func (t *tally) add(err error) {
	switch {
	case errors.Is(err, luabind.ErrLimit), errors.Is(err, ecs.ErrLimit):
		t.limits++
	default:
		t.scripts++
	}
}

// lines are those of the summary, none when nothing failed.
func (t *tally) lines() []string {
	var lines []string
	if t.scripts > 0 {
		lines = append(lines, fmt.Sprintf("failed: %s %s", grouped(t.scripts), plural(t.scripts, "turn")))
	}
	if t.limits > 0 {
		lines = append(lines, fmt.Sprintf("limits: passed %s %s", grouped(t.limits), plural(t.limits, "time")))
	}
	return lines
}

// flatten returns the errors that errors.Join put together, in order; none for nil.
func flatten(err error) []error {
	if err == nil {
		return nil
	}
	if list, ok := err.(interface{ Unwrap() []error }); ok { //nolint:errorlint // the outermost is meant
		var all []error
		for _, e := range list.Unwrap() {
			all = append(all, flatten(e)...)
		}
		return all
	}
	return []error{err}
}
