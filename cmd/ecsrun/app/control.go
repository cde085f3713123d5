package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/control"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/inspector"
	"github.com/ecsrun/ecsrun/luabind"
	"github.com/ecsrun/ecsrun/luabind/inputs"
	"github.com/spf13/cobra"
)

// This file connects a run with its control plane, package control, and has the command rpc.

// errAsked is the reason for ending a turn that somebody has interrupted.
var errAsked = &measuredLimit{"it was interrupted (run.interrupt; from outside, so another run may differ)"}

func (p *program) rpcCommand() *cobra.Command {
	cmd := p.running(&cobra.Command{
		Use:   "rpc CONFIG",
		Short: "Run a world that another program drives",
		Long: `rpc runs a world as run does, and reads JSON-RPC 2.0 from stdin, a message a line;
answers go to stdout, a line each. What scripts print and the summary go to stderr.
The world waits in frame 0 for run.step or run.resume, and the end of stdin ends it,
also a run.step that no other call follows.
rpc.discover lists the methods, and docs/inspector.md explains them.`,
		Example: `  ecsrun rpc config/arena.yaml
  {"jsonrpc": "2.0", "id": 1, "method": "run.step", "params": {"frames": 3}}`,
	}, func(f *runFlags) { f.rpc = true })
	return cmd
}

// startControl makes the control plane of a run that has one. The scripts are loaded.
func (r *run) startControl() {
	if !r.flags.rpc && r.doorway == nil {
		return
	}
	speed := 0.0
	if r.config.Run.Realtime {
		speed = 1
	}
	r.control = control.New(control.Host{
		Runtime:  r.runtime,
		Version:  version(),
		Seed:     r.config.Run.Seed,
		Speed:    speed,
		DT:       r.config.Run.DT,
		Last:     func() uint64 { return r.config.Run.Frames },
		SetSpeed: r.setSpeed,
		Impl: func(system string) string {
			if i := r.config.FindSystem(system); i >= 0 {
				return r.config.Systems[i].Impl
			}
			return ""
		},
		Script: func(system string) string {
			if i := r.config.FindSystem(system); i >= 0 {
				return r.config.Systems[i].Script
			}
			return ""
		},
		Edit:      r.editLine,
		Edited:    func() bool { return r.runtime.Edits() > 0 },
		Interrupt: func() bool { return r.dog.endCall(errAsked) },
		Snapshot:  r.snapshotNow,
		History:   aHistory{r},
		Log:       r.logs.log,
	}, r.flags.rpc || r.flags.inspect.wait)
	if r.feed != nil {
		r.feed.asked, r.feed.answer = r.control.Bell(), func() bool {
			n := r.backs
			return r.control.Answer(r.signal.first.Done()) && r.backs == n
		}
	}
	r.asking.Store(r.control)
	if r.flags.rpc {
		r.lines = r.control.Lines(r.stdin, r.rpcOut)
	}
	if r.flags.inspect.again && r.doorway != nil && !r.flags.inspect.wait && !r.flags.quiet {
		r.logs.log.Warn("the process before this one has died: the run goes on, also if it was paused; with --inspect-wait it would begin paused")
	}
	if r.doorway != nil {
		if r.flags.inspect.token == "" { // otherwise the parent has said it
			r.tellInspector(r.doorway, r.flags.inspect, r.config)
		}
		r.server = inspector.Serve(r.doorway, r.control)
	}
}

// editLine does a line of input that has come through the control plane, as the next one before the next frame.
func (r *run) editLine(text []byte) (luabind.Result, error) {
	d := inputs.Decoder{World: r.runtime.World(), Systems: r.runtime.Schedule().Names(), Next: r.runtime.World().Frame() + 1}
	in, _, err := d.Decode(text)
	if err != nil {
		return luabind.Result{}, err
	}
	apply, within := in.Apply, r.control.Within()
	if within {
		apply = func(ctx context.Context, rt *luabind.Runtime) (luabind.Result, error) {
			return rt.EditInFrame(ctx, in.Edit)
		}
	}
	turns := r.turnsDone
	done, err := apply(r.signal.over, r.runtime)
	if err == nil || errors.Is(err, luabind.ErrTakenBack) {
		if r.page != nil {
			r.page.edits.Add(1)
		}
		r.history.leaveWay()
		if within {
			r.noteInput(inFrame(turns, in.Text))
		} else {
			r.noteInput(in.Text)
		}
		if in.Kind == inputs.Send || in.Kind == inputs.Set {
			r.runtime.CountEdit()
		}
	}
	if err == nil {
		r.keepSetting(&in)
	}
	if errors.Is(err, luabind.ErrBug) {
		r.broken = err
	}
	return done, err
}

