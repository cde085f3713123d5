package app

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/tests/effort"
)

// The world of the mistakes: each system has something of everything to work with, in each frame.
const mistakesConfig = `version: 1
run: { frames: 3 }
scripts: .
components:
  - { name: Position, fields: [x f64, y f64] }
  - { name: Velocity, fields: [dx f64, dy f64] }
  - { name: Health,   fields: [current f64 = 100, max u8 = 100, name string, alive bool = true] }
  - { name: Target,   fields: [who entity] }
  - { name: Bag,      fields: [items table, gold i32] }
tags: [player, burning]
events:
  - { name: Hit,  fields: [who entity, amount f64] }
  - { name: Died, fields: [who entity] }
resources: [{ name: score, type: i32 }, { name: title, type: string }]
relations: [OwnedBy]
systems:
  - { name: start, stage: startup, script: start.lua }
  - { name: send, stage: first, script: send.lua }
  - { name: s, script: s.lua, impl: lua }
`

const mistakesStart = `local ecs = require("ecs")
ecs.grid("units", { component = "Position", cell = 16 })
return function(world)
  local boss
  for i = 1, 3 do
    local e = world:spawn{ Position = { x = i }, Velocity = {}, Health = {}, Target = {}, Bag = {}, "player" }
    if boss then world:relate(e, "ChildOf", boss); world:relate(e, "OwnedBy", boss) end
    boss = boss or e
  end
end
`

const mistakesSend = `return function(world)
  local e = world:first("Health")
  world:send("Hit", { who = e, amount = 3 })
  world:send("Died", { who = e })
  world.resources.score, world.resources.title = world.frame, world.resources.title .. "x"
  for f in world:each("Position") do world:untag(f, "burning") end
end
`

// Each mistake stops a run, and check names its line: all but those that the list itself says it does not find.
func TestMistakesAreFound(t *testing.T) {
	text, err := os.ReadFile("testdata/mistakes.txt")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	write("start.lua", mistakesStart)
	write("send.lua", mistakesSend)
	found, all := 0, 0
	for one := range strings.SplitSeq("\n"+string(text), "\n== ") {
		title, body, _ := strings.Cut(one, "\n")
		file, mark := "s.lua", "--!"
		config, script := mistakesConfig, body
		if strings.HasPrefix(title, "config") {
			file, mark = "c.yaml", "#!"
			config, script = body, "return function() end\n"
		}
		lines := strings.Split(body, "\n")
		line := slices.IndexFunc(lines, func(s string) bool { return strings.Contains(s, mark) }) + 1
		if all == 0 && !strings.Contains(one, "--!") {
			continue // the head of the list
		}
		all++
		write("c.yaml", config)
		write("s.lua", script)
		var out, errs strings.Builder
		ran := ""
		if effort.More() { // that each is a mistake is a property of the list
			if code := Main([]string{"run", "c.yaml", "--quiet"}, strings.NewReader(""), &out, &errs); code == exitOK {
				t.Errorf("%s: the run goes on", title)
			}
			ran = errs.String()
			if !strings.Contains(ran, strings.TrimSuffix(file, ".yaml")) {
				t.Errorf("%s: the run ends by something else: %s", title, ran)
			}
			out.Reset()
			errs.Reset()
		}
		code := Main([]string{"check", "c.yaml"}, strings.NewReader(""), &out, &errs)
		at := fmt.Sprintf("%s:%d:", file, line)
		if line == 0 { // it is about the file
			at = file + ": "
		}
		told := out.String() + errs.String()
		hit := strings.Contains(told, at+" W105: ") // this one fails where it is called, and may be tested for
		for said := range strings.Lines(told) {
			hit = hit || code == exitUsage && strings.HasPrefix(said, at) && !strings.HasPrefix(said, at+" W")
		}
		_, known := strings.CutSuffix(title, " (not found)")
		if hit {
			found++
		}
		if hit == known {
			t.Errorf("%s: found is %v\nrun:   %s\ncheck: %s%s", title, hit, ran, told, "")
		}
	}
	if found*100 < all*94 {
		t.Errorf("check finds %d of %d mistakes", found, all)
	}
	t.Logf("check finds %d of %d", found, all)
}
