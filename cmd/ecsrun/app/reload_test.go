package app

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// A live is a run with --watch whose files a test changes on the disk.
type live struct {
	t        *testing.T
	dir      string
	mu       sync.Mutex
	out, err bytes.Buffer
	read     map[*bytes.Buffer]int // how much of each the test has seen
	ended    chan int
}

type lockedWriter struct {
	l *live
	b *bytes.Buffer
}

func (w lockedWriter) Write(p []byte) (int, error) {
	w.l.mu.Lock()
	defer w.l.mu.Unlock()
	return w.b.Write(p)
}

const liveConfig = `version: 1
run: { frames: 0, realtime: true, dt: 0.005, seed: 1 }
scripts: scripts
components: [{ name: Position, fields: [x f64] }]
systems:
  - { name: a, script: a.lua }
`

// watched prints once for each version of the file, with what the world and the state say.
func watched(version string) string {
	return `local M = { state = { turns = 0 } }
local said = false
function M.init(world) world:spawn{ Position = { x = 1 } } end
function M.update(world)
  M.state.turns = M.state.turns + 1
  for e, p in world:each("Position") do p.x = p.x + 1 end
  if not said then said = true print("version ` + version + `", world:count("Position"), M.state.turns == world.frame) end
end
return M
`
}

func startLive(t *testing.T, files map[string]string, flags ...string) *live {
	t.Parallel()
	l := &live{t: t, dir: t.TempDir(), read: map[*bytes.Buffer]int{}, ended: make(chan int, 1)}
	for name, text := range files {
		l.write(name, text)
	}
	go func() {
		args := append([]string{"run", filepath.Join(l.dir, "c.yaml"), "--watch", "--quiet"}, flags...)
		l.ended <- Main(args, strings.NewReader(""), lockedWriter{l, &l.out}, lockedWriter{l, &l.err})
	}()
	return l
}

func (l *live) path(name string) string { return filepath.Join(l.dir, filepath.FromSlash(name)) }

func (l *live) write(name, text string) {
	l.t.Helper()
	if err := os.MkdirAll(filepath.Dir(l.path(name)), 0o755); err != nil {
		l.t.Fatal(err)
	}
	if err := os.WriteFile(l.path(name), []byte(text), 0o644); err != nil {
		l.t.Fatal(err)
	}
}

func (l *live) rename(from, to string) {
	l.t.Helper()
	if err := os.Rename(l.path(from), l.path(to)); err != nil {
		l.t.Fatal(err)
	}
}

// wants waits until the run has written a text that the test has not seen yet, and returns what came before it.
func (l *live) wants(b *bytes.Buffer, text string) string {
	l.t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(2 * time.Millisecond) {
		l.mu.Lock()
		fresh := b.String()[l.read[b]:]
		if i := strings.Index(fresh, text); i >= 0 {
			l.read[b] += i + len(text)
			l.mu.Unlock()
			return fresh[:i]
		}
		all := l.out.String() + l.err.String()
		l.mu.Unlock()
		if time.Now().After(deadline) {
			l.t.Fatalf("the run never wrote %q after what was seen; all it wrote:\n%s", text, all)
		}
	}
}

func (l *live) prints(text string) string { l.t.Helper(); return l.wants(&l.out, text) }
func (l *live) says(text string) string   { l.t.Helper(); return l.wants(&l.err, text) }

// stop makes the script end the run, and wants its exit code.
func (l *live) stop(code int) {
	l.t.Helper()
	l.write("scripts/a.lua", "return function(world) world:stop('enough') end")
	select {
	case got := <-l.ended:
		if got != code {
			l.t.Errorf("exit code %d, want %d", got, code)
		}
	case <-time.After(2 * time.Minute):
		l.t.Fatal("the run did not end")
	}
}

