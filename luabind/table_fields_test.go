package luabind

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/casetest"
)

// Each case of testdata/tables.lua, which TestChunks runs, does the same with every implementation: the same errors, the same world, the same
// number of instructions, also where a limit ends the turn.
func TestTableFieldsDoNotDiffer(t *testing.T) {
	source, err := os.ReadFile("testdata/tables.lua")
	if err != nil {
		t.Fatal(err)
	}
	for i, body := range strings.Split(string(source), "\n---\n") {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			for _, limit := range []uint64{1_000_000, 997, 500, 251, 125, 61} {
				want := tableFieldsRun(t, body, Lua, limit)
				for _, impl := range []Impl{Closures, Auto} {
					if got := tableFieldsRun(t, body, impl, limit); got != want {
						t.Errorf("limit %d, impl %s:\n%s\nimpl lua:\n%s", limit, impl, got, want)
					}
				}
			}
		})
	}
}

// tableFieldsRun runs the body of a system for two frames, once by itself and once in a coroutine, and returns all that it does.
func tableFieldsRun(t *testing.T, body string, impl Impl, limit uint64) string {
	t.Helper()
	var out bytes.Buffer
	for _, how := range []string{"return body", "return function(world, dt) coroutine.wrap(body)(world, dt) end"} {
		w := ecs.NewWorld(ecs.Options{Seed: 7, MaxEntities: 10_000})
		declareForTests(t, w)
		r, err := run(t, Options{
			World: w, Stdout: &out, Limits: Limits{OnError: Skip, Instructions: limit}, Report: func(e *ScriptError) { fmt.Fprintln(&out, e) },
			Scripts: files(map[string]string{"check": casetest.CheckModule, "a": "local ecs, check = require('ecs'), require('check') local function body(world, dt) " + body + "\nend " + how}),
		}, 2, System{Name: "a", Impl: impl})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&out, w.Digest(), r.state.Budget().Used())
	}
	return out.String()
}
