package ecs

// removedLog records which entities lost a component, in order. It exists for components somebody tracks; entries are dropped when no
// system can ask for them any more.
type removedLog struct {
	entries []removal
	seen    map[Entity]struct{} // scratch for Removed: each entity once
}

type removal struct {
	entity Entity
	tick   Tick
}

func (l *removedLog) add(e Entity, now Tick) {
	l.entries = append(l.entries, removal{e, now})
}

// trim drops what is not newer than since.
func (l *removedLog) trim(since Tick) {
	n := 0
	for n < len(l.entries) && l.entries[n].tick <= since {
		n++
	}
	if n > 0 {
		l.entries = l.entries[:copy(l.entries, l.entries[n:])]
	}
}

// TrackRemoved starts recording who loses the component; [World.Removed] knows nothing of what was lost before. Components nobody tracks
// cost nothing. Panics for an id this world never gave out.
func (w *World) TrackRemoved(id ComponentID) {
	if c := w.components[id]; c.lost == nil {
		c.lost = &removedLog{seen: map[Entity]struct{}{}}
		w.tracking++
	}
}

// Removed appends to buf the entities that lost the component (or died with it) since the running system last ran, by anyone but
// itself: each once, in order of the first loss, unless it has the component again. It tracks the component from now on.
func (w *World) Removed(buf []Entity, id ComponentID) []Entity {
	var own Tick
	if w.system != nil {
		own = w.Tick()
	}
	return w.removed(buf, id, w.Since(), own)
}

// RemovedSince is [World.Removed] for any tick that is not before the last frame.
func (w *World) RemovedSince(buf []Entity, id ComponentID, since Tick) []Entity {
	return w.removed(buf, id, since, 0)
}

func (w *World) removed(buf []Entity, id ComponentID, since, own Tick) []Entity {
	w.TrackRemoved(id)
	log := w.components[id].lost
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

// trimRemoved drops what is older than the last frame and than every system's window. A schedule says which window is the oldest.
func (w *World) trimRemoved() {
	if w.tracking == 0 {
		return
	}
	since := w.watermark
	if w.scheduled {
		since = min(since, w.oldest)
	}
	for _, c := range w.components {
		if c.lost != nil {
			c.lost.trim(since)
		}
	}
}
