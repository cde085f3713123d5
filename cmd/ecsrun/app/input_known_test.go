package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An event that says it comes from outside is not missed by check, and explain, bench and tests can be given it.
func TestInputsAreKnown(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"world.yaml": `version: 1
run: { frames: 4 }
scripts: .
components: [{ name: P, fields: [x f64] }]
events: [{ name: Key, fields: [code i32], input: true }]
resources: [{ name: x, type: f64 }]
systems: [{ name: walk, script: walk.lua }]
`,
		"walk.lua": `local ecs = require("ecs")
ecs.event("Click", nil, { input = true })
local M = {}
function M.init(world) world:spawn{ P = {} } end
function M.update(world)
  for key in world:read("Key") do
    world.resources.x = world.resources.x + key.code
    for e, p in world:each("P") do p.x = key.code end
  end
  for click in world:read("Click") do world:stop(tostring(click)) end
end
return M
`,
		"play.jsonl": `{"send": "Key", "with": {"code": 2}}
{"frame": 3, "send": "Key", "with": {"code": 5}}
{"frame": 4, "stop": "enough"}
`,
		"wrong.jsonl": `{"send": "Kye"}`,
		"walk_test.lua": `local t = require("ecs.test")
it("plays", function()
  local world = t.world{ config = "world.yaml", input = "play.jsonl" }
  world:step(2)
  assert.equal(2, world.resources.x)
  local before = t.snapshot(world)
  local ran, why = world:step(5)
  assert.equal(7, world.resources.x)
  assert.equal(1, ran)
  assert.equal("enough", why)
  t.restore(world, before)
  world:step(1)
  assert.equal(7, world.resources.x)
end)
it("says what is wrong", function()
  assert.error(function() t.world{ config = "world.yaml", input = "wrong.jsonl" } end, 'wrong.jsonl:1: event "Kye" is not declared; did you mean "Key"?')
  assert.error(function() t.world{ config = "world.yaml", input = "none.jsonl" } end, 'there is no file "none.jsonl"')
  assert.error(function() t.world{ config = "world.yaml", input = "../play.jsonl" } end, "lies outside of the folder of the test")
  assert.error(function() t.world{ config = "world.yaml", input = 3 } end, "input is the path of a file, not 3")
end)
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	for _, c := range []struct {
		code       int
		args, want string
	}{
		{exitOK, "check --strict world.yaml", "world.yaml: ok"},
		{exitOK, "explain --live world.yaml --input play.jsonl --set run.frames=3", "2 rows"},
		{exitOK, "explain world.yaml --input play.jsonl", "walk.lua:8: compiled"},
		{exitUsage, "explain world.yaml --input -", "explain --input wants a file, not -"},
		{exitUsage, "explain world.yaml --input wrong.jsonl", "wrong.jsonl:1:"},
		{exitUsage, "explain walk.lua --input play.jsonl", "Lua files have none"},
		{exitOK, "bench world.yaml --input play.jsonl --repeat 1", "walk    lua           3"},
		{exitUsage, "bench world.yaml --input wrong.jsonl", "wrong.jsonl:1:"},
		{exitOK, "test .", "2 passed"},
	} {
		var out, errs strings.Builder
		if code := Main(strings.Fields(c.args), strings.NewReader(""), &out, &errs); code != c.code || !strings.Contains(out.String()+errs.String(), c.want) {
			t.Errorf("%s: exit %d\n%s%s\nwant %s", c.args, code, &out, &errs, c.want)
		}
	}
}
