package ecs

import "slices"

// A removedLog records which entities lost a component, in order. Only a component that somebody tracks has one. An entry is kept as long as one of the systems
// that ask for this component may still ask for it, and at least for the frame it was made in.
type removedLog struct {
	entries []removal
	systems []*System           // those that ask, or are expected to: the log keeps what is newer than their windows
	seen    map[Entity]struct{} // scratch for Removed: each entity once
}

type removal struct {
	entity Entity
	tick   Tick
}

func newRemovedLog() *removedLog { return &removedLog{seen: map[Entity]struct{}{}} }

func (l *removedLog) add(e Entity, now Tick) {
	l.entries = append(l.entries, removal{e, now})
}

// trim drops what nobody can ask for any more: what is not newer than watermark, nor than the window of an enabled system that asks.
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

// keepsRemovals reports whether removals are kept for the system beyond the frame: a system of the startup stage runs once and asks for nothing later.
func (s *System) keepsRemovals() bool { return !s.disabled && s.spec.Stage != Startup }

// TrackRemoved starts recording which entities lose the component; [World.Removed] does not return earlier losses. A record is kept until the end of the
// frame, and longer for systems that ask for it: see [System.TrackRemoved]. Components that are not tracked cost nothing. Panics for an id this world never gave
// out.
func (w *World) TrackRemoved(id ComponentID) {
	w.mustBeAlone()
	if c := w.component(id); c.lost == nil {
		c.lost = newRemovedLog()
		w.tracked = append(w.tracked, c)
	}
}

// TrackRemoved makes the world keep removals of the component for this system until it has run again, however long that takes, as if it had called
// [World.Removed] before. A system that calls Removed does this by itself from then on. Call it for a system whose first turn may come late, before that turn. Nothing is kept for
// a system that is disabled or belongs to the startup stage. Panics for an id the world never gave out.
func (s *System) TrackRemoved(id ComponentID) {
	w := s.commands.world
	w.TrackRemoved(id)
	if log := w.component(id).lost; !slices.Contains(log.systems, s) {
		log.systems = append(log.systems, s)
	}
}

// Removed appends to buf the entities that lost the component (or died with it) since the running system last ran, by anyone but
// itself: each once, in order of the first loss, unless it has the component again. It tracks the component from now on, for the running system as
// [System.TrackRemoved] does.
func (w *World) Removed(buf []Entity, id ComponentID) []Entity {
	var own Tick
	if w.system != nil {
		own = w.Tick()
		w.system.TrackRemoved(id)
	}
	return w.removed(buf, id, w.Since(), own)
}

// RemovedSince is [World.Removed] for any tick that is not before the last frame.
func (w *World) RemovedSince(buf []Entity, id ComponentID, since Tick) []Entity {
	return w.removed(buf, id, since, 0)
}

func (w *World) removed(buf []Entity, id ComponentID, since, own Tick) []Entity {
	w.TrackRemoved(id)
	log := w.component(id).lost
	clear(log.seen)
	for _, r := range log.entries {
		if r.tick <= since || r.tick == own || w.Has(r.entity, id) {
			continue
		}
		if _, twice := log.seen[r.entity]; !twice {
			log.seen[r.entity] = struct{}{}
			buf = append(buf, r.entity)
		}
	}
	return buf
}

// trimRemoved drops, at the end of a frame, what nobody can ask for any more. It costs O(tracked components).
func (w *World) trimRemoved() {
	for _, c := range w.tracked {
		c.lost.trim(w.watermark)
	}
}
