package app

import (
	"fmt"
	"slices"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/luabind"
)

// Warnings of check: those of luabind, with their places in the config, and those that only the config shows.

// The codes of mistakes. Package luabind lists all codes.
const (
	codeOfConfig  = "E101"
	codeOfLoading = "E201"
	codeOfNames   = "E202"
)

// codesOf maps each code to what is known of it.
var codesOf = func() map[string]luabind.WarningCode {
	out := map[string]luabind.WarningCode{}
	for _, c := range luabind.WarningCodes() {
		out[c.ID] = c
	}
	return out
}()

// lint adds the mistakes and the warnings that the source shows. If not all scripts load there are no warnings: what is missing would be the cause
// of many.
func (p *program) lint(c *config.Config, rt *luabind.Runtime, found *findings, loads bool) {
	for _, w := range rt.Lint() {
		if loads || w.Code[0] == 'E' {
			found.warning(w.Code, placeOf(c, w), w.Message, w.Fix)
		}
	}
	if !loads {
		return
	}
	warnOfSystems(c, found)
	warnOfHot(c, rt.Explain(), found)
	found.ignore(c, rt.Files())
}

// placeOf returns where a warning is shown: in a script, or where the config has the system or the declaration.
func placeOf(c *config.Config, w luabind.Warning) config.Pos {
	if w.File != "" {
		return config.Pos{File: c.ScriptFile(w.File), Line: w.Line}
	}
	if w.System != "" {
		i := slices.IndexFunc(c.Systems, func(s config.System) bool { return s.Name == w.System })
		if i >= 0 {
			return c.Systems[i].Pos
		}
	}
	switch w.Kind {
	case "component":
		return declaredAt(c, c.Components, w.Name, func(v config.Component) (string, config.Pos) { return v.Name, v.Pos })
	case "tag":
		return declaredAt(c, c.Tags, w.Name, func(v config.Tag) (string, config.Pos) { return v.Name, v.Pos })
	case "event":
		return declaredAt(c, c.Events, w.Name, func(v config.Event) (string, config.Pos) { return v.Name, v.Pos })
	case "resource":
		return declaredAt(c, c.Resources, w.Name, func(v config.Resource) (string, config.Pos) { return v.Name, v.Pos })
	case "relation":
		return declaredAt(c, c.Relations, w.Name, func(v config.Relation) (string, config.Pos) { return v.Name, v.Pos })
	}
	return c.At("")
}

// declaredAt returns where a list declares a name; the start of the config if it does not.
func declaredAt[T any](c *config.Config, list []T, name string, of func(T) (string, config.Pos)) config.Pos {
	for _, v := range list {
		if n, pos := of(v); n == name {
			return pos
		}
	}
	return c.At("")
}

// warnOfSystems adds what the entries of systems show.
func warnOfSystems(c *config.Config, found *findings) {
	for i, s := range c.Systems {
		key := c.SystemPath(i)
		if s.Impl == config.ImplClosures {
			found.warning("W402", c.At(key+".impl"), fmt.Sprintf("system %q has impl: closures, which is for comparing: its loops run without machine code", s.Name), "remove impl")
		}
		if s.Enabled && s.Stage != config.StageStartup && c.Run.Frames > 0 && uint64(s.Every) > c.Run.Frames {
			found.warning("W207", c.At(key+".every"), fmt.Sprintf("system %q never has a turn: it runs every %d frames, and the run has %d", s.Name, s.Every, c.Run.Frames), "lower every, or raise run.frames")
		}
	}
}

// warnOfHot adds the loops in the scripts of hot systems that are not compiled.
func warnOfHot(c *config.Config, loops []luabind.LoopReport, found *findings) {
	for i, s := range c.Systems {
		if !s.Hot || s.Script == "" || s.Impl == config.ImplNative {
			continue
		}
		if s.Impl == config.ImplLua {
			found.warning("W403", c.At(c.SystemPath(i)+".impl"), fmt.Sprintf("the hot system %q has impl: lua, so none of its loops is compiled", s.Name), "remove impl")
			continue
		}
		for _, l := range loops {
			if l.File == s.Script && l.Reason != "" {
				pos := config.Pos{File: c.ScriptFile(l.File), Line: l.Line}
				reason := l.Reason
				if l.At != l.Line || l.AtFile != "" {
					reason = fmt.Sprintf("%s:%d: %s", first(l.AtFile, l.File), l.At, l.Reason)
				}
				found.warning("W403", pos, fmt.Sprintf("a loop of the hot system %q is not compiled: %s", s.Name, reason), l.Advice)
			}
		}
	}
}
