package app

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
)

// This file is --resume: which file a run goes on from, and which overrides hold then.

// resumed opens the snapshot that --resume names: a file, or the newest good one in a folder. It is nil if the run begins
// anew. What is passed over is said on stderr.
func (p *program) resumed(f snapshotFlags) (*snapshot, error) {
	path := f.resume
	if path == resumeAuto {
		path = f.dir
	}
	if path == "" {
		return nil, nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, usageError("--resume: %w", err)
	}
	if info.IsDir() {
		found, warnings, err := newestSnapshot(path)
		for _, w := range warnings {
			fmt.Fprintf(p.console.stderr(), "--resume: %s\n", w)
		}
		switch {
		case f.resume == resumeAuto && errors.Is(err, os.ErrNotExist):
			return nil, nil
		case err != nil:
			return nil, usageError("--resume: %w", err)
		}
		return found, nil
	}
	s, err := openSnapshot(path)
	if err != nil {
		return nil, usageError("--resume: %w", err)
	}
	if s.meta.Failed {
		s.close()
		return nil, usageError("--resume: %s was taken where frame %d had failed, in the middle of that frame; resume from an older snapshot (ecsrun snapshot show, diff and export read this one)", path, s.meta.Frame)
	}
	return s, nil
}

// resumeOverrides returns the overrides of a run that goes on from a snapshot: seed and overrides of the snapshot, but the number of
// its last frame, then those of the command line that can change while a world runs. Others are an error.
func (p *program) resumeOverrides(path string, s *snapshot, o config.Overrides) (config.Overrides, error) {
	live := func(key string) bool {
		section, rest, _ := strings.Cut(key, ".")
		switch section {
		case "limits", "log":
			return true
		case "run":
			return rest == "frames" || rest == "realtime"
		case "systems":
			return slices.Contains([]string{"impl", "every", "when", "enabled"}, rest[strings.LastIndexByte(rest, '.')+1:])
		default:
			return false
		}
	}
	saved := slices.DeleteFunc(slices.Clone(s.meta.Overrides), func(arg string) bool { return strings.HasPrefix(arg, "run.frames=") })
	set := append(p.stillMeant(path, saved), fmt.Sprintf("run.seed=%d", s.meta.Seed))
	for _, arg := range o.Set {
		key, _, _ := strings.Cut(arg, "=")
		if !live(key) && !slices.Contains(set, arg) {
			return o, usageError("--set %s: %s cannot change when a run goes on from a snapshot; limits, log, run.frames, run.realtime and impl, every, when and enabled of a system can", arg, key)
		}
		set = append(set, arg)
	}
	if o.Seed != nil && *o.Seed != s.meta.Seed {
		return o, usageError("--seed %d: the snapshot has the seed %d, and its random numbers go on", *o.Seed, s.meta.Seed)
	}
	o.Set = set
	return o, nil
}

// stillMeant returns the overrides of a snapshot without those of systems and resources that the config no longer has,
// which are named in a warning.
func (p *program) stillMeant(path string, overrides []string) []string {
	c, err := config.Load(path, config.Overrides{})
	if err != nil {
		return slices.Clone(overrides) // the run will say what is wrong
	}
	var out []string
	for _, arg := range overrides {
		key, _, _ := strings.Cut(arg, "=")
		section, rest, _ := strings.Cut(key, ".")
		known := true
		switch section {
		case "systems":
			known = c.FindSystem(rest[:max(0, strings.LastIndexByte(rest, '.'))]) >= 0
		case "resources":
			known = slices.ContainsFunc(c.Resources, func(r config.Resource) bool { return r.Name == rest })
		case "layers":
			name, _, _ := strings.Cut(rest, ".")
			known = slices.ContainsFunc(c.Layers, func(l config.Layer) bool { return l.Name == name })
		}
		if !known {
			fmt.Fprintf(p.console.stderr(), "--resume: the override %s of the snapshot is dropped: the config does not have that any more\n", arg)
			continue
		}
		out = append(out, arg)
	}
	return out
}

