package ecs

// Unread returns what [EventReader.Read] would, and moves past nothing.
func (r *EventReader) Unread() Events {
	return Events{log: r.log, from: r.whole(), to: r.log.end}
}
