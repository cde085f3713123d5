package luabind

import (
	"context"
	"fmt"
	"runtime/debug"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
)

// This file refuses calls of a Runtime at a wrong time: after Close, without a context, or while another call runs.

// enter begins a call that runs scripts; leave must end it, unless enter returns an error.
func (r *Runtime) enter(ctx context.Context, method string) error {
	switch {
	case ctx == nil:
		return fmt.Errorf("luabind: %s without a context; context.Background() never ends", method)
	case !r.busy.CompareAndSwap(false, true):
		return fmt.Errorf("luabind: %s while another call of this Runtime runs, which has called back or is on another goroutine; call it when that has returned", method)
	case r.phase == phaseClosed:
		r.busy.Store(false)
		return r.closed(method)
	}
	return nil
}

// leave ends a call that enter has begun. A panic in it, say of an observer in Go, becomes its error. It must be deferred.
func (r *Runtime) leave(err *error) {
	if v := recover(); v != nil {
		*err, r.failed = r.panicked("", v), true
	}
	r.ctx = context.Background()
	r.busy.Store(false)
}

// panicked returns the error of a panic that was recovered just now: an [ErrBug].
func (r *Runtime) panicked(system string, value any) error {
	return r.scriptError(system, &sandbox.PanicError{Value: value, Stack: string(debug.Stack())})
}

// closed returns the error of a method that is called after Close, otherwise nil.
func (r *Runtime) closed(method string) error {
	if r.phase == phaseClosed {
		return fmt.Errorf("luabind: %s after Close; make a new Runtime", method)
	}
	return nil
}
