package luabind

import (
	"context"
	"errors"
	"fmt"

	"github.com/ecsrun/ecsrun/ecs"
)

// Edits: what somebody outside of the world does to it between two frames, while it runs. What an edit does is a turn of a system of
// its own, so that every system and every observer sees it. This file says what an edit is, and gives it its turn;
// edit_entity.go, edit_system.go and edit_eval.go do it, edit_names.go has the names of entities.

// Inspector is the name of the system as which edits are made.
const Inspector = "inspector"

// A Result is what an edit has done.
type Result struct {
	Done    bool        // false: the entity is dead, or the relation of EditUnrelate has another target
	Entity  ecs.Entity  // of EditSpawn
	Values  []ecs.Value // of EditEval: what the code returns, as plain data; functions are texts, views tables of their fields
	Printed string      // of EditEval: what the code prints, with the ends of its lines; at most 1 MiB
}

// ErrTakenBack is wrapped by the error of an edit that had its turn and has failed: that turn was taken back, and the run can go on.
// The handles that it has given out are used up, so it belongs in a record. After any other error nothing has happened.
var ErrTakenBack = errors.New("the edit was taken back")

// Edit makes a change between two frames, after Start or Restore. It is a turn of a system named [Inspector] with a tick, commands and a random
// stream of its own: the other systems see it as any turn before theirs. Sending an event and setting a resource are no turn. What fails in an
// edit, an observer too, is taken back, whatever the policy, and is not one of [Failures].
//
// Code of EditEval is a chunk of Lua with the globals world and ecs, in an environment of its own that is kept between edits and in
// snapshots; it may assign new globals there. It may use 1,000,000 instructions and make 16 MiB.
//
// Errors: an unknown name of an entity or system, with a suggestion; code that does not compile; what the world refuses, such as a limit; a
// [*ScriptError] of the code, of an observer or an init. See [ErrTakenBack].
func (r *Runtime) Edit(ctx context.Context, e Edit) (res Result, err error) {
	if err := r.enter(ctx, "Edit"); err != nil {
		return res, err
	}
	failed := r.failed
	defer func() {
		bug := err != nil && errors.Is(err, ErrBug)
		r.failed, r.editing = failed || bug, false
	}()
	defer r.leave(&err)
	res, err = r.edit(ctx, e)
	var se *ScriptError
	if errors.As(err, &se) {
		se.Frame = r.world.Frame() + 1 // what is done between frames belongs to the one that comes
	}
	return res, err
}

// EditInFrame is [Runtime.Edit] between two turns of a frame: it is called by Before of the schedule. Systems are changed between
// frames only.
func (r *Runtime) EditInFrame(ctx context.Context, e Edit) (res Result, err error) {
	switch {
	case !r.busy.Load() || r.calls > 0 || r.running != nil || r.applying || r.asides > 0:
		return res, errors.New("luabind: EditInFrame outside of a frame, or within a turn")
	case e.Kind == EditSystem:
		return res, fmt.Errorf("a system is changed between frames, and the world stands within frame %d; run.step ends the frame", r.world.Frame())
	}
	failed := r.failed
	defer func() { r.failed, r.editing = failed, false }()
	return r.edit(ctx, e)
}

// edit is Edit without the checks of the call.
func (r *Runtime) edit(ctx context.Context, e Edit) (res Result, err error) {
	if !r.started {
		return res, errors.New("luabind: Edit before Start")
	}
	r.heed(ctx)
	if e, err = r.withEntities(e); err != nil {
		return res, err
	}
	switch e.Kind {
	case EditSend:
		return Result{Done: true}, r.world.Send(e.Event, valuesOf(e.Fields)...)
	case EditResource:
		return Result{Done: true}, r.setResource(e)
	}
	var do ecs.SystemFunc
	var code error // of an eval, under its own limits; observers of what an edit has done run under those of the config
	switch e.Kind {
	case EditSystem:
		if err := r.setSystem(e); err != nil {
			if errors.As(err, new(*ScriptError)) { // an init
				err = r.takenBack(err, false)
			}
			return res, err
		}
		r.edits++
		return Result{Done: true}, nil
	case EditEval:
		fn, err := r.compileCode(e.Code)
		if err != nil {
			return res, err
		}
		do = func(*ecs.World, float64) (err error) {
			res, err = r.eval(fn)
			code = err
			return err
		}
	default:
		do = func(w *ecs.World, _ float64) (err error) {
			res, err = change(w, &e)
			return err
		}
	}
	r.turns++
	r.editing = true
	r.dropDisabled()
	err = r.schedule.Between(Inspector, do)
	r.dropDisabled()
	switch {
	case err == nil && e.Kind == EditSpawn && e.As != "":
		r.nameEntity(e.As, res.Entity)
	case err != nil:
		printed := res.Printed
		res = Result{Printed: printed}
		err = r.takenBack(err, code != nil)
	}
	r.edits++
	return res, err
}

// takenBack is the error of an edit whose turn has failed; code says that it is that of an eval.
func (r *Runtime) takenBack(err error, code bool) error {
	if r.cancelled(err) {
		return err
	}
	se := r.scriptError(Inspector, err)
	if code {
		se.Message = ofConsole.Replace(se.Message)
	}
	se.Err = &caused{se.Message, []error{se.Err, ErrTakenBack}}
	return se
}

// Edits returns how many edits were made, those of the run that a snapshot is from too. Events and resources are inputs as others, and do not
// count by themselves: see [Runtime.CountEdit].
func (r *Runtime) Edits() uint64 { return r.edits }

// CountEdit counts an edit that is no turn: an event or a resource that somebody has set by hand.
func (r *Runtime) CountEdit() { r.edits++ }
