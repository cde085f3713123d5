package app

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/luabind"
)

func scriptError(frame uint64, line int, message string) error {
	return &luabind.ScriptError{File: "a.lua", Line: line, System: "a", Frame: frame, Message: message, Err: errors.New(message)}
}

func TestFailureLog(t *testing.T) {
	start := time.Unix(1000, 0)
	var out strings.Builder
	take := func() string { s := out.String(); out.Reset(); return s }
	l := newFailureLog(&out, nil, config.Default())

	l.report(scriptError(1, 9, "entity 17v2 is dead"), start)
	if got, want := take(), "a.lua:9: system \"a\", frame 1: entity 17v2 is dead\n  --> a.lua:9\n"; got != want {
		t.Errorf("the first is shown in full: %q, want %q", got, want)
	}
	for frame := range uint64(5) {
		l.report(scriptError(2+frame, 9, "entity 3v1 is dead"), start.Add(time.Second))
	}
	if got := take(); got != "" {
		t.Errorf("what is like it is counted: %q", got)
	}
	l.report(scriptError(7, 9, "entity 4v1 has no Position"), start.Add(time.Second))
	l.report(scriptError(7, 10, "entity 3v1 is dead"), start.Add(time.Second))
	if got := take(); strings.Count(got, "\n") != 4 {
		t.Errorf("other words and another line are shown: %q", got)
	}
	l.report(scriptError(900, 9, "entity 1v1 is dead"), start.Add(time.Minute))
	if got, want := take(), "… 5 more like it: a.lua:9: system \"a\", last in frame 6\n"; got != want {
		t.Errorf("after a while: %q, want %q", got, want)
	}
	l.countUp()
	if got, want := take(), "… 1 more like it: a.lua:9: system \"a\", last in frame 900\n"; got != want {
		t.Errorf("at the end: %q, want %q", got, want)
	}
	l.countUp()
	if got := take(); got != "" {
		t.Errorf("nothing is counted twice: %q", got)
	}
}

func TestFailureLogIsLimited(t *testing.T) {
	var out strings.Builder
	l := newFailureLog(&out, nil, config.Default())
	now := time.Unix(1000, 0)
	for i := range 1000 {
		l.report(scriptError(uint64(i), i+1, "no"), now)
	}
	l.countUp()
	if got := strings.Count(out.String(), "\n") - strings.Count(out.String(), "-->"); got != failuresShown+1 {
		t.Fatalf("%d lines for 1000 kinds of failures, want %d", got, failuresShown+1)
	}
	if want := fmt.Sprintf("… %d more failures of other kinds, not shown\n", 1000-failuresShown); !strings.HasSuffix(out.String(), want) {
		t.Fatalf("the last line is not %q: %q", want, out.String())
	}
}
