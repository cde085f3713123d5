package worldfile

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/config/files"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
)

// Open reads a config file with overrides, and makes its world, its schedule and its scripts; the scripts are
// loaded and not started. o has what the config does not say: native systems, modules, where scripts print and
// log; see [New]. The returned config has the length of a frame and the number of frames (Run). The error joins
// everything that is wrong: each part is a [*config.Problem] or a [*luabind.ScriptError].
func Open(path string, overrides config.Overrides, o luabind.Options) (*luabind.Runtime, *config.Config, error) {
	c, err := config.Load(path, overrides)
	if err != nil {
		return nil, nil, err
	}
	rt, problems := New(c, o)
	if len(problems) > 0 {
		err = problems
	}
	if rt == nil {
		return nil, nil, err
	}
	if err := errors.Join(err, rt.Load()); err != nil {
		_ = rt.Close() // nothing is left to save
		return nil, nil, err
	}
	return rt, c, nil
}

// New makes the Runtime of a config, with its world, its limits and its systems; nothing is loaded yet. o has what
// the config does not say. New replaces its World, Limits, Settle, Mods, Data, ParseData and Adopting.Renamed, adds to its Inputs, and sets its Scripts to the folder of the
// config unless o has some. What cannot be made is returned as a problem with its place in the config, and the
// Runtime has the rest. The Runtime is nil only if o is wrong by itself.
func New(c *config.Config, o luabind.Options) (*luabind.Runtime, config.Problems) {
	return NewIn(c, o, func(dir string) fs.FS { return files.Folder(dir) })
}

// NewIn is [New] with a function that opens the folders of the scripts of the config and of its mods.
func NewIn(c *config.Config, o luabind.Options, open func(dir string) fs.FS) (*luabind.Runtime, config.Problems) {
	world, problems := NewWorld(c)
	o.World = world
	if o.Scripts == nil {
		o.Scripts = open(c.Scripts.Dir)
	}
	o.Limits = limits(c)
	o.Settle = c.Run.Settle
	o.Adopting.Renamed = ecs.Renamed(c.Renamed)
	for _, v := range c.Events {
		if v.Input {
			o.Inputs = append(o.Inputs, v.Name)
		}
	}
	o.Data, o.ParseData = dataOf(c), ParseData
	o.Mods = nil
	for _, m := range c.Mods {
		o.Mods = append(o.Mods, luabind.Mod{Name: m.Name, Scripts: open(m.Scripts), Depends: m.Depends, Exports: m.Exports})
	}
	for _, name := range c.ModsOff() {
		o.Mods = append(o.Mods, luabind.Mod{Name: name, Off: true})
	}
	if unread := c.ModsRead(); unread != nil {
		problems = append(problems, unread)
	}
	rt, err := luabind.New(o)
	if err != nil {
		return nil, append(problems, c.Problem("", err.Error(), ""))
	}
	for i, s := range c.Systems {
		if err := rt.Add(system(s)); err != nil {
			problems = append(problems, c.Problem(c.SystemPath(i), err.Error(), ""))
		}
	}
	return rt, problems
}

// limits returns the limits of calls into scripts.
func limits(c *config.Config) luabind.Limits {
	return luabind.Limits{OnError: policies[c.Limits.OnError], Errors: c.Limits.Errors, Instructions: c.Limits.Instructions, Allocations: c.Limits.Allocations, Script: c.Limits.Script}
}

var policies = map[string]luabind.Policy{
	config.OnErrorStop:    luabind.Stop,
	config.OnErrorDisable: luabind.Disable,
	config.OnErrorSkip:    luabind.Skip,
}

var impls = map[string]luabind.Impl{
	config.ImplAuto:     luabind.Auto,
	config.ImplLua:      luabind.Lua,
	config.ImplClosures: luabind.Closures,
	config.ImplNative:   luabind.Native,
}

// system converts an entry of the schedule.
func system(s config.System) luabind.System {
	stage, ok := ecs.ParseStage(s.Stage)
	if !ok {
		panic(fmt.Sprintf("worldfile: stage %q of system %q", s.Stage, s.Name)) // config knows the same names
	}
	return luabind.System{
		Name: s.Name, Script: s.Script, Native: s.Native, Impl: impls[s.Impl],
		Stage: stage, After: s.After, Every: s.Every, In: s.In, When: s.When, Disabled: !s.Enabled, Random: s.Random,
	}
}
