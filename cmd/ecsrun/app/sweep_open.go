package app

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/job"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/plan"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/stats"
	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
)

// This file reads the file of a sweep, checks it against its config and its world, and collects the files that its jobs need.

// A sweep is a file of a sweep that was checked.
type sweep struct {
	plan       *plan.Plan
	bundle     *plan.Bundle
	names      []string // of the measures
	thresholds []*stats.Threshold
	stop       *stats.Threshold // nil: it does not end early
	worst      *stats.Worst     // nil: no rows are named
}

// openSweep reads the file of a sweep. What is wrong with it, or with its config, has been written when it returns an exit.
func (p *program) openSweep(path string, set []string) (*sweep, error) {
	file, err := config.LoadSweep(path)
	if err != nil {
		return nil, p.reject(err)
	}
	if err := settable(file, set); err != nil {
		return nil, err
	}
	s, problems := newSweep(file)
	c, err := file.Check(set)
	if err != nil {
		return nil, p.reject(errors.Join(err, problemsOf(problems)))
	}
	if len(problems) > 0 {
		return nil, p.reject(problems)
	}
	if problems := p.preflight(c, nil); len(problems) > 0 {
		return nil, p.reject(problems)
	}
	if s.bundle, err = p.bundleOf(s, file, c, set); err != nil {
		return nil, err
	}
	if s.plan, err = plan.New(file, set, s.bundle.Base()); err != nil {
		return nil, p.reject(err)
	}
	if file.Design.Kind == config.DesignList {
		if err := s.plan.CheckList(c); err != nil {
			return nil, p.reject(err)
		}
	}
	if problems := append(checkMods(s, file), p.checkConditions(s, file, set)...); len(problems) > 0 {
		return nil, p.reject(problems)
	}
	first := file.Overrides(s.plan.Overrides(0))
	if _, err := config.Load(file.Config, first); err != nil {
		return nil, p.reject(err)
	}
	return s, nil
}

// settable returns an error for a --set of what the sweep says itself.
func settable(file *config.Sweep, set []string) error {
	for _, one := range set {
		switch key, _, _ := strings.Cut(one, "="); {
		case key == "run.seed":
			return usageError("sweep: --set run.seed changes nothing: the seeds are those of seeds: in the sweep")
		case key == "run.frames" && file.Frames > 0:
			return usageError("sweep: --set run.frames changes nothing: frames: in the sweep says how many")
		case slices.ContainsFunc(file.Vary, func(v config.Vary) bool { return v.Key == key }):
			return usageError("sweep: --set %s changes nothing: the sweep varies it", key)
		}
	}
	return nil
}

// problemsOf returns problems as an error, nil for none.
func problemsOf(problems config.Problems) error {
	if len(problems) == 0 {
		return nil
	}
	return problems
}

// newSweep reads the expressions of a sweep.
func newSweep(file *config.Sweep) (*sweep, config.Problems) {
	s := &sweep{}
	var problems config.Problems
	for _, m := range file.Measures {
		s.names = append(s.names, m.Name)
	}
	wrong := func(t config.Text, err error) {
		problems = append(problems, file.Problem(t.Path, err.Error(), ""))
	}
	for _, t := range file.Thresholds {
		threshold, err := stats.ParseThreshold(t.Text, s.names)
		if err != nil {
			wrong(t, err)
		}
		s.thresholds = append(s.thresholds, threshold)
	}
	var err error
	if t := file.Stop.When; t.Text != "" {
		if s.stop, err = stats.ParseThreshold(t.Text, s.names); err != nil {
			wrong(t, err)
		}
	}
	if t := file.Worst; t.Text != "" {
		if s.worst, err = stats.ParseWorst(t.Text, s.names); err != nil {
			wrong(t, err)
		}
	}
	return s, problems
}

// bundleOf collects the files that jobs need: the config, the scripts with what they require, mods with their manifests, the files of layers and data files. For that it makes the
// world once, and checks the measures in it, and what is asked of them.
func (p *program) bundleOf(s *sweep, file *config.Sweep, c *config.Config, set []string) (*plan.Bundle, error) {
	b := &plan.Bundle{Program: programIdentity(), Frames: file.Frames, Set: set}
	for _, m := range file.Measures {
		b.Measures = append(b.Measures, plan.Measure{Name: m.Name, Value: m.Value, Every: m.Every})
	}
	scripts, err := p.scriptsOf(c, func(w *ecs.World) config.Problems { return s.check(file, w) })
	if err != nil {
		return nil, err
	}
	configs := []*config.Config{c}
	for _, v := range file.Vary { // a mod that is off has files, too
		for _, value := range v.Values {
			if !strings.HasPrefix(v.Key, "mods.") {
				break
			}
			if other, err := config.Load(file.Config, file.Overrides(append(slices.Clone(set), v.Key+"="+value))); err == nil && value == "true" {
				more, err := p.scriptsOf(other, func(*ecs.World) config.Problems { return nil })
				if err != nil {
					return nil, err
				}
				scripts, configs = append(scripts, more...), append(configs, other)
			}
		}
	}
	paths := append([]string{file.Config}, scripts...)
	folders := []string{filepath.Dir(file.Config), c.Scripts.Dir}
	for _, c := range configs {
		for _, m := range c.Mods {
			found, _ := filepath.Glob(filepath.Join(m.Dir, "mod.*")) // the pattern is right
			paths = append(paths, found...)
			folders = append(folders, m.Dir, m.Scripts)
		}
		for _, l := range c.Layers {
			if l.File != "" {
				paths, folders = append(paths, l.File), append(folders, filepath.Dir(l.File))
			}
		}
		for _, d := range c.Data {
			paths, folders = append(paths, d.File), append(folders, filepath.Dir(d.File))
		}
	}
	base, err := commonFolder(folders)
	if err != nil {
		return nil, usageError("sweep: %w", err)
	}
	name := (&recording{base: base}).name
	b.Config, b.Scripts = name(file.Config), name(c.Scripts.Dir)
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, usageError("sweep: %w", err)
		}
		b.Add(name(path), data)
	}
	return b, nil
}

