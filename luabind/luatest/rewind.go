package luatest

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// t.snapshot and t.restore: a whole world, there and back; and t.events, a list that grows with each event.

// snapshot is t.snapshot(world).
func (s *suite) snapshot(L *lua.LState) int {
	surface.AtMost(L, "snapshot", 1, 0)
	h := s.heldArg(L, "snapshot", "t.snapshot(world)")
	if h.bound.InLoop() {
		sandbox.Raise(L, inLoop("t.snapshot inside a query loop of the test; take it before the loop"))
	}
	kept, err := h.Runtime.Copy()
	if err != nil {
		sandbox.Raisef(L, "t.snapshot: %w", err)
	}
	mt := s.surf.Strict("snapshot", nil)
	L.Push(s.state.NewUserData(kept, mt))
	return 1
}

// restore is t.restore(world, snapshot).
func (s *suite) restore(L *lua.LState) int {
	surface.AtMost(L, "restore", 2, 0)
	h := s.heldArg(L, "restore", "t.restore(world, snapshot)")
	ud, _ := L.Get(2).(*lua.LUserData)
	var kept *luabind.Copy
	if ud != nil {
		kept, _ = ud.Value.(*luabind.Copy)
	}
	if kept == nil {
		sandbox.Raisef(L, "bad argument #2 to 'restore' (snapshot expected, got %s); t.snapshot(world) makes one", surface.Kind(L.Get(2)))
	}
	if h.bound.InLoop() {
		sandbox.Raise(L, inLoop("t.restore inside a query loop of the test; leave the loop first"))
	}
	if err := h.Runtime.RestoreCopy(kept); err != nil {
		sandbox.Raisef(L, "t.restore: %w", err)
	}
	for _, l := range h.listeners {
		l.reader.Skip(l.reader.Len()) // what was sent before the snapshot is in the list already
	}
	return 0
}

// A listener is a list of t.events.
type listener struct {
	reader *ecs.EventReader
	name   string
	list   *lua.LTable
}

// events is t.events(world, "Died"). The list gets the events that are sent from now on, as plain tables: those of a
// system after each of its turns, those of the test at once.
func (s *suite) events(L *lua.LState) int {
	surface.AtMost(L, "events", 2, 0)
	h := s.heldArg(L, "events", `t.events(world, "Died")`)
	name := s.text(L, 2, "events", "name of an event")
	w := h.Runtime.World()
	id, ok := w.LookupEvent(name)
	if !ok {
		sandbox.Raisef(L, "t.events: %w", unknownName("event", name, w.EventNames()))
	}
	l := &listener{w.EventReader(id), name, s.state.NewTable()}
	l.reader.Skip(l.reader.Len())
	if h.listeners == nil {
		s.listen(h)
	}
	h.listeners = append(h.listeners, l)
	L.Push(l.list)
	return 1
}

// listen makes the listeners of a world hear before and after each turn of a system, so that no system drains what
// another one or the test has sent, and after each world:send of the test.
func (s *suite) listen(h *held) {
	schedule := h.Runtime.Schedule()
	for _, hook := range []*func(*ecs.System){&schedule.Before, &schedule.After} {
		was := *hook
		*hook = func(sys *ecs.System) {
			if was != nil {
				was(sys)
			}
			s.hear(h)
		}
	}
	send := h.bound.Function("send")
	h.bound.Method("send", func(L *lua.LState) int {
		n := send.GFunction(L)
		s.hear(h)
		s.raiseHeard(L, h)
		return n
	})
}

// hear moves new events into the lists of a world. The first error is kept for raiseHeard, because nothing can be
// raised inside of a frame.
func (s *suite) hear(h *held) {
	for _, l := range h.listeners {
		for {
			row, ok := l.reader.Next()
			if !ok {
				break
			}
			if !s.state.Budget().Charge(8) {
				h.unheard = s.state.Budget().Spent()
				return
			}
			fields, err := h.bound.Fields(row)
			if err != nil {
				if h.unheard == nil {
					h.unheard = &ecs.OpError{Op: "read", Component: l.name, Err: err}
				}
				continue
			}
			l.list.Append(fields)
		}
	}
}

// raiseHeard raises the error that hear has kept.
func (s *suite) raiseHeard(L *lua.LState, h *held) {
	if err := h.unheard; err != nil {
		h.unheard = nil
		sandbox.Raise(L, err)
	}
}
