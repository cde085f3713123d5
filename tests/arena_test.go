package tests

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/ecs/native"
)

// ecsrun runs a command and returns what it wrote on stdout; anything but exit code 0 ends the test.
func ecsrun(t testing.TB, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := app.Main(args, strings.NewReader(""), &stdout, &stderr); code != 0 {
		t.Fatalf("ecsrun %s: exit code %d\n%s", strings.Join(args, " "), code, stderr.String())
	}
	return stdout.String()
}

// arena runs a small battle and returns its report with a digest after every frame.
func arena(t *testing.T, args ...string) string {
	t.Helper()
	all := []string{"run", "../config/arena.yaml", "--quiet", "--hash-every", "1", "--set", "resources.units=300"}
	return ecsrun(t, append(all, args...)...)
}

// twoWay names the systems of the arena that are written in Lua and in Go.
func twoWay() []string {
	var names []string
	for name := range native.Systems() {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// firstDifference shows where two outputs part, "" when they do not.
func firstDifference(a, b string) string {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range max(len(as), len(bs)) {
		line := func(lines []string) string {
			if i < len(lines) {
				return lines[i]
			}
			return "(nothing)"
		}
		if line(as) != line(bs) {
			return line(as) + "\n" + line(bs)
		}
	}
	return ""
}

// The battle is fought to its end, and every part of it has something to do: otherwise the comparisons below compare nothing.
func TestArenaIsDecided(t *testing.T) {
	out := arena(t)
	for _, want := range []string{"First blood", "BROKE", "The battle is over.", "broke first", "Fire took", "broken on the field", "came     fell", "digest 1 "} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in the report:\n%s", want, out)
		}
	}
}

// Whichever implementation of a system is chosen, the world is the same after every frame.
func TestArenaLuaEqualsNative(t *testing.T) {
	want := arena(t)
	var all []string
	for _, name := range twoWay() {
		inLua := []string{"--set", "systems." + name + ".impl=lua"}
		all = append(all, inLua...)
		t.Run(name, func(t *testing.T) {
			if d := firstDifference(want, arena(t, inLua...)); d != "" {
				t.Errorf("native, then Lua:\n%s", d)
			}
		})
	}
	for _, seed := range []string{"42", "7"} {
		t.Run("all, seed "+seed, func(t *testing.T) {
			if d := firstDifference(arena(t, "--seed", seed), arena(t, append(all, "--seed", seed)...)); d != "" {
				t.Errorf("native, then Lua:\n%s", d)
			}
		})
	}
}

func TestArenaRepeats(t *testing.T) {
	want := arena(t)
	if d := firstDifference(want, arena(t)); d != "" {
		t.Errorf("the second run parts from the first:\n%s", d)
	}
	if firstDifference(want, arena(t, "--seed", "7")) == "" {
		t.Error("another seed gives the same battle")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, n := range []int{1, 2} {
		runtime.GOMAXPROCS(n)
		if d := firstDifference(want, arena(t)); d != "" {
			t.Errorf("GOMAXPROCS=%d:\n%s", n, d)
		}
	}
}

// Digests leave change stamps out, but `changed=` queries live on them: a native must stamp the rows that its script would have written, and
// no others. A probe at the end of every frame hashes all stamps of the world.
func TestArenaLuaStampsAsNative(t *testing.T) {
	want := stamps(t)
	for _, name := range twoWay() {
		t.Run(name, func(t *testing.T) {
			got := stamps(t, "--set", "systems."+name+".impl=lua")
			if len(want) < 50 || len(got) != len(want) {
				t.Fatalf("%d frames in Lua, %d native", len(got), len(want))
			}
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("the stamps differ after frame %d", i+1)
				}
			}
		})
	}
}

// stamps runs a small battle and returns a hash of all change stamps after every frame.
func stamps(t *testing.T, args ...string) (hashes []uint64) {
	t.Helper()
	source, err := os.ReadFile("../config/arena.yaml")
	if err != nil {
		t.Fatal(err)
	}
	scripts, err := filepath.Abs("../scripts")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(source), "scripts: ../scripts", "scripts: "+strconv.Quote(scripts), 1)
	text = strings.Replace(text, "mods_dir: ../scripts/mods", "mods_dir: "+strconv.Quote(filepath.Join(scripts, "mods")), 1)
	text = strings.Replace(text, "\nlimits:", "  - { name: probe, stage: last, native: probe }\n\nlimits:", 1)
	file := filepath.Join(t.TempDir(), "arena.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	probe := func(*ecs.World) (ecs.SystemFunc, error) {
		return func(w *ecs.World, _ float64) error {
			h := fnv.New64a()
			for _, table := range w.Tables() {
				for _, id := range table.Components() {
					column := table.Column(id)
					for row := range column.Len() {
						fmt.Fprintln(h, column.Changed(row), column.Added(row))
					}
				}
			}
			hashes = append(hashes, h.Sum64())
			return nil
		}, nil
	}
	var stderr bytes.Buffer
	all := append([]string{"run", file, "--quiet", "--set", "resources.units=100"}, args...)
	code := app.Main(all, strings.NewReader(""), io.Discard, &stderr, app.Natives(map[string]ecs.NativeFunc{"probe": probe}))
	if code != 0 {
		t.Fatalf("exit code %d\n%s", code, stderr.String())
	}
	return hashes
}

// The tutorial prints these lines and no others before the summary.
func TestTutorial(t *testing.T) {
	want := `frame 1 redraw player
frame 1 redraw enemy
frame 2 redraw player
frame 2 redraw enemy
frame 3 collision player enemy
frame 3 redraw player
frame 3 redraw enemy
frame 4 redraw player
`
	out := ecsrun(t, "run", "../config/tutorial.yaml")
	summary := "4 frames, 4.0 s of world time"
	if lines, _, ok := strings.Cut(out, summary); !ok || lines != want {
		t.Errorf("got\n%s\nwant\n%s%s …", out, want, summary)
	}
	if got := ecsrun(t, "run", "../config/tutorial.yaml", "--quiet"); got != want {
		t.Errorf("--quiet: got\n%s", got)
	}
}