// scriptsOf loads the scripts of a config, and returns their paths and those of the modules that they require by a literal name. check checks the world.
func (p *program) scriptsOf(c *config.Config, check func(*ecs.World) config.Problems) ([]string, error) {
	dog := startWatchdog(c.Limits.SystemTime, c.Limits.Memory)
	defer dog.close()
	rt, problems := p.assemble(c, luabind.Options{Sparing: true}, dog)
	defer func() { _ = rt.Close() }() // nothing is left to save
	if len(problems) > 0 {
		return nil, p.reject(problems)
	}
	if err := rt.Load(); err != nil {
		failures := newFailureLog(p.console.stderr(), nil, c)
		failures.json = nil
		problems, rest := conditions(c, err)
		if len(problems) > 0 {
			return nil, p.reject(problems)
		}
		for _, e := range rest {
			failures.report(e, time.Now())
		}
		failures.countUp()
		return nil, &exit{code: exitLoad}
	}
	if problems = check(rt.World()); len(problems) > 0 {
		return nil, p.reject(problems)
	}
	return required(c, rt.Files()), nil
}

// check returns what is wrong with the measures in a world, and with what is asked of them.
func (s *sweep) check(file *config.Sweep, w *ecs.World) (problems config.Problems) {
	isText := make([]bool, len(file.Measures))
	for i, one := range file.Measures {
		m, err := job.Parse(w, one.Value)
		if err != nil {
			problems = append(problems, file.Problem(fmt.Sprintf("measure[%d].value", i), err.Error(), ""))
			continue
		}
		isText[i] = m.IsText()
	}
	if len(problems) > 0 {
		return problems
	}
	needs := func(t config.Text, n stats.Needs) {
		if err := n.Check(s.names, isText); err != nil {
			problems = append(problems, file.Problem(t.Path, err.Error(), ""))
		}
	}
	for i, t := range s.thresholds {
		needs(file.Thresholds[i], t.Needs)
	}
	if s.stop != nil {
		needs(file.Stop.When, s.stop.Needs)
	}
	if s.worst != nil {
		needs(file.Worst, s.worst.Needs)
	}
	return problems
}

// literal finds the name of a module in a call of require.
var literal = regexp.MustCompile(`require\s*\(?\s*["']([^"'\n]+)["']`)

// required returns the paths of scripts, and of all modules that they name in a call of require: one that is only called in some frames is not loaded yet.
func required(c *config.Config, names []string) []string {
	var paths []string
	seen := map[string]bool{}
	for queue := slices.Clone(names); len(queue) > 0; queue = queue[1:] {
		path := c.ScriptFile(queue[0])
		if seen[path] {
			continue
		}
		seen[path] = true
		text, err := os.ReadFile(path)
		if err != nil {
			continue // no file of this name; what is missing fails when it is required
		}
		paths = append(paths, path)
		mod, _, _ := strings.Cut(queue[0], "/")
		for _, m := range literal.FindAllSubmatch(text, -1) {
			file := strings.ReplaceAll(string(m[1]), ".", "/")
			for _, at := range []string{file, mod + "/" + file} {
				queue = append(queue, at+".lua", at+"/init.lua")
			}
		}
	}
	return paths
}

// programIdentity says which program makes results: the revision of its source, or the hash of its executable if that is not known or was changed.
var programIdentity = sync.OnceValue(func() string {
	revision, modified := "", true
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				revision = info.Main.Path + " " + s.Value
			case "vcs.modified":
				modified = s.Value == "true"
			}
		}
	}
	if revision != "" && !modified {
		return fmt.Sprintf("%s %s", revision, runtime.Version())
	}
	hash := sha256.New()
	if path, err := os.Executable(); err == nil {
		if f, err := os.Open(path); err == nil {
			_, _ = io.Copy(hash, f) // what cannot be read is a program of its own
			_ = f.Close()
		}
	}
	return strings.TrimSpace(revision + " " + hex.EncodeToString(hash.Sum(nil)[:16]))
})
