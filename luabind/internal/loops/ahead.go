package loops

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/syntax"
	lua "github.com/yuin/gopher-lua"
)

// A Guess is what a loop seems to become, before it has run. If that is what it
// becomes, its kernel is at hand.
type Guess struct {
	Program *kernel.Program
	Query   *ecs.Query

	// Make makes machine code, nil when there can be none; nil: it was not prepared.
	Make func() kernel.Code

	kinds []kernel.Kind
	scene kernel.Scene
}

// Guess guesses what the loops over entities become, from what the world declares
// by now, in their order in the file. The guesses are held until Forget.
// What variables hold that are around the functions of a system, its own and those
// it can call, shows already.
func (p *Program) Guess(world *surface.World, functions []*lua.LFunction) []*Guess {
	if p == nil {
		return nil
	}
	w := world.ECS()
	functions = reached(functions)
	p.guesses = make([]*Guess, len(p.kernels))
	var out []*Guess
	compiled := map[*Loop]bool{}
	for i, l := range p.kernels { // a loop comes after those around it
		if compiled[l.Outer] {
			compiled[l] = true // as a part of that one
			continue
		}
		if l.terms == nil || l.Events != "" {
			continue
		}
		q, reason := l.terms.query(w, l.Line)
		if reason != nil {
			continue
		}
		kinds, reason := l.kinds(w)
		if reason != nil {
			continue
		}
		l.surroundings(kinds, world, functions)
		g := &Guess{Query: q, kinds: kinds, scene: kernel.Scene{World: w, Query: q}}
		var why *kernel.Reason
		if g.Program, why = l.Kernel.Check(kinds, g.scene); why != nil {
			continue
		}
		p.guesses[i], compiled[l] = g, true
		out = append(out, g)
	}
	return out
}

// mostReached bounds the functions of a system that are looked at.
const mostReached = 256

// reached are functions, and those that they find in variables around them.
func reached(functions []*lua.LFunction) (out []*lua.LFunction) {
	add := func(fn *lua.LFunction) {
		if fn != nil && !fn.IsG && len(out) < mostReached && !slices.Contains(out, fn) {
			out = append(out, fn)
		}
	}
	for _, fn := range functions {
		add(fn)
	}
	for i := 0; i < len(out); i++ {
		for _, u := range out[i].Upvalues {
			if fn, ok := u.Value().(*lua.LFunction); ok && !fn.IsG && fn.Proto.SourceName == out[i].Proto.SourceName {
				add(fn)
			}
		}
	}
	return out
}

// surroundings corrects what inputs seem to be by what variables around the function
// of the loop hold, and returns these: nil of those that do not show.
func (l *Loop) surroundings(kinds []kernel.Kind, world *surface.World, functions []*lua.LFunction) (values []lua.LValue) {
	values = make([]lua.LValue, len(kinds))
	var around *lua.LFunction // the innermost
	for _, fn := range functions {
		p := fn.Proto
		if p.LineDefined <= l.Line && l.Line <= p.LastLineDefined && (around == nil || p.LineDefined >= around.Proto.LineDefined) {
			around = fn
		}
	}
	if around == nil {
		return values
	}
	for i, in := range l.Kernel.Inputs {
		at := slices.Index(around.Proto.DbgUpvalues, in.Variable.InTree())
		if at < 0 || !outside(in.Variable, around.Proto) {
			continue
		}
		v := around.Upvalues[at].Value()
		if in.Member != "" {
			t, ok := v.(*lua.LTable)
			if !ok {
				continue
			}
			v = t.RawGetString(in.Member)
		}
		if _, ok := v.(*lua.LFunction); !ok {
			kinds[i] = kindOf(v, in, world, nil)
			values[i] = v
		}
	}
	return values
}

// outside reports whether a variable is declared around a function, by their lines.
func outside(v *syntax.Variable, p *lua.FunctionProto) bool {
	if v.Kind == syntax.Global {
		return false
	}
	fn := v.Function.Node
	return fn == nil || fn.Line() < p.LineDefined || fn.LastLine() > p.LastLineDefined
}

// Forget drops the guesses.
func (p *Program) Forget() {
	if p != nil {
		p.guesses = nil
	}
}

// guessed is the guess for a loop, nil unless it is right.
func (p *Program) guessed(s *site, scene kernel.Scene) *Guess {
	if p.guesses == nil {
		return nil
	}
	g := p.guesses[s.number]
	if g == nil || g.scene != scene || !slices.Equal(g.kinds, s.kinds) {
		return nil
	}
	return g
}
