package app

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// A folder of results keeps its name on a server; a copy of it has another one, and so has one whose file is damaged.
func TestQueueName(t *testing.T) {
	one, two := t.TempDir(), t.TempDir()
	name, err := queueName(one)
	check(t, err)
	if again, err := queueName(one); err != nil || again != name {
		t.Errorf("%s, then %s, %v", name, again, err)
	}
	text, err := os.ReadFile(filepath.Join(one, queueFile))
	check(t, err)
	check(t, os.WriteFile(filepath.Join(two, queueFile), text, 0o600))
	if other, err := queueName(two); err != nil || other == name {
		t.Errorf("a copy has the same name, %v", err)
	}
	check(t, os.WriteFile(filepath.Join(one, queueFile), []byte("../x "+one), 0o600))
	if other, err := queueName(one); err != nil || other == name || !queueNames.MatchString(other) {
		t.Errorf("a damaged file gives %q, %v", other, err)
	}
}

// A trouble is told when it has lasted a while, and when it is over; a short one is not.
func TestTrouble(t *testing.T) {
	var told []string
	tell := func(line string) { told = append(told, line) }
	wrong := errors.New("full")
	var short, long trouble
	short.note(wrong, tell)
	short.note(nil, tell)
	long.note(wrong, tell)
	long.since = long.since.Add(-toldAfter - time.Second)
	long.note(wrong, tell)
	long.note(wrong, tell)
	long.note(nil, tell)
	long.note(nil, tell)
	if want := []string{"the server takes no messages, which is tried again: full", "the server takes messages again"}; !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
}
