package config

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

const overridable = `version: 1
run: { frames: 5, seed: 1, dt: 0.5 }
components: [{ name: A, fields: [x f64] }]
resources:
  - { name: score, type: u8, default: 3 }
  - { name: Score, type: string, default: none }
  - { name: who, type: entity }
systems:
  - { name: movement, script: m.lua, native: m, impl: native }
  - { name: Movement, script: m.lua }
  - { name: a.b-c, script: m.lua, when: "frame > 1" }
limits: { errors: 7 }
`

func TestLayers(t *testing.T) {
	seven, eight := uint64(7), uint64(8)
	for _, c := range []struct {
		name string
		o    Overrides
		path string
		get  func(c *Config) any
		want any
		at   string
	}{
		{"default", Overrides{}, "log.level", func(c *Config) any { return c.Log.Level }, "info", "c.yaml:1:1"},
		{"file over default", Overrides{}, "run.seed", func(c *Config) any { return c.Run.Seed }, uint64(1), "c.yaml:2:25"},
		{"environment over file", Overrides{Env: []string{"ECSRUN_RUN_SEED=2"}}, "run.seed", func(c *Config) any { return c.Run.Seed }, uint64(2), "ECSRUN_RUN_SEED"},
		{"set over environment", Overrides{Env: []string{"ECSRUN_RUN_SEED=2"}, Set: []string{"run.seed=3"}}, "run.seed", func(c *Config) any { return c.Run.Seed }, uint64(3), "--set run.seed=3"},
		{"flag over set", Overrides{Env: []string{"ECSRUN_RUN_SEED=2"}, Set: []string{"run.seed=3"}, Seed: &seven}, "run.seed", func(c *Config) any { return c.Run.Seed }, seven, "--seed"},
		{"frames flag", Overrides{Frames: &eight}, "run.frames", func(c *Config) any { return c.Run.Frames }, eight, "--frames"},
		{"the others stay", Overrides{Frames: &eight}, "run.dt", func(c *Config) any { return c.Run.DT }, 0.5, "c.yaml:2:32"},
		{"later set wins", Overrides{Set: []string{"run.seed=3", "run.seed=4"}}, "run.seed", func(c *Config) any { return c.Run.Seed }, uint64(4), "--set run.seed=4"},
		{"zero is a value", Overrides{Env: []string{"ECSRUN_RUN_FRAMES=0"}}, "run.frames", func(c *Config) any { return c.Run.Frames }, uint64(0), "ECSRUN_RUN_FRAMES"},
		{"empty variable is none", Overrides{Env: []string{"ECSRUN_RUN_SEED="}}, "run.seed", func(c *Config) any { return c.Run.Seed }, uint64(1), "c.yaml:2:25"},
		{"other variables", Overrides{Env: []string{"PATH=/bin", "XECSRUN_EDITOR=vi", "ECSRUN_EDITOR=", "RUN_SEED=9", "broken"}}, "run.seed", func(c *Config) any { return c.Run.Seed }, uint64(1), "c.yaml:2:25"},
		{"name in the case it has", Overrides{Set: []string{"systems.Movement.enabled=false"}}, "systems[1].enabled", func(c *Config) any { return []bool{c.Systems[0].Enabled, c.Systems[1].Enabled} }, []bool{true, false}, "--set systems.Movement.enabled=false"},
		{"name with dots", Overrides{Set: []string{"systems.a.b-c.every=4"}}, "systems[2].every", func(c *Config) any { return c.Systems[2].Every }, 4, "--set systems.a.b-c.every=4"},
		{"impl", Overrides{Set: []string{"systems.movement.impl=lua"}}, "systems[0].impl", func(c *Config) any { return c.Systems[0].Impl }, "lua", "--set systems.movement.impl=lua"},
		{"when with an equals sign", Overrides{Set: []string{"systems.movement.when=frame == 2"}}, "systems[0].when", func(c *Config) any { return c.Systems[0].When }, "frame == 2", "--set systems.movement.when=frame == 2"},
		{"when taken away", Overrides{Set: []string{"systems.a.b-c.when="}}, "systems[2].when", func(c *Config) any { return c.Systems[2].When }, "", "--set systems.a.b-c.when="},
		{"resource", Overrides{Set: []string{"resources.score=200"}}, "resources[0].default", func(c *Config) any { return c.Resources[0].Default }, float64(200), "--set resources.score=200"},
		{"text of a resource as it is", Overrides{Set: []string{`resources.Score="7"`}}, "resources[1].default", func(c *Config) any { return c.Resources[1].Default }, `"7"`, `--set resources.Score="7"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := ParseWith("c.yaml", []byte(overridable), YAML, c.o)
			if err != nil {
				t.Fatal(err)
			}
			if fmt.Sprint(c.get(got)) != fmt.Sprint(c.want) {
				t.Errorf("%s is %v, want %v", c.path, c.get(got), c.want)
			}
			if at := got.At(c.path).String(); at != c.at {
				t.Errorf("it is said to be at %s, want %s", at, c.at)
			}
		})
	}
}

// Every scalar can be reached from the environment and by --set, and arrives.
func TestEveryScalarIsReached(t *testing.T) {
	values := map[string]string{
		"run.frames": "11", "run.dt": "0.125", "run.realtime": "true", "run.seed": "18446744073709551615", "run.settle": "true",
		"limits.on_error": "skip", "limits.errors": "12", "limits.instructions": "13", "limits.system_time": "14s",
		"limits.memory": "15MiB", "limits.world": "17KiB", "limits.entities": "16", "limits.allocations": "18MiB", "limits.events": "19", "limits.tags": "20", "limits.script": "21KiB", "log.level": "debug", "log.format": "json", "log.every": "22s", "inspect.addr": "127.0.0.1:22",
	}
	var env, set []string
	for _, s := range scalars {
		env = append(env, s.envName()+"="+values[s.key])
		set = append(set, s.key+"="+values[s.key])
	}
	const want = "{11 0.125 true 18446744073709551615 true} {skip 12 13 14s 15728640 17408 16 18874368 19 20 21504} {debug json 22s} {127.0.0.1:22}"
	for name, o := range map[string]Overrides{"environment": {Env: env}, "set": {Set: set}} {
		c, err := ParseWith("c.yaml", []byte("version: 1\n"), YAML, o)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := fmt.Sprintf("%v %v %v %v", c.Run, c.Limits, c.Log, c.Inspect); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
	if len(Default().scalarValues()) != len(scalars) {
		t.Error("scalars and scalarValues differ")
	}
	for key := range Default().scalarValues() {
		if _, ok := findScalar(key); !ok {
			t.Errorf("%s is no scalar", key)
		}
	}
}

func TestOverrideProblems(t *testing.T) {
	for _, c := range []struct {
		env, set string
		want     string
	}{
		{"ECSRUN_RUN_SEED=x", "", `ECSRUN_RUN_SEED: whole number expected, got "x"; write it in digits`},
		{"ECSRUN_RUN_DT=0", "", `ECSRUN_RUN_DT: 0 is no step: it must be above 0 and finite; write seconds, as in 0.016666666666666666 for 60 frames a second`},
		{"ECSRUN_LOG_EVERY=-1s", "", `ECSRUN_LOG_EVERY: -1s is out of range; it must be above 0, or 0 for none; write a number and a unit, as in "30s", "500ms" or "2m"`},
		{"ECSRUN_RUN_SEDE=7", "", `ECSRUN_RUN_SEDE: unknown variable; did you mean "ECSRUN_RUN_SEED"?`},
		{"ECSRUN_RUN_ZZZZ=7", "", `ECSRUN_RUN_ZZZZ: unknown variable; variables are ECSRUN_RUN_FRAMES, ECSRUN_RUN_DT, ECSRUN_RUN_REALTIME, ECSRUN_RUN_SEED, ECSRUN_RUN_SETTLE`},
		{"ECSRUN__LEV\rL=0", "", `ECSRUN__LEV L: unknown variable; did you mean "ECSRUN_LOG_LEVEL"?`},
		{"ECSRUN_LIMIT_MEMORY=1MiB", "", `ECSRUN_LIMIT_MEMORY: unknown variable; did you mean "ECSRUN_LIMITS_MEMORY"?`},
		{"ECSRUN_EDITOR=vi", "", `ECSRUN_EDITOR: unknown variable; ECSRUN_… sets run, limits and log; rename or unset it`},
		{"ECSRUN_=1", "", `ECSRUN_: unknown variable; ECSRUN_… sets run, limits and log; rename or unset it`},
		{"ECSRUN_RUN=1", "", `ECSRUN_RUN: unknown variable; did you mean "ECSRUN_RUN_DT"?`},
		{"ECSRUN_run_seed=1", "", `ECSRUN_run_seed: unknown variable; did you mean "ECSRUN_RUN_SEED"?`},
		{"ECSRUN_SEED=1", "", `ECSRUN_SEED: unknown variable; did you mean "ECSRUN_RUN_SEED"?`},
		{"ECSRUN_RESOURCES_SCORE=7", "", `ECSRUN_RESOURCES_SCORE: a variable does not reach resources; use --set resources.score=7`},
		{"ECSRUN_RESOURCES_SCOER=7", "", `ECSRUN_RESOURCES_SCOER: a variable does not reach resources; use --set resources.NAME=VALUE`},
		{"ECSRUN_RESOURCES=7", "", `ECSRUN_RESOURCES: a variable does not reach resources; use --set resources.NAME=VALUE`},
		{"ECSRUN_SYSTEMS_MOVEMENT_IMPL=lua", "", `ECSRUN_SYSTEMS_MOVEMENT_IMPL: a variable does not reach systems; use --set systems.movement.impl=lua`},
		{"ECSRUN_SYSTEMS_A_B_C_WHEN=x\ny", "", `ECSRUN_SYSTEMS_A_B_C_WHEN: a variable does not reach systems; use --set systems.a.b-c.when=x y`},
		{"ECSRUN_SYSTEMS_MOVEMENT=lua", "", `ECSRUN_SYSTEMS_MOVEMENT: a variable does not reach systems; use --set systems.NAME.KEY=VALUE`},
		{"ECSRUN_LIMITS_INSTRUCTIONS=1.5", "", `ECSRUN_LIMITS_INSTRUCTIONS: whole number expected, got "1.5"; drop the fraction`},
		{"ECSRUN_LIMITS_SYSTEM_TIME=30", "", `ECSRUN_LIMITS_SYSTEM_TIME: duration expected, got "30"; did you mean "30s"?`},
		{"ECSRUN_LOG_LEVEL=loud", "", `ECSRUN_LOG_LEVEL: unknown value "loud"; it is one of debug, info, warn, error`},
		{"", "run.seed", `--set run.seed: no value; write KEY=VALUE, as in run.seed=7`},
		{"", "run.seed=", `--set run.seed=: whole number expected, got ""; write it in digits`},
		{"", "run.realtime=yes", `--set run.realtime=yes: true or false expected, got "yes"; write true`},
		{"", "run.zzzzzz=7", `--set run.zzzzzz=7: unknown key "run.zzzzzz"; keys are run.frames, run.dt, run.realtime, run.seed, run.settle`},
		{"", "run.sed=7", `--set run.sed=7: unknown key "run.sed"; did you mean "run.seed"?`},
		{"", "Run.seed=7", `--set Run.seed=7: unknown key "Run.seed"; did you mean "run.seed"?`},
		{"", "rnu=7", `--set rnu=7: unknown key "rnu"; did you mean "run"?`},
		{"", "components.A=7", `--set components.A=7: unknown key "components.A"; --set reaches run.*, limits.*, log.*, inspect.*, systems.NAME.*, resources.NAME, layers.NAME.*, states.NAME and mods.NAME.enabled`},
		{"", "=", `--set =: unknown key ""; --set reaches run.*, limits.*, log.*, inspect.*, systems.NAME.*, resources.NAME, layers.NAME.*, states.NAME and mods.NAME.enabled`},
		{"", "systems.a.b-d.impl=lua", `--set systems.a.b-d.impl=lua: no system "a.b-d"; did you mean "a.b-c"?`},
		{"", "systems.movement=lua", `--set systems.movement=lua: no key of the system; write systems.NAME.KEY=VALUE; KEY is impl, enabled, every, when`},
		{"", "systems.movement.imlp=lua", `--set systems.movement.imlp=lua: unknown key "imlp"; did you mean "impl"?`},
		{"", "systems.movement.script=a.lua", `--set systems.movement.script=a.lua: --set does not reach "script"; change it in the file; of a system it reaches impl, enabled, every, when`},
		{"", "systems.movement.impl=luaa", `--set systems.movement.impl=luaa: unknown value "luaa"; did you mean "lua"?`},
		{"", "systems.movement.every=0", `--set systems.movement.every=0: 0 is out of range; it goes from 1 to 2147483647`},
		{"", "systems.Movement.impl=native", `--set systems.Movement.impl=native: impl "native", but system "Movement" names no native; add native: NAME, or use impl auto`},
		{"", "resources.hwo=1", `--set resources.hwo=1: no resource "hwo"; did you mean "who"?`},
		{"", "resources.score=300", `--set resources.score=300: 300 does not fit u8; it holds 0 to 255, use u16`},
		{"", "resources.who=1", `--set resources.who=1: an entity has no default but none; leave the default out`},
		{"", "run.seed=a\nb", "--set run.seed=a b: whole number expected, got \"a\\nb\"; write it in digits"},
	} {
		t.Run(c.env+c.set, func(t *testing.T) {
			var o Overrides
			if c.env != "" {
				o.Env = []string{c.env}
			}
			if c.set != "" {
				o.Set = []string{c.set}
			}
			_, err := ParseWith("c.yaml", []byte(overridable), YAML, o)
			if fmt.Sprint(err) != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
			checkProblems(t, err)
		})
	}
}

// A bad value is reported although a stronger layer hides it, and all layers
// report at once: the file first.
func TestAllLayersReport(t *testing.T) {
	seed := uint64(1)
	_, err := ParseWith("c.yaml", []byte("version: 1\nrun: { seed: x }\n"), YAML, Overrides{
		Env:  []string{"ECSRUN_RUN_SEED=y", "ECSRUN_LOG_LEVEL=z"},
		Set:  []string{"run.seed=w"},
		Seed: &seed,
	})
	var got []string
	for line := range strings.SplitSeq(fmt.Sprint(err), "\n") {
		got = append(got, strings.SplitN(line, ": ", 2)[0])
	}
	if want := []string{"c.yaml:2:14", "ECSRUN_LOG_LEVEL", "ECSRUN_RUN_SEED", "--set run.seed=w"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
