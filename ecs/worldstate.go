package ecs

import (
	"fmt"
	"slices"
	"strings"
)

// The states of a world: what a game is doing, as one of a few named values. A system can run while a value holds, or
// once when it begins or ends to hold, and entities can live as long as one. statechange.go changes them, at the beginning of a frame.

// A StateID identifies a state in its world, in the order of declaration. See the example of [StateSpec].
type StateID uint32

// A StateSpec describes a state.
type StateSpec struct {
	Name   string
	Values []string // at least one, all different
	First  string   // the value that holds at first; "" for the first of Values
}

// A state is one state of a world.
type state struct {
	spec    StateSpec
	tags    []TagID // of the values: who has the tag ends with the value
	now     int     // index in the values
	asked   int     // the value that is to hold, plus 1; 0 for none
	entered bool    // the systems that run when now begins to hold have had their turns
	due     int     // scratch of changeStates
}

// DeclareState returns the id of a state and declares it if it is new. Each of its values is a tag, "game.over", whose entities are despawned with their
// children when the state leaves the value. Error: [ErrMismatch] if it is declared with other values, or if such a tag is there already.
func (w *World) DeclareState(spec StateSpec) (StateID, error) {
	made(len(w.tables) != 0, "World", "ecs.NewWorld")
	bad := func(format string, args ...any) (StateID, error) {
		return 0, fail("declare state", None, spec.Name, fmt.Errorf(format, args...))
	}
	if spec.First == "" && len(spec.Values) > 0 {
		spec.First = spec.Values[0]
	}
	if err := spec.check(); err != nil {
		return 0, fail("declare state", None, spec.Name, err)
	}
	if id, ok := w.LookupState(spec.Name); ok {
		if have := w.states[id].spec; !slices.Equal(have.Values, spec.Values) {
			return bad("%w: its values are %s, not %s", ErrMismatch, strings.Join(have.Values, ", "), strings.Join(spec.Values, ", "))
		}
		return id, nil
	}
	w.mustBeAlone()
	for _, v := range spec.Values {
		if _, taken := w.tagNames[spec.tag(v)]; taken {
			return bad("%w: there is a tag %q, which is the name of a value", ErrMismatch, spec.tag(v))
		}
	}
	spec.Values = slices.Clone(spec.Values)
	st := state{spec: spec, now: slices.Index(spec.Values, spec.First)}
	for _, v := range spec.Values {
		id, err := w.DeclareTag(spec.tag(v))
		if err != nil {
			return 0, err
		}
		st.tags = append(st.tags, id)
	}
	w.states = append(w.states, st)
	return StateID(len(w.states) - 1), nil
}

// check returns what is wrong with a spec whose First is set, nil if nothing is.
func (s StateSpec) check() error {
	switch {
	case s.Name == "":
		return fmt.Errorf("a state needs a name")
	case len(s.Values) == 0:
		return fmt.Errorf("a state needs values")
	case !slices.Contains(s.Values, s.First):
		return fmt.Errorf("%w: it has no value %q; its values are %s", ErrUnknown, s.First, strings.Join(s.Values, ", "))
	}
	for i, v := range s.Values {
		if v == "" || slices.Contains(s.Values[:i], v) {
			return fmt.Errorf("value %d is %q, which is empty or there already", i+1, v)
		}
	}
	return nil
}

// tag returns the name of the tag of a value, which is also how systems name it: "game.over".
func (s StateSpec) tag(value string) string { return s.Name + "." + value }

// LookupState returns the id of the state of that name, false if it is not declared.
func (w *World) LookupState(name string) (StateID, bool) {
	at := slices.IndexFunc(w.states, func(s state) bool { return s.spec.Name == name })
	return StateID(max(at, 0)), at >= 0
}

// StateNames returns the names of all states in the order of declaration; a StateID is an index into it.
func (w *World) StateNames() []string {
	names := make([]string, len(w.states))
	for i := range w.states {
		names[i] = w.states[i].spec.Name
	}
	return names
}

// StateSpec returns what a state was declared with. Panics for an id that this world has not declared.
func (w *World) StateSpec(id StateID) StateSpec {
	spec := w.state(id).spec
	spec.Values = slices.Clone(spec.Values)
	return spec
}