// However an editor saves, the new version runs, the world and the state stay, and errors leave the old one running.
func TestWatchedScripts(t *testing.T) {
	l := startLive(t, map[string]string{"c.yaml": liveConfig, "scripts/a.lua": watched("1")})
	l.prints("version 1\t1\ttrue\n")

	l.write("scripts/a.lua", watched("2"))
	l.says("reloaded a.lua (")
	l.prints("version 2\t1\ttrue\n")

	l.write("scripts/.a.lua.swp", watched("3")) // by renaming
	l.rename("scripts/.a.lua.swp", "scripts/a.lua")
	l.prints("version 3\t1\ttrue\n")

	l.write("scripts/a.lua", watched("4")[:150]) // half-written
	if before := l.says("still running the version of frame "); !strings.Contains(before, "a.lua:") || !strings.Contains(before, "-->") {
		t.Errorf("the message is %q", before)
	}
	l.write("scripts/a.lua", watched("4"))
	l.prints("version 4\t1\ttrue\n")

	l.write("scripts/a.lua", strings.Replace(watched("5"), "p.x + 1", `p.x + p["y" .. ""]`, 1)) // fails while it runs
	l.says("reloaded a.lua (")
	l.says(`Position has no field "y"`)
	l.says("paused after frame ")
	l.write("scripts/a.lua", watched("5"))
	l.prints("version 5\t1\ttrue\n")
	l.write("scripts/a.lua", strings.Replace(watched("5"), "world:count", "world:cuont", 1))
	l.says(`did you mean "count"?`)
	l.says("still running the version of frame ")
	l.write("scripts/a.lua", watched("6"))
	l.prints("version 6\t1\t")

	if err := os.Remove(l.path("scripts/a.lua")); err != nil {
		t.Fatal(err)
	}
	l.says("still running the version of frame ")
	l.write("scripts/a.lua", watched("6")) // as it was
	l.says("reloaded a.lua (")
	l.rename("scripts", "elsewhere")
	l.says(`no folder`)
	l.write("elsewhere/a.lua", watched("7"))
	l.rename("elsewhere", "scripts")
	l.prints("version 7\t1\t")
	l.write("scripts/a.lua", watched("8")) // the folder that came back is watched
	l.prints("version 8\t1\t")
	l.stop(exitScript)
}

// A system that a failure has disabled begins anew with its mended file, and the message names that reason.
func TestWatchedDisabledSystem(t *testing.T) {
	l := startLive(t, map[string]string{"c.yaml": liveConfig, "scripts/a.lua": strings.Replace(watched("1"), "not said", "nil + 1", 1)}, "--set", "limits.on_error=disable")
	l.says(`system "a" is disabled`)
	l.write("scripts/a.lua", watched("2"))
	l.says(`system "a": state begins anew`)
	l.says(", or the system was disabled\n")
	l.prints("version 2\t1\tfalse\n")
	l.stop(exitScript)
}

// An init that fails is said once, and tried again when something is saved that a reload reads.
func TestWatchedInitThatFails(t *testing.T) {
	ticks := strings.Replace(liveConfig, "fields: [x f64] }", "fields: [x f64] }, { name: Mana, fields: [v f64] }", 1)
	l := startLive(t, map[string]string{"c.yaml": ticks, "scripts/a.lua": "return function(world) if world.frame % 100 == 0 then print('tick') end end"})
	failing := func(version string) string {
		return "return { init = function(world) print('try " + version + "') error('no') end, update = function() end }"
	}
	replace := func(name, text string) {
		l.write("new", text)
		l.rename("new", name)
	}
	l.prints("tick")
	l.write("scripts/b.lua", failing("1"))
	replace("c.yaml", ticks+"  - { name: b, script: b.lua }\n")
	if before := l.says("still running the version of frame 0\n"); !strings.Contains(before, ": no\n") {
		t.Errorf("the message is %q", before)
	}
	l.prints("try 1\n")
	l.write("scripts/log.txt", "a line\n")
	l.prints("tick\n")
	if again := l.prints("tick\n"); strings.Contains(again, "try") {
		t.Error("tried again after a change of another file")
	}
	replace("scripts/b.lua", failing("2"))
	l.prints("try 2\n")
	replace("scripts/b.lua", strings.Replace(failing("3"), "error('no')", "", 1))
	l.prints("try 3\n")
	if before := l.says("reloaded c.yaml ("); before != "" {
		t.Errorf("the same problem was said again: %q", before)
	}

	observing := "return { init = function(world) world:on('set', 'Mana', function() end) %s end, update = function() end }"
	replace("scripts/b.lua", fmt.Sprintf(observing, ""))
	l.says("reloaded b.lua (")
	replace("scripts/b.lua", fmt.Sprintf(observing, "error('no')"))
	l.says("still running the version of frame ")
	l.prints("tick\n")
	replace("scripts/b.lua", fmt.Sprintf(observing, "error('no') --[[again]]"))
	l.prints("tick\n")
	l.prints("tick\n")
	replace("scripts/b.lua", "return function() end")
	if before := l.says("reloaded b.lua ("); strings.Contains(before, "-->") {
		t.Errorf("the same problem was said again: %q", before)
	}
	l.stop(exitOK)
}