// longestStep is the longest time between two frames, in nanoseconds: a century.
const longestStep = 100 * 365 * 24 * float64(time.Hour)

// setSpeed sets the pace of a run, from now on.
func (r *run) setSpeed(factor float64) {
	if factor == 0 {
		r.pace = &pacer{}
		return
	}
	r.pace = newPacer(time.Duration(min(r.config.Run.DT*float64(time.Second)/factor, longestStep)), time.Now())
}

// snapshotNow saves the present frame, for run.snapshot.
func (r *run) snapshotNow() error {
	if r.saver == nil {
		return errors.New("there is no folder for snapshots; run with --snapshot DIR")
	}
	failed := r.saver.failed
	r.saver.save(r.runtime)
	if r.saver.wait(); r.saver.failed > failed {
		return fmt.Errorf("the snapshot of frame %d was not saved: %s", r.runtime.World().Frame(), r.saver.last)
	}
	return nil
}

// onEdge answers what the control plane has been asked, and waits while the run is paused. It reports false if the run is over.
func (r *run) onEdge(signal *interruption) bool {
	if r.control == nil {
		return true
	}
	on := r.control.Edge(signal.first.Done())
	if r.broken != nil {
		r.fail(r.broken)
		return false
	}
	if on {
		return true
	}
	r.endAsked()
	return false
}

// endAsked notes that run.stop ends the run.
func (r *run) endAsked() {
	if reason, ok := r.control.Stopped(); ok {
		r.ended = "stopped"
		if reason != "" {
			r.ended += ": " + oneLine(reason)
		}
	}
}

// stay keeps a run that has ended for whoever looks at it, until run.stop or a signal. It reports true if the run goes on: the world
// went back.
func (r *run) stay(signal *interruption) bool {
	c := r.control
	if c == nil || !r.stays() || r.stopped || r.bug {
		return false
	}
	if _, stopped := c.Stopped(); stopped {
		return false
	}
	if c.Stay(signal.first.Done(), r.ended, r.failure) {
		r.failure, r.ended = nil, ""
		return true
	}
	return false
}

// endControl answers the calls that still wait, after the last frame.
func (r *run) endControl() {
	if r.control == nil {
		return
	}
	r.control.Close(r.ended, r.failure)
	if r.server != nil {
		r.server.Close()
	}
}

// endLines writes the last answers of the command rpc. The run is saved: its reader may have stopped reading.
func (r *run) endLines() {
	if r.lines != nil {
		r.unread = r.lines.Finish()
	}
}

// wait waits until the next frame is due.
func (r *run) wait(signal *interruption) {
	if r.control.Rushing() {
		return
	}
	if r.control == nil {
		r.pace.wait(signal.first, r.saveBell, r.saveNow)
		return
	}
	delay := r.pace.delay()
	if delay <= 0 {
		return
	}
	timer := time.NewTimer(delay)
	defer timer.Stop()
	r.control.Wait(timer.C, time.Now().Add(delay), signal.first.Done())
}

// A heard is where scripts print: also for whoever watches the log.
type heard struct {
	run *run
	to  io.Writer
}

// Write implements [io.Writer].
func (h *heard) Write(b []byte) (int, error) {
	if h.run.control.Logging() {
		h.run.control.Print(strings.TrimSuffix(string(b), "\n"))
	}
	return h.to.Write(b)
}

// hearFailure tells whoever watches the log of a failure.
func (r *run) hearFailure(err error) {
	if r.control.Logging() {
		r.control.Failed(err.Error())
	}
}
