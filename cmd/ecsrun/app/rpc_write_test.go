package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every write is done at once while the world stands, is seen by scripts as a change, and its errors are those of a script.
func TestRPCWrites(t *testing.T) {
	d := drive(t, drivenWorld(t))
	d.wants("world.info", "", `"frame":0,"time":0,"dt":0.5`)
	for _, c := range [][3]string{
		{"entity.spawn", `"set":{"Health":{"current":3}},"tags":["enemy"],"as":"boss"`, `"6v1"`},
		{"entity.get", `"entity":"@boss"`, `{"entity":"6v1","components":{"Health":{"set":{"current":3,"big":0},"by":"inspector","in":1}},"tags":["enemy"],"relations":{},"as_of":0}`},
		{"entity.set", `"entity":"@boss","set":{"Health":{"current":"nan","big":9007199254740993},"Note":{"text":"x","data":{"a":[1]}}}`, `true`},
		{"world.query", `"query":"Health, Note"`, `{"rows":[{"entity":"6v1","components":{"Health":{"current":"nan","big":"9007199254740993"},"Note":{"text":"x","data":{"a":[1]}}},"tags":["enemy"]}],"total":1,`},
		{"entity.remove", `"entity":"@boss","remove":["Note"]`, `true`},
		{"entity.add", `"entity":"@boss","add":["Note"]`, `true`},
		{"entity.untag", `"entity":"@boss","tags":["enemy"]`, `true`},
		{"entity.tag", `"entity":"@boss","tags":["enemy"]`, `true`},
		{"entity.relate", `"entity":"@boss","relation":"ChildOf","target":"0v1"`, `true`},
		{"entity.get", `"entity":"6v1"`, `"relations":{"ChildOf":"0v1"}`},
		{"entity.unrelate", `"entity":"@boss","relation":"ChildOf","target":"1v1"`, `false`},
		{"entity.unrelate", `"entity":"@boss","relation":"ChildOf"`, `true`},
		{"resource.set", `"resource":"score","to":2`, `null`},
		{"event.send", `"event":"Hit","with":{"who":"@boss"}`, `null`},
		{"lua.eval", `"code":"return world.resources.score, world:count('Health'), print, {1, {a = true}}, 2^53 + 2, 0/0"`, `{"values":[2,6,"function",[1,{"a":true}],"9007199254740994","nan"],"printed":"","as_of":0}`},
		{"lua.eval", `"code":"x = (x or 0) + 1 print(x, 'y') return world:get(" .. "","as":"write"`, `-3`},
		{"lua.eval", `"code":"n = (n or 0) + 1 print('n', n) return n"`, `{"values":[1],"printed":"n\t1\n","as_of":0}`},
		{"lua.eval", `"code":"n = (n or 0) + 1 return n, world.frame","as":"read"`, `{"values":[2,0],"printed":"","as_of":0}`},
		{"lua.eval", `"code":"n = (n or 10) + 1 world.resources.score = n return n, 7","as":"write"`, `{"values":[11,7],"printed":""}`},
		{"lua.eval", `"code":"world.resources.score = 5 error('no')","as":"write"`, `-32000 eval:1: `},
		{"lua.eval", `"code":"return world.resources.score"`, `{"values":[11]`},
		{"lua.eval", `"code":"while true do end"`, `the limit of an eval`},
		{"lua.eval", `"code":"return ("`, `-32000 eval:1:`},
		{"lua.eval", `"code":"return 1","as":"both"`, `-32602 `},
		{"entity.spawn", `"set":{"Helth":{}}`, `-32602 component "Helth" is not declared; did you mean "Health"?`},
		{"entity.set", `"entity":"@bos","set":{}`, `did you mean "@boss"?`},
		{"entity.set", `"entity":"99v1","set":{"Health":{}}`, `false`},
		{"entity.set", `"entity":"1v1","set":{"Health":{"current":true}}`, `-32602 Health.current: a number expected, got a boolean`},
		{"resource.set", `"resource":"scor","to":2`, `did you mean "score"?`},
		{"system.set", `"system":"poisn","enabled":false`, `did you mean "poison"?`},
		{"system.set", `"system":"poison","enabled":false,"impl":"lua","every":2`, `null`},
		{"world.info", ``, `{"name":"poison","stage":"update","impl":"lua",`},
		{"world.info", ``, `"edited":true`},
		{"run.step", `"frames":1`, `null`},
		{"entity.get", `"entity":"1v1"`, `"by":"populate","in":0`},
		{"entity.despawn", `"entity":"@boss"`, `true`},
		{"entity.despawn", `"entity":"@boss"`, `false`},
		{"entity.get", `"entity":"@boss"`, `-32000 entity 6v1 is dead`},
	} {
		d.wants(c[0], c[1], c[2])
	}
	if code := d.end(); code != exitOK || !strings.Contains(d.err.String(), "edited: ") {
		t.Error(code, d.err)
	}
}

