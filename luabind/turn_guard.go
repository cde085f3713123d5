package luabind

import (
	"context"
	"errors"
)

// Limits of calls into Lua. Every call goes through guarded: it gets a fresh budget of instructions, the watchdog
// observes it, and it ends when the context of the Load, Start or Frame that makes it is cancelled. The budget
// belongs to the sandbox, which checks it while Lua runs; here it is filled, interrupted and read.

// guarded calls fn, which runs Lua, under a fresh budget and the watchdog. It returns the error of fn, the error of
// the budget if it was used up or interrupted, or a notBegun if the context was cancelled before. Calls must not be
// nested: the inner one would reset the budget.
func (r *Runtime) guarded(fn func() error) error {
	b := r.state.Budget()
	b.LimitAllocations(int64(min(r.options.Limits.Allocations, 1<<62)))
	b.Reset(int64(min(r.options.Limits.Instructions, 1<<62)))
	if err := r.ctx.Err(); err != nil { // after Reset: from here on the context interrupts this turn
		return notBegun{err}
	}
	if dog := r.options.Watchdog; dog != nil {
		turn := b.Turn()
		dog.Begin(func(err error) { b.InterruptTurn(turn, err) })
		defer dog.End()
	}
	r.calls++
	defer func() { r.calls-- }()
	err := fn()
	if err == nil {
		err = b.Spent() // a pcall in tail position can end a spent turn without an error
	}
	return err
}

// A notBegun is the error of a context that was cancelled before the call began.
type notBegun struct{ error }

func (n notBegun) Unwrap() error { return n.error }

// charge takes the steps of applying commands from what the turn may cause. The error, if that does not suffice, ends the
// applying.
func (r *Runtime) charge(steps int) error {
	if b := r.state.Budget(); !b.Cause(int64(steps)) {
		return b.Spent()
	}
	return nil
}

// A heeded is the subscription to a context: its end interrupts the turn that is running.
type heeded struct {
	done        <-chan struct{} // Done of the context; nil: no context, or one that never ends
	stop        func() bool
	interrupted chan struct{} // closed after the interruption was passed to the budget
}

// heed makes ctx the context of the calls that follow, and subscribes to its end. The subscription is kept when the
// next frame has the same context, so that a frame allocates nothing.
func (r *Runtime) heed(ctx context.Context) {
	r.ctx = ctx
	if ctx.Done() == r.heeded.done {
		return
	}
	r.unheed()
	if ctx.Done() == nil {
		return
	}
	interrupted := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		r.state.Budget().Interrupt(context.Cause(ctx))
		close(interrupted)
	})
	r.heeded = heeded{ctx.Done(), stop, interrupted}
}

// unheed ends the subscription to the context of the last frame. If that context has just ended, unheed waits until
// the interruption is delivered, because it must not interrupt a later turn.
func (r *Runtime) unheed() {
	if r.heeded.done != nil && !r.heeded.stop() {
		<-r.heeded.interrupted // the interruption is under way
	}
	r.heeded = heeded{}
}

// cancelled reports whether err says that the current context was cancelled.
func (r *Runtime) cancelled(err error) bool {
	return r.ctx.Err() != nil && (errors.Is(err, r.ctx.Err()) || errors.Is(err, context.Cause(r.ctx)))
}
