package tests

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/ecs/native"
	"github.com/ecsrun/ecsrun/luabind"
	"github.com/ecsrun/ecsrun/luabind/worldfile"
)

// TestResumeWorlds saves the worlds that ship at frame 10 and resumes them: frames 11 to 20 have the same digests and print the same lines as those
// of a run that was never stopped. RESUME_CONFIGS is a pattern of more config files to try.
func TestResumeWorlds(t *testing.T) {
	paths := []string{"../config/tutorial.yaml", "../config/arena.yaml"}
	if pattern := os.Getenv("RESUME_CONFIGS"); pattern != "" {
		more, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, more...)
	}
	for _, path := range paths {
		for _, impl := range []string{"auto", "lua"} {
			t.Run(fmt.Sprint(path, " ", impl), func(t *testing.T) {
				var whole, start, rest bytes.Buffer
				rt := resumeWorld(t, path, impl, &whole)
				begin(t, rt)
				digests := resumeFrames(t, rt, 20)
				rt = resumeWorld(t, path, impl, &start)
				begin(t, rt)
				resumeFrames(t, rt, 10)
				var file bytes.Buffer
				if err := rt.Save(&file); err != nil {
					t.Fatal(err)
				}
				rt = resumeWorld(t, path, impl, &rest)
				if err := rt.Restore(&file); err != nil {
					t.Fatal(err)
				}
				got := resumeFrames(t, rt, 10)
				for i := range got {
					if got[i] != digests[10+i] {
						t.Fatalf("frame %d: digest %s, want %s", 11+i, got[i], digests[10+i])
					}
				}
				if all := start.String() + rest.String(); all != whole.String() {
					t.Errorf("printed %q, want %q", all, whole.String())
				}
			})
		}
	}
}

// resumeWorld makes the Runtime of a config without loading its scripts.
func resumeWorld(t *testing.T, path, impl string, out io.Writer) *luabind.Runtime {
	t.Helper()
	var o config.Overrides
	if strings.HasSuffix(path, "arena.yaml") {
		o.Set = []string{"resources.units=300"}
	}
	c, err := config.Load(path, o)
	if err != nil {
		t.Fatal(err)
	}
	for i := range c.Systems {
		if c.Systems[i].Script != "" && impl == "lua" {
			c.Systems[i].Impl = config.ImplLua
		}
	}
	rt, problems := worldfile.New(c, luabind.Options{Stdout: out, Natives: native.Systems()})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	t.Cleanup(func() { _ = rt.Close() })
	return rt
}

// begin loads and starts a Runtime.
func begin(t *testing.T, rt *luabind.Runtime) {
	t.Helper()
	if err := rt.Load(); err != nil {
		t.Fatal(err)
	}
	if err := rt.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// resumeFrames runs n frames and returns their digests.
func resumeFrames(t *testing.T, rt *luabind.Runtime, n int) (digests []string) {
	t.Helper()
	for range n {
		if err := rt.Frame(context.Background(), 1.0/60); err != nil {
			t.Fatal(err)
		}
		digests = append(digests, fmt.Sprintf("%x", rt.World().Digest()))
	}
	return digests
}
