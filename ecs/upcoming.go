package ecs

// Upcoming returns the handle that a reservation will get ([Commands.Spawn], [World.Spawn]) when n others come before it and nothing is
// despawned or dropped meanwhile.
func (w *World) Upcoming(n int) Entity {
	s := &w.slots
	if i := len(s.free) - 1 - n; i >= 0 {
		index := s.free[i]
		return makeEntity(index, s.all[index].meta&generationMask)
	}
	return makeEntity(uint32(len(s.all)+n-len(s.free)), 1)
}

// Room returns how many more entities the world takes, those counted that commands have reserved.
func (w *World) Room() int { return w.options.MaxEntities - w.living - w.pending }

// Append adds an event with all fields at their defaults and returns it, for the caller to fill in before anything else is sent. What is
// written there is not checked.
func (w *World) Append(id EventID) Row {
	l := w.event(id)
	p := l.grow()
	l.schema.setDefault(p)
	return Row{schema: l.schema, ptr: p}
}
