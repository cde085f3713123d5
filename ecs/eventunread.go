package ecs

// Unread returns what [EventReader.Read] would, and moves past nothing.
func (r *EventReader) Unread() Events {
	return Events{log: r.log, from: r.next, to: r.log.end}
}
