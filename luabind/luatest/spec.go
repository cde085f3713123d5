package luatest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// This file reads the argument of t.world and turns it into a WorldSpec.

// A WorldSpec is the argument of t.world, for the program that makes the world: this package knows no config
// format.
type WorldSpec struct {
	File   File     // the test file: Config starts from its folder
	Config string   // as written; "" for none
	Inline []byte   // without Config: a config in JSON with what the test wrote, for one beside the test file
	Keep   []string // systems to keep, nil for all; of Config
	Seed   *uint64  // nil: the config's
	Set    []string // KEY=VALUE, as --set takes it
	Input  string   // a file of lines that are done to the world, as written; "" for none

	Declare  func(*ecs.World) error // what the test file declared: to be called on the world before anything is loaded
	Stdout   io.Writer
	Log      *slog.Logger
	Watchdog luabind.Watchdog
	Coverage *luabind.Coverage // counts the lines of the scripts; nil: nothing is counted
}

// inlineKeys are the parts of a config that a test may write in Lua. The value is true for lists.
var inlineKeys = map[string]bool{"components": true, "tags": true, "relations": true, "events": true, "resources": true, "layers": true, "data": true, "states": true, "indexes": true, "prefabs": true, "scripts": false}

// spec reads the argument of t.world.
func (s *suite) spec(t *lua.LTable) (WorldSpec, error) {
	spec := WorldSpec{
		File: s.file, Seed: s.o.Seed,
		Declare: s.declared, Stdout: &s.output, Log: s.output.logger(), Watchdog: &s.watch, Coverage: s.o.Coverage,
	}
	inline := map[string]any{"version": 1}
	known := []string{"components", "config", "data", "events", "indexes", "input", "layers", "prefabs", "relations", "resources", "scripts", "seed", "set", "states", "systems", "tags"}
	for _, k := range s.sortedKeys(t) {
		v := sandbox.Get(t, k)
		key, _ := k.(lua.LString)
		var err error
		switch key {
		case "config":
			path, ok := v.(lua.LString)
			if !ok || path == "" {
				return spec, fmt.Errorf("config is the path of a config file, not %s", s.show(v))
			}
			spec.Config = string(path)
		case "input":
			path, ok := v.(lua.LString)
			if !ok || path == "" {
				return spec, fmt.Errorf("input is the path of a file, not %s", s.show(v))
			}
			spec.Input = string(path)
		case "seed":
			n, ok := v.(lua.LNumber)
			if !ok || n < 0 || float64(n) != math.Trunc(float64(n)) || n > 1<<53 {
				return spec, fmt.Errorf("seed is a whole number from 0, not %s", s.show(v))
			}
			seed := uint64(n)
			spec.Seed = &seed
		case "set":
			spec.Set, err = s.strings("set", v)
		case "systems":
			if list, ok := v.(*lua.LTable); ok && list.RawGetInt(1).Type() == lua.LTTable {
				inline["systems"], err = s.plain(v, true)
			} else {
				spec.Keep, err = s.strings("systems", v)
			}
		default:
			list, ok := inlineKeys[string(key)]
			if !ok {
				return spec, unknownKey(s.key(k, ""), string(key), known)
			}
			inline[string(key)], err = s.plain(v, list)
		}
		if err != nil {
			return spec, err
		}
	}
	if spec.Config != "" {
		for _, key := range known {
			if _, ok := inline[key]; ok && key != "systems" {
				return spec, fmt.Errorf("%s besides config; a world is described by one of the two", key)
			}
		}
		if _, ok := inline["systems"]; ok {
			return spec, errors.New("systems besides config is a list of names of the config's systems")
		}
		return spec, nil
	}
	if len(spec.Keep) > 0 {
		return spec, fmt.Errorf("there is no system %q without a config; write { name = …, script = … }, or name a config", spec.Keep[0])
	}
	spec.Keep = nil
	var err error
	spec.Inline, err = json.Marshal(inline)
	return spec, err
}

// strings reads a list of strings.
func (s *suite) strings(what string, v lua.LValue) ([]string, error) {
	t, ok := v.(*lua.LTable)
	if !ok {
		return nil, fmt.Errorf("%s is a list of strings, not %s", what, s.show(v))
	}
	out := []string{}
	for _, k := range s.sortedKeys(t) {
		text, isText := sandbox.Get(t, k).(lua.LString)
		if n, ok := k.(lua.LNumber); !ok || int(n) != len(out)+1 || !isText {
			return nil, fmt.Errorf("%s is a list of strings, not %s", what, s.show(v))
		}
		out = append(out, string(text))
	}
	return out, nil
}

// plain converts a value to what JSON has. An empty table is a list where a list is expected. The only error says
// that the value is too large.
func (s *suite) plain(v lua.LValue, list bool) (any, error) {
	p := &plainCopy{s, mostPlain, nil}
	return p.value(v, list, 0), p.err
}

// mostPlain is the largest number of bytes of JSON, at least, that one key of t.world may become: a config file of
// that size is more than anybody writes.
const mostPlain = 4 << 20

// plainCopy is a conversion in progress.
type plainCopy struct {
	suite *suite
	left  int // bytes that it may still have
	err   error
}

// take counts n bytes and reports whether they are within the limit.
func (p *plainCopy) take(n int) bool {
	switch p.left -= n; {
	case p.err != nil:
	case p.left < 0:
		p.err = sandbox.Limitf("a world of more than %d bytes; a table that is in it several times counts as often", mostPlain)
	case !p.suite.state.Budget().Charge(1 + int64(n>>6)):
		p.err = p.suite.state.Budget().Spent()
	}
	return p.err == nil
}

func (p *plainCopy) value(v lua.LValue, list bool, depth int) any {
	const deepest = 32 // as config files
	if !p.take(1) {
		return nil
	}
	switch v := v.(type) {
	case lua.LBool:
		return bool(v)
	case lua.LNumber:
		if f := float64(v); !math.IsNaN(f) && !math.IsInf(f, 0) {
			return f
		}
	case lua.LString:
		if !p.take(len(v)) {
			return nil
		}
		return string(v)
	case *lua.LTable:
		if depth > deepest {
			break
		}
		keys := p.suite.sortedKeys(v)
		if len(keys) == 0 && list || v.RawGetInt(1) != lua.LNil {
			out := []any{}
			for _, k := range keys {
				if _, ok := k.(lua.LNumber); ok {
					out = append(out, p.value(sandbox.Get(v, k), false, depth+1))
				}
			}
			return out
		}
		out := map[string]any{}
		for _, k := range keys {
			name := lua.LVAsString(k)
			p.take(len(name))
			out[name] = p.value(sandbox.Get(v, k), name == "fields" || name == "after", depth+1)
		}
		return out
	}
	return p.suite.show(v) // refused by the config, with its place
}
