package ecs

import (
	"fmt"
	"slices"
)

// Changes of states, at the beginning of a frame of a [Schedule]. What is asked for while they are made comes in the next frame.

// changeStates makes the changes that were asked for, state by state, and gives the systems of a value that holds since the declaration their turns. Error: that of a turn
// or an observer that ends the frame. A change that has not been made by then is made in the next frame.
func (s *Schedule) changeStates(dt float64) error {
	w := s.world
	for i := range w.states {
		st := &w.states[i]
		st.due, st.asked = st.asked, 0
	}
	for i := range w.states {
		if err := s.changeState(StateID(i), dt); err != nil {
			for k := range w.states[i:] {
				if st := &w.states[i+k]; st.asked == 0 {
					st.asked = st.due
				}
			}
			return err
		}
	}
	return nil
}

func (s *Schedule) changeState(id StateID, dt float64) error {
	w := s.world
	if st := &w.states[id]; !st.entered {
		st.entered = true
		if err := s.turnsOf(Enter, stateValue{id, st.tags[st.now]}, dt); err != nil {
			return err
		}
	}
	old, due := w.states[id].now, w.states[id].due-1
	if due < 0 || due == old {
		w.states[id].due = 0
		return nil
	}
	if err := s.turnsOf(Leave, stateValue{id, w.states[id].tags[old]}, dt); err != nil {
		return err
	}
	err := w.endTagged(w.states[id].tags[old])
	w.states[id].now, w.states[id].due = due, 0
	if err != nil {
		return err
	}
	return s.turnsOf(Enter, stateValue{id, w.states[id].tags[due]}, dt)
}

// turnsOf gives the systems of a stage that are about a value their turns.
func (s *Schedule) turnsOf(stage Stage, v stateValue, dt float64) error {
	for _, sys := range s.systems {
		if sys.spec.Stage != stage || sys.disabled || len(sys.in) == 0 || sys.in[0] != v {
			continue
		}
		if ok, err := sys.asks(s.world); err != nil {
			if err = s.forgive(sys, err); err != nil {
				return err
			}
		} else if ok {
			if err := s.turn(sys, dt); err != nil {
				return err
			}
		}
	}
	return nil
}

// endTagged despawns the entities that have a tag, also those that observers give it meanwhile, under a tick of its own, and applies what observers have queued. It
// is no turn, so it is not taken back. Error: that of an observer that ends the frame.
func (w *World) endTagged(id TagID) error {
	set := w.tags[id]
	w.advanceTick()
	var err error
	for round := 0; w.fault == nil; round++ {
		w.ended = slices.DeleteFunc(append(w.ended[:0], set.dense...), w.isPrefab)
		if len(w.ended) == 0 {
			break
		}
		if round == MaxObserverDepth {
			err = fmt.Errorf("the end of tag %q: %w", set.name, ErrObserverChain)
			break
		}
		for _, e := range w.ended {
			if !set.has(e) {
				continue
			}
			if _, failed := w.Despawn(e); failed != nil {
				return failed
			}
		}
		if failed := w.commands.Apply(); err == nil {
			err = failed
		}
	}
	w.advanceTick()
	if fault := w.TakeFault(); fault != nil {
		return fault
	}
	return err
}
