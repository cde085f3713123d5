package app

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/job"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/plan"
	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
)

// This file runs one job of a sweep: a world from its beginning to its end, without output.

// A jobRunner runs jobs of a sweep one after another, in a process of its own. All jobs share the texts of scripts, what they are compiled to, and the machine code of loops; those of a point the config.
type jobRunner struct {
	*program
	dir     string // in which the bundle is unpacked
	bundle  *plan.Bundle
	base    [32]byte
	dog     *watchdog
	configs map[string]*config.Config
	scripts luabind.Compiled
}

// mostConfigs is the number of points of which the config is kept.
const mostConfigs = 1024

func newJobRunner(p *program, dir string, b *plan.Bundle) *jobRunner {
	c := config.Default()
	p.folders = keptFolders{}
	return &jobRunner{program: p, dir: dir, bundle: b, base: b.Base(), dog: startWatchdog(c.Limits.SystemTime, c.Limits.Memory), configs: map[string]*config.Config{}}
}

func (j *jobRunner) close() { j.dog.close() }

// run runs a job. It returns an error for a signal, and for a bug, after which the process must not go on.
func (j *jobRunner) run(ctx context.Context, r job.Request) (job.Answer, error) {
	answer := job.Answer{Key: r.Key}
	if key := plan.KeyOf(j.base, r.Set, r.Seed); key.String() != r.Key {
		answer.Refused = "its files or its program are others than those of the sweep"
		return answer, nil
	}
	c, err := j.config(r)
	if err != nil {
		answer.Unreadable = err.Error()
		return answer, nil
	}
	result, measured, err := j.world(ctx, c)
	switch {
	case err != nil:
		return answer, err
	case measured != "" && !r.Alone:
		answer.Again = true
	case measured != "":
		answer.Result = &job.Result{Status: job.Unrepeatable, Stop: measured}
	default:
		answer.Result = result
		lie(result)
	}
	return answer, nil
}

// config returns the config of a job.
func (j *jobRunner) config(r job.Request) (*config.Config, error) {
	name := strings.Join(r.Set, "\n")
	c := j.configs[name]
	if c == nil {
		if len(j.configs) >= mostConfigs {
			clear(j.configs)
		}
		o := config.Overrides{Set: r.Set}
		if j.bundle.Frames > 0 {
			o.Frames = &j.bundle.Frames
		}
		var err error
		if c, err = config.Load(filepath.Join(j.dir, filepath.FromSlash(j.bundle.Config)), o); err != nil {
			return nil, err
		}
		if problems := j.preflight(c, nil); len(problems) > 0 {
			return nil, problems
		}
		j.configs[name] = c
	}
	own := *c
	own.Run.Seed = r.Seed
	return &own, nil
}

// world runs the world of a config. measured names the limit if one was passed that another run may not pass; there is no result then.
func (j *jobRunner) world(ctx context.Context, c *config.Config) (result *job.Result, measured string, err error) {
	heed := func(err error) {
		var m *measuredLimit
		if errors.As(err, &m) {
			if measured = "limits.system_time"; strings.Contains(m.text, "limits.memory") {
				measured = "limits.memory"
			}
		}
	}
	j.dog.limit(c.Limits.SystemTime, c.Limits.Memory)
	var bug error
	rt, problems := j.assemble(c, luabind.Options{Sparing: true, Compiled: &j.scripts, Report: func(e *luabind.ScriptError) {
		heed(e)
		if errors.Is(e, luabind.ErrBug) {
			bug = e
		}
	}}, j.dog)
	defer func() { _ = rt.Close() }() // nothing is left to save
	if len(problems) > 0 {
		status := job.Failed
		if errors.Is(problems, ecs.ErrBytes) {
			status = job.Limit
		}
		return &job.Result{Status: status, Stop: problems[0].Message}, "", nil
	}
	if err = rt.LoadContext(ctx); err != nil {
		heed(err)
		if errors.Is(err, luabind.ErrBug) || ctx.Err() != nil {
			return nil, "", err
		}
		return &job.Result{Status: statusOf(err), Stop: flatten(err)[0].Error()}, measured, nil
	}
	m := measuring(rt.World(), j.bundle.Measures)
	err = rt.Start(ctx)
	w := rt.World()
	stopped := false
	stop := ""
	for frames := c.Run.Frames; err == nil && bug == nil; {
		if stop, stopped = w.Stopped(); stopped || w.Frame() >= frames {
			break
		}
		if err = rt.Frame(ctx, c.Run.DT); err == nil {
			m.frame(w.Frame())
		}
	}
	if err != nil {
		heed(err)
	}
	switch {
	case bug != nil:
		return nil, "", bug
	case err != nil && (errors.Is(err, luabind.ErrBug) || ctx.Err() != nil):
		return nil, "", err
	case measured != "":
		return nil, measured, nil
	}
	f := rt.Failures()
	result = &job.Result{Status: job.OK, Frames: w.Frame(), Stop: stop, Failures: uint64(f.Errors + f.Limits), Digest: w.Digest().String(), Values: m.values(), Series: m.series}
	if err != nil {
		result.Status, result.Stop = statusOf(err), err.Error()
	}
	return result, "", nil
}

// statusOf returns the status of a job that an error has ended.
func statusOf(err error) string {
	if errors.Is(err, luabind.ErrLimit) || errors.Is(err, ecs.ErrBytes) {
		return job.Limit
	}
	return job.Failed
}

// A measurement reads the measures of a world.
type measurement struct {
	list     []*job.Measure // nil where the world has no such thing: its mod is off
	measures []plan.Measure
	series   []job.Entry
}

func measuring(w *ecs.World, measures []plan.Measure) *measurement {
	m := &measurement{measures: measures}
	for _, one := range measures {
		parsed, err := job.Parse(w, one.Value)
		if err != nil {
			parsed = nil
		}
		m.list = append(m.list, parsed)
	}
	return m
}

// frame is called at the end of each frame.
func (m *measurement) frame(frame uint64) {
	for i, one := range m.measures {
		if one.Every > 0 && frame%one.Every == 0 && m.list[i] != nil {
			m.series = append(m.series, job.Entry{Frame: frame, Measure: i, Value: m.list[i].Read()})
		}
	}
}

func (m *measurement) values() []job.Value {
	out := make([]job.Value, len(m.list))
	for i, one := range m.list {
		if one != nil {
			out[i] = one.Read()
		}
	}
	return out
}
