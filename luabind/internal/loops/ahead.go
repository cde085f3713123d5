package loops

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/lower"
	"github.com/ecsrun/ecsrun/luabind/internal/surface"
	lua "github.com/yuin/gopher-lua"
)

// A Guess is what a loop seems to become, before it has run. If that is what it
// becomes, its kernel is at hand.
type Guess struct {
	Program *ir.Program
	Query   *ecs.Query

	// Make makes machine code, nil when there can be none; nil: it was not prepared.
	Make func() kernel.Kernel

	linked  *linked
	kinds   []lower.Kind
	context lower.Context
}

// Guess guesses what the loops over entities become, from what the world declares
// by now, in their order in the file. The guesses are held until Forget.
// What variables hold that are around the functions of a system, its own and those
// it can call, shows already.
func (r *Runner) Guess(world *surface.World, functions []*lua.LFunction) []*Guess {
	if r == nil {
		return nil
	}
	w := world.ECS()
	functions = reached(functions)
	r.guesses = make([]*Guess, len(r.kernels))
	var out []*Guess
	compiled := map[*Loop]bool{}
	for i, l := range r.kernels { // a loop comes after those around it
		within := false
		for around := l.Outer; around != nil && !within; around = around.Outer {
			within = compiled[around]
		}
		if within { // it is compiled as a part of that loop
			continue
		}
		if l.terms == nil || l.Events != "" {
			continue
		}
		q, reason := l.terms.query(w, l.Line)
		if reason != nil {
			continue
		}
		k, kinds, values, reason := l.expected(world, functions, r.Library)
		if reason != nil {
			continue
		}
		g := &Guess{Query: q, linked: k, kinds: kinds, context: lower.Context{World: w, Query: q}}
		var why *lower.Reason
		shown := g.context
		shown.Tables = l.shown(k.template, values)
		if g.Program, why = k.template.Lower(kinds, shown); why != nil {
			continue
		}
		r.guesses[i], compiled[l] = g, true
		out = append(out, g)
	}
	return out
}

// Forget drops the guesses.
func (r *Runner) Forget() {
	if r != nil {
		r.guesses = nil
	}
}

// guessed is the guess for a loop, nil unless it is right.
func (r *Runner) guessed(s *site, context lower.Context) *Guess {
	if r.guesses == nil {
		return nil
	}
	g := r.guesses[s.number]
	if g == nil || g.context != context || g.linked.template != s.template || !slices.Equal(g.kinds, s.kinds) {
		return nil
	}
	return g
}
