package loops

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/lower"
	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/without"
	lua "github.com/yuin/gopher-lua"
)

// Guesses: what a loop will probably become, found before the first frame. Runtime.compileAhead asks for them after
// Load and makes machine code from their Programs. When a loop begins for the first time, variant uses its guess,
// if the guess is right.

// A Guess is the Program that a loop is expected to run with. It holds for certain functions, kinds of inputs and a
// context; if the loop begins with others, the guess is not used.
type Guess struct {
	Program *ir.Program
	Query   *ecs.Query

	// Make makes the kernel from code that was compiled ahead. It returns nil if there is none; the field is nil if
	// nothing was compiled.
	Make func() kernel.Kernel

	linked  *linked
	kinds   []lower.Kind
	context lower.Context
}

// Guess returns what the loops over entities will probably become, in their order in the file, given what the world
// declares by now. functions are the init and update of the systems of the file: variables around them, and around
// the functions that they can call, have their values already. Loops that run as a part of another one, and loops
// over events or cells, have no guess. The guesses are kept until Forget.
func (r *Runner) Guess(world *surface.World, functions []*lua.LFunction) []*Guess {
	if r == nil {
		return nil
	}
	w := world.ECS()
	functions = reached(functions)
	r.guesses = make([]*Guess, len(r.kernels))
	var out []*Guess
	compiled := map[*Loop]bool{}
	for i, l := range r.kernels { // a loop comes after the loops around it
		within := false
		for around := l.Outer; around != nil && !within; around = around.Outer {
			within = compiled[around]
		}
		if within { // the outer loop is compiled, and contains it
			continue
		}
		if l.terms == nil || l.Events != "" || l.Cells != "" {
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
		g := &Guess{Query: q, linked: k, kinds: kinds, context: lower.Context{World: w, Query: q, Unfiltered: r.Library.off.Has(without.NearFilter)}}
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

// Forget drops the guesses, and with them code that was not used.
func (r *Runner) Forget() {
	if r != nil {
		r.guesses = nil
	}
}

// guessed returns the guess for a loop that begins; nil if there is none, or if it was wrong.
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
