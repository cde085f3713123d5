package app

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/config/files"
	"github.com/ecsrun/ecsrun/luabind"
	"github.com/ecsrun/ecsrun/luabind/luatest"
)

// testWorld makes the world for t.world, from a config beside the test or from what the test itself declares. The
// environment does not override anything, so that a test means the same everywhere. A failing system always stops
// the run, so that the test fails.
func (p *program) testWorld(spec luatest.WorldSpec, dog *watchdog) (*luatest.World, error) {
	reading := readingOf(spec.File)
	world, err := p.makeTestWorld(spec, dog, reading)
	if err != nil && reading != nil {
		reading.unsure = true
	}
	return world, err
}

// makeTestWorld is testWorld, and records in reading what the world needs; reading may be nil.
func (p *program) makeTestWorld(spec luatest.WorldSpec, dog *watchdog, reading *reading) (*luatest.World, error) {
	if path := configPath(spec); path != "" {
		reading.note(path)
		if err := checkConfigPath(spec, path); err != nil {
			return nil, err
		}
	}
	c, err := testConfig(spec)
	if err != nil {
		return nil, err
	}
	if err := checkTestFolder(spec, c); err != nil {
		return nil, err
	}
	reading.noteConfig(c)
	for i, name := range spec.Keep { // a system of a mod may be given without its mod
		if at := c.FindSystem(name); at >= 0 {
			spec.Keep[i] = c.Systems[at].Name
		}
	}
	var keep func(config.System) bool
	if spec.Keep != nil {
		keep = func(s config.System) bool { return slices.Contains(spec.Keep, s.Name) }
	}
	problems := p.preflight(c, keep)
	if spec.Keep != nil {
		if err := keepSystems(c, spec.Keep); err != nil {
			return nil, err
		}
	}
	if len(problems) > 0 {
		return nil, testProblems(spec, problems)
	}
	c.Limits.OnError = config.OnErrorStop
	o := luabind.Options{Stdout: spec.Stdout, Log: spec.Log, Watchdog: &worldWatch{Watchdog: spec.Watchdog, dog: dog, limits: c.Limits}, Sparing: true, Compiled: &p.compiled}
	if spec.Coverage != nil {
		o.Coverage = spec.Coverage.Named(c.ScriptFile)
	}
	if reading != nil {
		o.Scripts = notedFolder{files.Folder(c.Scripts.Dir), reading}
	}
	rt, problems := p.assemble(c, o, dog)
	if len(problems) > 0 {
		return nil, testProblems(spec, problems)
	}
	if err := spec.Declare(rt.World()); err != nil {
		return nil, err
	}
	input, err := testInputOf(spec, rt, reading)
	if err != nil {
		return nil, err
	}
	return &luatest.World{Runtime: rt, DT: c.Run.DT, Input: input, Location: func(e *luabind.ScriptError) string { return location(c, e) }}, nil
}

// configPath returns the path of the config of a world; "" if the test has written the config itself.
func configPath(spec luatest.WorldSpec) string {
	path := filepath.FromSlash(spec.Config)
	if spec.Config == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(filepath.FromSlash(spec.File.Name)), path)
}

func testConfig(spec luatest.WorldSpec) (*config.Config, error) {
	folder := filepath.Dir(filepath.FromSlash(spec.File.Name))
	o := config.Overrides{Set: spec.Set, Seed: spec.Seed}
	if spec.Config == "" {
		c, err := config.ParseWith(filepath.Join(folder, "t.world"), spec.Inline, config.JSON, o)
		if err != nil {
			return nil, testProblems(spec, err)
		}
		return c, nil
	}
	c, err := config.Load(configPath(spec), o)
	if err != nil {
		return nil, testLoadProblems(spec, err)
	}
	return c, nil
}

// testProblems returns the problems of a config in one line. Problems of what the test has declared in Lua have no
// position, and their paths count from 1 as Lua does.
func testProblems(spec luatest.WorldSpec, err error) error {
	all := flatten(err)
	first := all[0]
	var problem *config.Problem
	if errors.As(first, &problem) && spec.Config == "" {
		own := *problem
		if own.Pos.Line > 0 {
			own.Pos = config.Pos{}
		}
		own.Path = own.PathFromOne()
		first = &own
	}
	switch {
	case len(all) == 1:
		return first
	case spec.Config == "":
		return fmt.Errorf("%w (and %d more)", first, len(all)-1)
	default:
		return fmt.Errorf("%w (and %d more; ecsrun check lists them)", first, len(all)-1)
	}
}

// keepSystems keeps the named systems, in the order of the file. If a system came after another by way of one that
// is removed, it still comes after it.
func keepSystems(c *config.Config, keep []string) error {
	byName := map[string]*config.System{}
	var known []string
	for i, s := range c.Systems {
		byName[s.Name] = &c.Systems[i]
		known = append(known, s.Name)
	}
	for _, name := range keep {
		if byName[name] == nil {
			hint := meant(name, "systems", known)
			return fmt.Errorf("systems: there is no system %q in the config; %s", name, hint)
		}
	}
	var before func(s *config.System, seen map[string]bool) []string
	before = func(s *config.System, seen map[string]bool) []string {
		var out []string
		for _, name := range s.After {
			switch {
			case seen[name]:
			case slices.Contains(keep, name):
				seen[name] = true
				out = append(out, name)
			default:
				seen[name] = true
				out = append(out, before(byName[name], seen)...)
			}
		}
		return out
	}
	var left []config.System
	for _, s := range c.Systems {
		if slices.Contains(keep, s.Name) {
			s.After = before(&s, map[string]bool{})
			left = append(left, s)
		}
	}
	c.Systems = left
	return nil
}
