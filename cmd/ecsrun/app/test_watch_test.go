package app

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/ecsrun/ecsrun/luabind/luatest"
)

const watchedTestConfig = `version: 1
run: { frames: 1, dt: 1 }
scripts: ../scripts
mods_dir: ../mods
mods: [fire]
components: [{ name: P, fields: [x f64] }]
systems: [{ name: a, script: a.lua }]
`

const watchedWorldTest = `local t = require("ecs.test")
it("steps", function()
  local world = t.world{ config = "../config/c.yaml" }
  local e = world:spawn{ P = {} }
  world:step(1)
  assert.equal(1, world:get(e, "P").x)
end)
`

// startWatchedTests runs test --watch on the folder tests. The returned function ends it as Ctrl-C does, and wants an exit code.
func startWatchedTests(t *testing.T, files map[string]string) (l *live, interrupted func(code int)) {
	t.Parallel()
	l = &live{t: t, dir: t.TempDir(), read: map[*bytes.Buffer]int{}, ended: make(chan int, 1)}
	for name, text := range files {
		l.write(name, text)
	}
	first, stop := context.WithCancel(context.Background())
	go func() {
		p := &program{console: newConsole(lockedWriter{l, &l.out}, lockedWriter{l, &l.err})}
		err := p.watchTests([]string{l.path(".")}, testFlags{repeat: 1, jobs: 2, watch: true}, luatest.Options{}, &interruption{first: first, over: first})
		p.console.flush()
		code := 0
		if e := (*exit)(nil); errors.As(err, &e) {
			code = e.code
		}
		l.ended <- code
	}()
	return l, func(code int) {
		t.Helper()
		stop()
		select {
		case got := <-l.ended:
			if got != code {
				t.Errorf("exit code %d, want %d", got, code)
			}
		case <-time.After(2 * time.Minute):
			t.Fatal("it did not end")
		}
	}
}

// reruns waits until the tests have run again, and wants exactly these test files among the results.
func (l *live) reruns(state string, files ...string) {
	l.t.Helper()
	l.says("watching; " + state)
	out := l.prints(" s.\n")
	for _, name := range []string{"world", "plain", "module", "golden", "new"} {
		want := false
		for _, file := range files {
			want = want || file == name
		}
		if strings.Contains(out, name+"_test.lua\n") != want {
			l.t.Fatalf("%s_test.lua ran: %v, want %v\n%s", name, !want, want, out)
		}
	}
}

func TestWatchedTests(t *testing.T) {
	l, interrupt := startWatchedTests(t, map[string]string{
		"tests/world_test.lua":          watchedWorldTest,
		"tests/plain_test.lua":          "it('passes', function() end)",
		"tests/module_test.lua":         "it('requires', function() assert.equal(1, require('lib.one')) end)",
		"lib/one.lua":                   "return 1",
		"config/c.yaml":                 watchedTestConfig,
		"scripts/a.lua":                 "local n = require('n') return function(world) for e, p in world:each('P') do p.x = p.x + n end end",
		"scripts/n.lua":                 "return 1",
		"scripts/b.lua":                 "return 1",
		"mods/fire/mod.yaml":            "name: fire\nversion: 1.0.0\nsystems: [{ name: tick, script: tick.lua }]\n",
		"mods/fire/tick.lua":            "return function() end",
		"mods/ice/mod.yaml":             "name: ice\nversion: 1.0.0\n",
		"tests/__golden__/x/unused.txt": "",
	})
	l.reruns("3 test files pass", "world", "plain", "module")

	// A test file, saved by renaming.
	l.write("tests/plain_test.lua.tmp", "it('passes', function() end) it('fails', function() error('x') end)")
	l.rename("tests/plain_test.lua.tmp", "tests/plain_test.lua")
	l.reruns("1 of 3 test files fails: "+l.path("tests/plain_test.lua"), "plain")

	// A required module of a test; half of it is written first.
	l.write("lib/one.lua", "return")
	l.reruns("2 of 3 test files fail: ", "module")
	l.write("lib/one.lua", "return 1 ")
	l.reruns("1 of 3 test files fails: ", "module")

	// Scripts and modules of worlds; a file that nothing reads changes nothing.
	l.write("scripts/b.lua", "return 2")
	l.write("mods/ice/mod.yaml", "name: ice\nversion: 2.0.0\n")
	l.write("scripts/n.lua", "return 2")
	l.reruns("2 of 3 test files fail: ", "world")
	l.write("scripts/n.lua", "return 1")
	l.reruns("1 of 3 test files fails: ", "world")

	// The config: broken, then mended.
	l.write("config/c.yaml", "version: 1\nsystems: [")
	l.reruns("2 of 3 test files fail: ", "world")
	l.write("config/c.yaml", watchedTestConfig+"\n")
	l.reruns("1 of 3 test files fails: ", "world")

	// The mod: a script that is new in it, and its manifest.
	l.write("mods/fire/tick.lua", "return function(world) for e, p in world:each('P') do p.x = 5 end end")
	l.reruns("2 of 3 test files fail: ", "world")
	l.write("mods/fire/mod.yaml", "name: fire\nversion: 1.0.1\n")
	l.reruns("1 of 3 test files fails: ", "world")

	// A new test file; one that is gone.
	l.write("tests/deep/new_test.lua", "it('is new', function() end)")
	l.reruns("1 of 4 test files fails: ", "new")
	if err := os.Remove(l.path("tests/plain_test.lua")); err != nil {
		t.Fatal(err)
	}
	l.says("watching; 3 test files pass")
	l.write("lib/one.lua", "return 1")
	l.reruns("3 test files pass", "module")
	interrupt(0)
	l.says("stopped watching; 3 test files pass")
}

func TestWatchedTestsThatFail(t *testing.T) {
	l, interrupt := startWatchedTests(t, map[string]string{"tests/plain_test.lua": "it('fails', function() error('x') end)"})
	l.reruns("1 of 1 test file fails: ", "plain")
	interrupt(1)
}

// Tests that come later are found, and Ctrl-C ends a test that runs.
func TestWatchedTestsThatComeLater(t *testing.T) {
	l, interrupt := startWatchedTests(t, map[string]string{"tests/readme.txt": ""})
	l.says("watching; no tests found under ")
	l.write("tests/plain_test.lua", "it('begins', function() end) it('goes on', function() while true do end end)")
	l.prints("begins")
	interrupt(exitInterrupted)
}
