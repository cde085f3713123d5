package loops

import (
	"fmt"
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/lower"
	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	lua "github.com/yuin/gopher-lua"
)

// Explaining: what a loop becomes, or why it is interpreted, predicted from the source and from the values around
// it. `ecsrun explain` and the log of `ecsrun run` show it. Nothing runs. Where the source does not show a value, guesses stand in
// for it (guessOf).

// A Compiled is what a loop will probably become.
type Compiled struct {
	Program  *ir.Program
	Query    *ecs.Query // nil for a loop over events or cells
	Narrowed bool       // the loop walks the sources of one target
	Rests    bool       // its machine code has left so many rows to closures that these do whole walks
	Watched  *Reason    // that each row writes what somebody observes
	Copies   bool       // its machine code has copied so many rows that closures do whole walks

	// Unless lists the known conditions under which the loop, or rows of it, are interpreted all the same.
	Unless []string
}

// Explain returns what a loop becomes when its system is compiled, or why it is interpreted. A variable whose value
// is not known, such as a parameter, is assumed to be a number. functions are the init and update of the systems of
// the file; variables around them have their values already.
func (l *Loop) Explain(world *surface.World, functions []*lua.LFunction, library *Library) (Compiled, *Reason) {
	functions = reached(functions)
	c, reason := l.explain(world, functions, library, nil)
	for around := l.Outer; around != nil; around = around.Outer {
		if larger, why := around.explain(world, functions, library, nil); why == nil {
			c, reason = larger, nil // the loop runs as a part of the outer one
		}
	}
	return c, reason
}

// explain is Explain for the loop by itself, not as a part of an outer loop. by says who observes what loops write; nil: nobody.
func (l *Loop) explain(world *surface.World, functions []*lua.LFunction, library *Library, by Observed) (Compiled, *Reason) {
	w := world.ECS()
	switch {
	case l.Reason != nil:
		return Compiled{}, l.Reason
	case l.Events != "":
		context, reason := l.eventContext(w)
		if reason != nil {
			return Compiled{}, reason
		}
		return l.lowered(world, context, functions, library, by)
	case l.Cells != "":
		context, reason := l.cellContext(w)
		if reason != nil {
			return Compiled{}, reason
		}
		return l.lowered(world, context, functions, library, by)
	case l.terms == nil:
		return Compiled{}, &Reason{Line: l.Line, Text: "the query is not made in a local beside the function, so it is not known before the loop begins", Advice: lower.QueryInLocal}
	}
	q, reason := l.terms.query(w, l.Line)
	if reason != nil {
		return Compiled{}, reason
	}
	return l.lowered(world, lower.Context{World: w, Query: q, Narrowed: l.narrowed(), Loose: true}, functions, library, by)
}

// leavesAll reports whether each row that reaches some statements is left to the interpreter there, whatever its values are.
func leavesAll(body []*ir.Stmt) bool {
	for _, s := range body {
		switch s.Op {
		case ir.Leave:
			return true
		case ir.Block:
			if leavesAll(s.Body) {
				return true
			}
		case ir.If:
			if leavesAll(s.Body) && leavesAll(s.Else) {
				return true
			}
		}
		if jumps(s) {
			return false
		}
	}
	return false
}

// jumps reports whether a statement may end the row, or lead past what follows it.
func jumps(s *ir.Stmt) bool {
	return s.Op == ir.Jump || s.Op == ir.Return || s.Op == ir.Break || slices.ContainsFunc(s.Body, jumps) || slices.ContainsFunc(s.Else, jumps)
}

// lowered lowers the body of a loop for what its variables will probably hold.
func (l *Loop) lowered(world *surface.World, context lower.Context, functions []*lua.LFunction, library *Library, by Observed) (Compiled, *Reason) {
	k, kinds, values, reason := l.expected(world, functions, library)
	if reason != nil {
		return Compiled{}, reason
	}
	context.Tables = l.shown(k.template, values)
	p, why := k.template.Lower(kinds, context)
	if why != nil {
		return Compiled{}, why
	}
	var always *Reason
	if by != nil {
		p, always = unobserved(p, by, context, func(c lower.Context) (*ir.Program, *Reason) { return k.template.Lower(kinds, c) })
	}
	c := Compiled{Program: p, Watched: always, Query: context.Query, Narrowed: context.Narrowed}
	for _, t := range p.Tables {
		name := k.named(t.Input)
		table, ok := values[t.Input].(*lua.LTable)
		if !ok || element(table, 1) == lua.LNil && element(table, 0) == lua.LNil {
			if !l.listed(k.template.Inputs[t.Input]) {
				c.Unless = append(c.Unless, fmt.Sprintf("while the table %s %s", name, mayHold(t)))
			}
			continue
		}
		if why := (&tableInput{}).read(table, t); why != "" {
			return Compiled{}, &Reason{Line: l.Line, Text: fmt.Sprintf("the table %s %s", name, why), Advice: adviceOnTable(t, why)}
		}
	}
	for _, rows := range p.Departures() {
		c.Unless = append(c.Unless, "in "+rows)
	}
	return c, nil
}

// kinds returns the kinds that the inputs of a loop have, judged by the source.
func (l *Loop) kinds(w *ecs.World) ([]lower.Kind, *Reason) {
	kinds := make([]lower.Kind, len(l.guess))
	for i, g := range l.guess {
		k, reason := g.in(w, l.Line)
		if reason != nil {
			return nil, reason
		}
		kinds[i] = k
	}
	return kinds, nil
}
