package loops

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/lower"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/ecsrun/ecsrun/luabind/internal/run/closures"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	lua "github.com/yuin/gopher-lua"
)

// Fallbacks: loops that could have run as kernels, and that the interpreter ran. A loop may begin with values that no kernel
// is for, and a kernel may leave single rows (exits). A row that raises an error does not count, because the error says
// more. Each reason is kept once, with the number of times that it was met, for the report at the end of a run.

// A Fall says that the interpreter has run a loop that may have kernels, or rows of it, and why.
type Fall struct {
	Loop   *Loop
	Reason string
	Advice lower.Advice // what to change in the script; "" if there is nothing to add to the Reason
	Rows   bool         // the interpreter ran single rows, and the Reason says which
	Times  int          // how often: the number of rows, or of times that the loop began
}

// A refusal says why no kernel runs a loop, or a row, and what to change in the script.
type refusal struct {
	text   string
	advice lower.Advice
}

// mostFalls is the largest number of reasons that are kept for a file.
const mostFalls = 200

// fell counts that the interpreter runs a loop or a row of it, and why. A known reason costs a search among those of
// the site. It returns the index of the Fall; -1 if it is not kept.
func (r *Runner) fell(s *site, why refusal, rows bool) int {
	for _, i := range s.fallen {
		if r.Falls[i].Reason == why.text {
			r.Falls[i].Times++
			return i
		}
	}
	if len(r.Falls) == mostFalls {
		return -1
	}
	s.fallen = append(s.fallen, len(r.Falls))
	r.Falls = append(r.Falls, Fall{r.kernels[s.number], why.text, why.advice, rows, 1})
	if r.Fell != nil {
		r.Fell(r.Falls[len(r.Falls)-1])
	}
	return len(r.Falls) - 1
}

// leftRow counts that the interpreter has run a row that the kernel of a site has left, and notes it for the variant whose
// kernel that was.
func (r *Runner) leftRow(s *site) {
	i := r.fell(s, s.left, true)
	if i >= 0 && s.leaver < len(s.variants) {
		if v := &s.variants[s.leaver]; !slices.Contains(v.fallen, i) {
			v.fallen = append(v.fallen, i)
		}
	}
	s.left = refusal{}
}

// rest says why the kernel has left the row on which the walk of the site stands, as far as that shows: in the row
// itself for a component of a base, otherwise in the Program.
func (v *variant) rest(s *site) refusal {
	if name := v.inherited(s); name != "" {
		return refusal{fmt.Sprintf("rows that inherit %q, which the loop writes, from their IsA base", name), "give the entities the component itself"}
	}
	if at := v.stoppedAt(); at != nil {
		return v.departureAt(s, at)
	}
	if v.departed.text == "" {
		v.departed = v.departures(s)
	}
	v.leftAt(left{why: v.departed})
	return v.departed
}

// A left is a statement that has left rows, and the reason that is reported.
type left struct {
	at  *ir.Stmt // nil: it is not known
	why refusal
}

// leftAt keeps why rows were left at a statement.
func (v *variant) leftAt(l left) {
	if !slices.ContainsFunc(v.lefts, func(o left) bool { return o.at == l.at }) {
		v.lefts = append(v.lefts, l)
	}
}

// stoppedAt returns the statement at which closures have left the row; nil if it is not known.
func (v *variant) stoppedAt() *ir.Stmt {
	switch k := v.kernel.(type) {
	case *closures.Kernel:
		return k.Stopped()
	case interface{ Closures() *closures.Kernel }:
		if rest := k.Closures(); rest != nil {
			return rest.Stopped()
		}
	}
	return nil
}

// departureAt says which rows the kernel leaves at a statement.
func (v *variant) departureAt(s *site, at *ir.Stmt) refusal {
	for _, l := range v.lefts {
		if l.at == at {
			return l.why
		}
	}
	why := refusal{}
	if text, d, ok := v.p.DepartureAt(at.File, at.Line); ok {
		why = refusal{text, lower.Advice(d.Advice)}
	} else {
		place := lower.PlaceOf(at.File, at.Line)
		texts, advice := v.failures(s)
		why = refusal{strings.Join(texts, ", or ") + " (" + place + ")", advice}
		if len(v.p.Leaves) > 0 {
			why = v.departures(s)
		}
	}
	v.leftAt(left{at, why})
	return why
}

// inherited returns the name of a component that the kernel writes, and that the current row has only from its IsA
// base; "" if there is none.
func (v *variant) inherited(s *site) string {
	if v.context.Query == nil {
		return ""
	}
	c := &s.walk.Cursor
	for _, t := range v.p.Stores {
		if c.Column(t.View) == nil && c.Row(t.View).Valid() {
			return v.context.World.ComponentNames()[v.p.Components[t.View]]
		}
	}
	return ""
}

// departures says which rows the kernel leaves, judged by the Program.
func (v *variant) departures(s *site) refusal {
	texts := v.p.Departures()
	var advice lower.Advice
	for _, n := range v.p.Leaves {
		advice = lower.Advice(n.Advice)
	}
	if len(texts) > 1 {
		advice = ""
	}
	if len(texts) == 0 {
		texts, advice = v.failures(s)
	}
	return refusal{strings.Join(texts, ", or "), advice}
}

// failures lists what a row may do, without raising an error, that only the interpreter can do, where the source has no
// place that always leaves.
func (v *variant) failures(s *site) (texts []string, advice lower.Advice) {
	name := v.linked.named
	hasMetatable := func(input int) bool {
		if s.linked != v.linked { // the values are those of another template
			return false
		}
		table, ok := s.values[input].(*lua.LTable)
		return ok && table.Metatable != lua.LNil
	}
	for _, t := range v.p.Tables {
		if hasMetatable(t.Input) {
			texts, advice = append(texts, fmt.Sprintf("rows that get an element of %s from its metatable", name(t.Input))), "store the elements in the table itself"
		}
	}
	for _, t := range v.p.Keyed {
		if t.Pairs {
			continue // as the tables around them
		}
		if hasMetatable(t.Input) {
			texts, advice = append(texts, fmt.Sprintf("rows that get a value of %s from its metatable", name(t.Input))), "store the values in the table itself"
			continue
		}
		texts, advice = append(texts, fmt.Sprintf("rows that find a value of another type in %s", name(t.Input))), "keep values of one type in the table"
	}
	if len(v.p.Effects) > 0 && len(texts) == 0 {
		texts, advice = append(texts, "rows with more than "+syntax.Grouped(kernel.MostEffects)+" effects"), "let a row do less"
	}
	for _, t := range v.p.Tables {
		if len(texts) == 0 {
			texts = append(texts, fmt.Sprintf("rows that find nothing at a key of %s", name(t.Input)))
		}
	}
	if len(texts) == 0 {
		texts = append(texts, "rows that only the interpreter can finish")
	}
	if len(texts) > 1 {
		advice = ""
	}
	return texts, advice
}
