package app

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/ecsrun/ecsrun/config"
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
