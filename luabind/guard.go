package luabind

import (
	"context"
	"errors"
)

// Every call into Lua goes through guarded: it has a fresh budget, is watched by the watchdog, and ends when the context of the Load, Start or Frame that
// makes it ends.

// guarded calls into Lua under a fresh budget and the watchdog.
func (r *Runtime) guarded(fn func() error) error {
	b := r.state.Budget()
	b.Reset(int64(min(r.options.Limits.Instructions, 1<<62)))
	if err := r.ctx.Err(); err != nil { // after Reset: from here on the context interrupts this turn
		return err
	}
	if dog := r.options.Watchdog; dog != nil {
		turn := b.Turn()
		dog.Begin(func(err error) { b.InterruptTurn(turn, err) })
		defer dog.End()
	}
	err := fn()
	if err == nil {
		err = b.Spent() // a pcall in tail position can end a spent turn without an error
	}
	return err
}

// charge takes the steps of applying commands from the budget of the turn.
func (r *Runtime) charge(steps int) error {
	if b := r.state.Budget(); !b.Charge(int64(steps)) {
		return b.Spent()
	}
	return nil
}

// heeded is the context that interrupts the running turn when it ends.
type heeded struct {
	done        <-chan struct{} // of the context; nil: there is none
	stop        func() bool
	interrupted chan struct{} // closed once the turn was interrupted
}

// heed makes ctx the context of the calls that follow. What waits for its end stays when the next frame has the same context, so that a
// frame allocates nothing.
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

// unheed leaves the context of the last frame.
func (r *Runtime) unheed() {
	if r.heeded.done != nil && !r.heeded.stop() {
		<-r.heeded.interrupted // it is on its way: it must not hit a later turn
	}
	r.heeded = heeded{}
}

// cancelled reports whether err is the context's.
func (r *Runtime) cancelled(err error) bool {
	return r.ctx.Err() != nil && (errors.Is(err, r.ctx.Err()) || errors.Is(err, context.Cause(r.ctx)))
}