// overridesOf returns all overrides of a run as KEY=VALUE, the stronger ones later.
func overridesOf(path string, o config.Overrides) []string {
	set := repeatOf(path, o).set
	if o.Frames != nil {
		set = append(set, "run.frames="+strconv.FormatUint(*o.Frames, 10))
	}
	if o.Seed != nil {
		set = append(set, "run.seed="+strconv.FormatUint(*o.Seed, 10))
	}
	last := map[string]int{} // of several for one key the last counts
	for i, arg := range set {
		key, _, _ := strings.Cut(arg, "=")
		last[key] = i
	}
	out := []string{}
	for i, arg := range set {
		if key, _, _ := strings.Cut(arg, "="); last[key] == i {
			out = append(out, arg)
		}
	}
	return out
}

// dropAll is the value of --resume-drop that allows everything.
const dropAll = "all"

// drops reports whether something may be dropped.
func (s *snapshotFlags) drops(l ecs.Loss) bool {
	return slices.Contains(s.drop, l.Name) || slices.Contains(s.drop, dropAll)
}

// waysOut adds to an error about data that would be lost what can be done.
func waysOut(lost *ecs.LossError) error {
	names, renamable := []string{}, map[string]string{}
	shorter := ""
	ofState := func(tag string) bool {
		return slices.ContainsFunc(lost.Losses, func(l ecs.Loss) bool {
			return l.Kind == "state" && (l.Name == tag || strings.HasPrefix(tag, l.Name+"."))
		})
	}
	for _, l := range lost.Losses {
		if !slices.Contains(names, l.Name) {
			names = append(names, l.Name)
		}
		if array, _, ok := strings.Cut(l.Name, "["); ok { // what an array holds behind its end of now
			shorter = array
		} else if l.Kind != "system" && !(l.Kind == "tag" && ofState(l.Name)) && renamable[l.Kind] == "" {
			renamable[l.Kind] = l.Name
		}
	}
	text := "drop it with --resume-drop " + strings.Join(names, ",")
	for _, kind := range []string{"component", "relation", "tag", "event", "resource", "layer", "prefab", "field"} {
		if name := renamable[kind]; name != "" {
			now := "NAME"
			if owner, _, dotted := strings.Cut(name, "."); dotted && kind == "field" {
				now = owner + ".NAME"
			}
			text = fmt.Sprintf("if it was renamed, write renamed: { %ss: { %s: %s } } into the config; else ", kind, name, now) + text
			break
		}
	}
	if shorter != "" {
		text = fmt.Sprintf("give %s its former length; else ", shorter) + text
	}
	return fmt.Errorf("%w; %s", lost, text)
}

// fits returns an error for a snapshot of another config, and for one with a later version of a mod. Another version is said.
func (p *program) fits(f snapshotFlags, s *snapshot, path string, c *config.Config) error {
	shared := slices.ContainsFunc(s.meta.Systems, func(name string) bool {
		return slices.ContainsFunc(c.Systems, func(sys config.System) bool { return sys.Name == name })
	})
	if !shared && len(s.meta.Systems) > 0 && filepath.Clean(s.meta.Config) != filepath.Clean(path) && !slices.Contains(f.drop, dropAll) {
		return usageError("--resume: %s is a snapshot of another config: of %s, with the systems %s, none of which %s has; --resume-drop all goes on from it, without what this config does not have",
			s.path, s.meta.Config, strings.Join(s.meta.Systems, ", "), path)
	}
	for _, m := range c.Mods {
		i := slices.IndexFunc(s.meta.Mods, func(saved luabind.SavedMod) bool { return saved.Name == m.Name })
		if i < 0 || s.meta.Mods[i].Version == m.Version {
			continue
		}
		was := s.meta.Mods[i].Version
		if config.EarlierVersion(m.Version, was) {
			return usageError("--resume: %s was saved with version %s of the mod %q, and this is version %s; use version %[2]s or a later one", s.path, was, m.Name, m.Version)
		}
		fmt.Fprintf(p.console.stderr(), "--resume: the mod %q was version %s when %s was saved, and is version %s now\n", m.Name, was, s.path, m.Version)
	}
	return nil
}

// savedMods returns the mods of a config with their versions, for a snapshot.
func savedMods(c *config.Config) (list []luabind.SavedMod) {
	for _, m := range c.Mods {
		list = append(list, luabind.SavedMod{Name: m.Name, Version: m.Version})
	}
	return list
}