// What reads may not do. None of it changes the world.
func TestRPCReadsCannotWrite(t *testing.T) {
	config := drivenWorld(t)
	d := drive(t, config)
	d.call("run.step", `"frames":2`)
	for _, code := range []string{
		`world:spawn({ Health = {} })`, `world:spawn_many(2, { Health = {} })`, `world:despawn(world:first('Health'))`, `world:set(world:first('Health'), 'Health', { current = 1 })`,
		`world:add(world:first('Health'), 'Note')`, `world:remove(world:first('Health'), 'Health')`, `world:tag(world:first('Health'), 'enemy')`, `world:untag(world:first('Health'), 'enemy')`,
		`world:relate(world:first('Note'), 'ChildOf', world:first('Health'))`, `world:unrelate(world:first('Note'), 'ChildOf')`, `world:send('Hit', {})`, `for e in world:drain('Hit') do end`, `for e in world:read('Hit') do end`,
		`world:removed('Health')`, `world:on('add', 'Health', function() end)`, `world:stop('no')`, `world:get(world:first('Health'), 'Health').current = 7`, `for e, h in world:each('Health') do h.current = 7 end`,
		`world:get(world:first('Note'), 'Note').data[1] = 7`, `table.insert(world:get(world:first('Note'), 'Note').data, 7)`, `table.remove(world:get(world:first('Note'), 'Note').data)`, `table.sort(world:get(world:first('Note'), 'Note').data)`, `world.resources.score = 9`, `world.frame = 3`,
		`world.commands:spawn({ Health = {} })`, `world.commands:set(world:first('Health'), 'Health', {})`, `world.commands:send('Hit', {})`, `ecs.component('New', {})`, `ecs.tag('new')`, `ecs.resource('r', 1)`, `ecs.event('E', {})`,
		`rawset(world, 'x', 1)`,
	} {
		if got := d.call("lua.eval", `"code":"`+code+`"`); !strings.HasPrefix(got, "-32000 eval:1: ") {
			t.Errorf("%s: %s", code, got)
		}
	}
	for _, code := range []string{
		`local d = world:get(world:first('Note'), 'Note').data d[1] = 7 return d[1]`, `return ecs.random(10), math.random()`, `local n = 0 for e, h in world:each('Health') do n = n + h.current end return n`,
		`return ecs.name(world:first('Health')), ecs.describe(world, world:first('Health'))`, `return #world:tags(world:first('Health')), world:has(world:first('Note'), 'Note')`, `for e in world:each('Health') do return e end`,
	} {
		first := d.call("lua.eval", `"code":"`+code+`"`)
		if again := d.call("lua.eval", `"code":"`+code+`"`); strings.HasPrefix(first, "-") || first != again {
			t.Errorf("%s: %s, and then %s", code, first, again)
		}
	}
	d.wants("world.info", `"digest":true`, `"edited":false`)
	d.call("run.step", "")
	d.wants("world.info", `"digest":true`, `"digest":"`+digestOf(t, config, 3))
	d.end()
}

