package luabind

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"strconv"
	"testing"

	"github.com/ecsrun/ecsrun/tests/effort"
)

// Random programs with coroutines give the same lines, errors and digests under every implementation, also with few instructions; saved at each
// frame and resumed; and if the file is replaced by one with the same code while they run.
func TestRandomCoroutines(t *testing.T) {
	n, from := effort.Of(40), 0
	if text := os.Getenv("COROUTINE_SEEDS"); text != "" {
		if _, err := fmt.Sscanf(text, "%d+%d", &from, &n); err != nil {
			t.Fatal(err)
		}
	}
	for seed := from; seed < from+n; seed++ {
		t.Run(strconv.Itoa(seed), func(t *testing.T) {
			across := seed%3 > 0
			text := play(uint64(seed), across)
			defer func() {
				if t.Failed() {
					t.Log(numberedLines(text))
				}
			}()
			whole := coroutineRun(t, text, Auto, seed, 0)
			impls := []Impl{Closures, Lua}
			if across {
				impls = impls[:1]
			}
			for _, impl := range impls {
				sameRun(t, fmt.Sprint(impl), whole, coroutineRun(t, text, impl, seed, 0))
			}
			sameRun(t, "reloaded", whole, coroutineRun(t, text, Auto, seed, 2+seed%5))
			resumedEverywhere(t, text, seed)
		})
	}
}

func numberedLines(text string) string {
	var b bytes.Buffer
	for i, line := range bytes.Split([]byte(text), []byte("\n")) {
		fmt.Fprintf(&b, "%4d %s\n", i+1, line)
	}
	return b.String()
}

const coroutineFrames = 10

// coroutineSystem returns the system of a program. Every other seed has so few instructions that some turns fail.
func coroutineSystem(text string, impl Impl, seed int) *resumable {
	x := scriptOf(text)
	x.systems[0].Impl = impl
	x.policy = Skip
	if seed%2 == 1 {
		x.instructions = uint64(300 + seed*37%1500)
	}
	return x
}

// coroutineRun runs a program. If reload is not 0, its file gets another text after that frame.
func coroutineRun(t *testing.T, text string, impl Impl, seed, reload int) *runTrace {
	t.Helper()
	x, tr := coroutineSystem(text, impl, seed), &runTrace{}
	rt := x.open(t, tr)
	start(t, rt)
	for frame := 1; frame <= coroutineFrames; frame++ {
		tr.frames(t, rt, 1)
		if frame == reload {
			x.files["a.lua"].Data = []byte(text + "-- reloaded\n")
			if _, err := rt.Reload(context.Background(), Change{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	return tr
}

// sameRun compares two runs.
func sameRun(t *testing.T, what string, want, got *runTrace) {
	t.Helper()
	if w, g := want.out.String(), got.out.String(); w != g {
		t.Errorf("%s: other lines: %s", what, firstDifference(g, w))
	}
	if w, g := want.log.String(), got.log.String(); w != g {
		t.Errorf("%s: another log: %s", what, firstDifference(g, w))
	}
	for i := range want.digests {
		if want.digests[i] != got.digests[i] {
			t.Errorf("%s: another digest after frame %d", what, i+1)
			break
		}
	}
}

// resumedEverywhere saves a run after each frame, and resumes each file.
func resumedEverywhere(t *testing.T, text string, seed int) {
	t.Helper()
	type saved struct {
		file []byte
		at   int
	}
	x, whole := coroutineSystem(text, Auto, seed), &runTrace{}
	rt := x.open(t, whole)
	start(t, rt)
	var files []saved
	for range coroutineFrames {
		whole.frames(t, rt, 1)
		var file bytes.Buffer
		if err := rt.Save(&file); err != nil {
			t.Fatal(err)
		}
		files = append(files, saved{file.Bytes(), whole.out.Len()})
	}
	for i, s := range files {
		impl := Auto
		if i%3 == 1 {
			impl = Closures
		}
		after, again := &runTrace{}, bytes.Buffer{}
		rt := coroutineSystem(text, impl, seed).open(t, after)
		if err := rt.Restore(bytes.NewReader(s.file)); err != nil {
			t.Fatalf("after frame %d: %v", i+1, err)
		}
		if err := rt.Save(&again); err != nil {
			t.Fatalf("after frame %d, at once: %v", i+1, err)
		}
		if one, two := sectionsOf(t, s.file), sectionsOf(t, again.Bytes()); impl == Auto && !maps.EqualFunc(one, two, bytes.Equal) {
			t.Errorf("after frame %d: other bytes when it is saved again", i+1)
		}
		after.frames(t, rt, coroutineFrames-i-1)
		if w, g := whole.out.String()[s.at:], after.out.String(); w != g {
			t.Fatalf("resumed after frame %d: other lines: %s", i+1, firstDifference(g, w))
		}
		for k, d := range after.digests {
			if d != whole.digests[i+1+k] {
				t.Fatalf("resumed after frame %d: another digest after frame %d", i+1, i+2+k)
			}
		}
	}
}