// State returns the value of a state. It stays the same for a whole frame, once the systems have run that are about changes. Panics for an id that this
// world has not declared.
func (w *World) State(id StateID) string {
	st := w.state(id)
	return st.spec.Values[st.now]
}

func (w *World) state(id StateID) *state {
	if uint(id) >= uint(len(w.states)) {
		panic("ecs: no state of this id was declared in this world")
	}
	return &w.states[id]
}

// State queues a change of a state, at the beginning of the next frame in a [Schedule]: the systems run that leave the old value, then its entities are
// despawned, the value changes, and the systems run that enter it. Of several changes that are asked for before, the last counts; the value that holds already changes nothing.
// Error: [ErrUnknown], also for a value that the state does not have.
func (c *Commands) State(id StateID, value string) error {
	c.mayQueue()
	if uint(id) >= uint(len(c.world.states)) {
		return fail("state", None, "", unknownID("state", id))
	}
	spec := &c.world.states[id].spec
	at := slices.Index(spec.Values, value)
	if at < 0 {
		return fail("state", None, spec.Name, fmt.Errorf("%w: it has no value %q; its values are %s", ErrUnknown, value, strings.Join(spec.Values, ", ")))
	}
	c.ops = append(c.ops, command{joined: c.joins, op: stateCommand, place: c.place, id: uint32(id), from: uint32(c.world.states[id].tags[at])})
	return nil
}

// A stateValue is a value of a state. Its tag stands for the value, because values may be revised.
type stateValue struct {
	state StateID
	tag   TagID
}

// stateValue finds the value that a system names: "game.over".
func (w *World) stateValue(name string) (stateValue, error) {
	for i := range w.states {
		spec := &w.states[i].spec
		if value, ok := strings.CutPrefix(name, spec.Name+"."); ok {
			if at := slices.Index(spec.Values, value); at >= 0 {
				return stateValue{StateID(i), w.states[i].tags[at]}, nil
			}
			return stateValue{}, fmt.Errorf("%w: state %q has no value %q; its values are %s", ErrUnknown, spec.Name, value, strings.Join(spec.Values, ", "))
		}
	}
	return stateValue{}, fmt.Errorf("%w: there is no state for %q", ErrUnknown, name)
}

// holds reports whether a value holds.
func (w *World) holds(v stateValue) bool {
	st := &w.states[v.state]
	return st.tags[st.now] == v.tag
}

// ReviseState gives a state that is declared other values; the tags of those that are gone stay. The value that holds, and the one that was asked for, must be among them,
// unless no frame has begun with the state: then First holds. Error: [ErrUnknown], [ErrMismatch]; after it nothing has changed.
func (w *World) ReviseState(spec StateSpec) error {
	w.mustBeAlone()
	id, ok := w.LookupState(spec.Name)
	if spec.First == "" && len(spec.Values) > 0 {
		spec.First = spec.Values[0]
	}
	err := spec.check()
	if !ok {
		err = ErrUnknown
	}
	if err != nil {
		return fail("revise state", None, spec.Name, err)
	}
	st := &w.states[id]
	now, asked := slices.Index(spec.Values, st.spec.Values[st.now]), 0
	if st.asked > 0 {
		asked = slices.Index(spec.Values, st.spec.Values[st.asked-1]) + 1
	}
	if now < 0 && !st.entered {
		now = slices.Index(spec.Values, spec.First)
	}
	if now < 0 || st.asked > 0 && asked == 0 {
		return fail("revise state", None, spec.Name, fmt.Errorf("%w: it is %s, and is to have the values %s", ErrMismatch, st.text(), strings.Join(spec.Values, ", ")))
	}
	spec.Values = slices.Clone(spec.Values)
	var tags []TagID
	for _, v := range spec.Values {
		tag, err := w.DeclareTag(spec.tag(v))
		if err != nil {
			return err
		}
		tags = append(tags, tag)
	}
	st.spec, st.tags, st.now, st.asked = spec, tags, now, asked
	return nil
}

// NextState returns the value that a state is to have at the beginning of the next frame, "" if none was asked for. Panics for an id that this world has not declared.
func (w *World) NextState(id StateID) string {
	if st := w.state(id); st.asked > 0 {
		return st.spec.Values[st.asked-1]
	}
	return ""
}