// The record of an edited run replays to the bit.
func TestRPCRecord(t *testing.T) {
	config, record := drivenWorld(t), filepath.Join(t.TempDir(), "edited.rec")
	d := drive(t, config, "--record", record)
	for _, c := range [][2]string{
		{"run.step", ``},
		{"entity.spawn", `"set":{"Health":{"current":3}},"tags":["enemy"],"as":"boss"`},
		{"run.step", `"frames":2`},
		{"entity.set", `"entity":"@boss","set":{"Health":{"current":77}}`},
		{"lua.eval", `"code":"for e, h in world:each('Health') do h.current = h.current + ecs.random() end seen = 1","as":"write"`},
		{"lua.eval", `"code":"world:spawn({ Health = {} }) error('taken back')","as":"write"`},
		{"entity.spawn", `"set":{"Health":{}}`},
		{"system.set", `"system":"poison","impl":"lua"`},
		{"resource.set", `"resource":"score","to":9`},
		{"event.send", `"event":"Hit"`},
		{"run.step", `"frames":3`},
		{"run.step", `"system":true`},
		{"entity.spawn", `"set":{"Health":{"current":5}},"tags":["enemy"]`}, // within frame 7
		{"lua.eval", `"code":"for e, h in world:each('Health') do h.current = h.current + ecs.random() end","as":"write"`},
		{"run.step", `"system":true`},
		{"entity.set", `"entity":"@boss","set":{"Health":{"current":5}}`},
		{"run.step", `"frames":2`},
	} {
		if got := d.call(c[0], c[1]); strings.HasPrefix(got, "-") && !strings.Contains(got, "taken back") {
			t.Errorf("%q: %s", c, got)
		}
	}
	d.call("run.step", `"system":true`)
	d.wants("entity.set", `"entity":"@boss","set":{"Health":{"current":6}}`, "true")
	d.wants("entity.get", `"entity":"@boss"`, `"set":{"current":6,"big":0},"by":"inspector","in":10`)
	d.wants("system.set", `"system":"poison","enabled":false`, "-32000 a system is changed between frames")
	d.call("run.step", "")
	d.call("run.stop", "")
	if code := d.end(); code != exitOK {
		t.Fatal(code, d.err)
	}
	var out, err strings.Builder
	if code := Main([]string{"replay", record}, strings.NewReader(""), &out, &err); code != exitOK || !strings.Contains(out.String(), "replay: equal: 11 frames") {
		t.Error(code, out.String(), err.String())
	}

	// From each frame another run does what is left, also after it was saved again and in a record of its own.
	digest := func(args ...string) string {
		out.Reset()
		err.Reset()
		if code := Main(args, strings.NewReader(""), &out, &err); code != exitOK {
			t.Error(args, code, out.String(), err.String())
		}
		return strings.TrimSpace(out.String()[strings.LastIndex(strings.TrimSpace(out.String()), "\n")+1:])
	}
	dir := t.TempDir()
	digest("replay", record, "--snapshot", filepath.Join(dir, "end"))
	want := digest("run", config, "--resume", filepath.Join(dir, "end"), "--frames", "11", "--quiet", "--hash")
	for _, to := range []string{"1", "4", "6", "8", "10"} {
		saved := filepath.Join(dir, to)
		digest("replay", record, "--to", to, "--snapshot", saved)
		if got := digest("run", config, "--resume", saved, "--frames", "11", "--quiet", "--hash"); got != want {
			t.Errorf("from frame %s: %s, want %s", to, got, want)
		}
		again := filepath.Join(dir, to+"-again")
		digest("run", config, "--resume", saved, "--frames", "6", "--quiet", "--hash", "--snapshot", again)
		if got := digest("run", config, "--resume", again, "--frames", "11", "--quiet", "--hash", "--record", again+".rec"); got != want && to != "8" && to != "10" {
			t.Errorf("from frame %s, saved again: %s, want %s", to, got, want)
		}
		if got := digest("replay", again+".rec"); to == "1" && got != "replay: equal: 5 frames" {
			t.Error(got)
		}
	}
}

// What is done after the last frame is in the record, and a replay ends as the run did: after a pause, at the end, and in frame 0.
func TestRPCRecordsWhatComesLast(t *testing.T) {
	for _, c := range []struct {
		args  []string
		calls [][2]string
		equal string
	}{
		{nil, [][2]string{{"run.step", `"frames":3`}}, "replay: equal: 3 frames"},
		{nil, nil, "replay: equal: 0 frames"},
		{[]string{"--frames", "4"}, [][2]string{{"run.step", `"frames":4`}}, "replay: equal: 4 frames"},
	} {
		dir := t.TempDir()
		config, record := drivenWorld(t), filepath.Join(dir, "edited.rec")
		d := drive(t, append([]string{config, "--record", record, "--snapshot", filepath.Join(dir, "run")}, c.args...)...)
		for _, call := range append(c.calls, [2]string{"entity.spawn", `"set":{"Health":{"current":3}},"as":"boss"`}, [2]string{"resource.set", `"resource":"score","to":9`}) {
			if got := d.call(call[0], call[1]); strings.HasPrefix(got, "-") {
				t.Errorf("%q: %s", call, got)
			}
		}
		if code := d.end(); code != exitOK {
			t.Fatal(code, d.err)
		}
		var out, err strings.Builder
		if code := Main([]string{"replay", record, "--snapshot", filepath.Join(dir, "replay")}, strings.NewReader(""), &out, &err); code != exitOK || !strings.Contains(out.String(), c.equal) {
			t.Error(code, out.String(), err.String())
		}
		out.Reset()
		saved, _ := filepath.Glob(filepath.Join(dir, "*", "*.snap"))
		if code := Main(append([]string{"snapshot", "diff"}, saved...), strings.NewReader(""), &out, &err); code != exitOK {
			t.Error(code, out.String(), err.String())
		}
	}
}

// An observer that an edit calls has the limits of the config, and one that code calls those of the code.
func TestRPCLimits(t *testing.T) {
	config := drivenWorld(t)
	text, err := os.ReadFile(config)
	check(t, err)
	check(t, os.WriteFile(config, append(text, "limits: { instructions: 100000, on_error: skip }\n"...), 0o666))
	check(t, os.WriteFile(filepath.Join(filepath.Dir(config), "poison.lua"), []byte(`return { init = function(world) world:on("tagged", "enemy", function() while world.frame > 0 do end end) end, run = function() end }`), 0o666))
	d := drive(t, config)
	d.call("run.step", "")
	d.wants("entity.tag", `"entity":"0v1","tags":["enemy"]`, "100,000 instructions (limits.instructions)")
	d.wants("lua.eval", `"code":"world:tag(world:first('Health'), 'enemy')","as":"write"`, "1,000,000 instructions (the limit of an eval)")
	d.end()
}
