package ecs

import "slices"

// saveEvents writes the declarations of events, the logs, the readers, and which of them belong to the code between
// systems.
func saveEvents(w *World, s *saver) {
	s.count(len(w.events))
	for _, l := range w.events {
		s.text(l.name)
		s.schema(l.schema)
		s.number(l.first)
		s.number(l.hole - l.first)
		s.number(l.previous - l.hole)
		s.number(l.current - l.previous)
		s.number(l.end - l.current)
		s.count(l.free())
		s.rows(l.schema, l.base, int(l.end-l.first))
		s.count(len(l.readers))
		for _, r := range l.readers {
			s.number(r.next - l.first)
			s.flag(r.free)
		}
	}
	s.readers(w, w.clock.readers)
}

// readers writes the readers of a system: for each event 0 for none, 1 for one that is closed, or its place among
// the readers of the log plus 2.
func (s *saver) readers(w *World, list []*EventReader) {
	s.count(len(list))
	for id, r := range list {
		switch {
		case r == nil:
			s.number(0)
		case r.log != r.home:
			s.number(1)
		default:
			s.count(2 + slices.Index(w.events[id].readers, r))
		}
	}
}

func saveCommands(w *World, s *saver) { s.queue(w.commands) }

// queue writes the queued commands with the lists that they refer to.
func (s *saver) queue(c *Commands) {
	s.count(len(c.ops))
	for i := range c.ops {
		op := &c.ops[i]
		s.number(uint64(op.op))
		s.number(uint64(op.entity))
		s.number(uint64(op.id))
		s.number(uint64(op.from))
		s.number(uint64(op.to))
		s.number(uint64(op.place))
		s.flag(op.joined)
	}
	s.ids(c.ids)
	s.count(len(c.fields))
	for _, f := range c.fields {
		s.count(f.Index)
		s.value(f.Value)
	}
	s.count(len(c.goals))
	for _, to := range c.goals {
		s.number(uint64(to.Relation))
		s.number(uint64(to.Entity))
	}
	s.number(uint64(c.place))
	values := 0 // those of components beyond the last that has some say nothing
	for _, id := range c.stored {
		values = max(values, int(id)+1)
	}
	s.count(values)
	for i, v := range c.values[:values] {
		s.count(v.n)
		s.rows(c.world.components[i].schema, v.base, v.n)
	}
}
