package loops

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/lower"
	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	lua "github.com/yuin/gopher-lua"
)

// What a loop has become in a run. Explain knows only the values that variables hold before a run; a loop that has
// begun has seen the real ones. So reports prefer what is found here.

// begins notes that a site begins, so that reports can look at it.
func (r *Runner) begins(s *site) {
	if r.begun == nil {
		r.begun = make([]*site, len(r.kernels))
	}
	r.begun[s.number] = s
}

// Release forgets which site of each loop has begun, because some environment is no longer in use and must not be held.
// If anew is set, the loops also forget the functions that they have inlined and the tables that they have met; then
// they are compiled again. No loop may be running.
func (r *Runner) Release(anew bool) {
	if r == nil {
		return
	}
	r.guesses = nil
	for _, s := range r.begun {
		if s != nil && anew {
			*s = newSite(s.number, r.kernels[s.number], s.env)
		}
	}
	r.begun = nil
}

// AllBegun reports whether all loops of the file have begun in a run, in any instance of the file, apart from those that
// are always interpreted and those inside other loops.
func (r *Runner) AllBegun() bool {
	for i, l := range r.kernels {
		if l.Outer == nil && (r.begun == nil || r.begun[i] == nil) {
			return false
		}
	}
	return true
}

// siteOf returns the site of a loop that has begun last; nil if none has.
func (r *Runner) siteOf(l *Loop) *site {
	if r.begun == nil || l.Template == nil {
		return nil
	}
	for i, known := range r.kernels {
		if known == l {
			return r.begun[i]
		}
	}
	return nil
}

// Report returns what a loop became when it began the last time: see Explain. If it has not begun, it is what Explain
// predicts.
func (r *Runner) Report(l *Loop, world *surface.World, functions []*lua.LFunction) (Compiled, *Reason) {
	functions = reached(functions)
	c, reason := r.report(l, world, functions)
	for around := l.Outer; around != nil; around = around.Outer {
		if larger, why := r.report(around, world, functions); why == nil {
			c, reason = larger, nil // the loop runs as a part of the outer one
		}
	}
	return c, reason
}

// report is Report for the loop by itself, not as a part of an outer loop.
func (r *Runner) report(l *Loop, world *surface.World, functions []*lua.LFunction) (Compiled, *Reason) {
	s := r.siteOf(l)
	if s == nil || s.why.text == "" && s.latest >= len(s.variants) { // it has met no row, or no event
		return l.explain(world, functions, r.Library, r.Observed)
	}
	if s.latest >= len(s.variants) {
		return Compiled{}, s.refusedBy(l, s.why)
	}
	v := &s.variants[s.latest]
	switch {
	case v.because != nil:
		return Compiled{}, v.because
	case s.why.text != "" && s.why == v.watched && v.always != nil && v.always.Line > 0 && !v.outdated:
		return Compiled{}, v.always
	case s.why.text != "":
		return Compiled{}, s.refusedBy(l, s.why)
	case v.pace.rests > 0:
		return Compiled{}, v.tooManyLeft(s, l)
	}
	c := Compiled{Program: v.p, Query: v.context.Query, Narrowed: v.context.Narrowed}
	if x, ok := v.kernel.(sideExiting); ok {
		c.Rests = x.Rests()
	}
	if x, ok := v.kernel.(copying); ok {
		c.Copies = x.Copies()
	}
	for _, i := range v.empty {
		if in := v.linked.template.Inputs[v.p.Tables[i].Input]; !l.listed(in) {
			c.Unless = append(c.Unless, fmt.Sprintf("while the table %s %s", v.linked.named(v.p.Tables[i].Input), mayHold(v.p.Tables[i])))
		}
	}
	c.Unless = append(c.Unless, r.leaves(v)...)
	return c, nil
}

// named returns an input as reports name it: in quotes, with the file if it is a local of another one.
func (k *linked) named(input int) string {
	text := strconv.Quote(k.template.Inputs[input].Text())
	if k.homes != nil && k.homes[input] != "" {
		text += " of " + k.homes[input]
	}
	return text
}

// leaves says which rows the kernel of a variant leaves to the interpreter: first those that it has left, then those that it
// would leave.
func (r *Runner) leaves(v *variant) (texts []string) {
	for _, i := range v.fallen {
		texts = append(texts, "in "+r.Falls[i].Reason)
	}
	for _, rows := range v.p.Departures() {
		if slices.ContainsFunc(v.fallen, func(i int) bool { return strings.Contains(r.Falls[i].Reason, rows) }) {
			continue
		}
		texts = append(texts, "in "+rows+", of which there was none")
	}
	return texts
}

// tooManyLeft is the reason for a loop whose kernel has left so many rows that it rests.
func (v *variant) tooManyLeft(s *site, l *Loop) *Reason {
	if len(v.p.Leaves) == 1 { // the reason has its line
		return leftTooOften(v.p.Leaves[0])
	}
	if len(v.lefts) > 0 && v.lefts[0].at != nil { // where the first rows were left
		at, why := v.lefts[0].at, v.lefts[0].why
		if _, d, ok := v.p.DepartureAt(at.File, at.Line); ok {
			return leftTooOften(d)
		}
		return &Reason{File: at.File, Line: at.Line, Text: "there are too many " + why.text, Advice: why.advice}
	}
	why := v.departures(s)
	if len(v.p.Leaves) > 1 { // which of them the rows have met is not known
		first, advice := v.p.Leaves[0], lower.Elsewhere()
		if !slices.ContainsFunc(v.p.Leaves, func(d ir.Departure) bool { return d.Advice != first.Advice }) {
			advice = lower.Advice(first.Advice)
		}
		return &Reason{File: first.File, Line: first.Line, Text: "there are too many " + why.text, Advice: advice}
	}
	return &Reason{Line: l.Line, Text: "there are too many " + why.text, Advice: why.advice}
}

// leftTooOften is the reason for a loop whose rows are left at one place.
func leftTooOften(d ir.Departure) *Reason {
	text := d.Text + ", in too many rows"
	if !d.Statement {
		text = "there are too many rows in which " + d.Text
	}
	return &Reason{File: d.File, Line: d.Line, Text: text, Advice: lower.Advice(d.Advice)}
}

// refusedBy makes a Reason of a refusal, for the line of the loop.
func (s *site) refusedBy(l *Loop, why refusal) *Reason {
	return &Reason{Line: l.Line, Text: why.text, Advice: why.advice}
}

// emptyTables returns which of the tables that a Program reads as lists have no element now.
func (s *site) emptyTables(v *variant) (empty []int) {
	for i, t := range v.p.Tables {
		if table, ok := s.values[t.Input].(*lua.LTable); ok && element(table, 1) == lua.LNil && element(table, 0) == lua.LNil {
			empty = append(empty, i)
		}
	}
	return empty
}