// Ten files that change at once are one reload; a file that others require reloads them.
func TestWatchedModules(t *testing.T) {
	files := map[string]string{"c.yaml": liveConfig}
	text := "local sum = 0\n"
	for i := range 10 {
		files[fmt.Sprintf("scripts/lib/m%d.lua", i)] = "return 1"
		text += fmt.Sprintf("sum = sum + require('lib.m%d')\n", i)
	}
	files["scripts/a.lua"] = text + "local said\nreturn function() if not said then said = true print('sum', sum) end end"
	l := startLive(t, files)
	l.prints("sum\t10\n")
	for i := range 10 {
		l.write(fmt.Sprintf("scripts/lib/m%d.lua", i), "return 2")
	}
	for seen := ""; seen != "20"; {
		l.prints("sum\t")
		seen = l.prints("\n")
	}
	l.stop(exitOK)
}

// What of the config is used at once, and what is not.
func TestWatchedConfig(t *testing.T) {
	l := startLive(t, map[string]string{
		"c.yaml": liveConfig, "scripts/a.lua": watched("1"),
		"scripts/b.lua": "local said return function(world) if not said then said = true print('b', world:count('Mana')) end end",
	})
	l.prints("version 1")
	more := strings.Replace(liveConfig, "components: [", "components: [{ name: Mana, fields: [v f64] }, ", 1) + "  - { name: b, script: b.lua }\n"
	l.write("c.yaml", more)
	l.prints("b\t0\n")
	l.says("reloaded c.yaml (")
	l.write("c.yaml", strings.Replace(more, "{ name: Mana, fields: [v f64] }, ", "", 1))
	l.says("restart needed: components.Mana\n")
	l.write("c.yaml", strings.Replace(more, "seed: 1", "seed: 2", 1))
	l.says("restart needed: run.seed\n")
	l.write("c.yaml", "version: 1\nsystms: []\n")
	l.says(`did you mean "systems"?`)
	l.says("still running the version of frame ")
	l.write("c.yaml", strings.Replace(more, "realtime: true", "realtime: false", 1)+"log: { level: error, format: json }\nlimits: { on_error: skip, system_time: 20s, memory: 100MiB }\n")
	l.says("reloaded c.yaml (")
	l.write("scripts/b.lua", "return function(world) local x = nil x.y = 1 end")
	l.says(`"level":"ERROR"`)
	l.stop(exitScript)
}

// The files of a mod are watched; a mod that is added or left out needs a restart.
func TestWatchedMods(t *testing.T) {
	manifest := "name: poison\nversion: 1.0.0\nscripts: .\nsystems: [{ name: tick, script: tick.lua }]\n"
	l := startLive(t, map[string]string{
		"c.yaml": liveConfig + "mods: [poison]\n", "scripts/a.lua": watched("1"), "mods/poison/mod.yaml": manifest,
		"mods/poison/tick.lua": "local said return function(world) if not said then said = true print('tick 1') end end",
		"mods/haste/mod.yaml":  strings.Replace(manifest, "poison", "haste", 1), "mods/haste/tick.lua": "return function() end",
	})
	l.prints("tick 1\n")
	l.write("mods/poison/tick.lua", "local said return function(world) if not said then said = true print('tick 2') end end")
	l.says("reloaded poison/tick.lua (")
	l.prints("tick 2\n")
	l.write("mods/poison/tick.lua", "return function(")
	l.says("poison/tick.lua:1")
	l.says("still running the version of frame ")
	l.write("mods/poison/tick.lua", "local said return function(world) if not said then said = true print('tick 3') end end")
	l.prints("tick 3\n")
	l.write("mods/poison/mod.yaml", strings.Replace(manifest, "[{", "[{ name: more, script: more.lua }, {", 1))
	l.says(`no file`)
	l.write("mods/poison/more.lua", "local said return function(world) if not said then said = true print('more') end end")
	l.prints("more\n")
	l.write("c.yaml", liveConfig+"mods: [poison, haste]\n")
	l.says("restart needed: mods.haste\n")
	l.write("c.yaml", liveConfig)
	l.says("restart needed: mods.poison\n")
	l.write("mods/poison/tick.lua", "return function(world) print('tick 4') world:stop('enough') end")
	l.prints("tick 4\n")
	<-l.ended
}

// The watcher works where the system does not tell of changes, too.
func TestWatcherThatPolls(t *testing.T) {
	t.Parallel()
	w := &watcher{quit: make(chan struct{}), done: make(chan struct{})}
	go w.watch()
	for !w.changed() {
		time.Sleep(time.Millisecond)
	}
	w.close()
}
