package ecs

import "slices"

// This file records which entities have lost a component, for the systems that ask. Storage does not keep losses,
// so there is a log per component, from the time when somebody first asks for it.

// A removedLog records, in order, which entities lost a component. A component has a log only if its removals are
// tracked. An entry is kept at least until the end of the frame in which it was made, and as long as an enabled
// system that asks for this component has not run since.
type removedLog struct {
	entries []removal
	systems []*System           // the systems that ask, or are expected to: entries newer than their windows are kept
	seen    map[Entity]struct{} // scratch of removed, to return each entity once
}

type removal struct {
	entity Entity
	tick   Tick
}

func newRemovedLog() *removedLog { return &removedLog{seen: map[Entity]struct{}{}} }

func (l *removedLog) add(e Entity, now Tick) {
	l.entries = append(l.entries, removal{e, now})
}

// trim drops the entries that nobody can ask for: those that are not newer than watermark and not newer than the
// window of any enabled system that asks.
func (l *removedLog) trim(watermark Tick) {
	since := watermark
	for _, s := range l.systems {
		if s.keepsRemovals() {
			since = min(since, s.window)
		}
	}
	n := 0
	for n < len(l.entries) && l.entries[n].tick <= since {
		n++
	}
	if n > 0 {
		l.entries = l.entries[:copy(l.entries, l.entries[n:])]
	}
}

// keepsRemovals reports whether entries are kept for the system beyond the frame. A system of the startup stage
// runs once and never asks again.
func (s *System) keepsRemovals() bool { return !s.disabled && s.spec.Stage != Startup }

// TrackRemoved starts recording which entities lose the component; [World.Removed] does not return earlier losses.
// An entry is kept until the end of the frame, and longer for systems that ask for it: see [System.TrackRemoved].
// Components that are not tracked cost nothing. Panics for an id that this world has not declared.
func (w *World) TrackRemoved(id ComponentID) {
	w.mustBeAlone()
	if c := w.component(id); c.lost == nil {
		c.lost = newRemovedLog()
		w.tracked = append(w.tracked, c)
	}
}

// TrackRemoved makes the world keep removals of the component for this system until it has run again, however long
// that takes. A call of [World.Removed] by the system has the same effect from then on; call TrackRemoved before
// the first turn of a system if that turn may come late. Nothing is kept for a system that is disabled or belongs
// to the startup stage. Panics for an id that the world has not declared.
func (s *System) TrackRemoved(id ComponentID) {
	made(s.schedule != nil, "System", "Schedule.AddSystem")
	w := s.commands.world
	w.TrackRemoved(id)
	if log := w.component(id).lost; !slices.Contains(log.systems, s) {
		log.systems = append(log.systems, s)
	}
}

// Removed appends to buf the entities that others have removed the component from, or that died with it, since the
// running system last ran. Each entity is returned once, in the order of its first loss, unless it has the
// component itself again. From now on the component is tracked for the running system, as by [System.TrackRemoved].
func (w *World) Removed(buf []Entity, id ComponentID) []Entity {
	var own Tick
	if w.system != nil {
		own = w.Tick()
		w.system.TrackRemoved(id)
	}
	return w.removed(buf, id, w.Since(), own)
}

// RemovedSince is [World.Removed] for losses after a tick, which must not be before the last frame.
func (w *World) RemovedSince(buf []Entity, id ComponentID, since Tick) []Entity {
	return w.removed(buf, id, since, 0)
}

// removed returns the losses after the tick since, without those of the tick own, 0 for none.
func (w *World) removed(buf []Entity, id ComponentID, since, own Tick) []Entity {
	w.TrackRemoved(id)
	log := w.component(id).lost
	clear(log.seen)
	for _, r := range log.entries {
		if r.tick <= since || r.tick == own || w.Owns(r.entity, id) {
			continue
		}
		if _, twice := log.seen[r.entity]; !twice {
			log.seen[r.entity] = struct{}{}
			buf = append(buf, r.entity)
		}
	}
	return buf
}

// trimRemoved trims all logs at the end of a frame. It costs O(tracked components) and the entries that it drops.
func (w *World) trimRemoved() {
	for _, c := range w.tracked {
		c.lost.trim(w.watermark)
	}
}
