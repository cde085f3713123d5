package closures

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
)

// Effects and returns: ir.Emit and ir.Return. Effects are recorded in frame.effects, and performed by Kernel.finish
// when the row is done.

// emit compiles ir.Emit. A call that would raise an error stops the row.
func (c *compiler) emit(s *ir.Stmt) step {
	args, effect, i := c.valueFns(s.Args), s.Effect, s.I
	plain := func(f *frame) int {
		values := f.effects.Args(len(args))
		for i := range args {
			if args[i].typ != ir.Any {
				values[i].N, values[i].S = args[i].eval(f)
				continue
			}
			d, ok := f.frozen(args[i].a(f))
			if !ok {
				return stopped
			}
			values[i].T = d
		}
		if i >= 0 && f.effects.Ends() { // the entity of a spawn is not known in advance
			return stopped
		}
		e, ok := f.effects.Record(effect, len(args))
		if !ok {
			return stopped
		}
		if i >= 0 {
			f.n[i] = numberOf(e)
		}
		return f.settle()
	}
	return c.guarded(plain, s.Args...)
}

// untouched compiles ir.Untouched.
func (c *compiler) untouched(s *ir.Stmt) step {
	switch {
	case s.A == nil && s.I >= 0:
		relation := ecs.RelationID(s.I)
		return func(f *frame) int {
			if !f.effects.SourcesUntouched(relation) {
				return stopped
			}
			return next
		}
	case s.A == nil && s.J > 0:
		required := c.p.Queries[s.J-1].Query.Filter().Required
		return func(f *frame) int {
			if !f.effects.QueryUntouched(required) {
				return stopped
			}
			return next
		}
	case s.A == nil:
		return func(f *frame) int {
			if f.effects.Changes() {
				return stopped
			}
			return next
		}
	}
	e, id := c.number(s.A), s.I
	return func(f *frame) int {
		if !f.effects.Changes() {
			return next
		}
		if !f.effects.Untouched(handle(e(f)), id) || id == ir.TagOrder && f.effects.ChangesTags() {
			return stopped
		}
		return next
	}
}

// leave compiles ir.Return: it sets frame.results and ends the loop.
func (c *compiler) leave(s *ir.Stmt) step {
	args := c.valueFns(s.Args)
	risky := false
	for _, x := range s.Args {
		risky = c.fails(x) || risky
	}
	return func(f *frame) int {
		f.results = f.results[:0]
		for i := range args {
			n, text := args[i].eval(f)
			f.results = append(f.results, kernel.Result{Type: args[i].typ, N: n, S: text})
		}
		if risky && f.failed {
			return stopped
		}
		return returned
	}
}
