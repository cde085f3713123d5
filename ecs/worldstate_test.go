package ecs

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestDeclareState(t *testing.T) {
	w := NewWorld(Options{})
	must[TagID](t)(w.DeclareTag("net.off"))
	id := must[StateID](t)(w.DeclareState(StateSpec{Name: "game", Values: []string{"menu", "over"}, First: "over"}))
	if w.State(id) != "over" || must[StateID](t)(w.DeclareState(StateSpec{Name: "game", Values: []string{"menu", "over"}})) != id || !slices.Equal(w.TagNames(), []string{"net.off", "game.menu", "game.over"}) {
		t.Error(w.State(id), w.TagNames())
	}
	for want, spec := range map[string]StateSpec{
		"declare state: a state needs a name":                                                             {Values: []string{"a"}},
		"declare state game: declared differently: its values are menu, over, not menu":                   {Name: "game", Values: []string{"menu"}},
		`declare state net: declared differently: there is a tag "net.off", which is the name of a value`: {Name: "net", Values: []string{"off"}},
		"declare state x: a state needs values":                                                           {Name: "x"},
		`declare state x: value 2 is "a", which is empty or there already`:                                {Name: "x", Values: []string{"a", "a"}},
		`declare state x: not declared: it has no value "c"; its values are a, b`:                         {Name: "x", Values: []string{"a", "b"}, First: "c"},
	} {
		if _, err := w.DeclareState(spec); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if err := w.Commands().State(id, "won"); !errors.Is(err, ErrUnknown) || err.Error() != `state game: not declared: it has no value "won"; its values are menu, over` {
		t.Error(err)
	}
	if err := w.Commands().State(9, "won"); !errors.Is(err, ErrUnknown) || w.Commands().Len() != 0 {
		t.Error(err)
	}
	s := NewSchedule(w)
	nothing := func(*World, float64) error { return nil }
	for _, spec := range []SystemSpec{{Name: "a", Stage: Enter}, {Name: "b", Stage: Leave, In: []string{"game.menu", "game.over"}}} {
		spec.Run = nothing
		if _, err := s.AddSystem(spec); err == nil {
			t.Error(spec.Name)
		}
	}
	must[*System](t)(s.AddSystem(SystemSpec{Name: "c", In: []string{"game.won"}, Run: nothing}))
	if err := s.Sort(); err == nil || err.Error() != `system "c": not declared: state "game" has no value "won"; its values are menu, over` {
		t.Error(err)
	}
}

// stateRun is a schedule over two states whose systems ask for changes at random, beside what is expected of it.
type stateRun struct {
	t     *testing.T
	r     *rand.Rand
	s     *Schedule
	w     *World
	log   []string
	want  []string
	now   [2]string
	asked [2]string // in the order of asking, the last
}

var stateSpecs = []StateSpec{{Name: "game", Values: []string{"menu", "playing", "over"}}, {Name: "net", Values: []string{"off", "on"}}}

// Changes of states follow a model that is a list of lines, with requests in systems of all kinds, failing turns that ask, entities with children, and
// observers that see them end.
func TestChangesOfStates(t *testing.T) {
	for seed := range uint64(40) {
		n := &stateRun{t: t, r: rand.New(rand.NewPCG(seed, 1)), w: NewWorld(Options{})}
		n.run()
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func (n *stateRun) say(format string, args ...any) {
	n.log = append(n.log, fmt.Sprintf(format, args...))
}

func (n *stateRun) run() {
	w, t := n.w, n.t
	s := NewSchedule(w)
	n.s = s
	s.RollBack, s.OnError = true, func(*System, error) error { return nil }
	childOf, _ := w.LookupRelation(ChildOf)
	for i, spec := range stateSpecs {
		must[StateID](t)(w.DeclareState(spec))
		n.now[i] = spec.Values[0]
	}
	must[*Observer](t)(w.Observe(ObserverSpec{Kind: OnDespawned, Run: func(w *World, c Change) error {
		if w.Related(c.Entity, childOf) == None {
			n.say("%s ends in %s", c.Entity, w.State(0))
		} else {
			n.say("child ends")
		}
		return nil
	}}))
	var asking [2]string // what the turn asks for
	turn := func(name string) SystemFunc {
		return func(w *World, _ float64) error {
			n.say("%s", name)
			asking = [2]string{}
			for range n.r.IntN(3) {
				at := n.r.IntN(2)
				value := stateSpecs[at].Values[n.r.IntN(len(stateSpecs[at].Values))]
				ok(t, w.Commands().State(StateID(at), value))
				asking[at] = value
			}
			if n.r.IntN(4) == 0 {
				return errors.New("no")
			}
			for i, v := range asking {
				if v != "" {
					n.asked[i] = v
				}
			}
			return nil
		}
	}
	for _, spec := range stateSpecs {
		for _, v := range spec.Values {
			in := []string{spec.tag(v)}
			for stage, word := range map[Stage]string{Enter: "enter", Leave: "leave", Update: "in"} {
				must[*System](t)(s.AddSystem(SystemSpec{Name: word + " " + in[0], Stage: stage, In: in, Run: turn(word + " " + in[0])}))
			}
		}
	}
	ok(t, s.Sort())
	slices.SortFunc(s.systems, func(a, b *System) int { // the map above has no order
		if a.spec.Stage != b.spec.Stage {
			return a.spec.Stage.order() - b.spec.Stage.order()
		}
		return strings.Compare(a.spec.Name, b.spec.Name)
	})
	entered := false
	for range 25 {
		for _, spec := range stateSpecs {
			for _, v := range spec.Values {
				if id, _ := w.LookupTag(spec.tag(v)); n.r.IntN(3) == 0 {
					e := must[Entity](t)(w.Spawn())
					w.Tag(e, id)
					if n.r.IntN(2) == 0 {
						must[Entity](t)(w.SpawnRelated([]Target{{childOf, e}}))
					}
				}
			}
		}
		asked, held := n.asked, [3][]string{}
		for i := range stateSpecs {
			if v := asked[i]; v != "" && v != n.now[i] {
				id, _ := w.LookupTag(stateSpecs[i].tag(n.now[i]))
				for _, e := range w.TagMembers(id) {
					held[i] = append(held[i], e.String())
					for range w.SourceCount(childOf, e) {
						held[i] = append(held[i], "child")
					}
				}
			}
		}
		n.asked = [2]string{}
		n.log, n.want = nil, nil
		ok(t, s.Run(1))
		for i, spec := range stateSpecs {
			if !entered {
				n.want = append(n.want, "enter "+spec.tag(n.now[i]))
			}
			if v := asked[i]; v != "" && v != n.now[i] {
				n.want = append(n.want, "leave "+spec.tag(n.now[i]))
				for _, e := range held[i] {
					if e == "child" {
						n.want = append(n.want, "child ends")
						continue
					}
					n.want = append(n.want, fmt.Sprintf("%s ends in %s", e, n.now[0]))
				}
				n.now[i] = v
				n.want = append(n.want, "enter "+spec.tag(v))
			}
		}
		entered = true
		for i, spec := range stateSpecs {
			n.want = append(n.want, "in "+spec.tag(n.now[i]))
		}
		if !slices.Equal(n.log, n.want) {
			t.Fatalf("frame %d:\n%s\nwant\n%s", w.Frame(), strings.Join(n.log, "\n"), strings.Join(n.want, "\n"))
		}
		check(t, w)
	}
}

// A turn or an observer that ends the frame leaves the change for the next frame, or has made it.
func TestAChangeOfAStateThatFails(t *testing.T) {
	for _, at := range []string{"leave", "observer", "enter"} {
		w := NewWorld(Options{})
		game := must[StateID](t)(w.DeclareState(StateSpec{Name: "game", Values: []string{"menu", "over"}}))
		tag, _ := w.LookupTag("game.menu")
		w.Tag(must[Entity](t)(w.Spawn()), tag)
		s, bad := NewSchedule(w), true
		fails := func(what string) SystemFunc {
			return func(*World, float64) error {
				if bad && at == what {
					return errors.New("no")
				}
				return nil
			}
		}
		must[*System](t)(s.AddSystem(SystemSpec{Name: "leave", Stage: Leave, In: []string{"game.menu"}, Run: fails("leave")}))
		enter := must[*System](t)(s.AddSystem(SystemSpec{Name: "enter", Stage: Enter, In: []string{"game.over"}, Run: fails("enter")}))
		must[*Observer](t)(w.Observe(ObserverSpec{Kind: OnDespawned, Run: func(w *World, _ Change) error { return fails("observer")(w, 0) }}))
		ok(t, s.Run(1))
		ok(t, w.Commands().State(game, "over"))
		if err := s.Run(1); err == nil || !strings.Contains(err.Error(), "no") {
			t.Errorf("%s: %v", at, err)
		}
		if want := map[string]string{"leave": "menu", "observer": "over", "enter": "over"}[at]; w.State(game) != want {
			t.Errorf("%s: state %s", at, w.State(game))
		}
		bad = false
		ok(t, s.Run(1))
		if want := map[string]uint64{"leave": 1, "observer": 0, "enter": 1}[at]; w.State(game) != "over" || w.Len() != 0 || enter.Turns() != want {
			t.Errorf("%s: state %s, %d entities, %d turns", at, w.State(game), w.Len(), enter.Turns())
		}
	}
}

// What a turn has asked for is taken back with it, also if its commands have been applied by then.
func TestAFailedTurnAsksForNothing(t *testing.T) {
	w := NewWorld(Options{})
	game := must[StateID](t)(w.DeclareState(StateSpec{Name: "game", Values: []string{"menu", "over"}}))
	childOf, _ := w.LookupRelation(ChildOf)
	e := must[Entity](t)(w.Spawn())
	s := NewSchedule(w)
	s.RollBack, s.OnError = true, func(*System, error) error { return nil }
	s.Add("asks", func(w *World, _ float64) error {
		ok(t, w.Commands().State(game, "over"))
		return w.Commands().Relate(e, childOf, e)
	})
	for range 3 {
		ok(t, s.Run(1))
	}
	if w.State(game) != "menu" {
		t.Error(w.State(game))
	}
}

// Observers that give the tag of a value again and again end the frame.
func TestTheEndOfAStateEnds(t *testing.T) {
	w := NewWorld(Options{})
	game := must[StateID](t)(w.DeclareState(StateSpec{Name: "game", Values: []string{"menu", "over"}}))
	tag, _ := w.LookupTag("game.menu")
	w.Tag(must[Entity](t)(w.Spawn()), tag)
	must[*Observer](t)(w.Observe(ObserverSpec{Kind: OnDespawned, Run: func(w *World, _ Change) error {
		e, err := w.Commands().Spawn()
		w.Commands().Tag(e, tag)
		return err
	}}))
	ok(t, w.Commands().State(game, "over"))
	if err := NewSchedule(w).Run(1); !errors.Is(err, ErrObserverChain) {
		t.Error(err)
	}
	check(t, w)
}

// A world with other values takes over a state by name, and what it cannot is refused.
func TestAdoptedStates(t *testing.T) {
	from := NewWorld(Options{})
	must[StateID](t)(from.DeclareState(StateSpec{Name: "net", Values: []string{"off", "on"}}))
	game := must[StateID](t)(from.DeclareState(StateSpec{Name: "game", Values: []string{"menu", "over", "won"}}))
	q := from.Commands()
	ok(t, q.State(game, "over"))
	ok(t, q.Apply())
	ok(t, NewSchedule(from).Run(1))
	ok(t, q.State(game, "menu"))
	ok(t, q.Apply())
	ok(t, q.State(game, "over"))
	ok(t, q.State(0, "on"))
	world := func(values ...string) *World {
		w := NewWorld(Options{})
		must[StateID](t)(w.DeclareState(StateSpec{Name: "game", Values: values}))
		return w
	}
	if _, err := world("menu", "won").Adopt(from, Adopting{}); err == nil || !strings.Contains(err.Error(), `state "game.over" (1 value)`) {
		t.Error(err)
	}
	won := world("won", "menu")
	must[[]string](t)(won.Adopt(from, Adopting{Drop: func(Loss) bool { return true }}))
	if won.State(0) != "won" || won.states[0].entered || won.states[0].asked != 2 {
		t.Error("a state whose value is gone does not begin with its first one:", won.State(0), won.states[0])
	}
	if _, err := world("menu", "over").Adopt(from, Adopting{}); err == nil || !strings.Contains(err.Error(), `state "net" (1 value)`) {
		t.Error(err)
	}
	w := world("intro", "over", "menu")
	must[[]string](t)(w.Adopt(from, Adopting{Drop: func(Loss) bool { return true }}))
	if w.State(0) != "over" || w.states[0].asked != 3 || !w.states[0].entered || w.Commands().Len() != 1 {
		t.Error(w.State(0), w.states[0], w.Commands().Len())
	}
	ok(t, NewSchedule(w).Run(1))
	if w.State(0) != "over" {
		t.Error("the queued change has come before the one that was asked for")
	}
}
