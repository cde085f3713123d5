package luabind

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

// What an observer has queued between frames is applied in a run that is resumed, and messages name the lines that have
// queued it. The new process has other numbers for lines.
func TestQueuedCommandsOfASnapshotHaveTheirLines(t *testing.T) {
	x := &resumable{
		sources: map[string]string{"a.lua": `return { init = function(w)
w:on("spawned", function(w, e)
  w.commands:tag(e, "marked")
  w.commands:add(e, "Bag") end)
w:on("added", "Bag", function(w, e) error("boom") end) end, update = function() end }`},
		systems: []System{{Name: "a", Script: "a.lua"}},
		policy:  Skip,
	}
	rt := x.open(t, &runTrace{})
	start(t, rt)
	if err := rt.Frame(context.Background(), 1); err != nil {
		t.Fatal(err)
	}
	position, _ := rt.world.LookupComponent("Position")
	if _, err := rt.world.Spawn(position); err != nil {
		t.Fatal(err)
	}
	var file, again bytes.Buffer
	if err := rt.Save(&file); err != nil {
		t.Fatal(err)
	}
	rt = x.open(t, &runTrace{})
	if err := rt.Restore(bytes.NewReader(file.Bytes())); err != nil {
		t.Fatal(err)
	}
	if err := rt.Save(&again); err != nil || !bytes.Equal(file.Bytes(), again.Bytes()) {
		t.Errorf("%v, or another file", err)
	}
	if err := rt.Frame(context.Background(), 1); err != nil {
		t.Fatal(err)
	}
	if err := rt.Failures().FirstError; err == nil || !strings.Contains(err.Error(), "was added to 0v1 by a.lua:4") {
		t.Error(err)
	}
}

// Numbers that a Go function gives to its commands name no lines of scripts.
func TestPlacesOfGo(t *testing.T) {
	r, out, err := observedRun(t, Options{Limits: Limits{OnError: Skip}}, 1, `return function() end`,
		`return { init = function(w) w:on("spawned", function() error("boom") end) end, update = function() end }`)
	if err != nil {
		t.Fatal(out, err)
	}
	c := r.world.Commands()
	c.At(999)
	if _, err := c.Spawn(); err != nil {
		t.Fatal(err)
	}
	if err := r.Frame(context.Background(), 1); err != nil {
		t.Fatal(err)
	}
	if err := r.Failures().FirstError; err == nil || !strings.HasSuffix(err.Error(), "boom (while 0v1 was spawned)") {
		t.Error(err)
	}
}
