package app

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/ecsrun/ecsrun/luabind"
)

// Copies in the memory of dropped ones are those of their frames.
func TestHistoryReusesMemory(t *testing.T) {
	const frames = 36
	defer func(share time.Duration) { copyShare = share }(copyShare)
	copyShare = 1
	config := pastWorld(t)
	d := drive(t, config, "--history", "200KiB")
	var want [frames + 1]string
	for frame := 1; frame <= frames; frame++ {
		d.wants("run.step", "", "null")
		want[frame] = d.digestNow()
	}
	var kept struct {
		First  int
		Copies []int
	}
	list := d.call("history.list", "")
	check(t, json.Unmarshal([]byte(list), &kept))
	if kept.First < 5 || len(kept.Copies) < 2 {
		t.Fatal("no memory was used again, or none is left: ", list)
	}
	for _, frame := range kept.Copies {
		if frame == frames {
			continue
		}
		d.wants("history.goto", fmt.Sprintf(`"frame":%d`, frame), "null")
		if got := d.digestNow(); got != want[frame] {
			t.Errorf("frame %d: %s, not %s", frame, got, want[frame])
		}
		d.wants("run.step", "", "null")
		if got := d.digestNow(); got != want[frame+1] {
			t.Errorf("after frame %d: %s, not %s", frame, got, want[frame+1])
		}
	}
	if code := d.end(); code != exitScript {
		t.Error(code, d.err)
	}
}

// The memory is a bound: the oldest frames go.
func TestHistoryIsBounded(t *testing.T) {
	r := &run{meter: &meter{}, dog: newWatchdog(0, 0)}
	h := &history{run: r, most: 1000}
	for i := range 300 {
		h.copies, h.bytes = append(h.copies, kept{frame: uint64(i), bytes: 10, at: time.Duration(i) * time.Millisecond}), h.bytes+10
		h.inputs = append(h.inputs, luabind.Inputs{Frame: uint64(i)})
		h.shrink(0)
		if h.bytes > h.most || h.bytes != uint64(len(h.copies))*10 || h.copies[len(h.copies)-1].frame != uint64(i) || h.copies[0].frame != 0 {
			t.Fatalf("copy %d: %d copies of %d bytes, from %d on", i, len(h.copies), h.bytes, h.copies[0].frame)
		}
	}
	if len(h.copies) < 30 || h.apart < time.Millisecond || h.apart > 20*time.Millisecond {
		t.Errorf("%d copies, %v apart", len(h.copies), h.apart)
	}
	h.apart = closest
	for i := 300; i < 600; i++ {
		h.copies, h.bytes = append(h.copies, kept{frame: uint64(i), bytes: 10, at: time.Duration(i) * time.Millisecond}), h.bytes+10
		h.shrink(0)
	}
	if h.bytes > 1000 || h.copies[0].frame != 500 || h.inputs != nil {
		t.Errorf("%d bytes, from %d on, inputs %d", h.bytes, h.copies[0].frame, len(h.inputs))
	}
}

// What is done to the world after its frame was saved is in the file at the end, as is what the run has gone back to.
func TestTheLastSaveIsOfTheEnd(t *testing.T) {
	for _, c := range []struct {
		name  string
		flags []string
		do    func(d *driven)
	}{
		{"spawned after run.snapshot", nil, func(d *driven) {
			d.wants("run.snapshot", "", "null")
			d.wants("entity.spawn", `"set":{"Health":{"current":5}},"as":"late"`, `"`)
		}},
		{"set after --snapshot-every", []string{"--snapshot-every", "3"}, func(d *driven) { d.wants("resource.set", `"resource":"score","to":99`, "null") }},
		{"gone back before an edit", []string{"--history", "8MiB"}, func(d *driven) {
			d.wants("entity.spawn", `"set":{"Health":{"current":5}},"as":"late"`, `"`)
			d.wants("run.snapshot", "", "null")
			d.wants("history.goto", `"frame":3`, "null")
		}},
		{"gone back before an edit, and edited in another way", []string{"--history", "8MiB"}, func(d *driven) {
			d.wants("resource.set", `"resource":"score","to":1`, "null")
			d.wants("run.snapshot", "", "null")
			d.wants("history.goto", `"frame":3`, "null")
			d.wants("resource.set", `"resource":"score","to":2`, "null")
		}},
		{"gone back", []string{"--history", "8MiB"}, func(d *driven) {
			d.wants("run.snapshot", "", "null")
			d.wants("history.goto", `"frame":1`, "null")
			d.wants("run.step", "", "null")
		}},
	} {
		config, saved := pastWorld(t), filepath.Join(t.TempDir(), "saved")
		d := drive(t, append([]string{config, "--snapshot", saved}, c.flags...)...)
		d.wants("run.step", `"frames":3`, "null")
		c.do(d)
		want := d.digestNow()
		if code := d.end(); code != exitOK {
			t.Error(c.name, code, d.err)
		}
		resumed := drive(t, config, "--resume", saved)
		if got := resumed.digestNow(); got != want {
			t.Errorf("%s: the file has another world", c.name)
		}
		resumed.end()
	}
}
