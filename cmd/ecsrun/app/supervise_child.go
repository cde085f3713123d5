package app

import (
	"errors"
	"strings"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
)

// This file is the child of a supervision: what it takes from its parent, and what it notes for it.

// inherit takes the page from the environment, if this process is a child.
func (p *program) inherit() {
	for _, v := range p.env {
		if value, ok := strings.CutPrefix(v, pageVariable+"="); ok {
			p.page = inheritedPage(value)
		}
	}
}

// obey changes the flags of the command line as the parent says. It returns overrides for the systems that are left
// out.
func (p *program) obey(f *runFlags) (set []string) {
	o, ok := p.page.read()
	if !ok {
		panic("app: the orders of the parent are not readable")
	}
	if o.Resume != "" {
		f.snapshots.resume = o.Resume
	}
	for _, name := range o.Without {
		set = append(set, "systems."+name+".enabled=false")
	}
	if !o.Claim {
		p.page.claimed.Store(1)
	}
	return set
}

// tell makes a run note in the page what it is doing.
func (r *run) tell() {
	if r.page == nil {
		return
	}
	r.noteConfig(r.config)
	world := r.runtime.World()
	r.meter.note = func(sys *ecs.System) { r.page.turn(sys, world.Frame()) }
	r.page.phase.Store(phaseRuns)
}

// tellBug notes the system whose turn a bug has ended: that turn is over, and the parent has to know who it was.
func (r *run) tellBug(err error) {
	var script *luabind.ScriptError
	if r.page == nil || !errors.As(err, &script) {
		return
	}
	if sys := r.runtime.Schedule().Find(script.System); sys != nil {
		r.page.turn(sys, script.Frame)
	}
}

// noteConfig notes what the parent has to know of the config, which may change in a reload.
func (r *run) noteConfig(c *config.Config) {
	if r.page == nil {
		return
	}
	disable := uint32(0)
	if c.Limits.OnError == config.OnErrorDisable {
		disable = 1
	}
	r.page.disable.Store(disable)
	code := uint32(exitInterrupted)
	if c.Run.Frames == 0 {
		code = exitOK
	}
	r.page.interrupted.Store(code)
}

// inform tells the parent that the run has ended by itself, so that its error is the result, and returns the error. A
// panic that was caught is a death.
func (p *program) inform(err error) error {
	if p.page != nil && !p.panicked {
		p.page.ended.Store(1)
	}
	return err
}
