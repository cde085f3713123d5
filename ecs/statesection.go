package ecs

import (
	"fmt"
	"slices"
	"strings"
)

// The functions of the section of states in [sections]. A world without states has no such section.

const stateSection = "states"

// declareStates declares the states of from, with their first values. The tags of the values are declared already.
func declareStates(to, from *World) {
	for _, s := range from.states {
		to.states = append(to.states, state{spec: s.spec, tags: s.tags, now: slices.Index(s.spec.Values, s.spec.First)})
	}
}

func differentStates(a, b *World) error {
	if err := differentNames("state", a.StateNames(), b.StateNames()); err != nil {
		return err
	}
	for i := range a.states {
		if x, y := a.states[i].spec, b.states[i].spec; !slices.Equal(x.Values, y.Values) {
			return fmt.Errorf("%w: state %q has the values %s here and %s there", ErrMismatch, x.Name, strings.Join(x.Values, ", "), strings.Join(y.Values, ", "))
		}
	}
	return nil
}

func restoreStates(w, from *World) {
	for i := range w.states {
		w.states[i].restore(&from.states[i])
	}
}

func (s *state) restore(o *state) {
	s.now, s.asked, s.entered, s.spec.First = o.now, o.asked, o.entered, o.spec.First
}

func saveStates(w *World, s *saver) {
	s.count(len(w.states))
	for i := range w.states {
		st := &w.states[i]
		s.text(st.spec.Name)
		s.count(len(st.spec.Values))
		for _, v := range st.spec.Values {
			s.text(v)
		}
		s.count(slices.Index(st.spec.Values, st.spec.First))
		s.count(st.now)
		s.count(st.asked)
		s.flag(st.entered)
	}
}

func loadStates(w *World, l *loader) {
	for range l.count(6) {
		st := state{spec: StateSpec{Name: l.text()}}
		for range l.count(1) {
			st.spec.Values = append(st.spec.Values, l.text())
		}
		n := uint64(len(st.spec.Values))
		st.spec.First = st.spec.Values[l.below(n, "the first value of a state")]
		st.now, st.asked, st.entered = int(l.below(n, "the value of a state")), int(l.below(n+1, "the next value of a state")), l.flag()
		l.must(st.spec.check())
		if _, twice := w.LookupState(st.spec.Name); twice {
			l.fail("state %q is declared twice", st.spec.Name)
		}
		for _, v := range st.spec.Values {
			id, ok := w.LookupTag(st.spec.tag(v))
			if !ok {
				l.fail("there is no tag for %q", st.spec.tag(v))
			}
			st.tags = append(st.tags, id)
		}
		w.states = append(w.states, st)
	}
}

func digestStates(w *World, d *digester) {
	for i := range w.states {
		d.text(w.states[i].spec.Name)
		d.state(&w.states[i])
	}
}

// state hashes what decides the future of a state, whatever its other values are.
func (d *digester) state(s *state) {
	d.text(s.text())
	if s.entered {
		d.u64(1)
	} else {
		d.u64(0)
	}
}

// text returns a state as messages show it: "menu", or "menu, then playing".
func (s *state) text() string {
	text := s.spec.Values[s.now]
	if s.asked > 0 {
		text += ", then " + s.spec.Values[s.asked-1]
	}
	return text
}

// states compares states by name.
func (c *comparison) states() {
	for i := range c.a.states {
		a := &c.a.states[i]
		j, ok := c.b.LookupState(a.spec.Name)
		if !ok {
			c.differ(Difference{Kind: DifferentDeclaration, Name: "state " + a.spec.Name}, "declared", "not declared")
			continue
		}
		b := &c.b.states[j]
		shown := func(s *state) string {
			if !s.entered {
				return s.text() + ", not entered"
			}
			return s.text()
		}
		c.differ(Difference{Kind: DifferentState, Name: a.spec.Name}, shown(a), shown(b))
	}
	for _, name := range c.b.StateNames() {
		if _, ok := c.a.LookupState(name); !ok {
			c.differ(Difference{Kind: DifferentDeclaration, Name: "state " + name}, "not declared", "declared")
		}
	}
}

// matchStates notes the states that are lost, and the values that hold, or were asked for, and are gone.
func (a *adoption) matchStates() {
	for i := range a.from.states {
		old := &a.from.states[i]
		id, ok := a.to.LookupState(old.spec.Name)
		if !ok {
			a.lose("state", old.spec.Name, 1, "value")
			continue
		}
		values := a.to.states[id].spec.Values
		for _, v := range []int{old.now, old.asked - 1} {
			if v >= 0 && !slices.Contains(values, old.spec.Values[v]) {
				a.lose("state", old.spec.Name+"."+old.spec.Values[v], 1, "value")
			}
		}
	}
}

// states brings the values of states. A state whose value is gone begins with its first one.
func (a *adoption) states() {
	for i := range a.from.states {
		old := &a.from.states[i]
		if id, ok := a.to.LookupState(old.spec.Name); ok {
			n := &a.to.states[id]
			if now := slices.Index(n.spec.Values, old.spec.Values[old.now]); now >= 0 {
				n.now, n.entered = now, old.entered
			}
			if old.asked > 0 {
				n.asked = slices.Index(n.spec.Values, old.spec.Values[old.asked-1]) + 1
			}
		}
	}
}

// stateCommand brings a queued change of a state. It reports false if there is no such value any more.
func (a *adoption) stateCommand(op *command) bool {
	old := &a.from.states[op.id]
	id, ok := a.to.LookupState(old.spec.Name)
	if at := slices.Index(old.tags, TagID(op.from)); ok && at >= 0 {
		n := &a.to.states[id]
		if at = slices.Index(n.spec.Values, old.spec.Values[at]); at >= 0 {
			op.id, op.from = uint32(id), uint32(n.tags[at])
			return true
		}
	}
	a.loseCommand("state", old.spec.Name)
	return false
}
