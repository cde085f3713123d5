package surface

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	lua "github.com/yuin/gopher-lua"
)

// Loops over world:read, world:peek and world:drain that the interpreter runs. The three differ in what happens to
// the events: read moves the system's reader, peek leaves them, drain removes them from the log.

// An eventLoop is one loop over events: all of it, or the rows that a kernel leaves to it.
type eventLoop struct {
	generator
	kind   *eventType
	method string
	turn   uint64
	reader *ecs.EventReader // of read
	end    uint64           // of read and drain: the position after the last event of the walk
	peek   *peekLoop        // of peek
	given  bool             // the loop has given an event since it began
	handed handed
	state  loopState
	visit  visit
}

// A peekLoop walks the events that there were when it began, even if they are drained meanwhile.
type peekLoop struct {
	kind   *eventType
	events ecs.Events
	next   int
	kept   []*event // the events that the loop had not reached when they were drained
	taken  bool
}

// newEventLoop makes a loop over the events of a kind that there are now. Events that are sent meanwhile are not
// walked.
func (w *World) newEventLoop(env *lua.LTable, k *eventType, method string) *eventLoop {
	l := &eventLoop{kind: k, method: method, turn: w.turn, state: running}
	l.generator.world, l.generator.next = w, l.step
	l.generator.Init(env, l.generator.push, &l.generator)
	l.generator.events = l
	switch method {
	case "read":
		l.reader = w.ecs.ReaderOf(k.id)
		_, l.end = l.reader.Position()
	case "peek":
		l.peek = &peekLoop{kind: k, events: w.ecs.Peek(k.id)}
		if l.peek.events.Len() > 0 {
			w.peeks = append(w.peeks, l.peek)
		}
	case "drain":
		_, l.end = w.ecs.Peek(k.id).Position()
	}
	return l
}

// read is world:read. The reader moves past an event when the loop reaches it.
func read(c call) int { return c.events("read") }

// peek is world:peek.
func peek(c call) int { return c.events("peek") }

// drain is world:drain. An event is removed when the loop reaches it, so break leaves the others.
func drain(c call) int { return c.events("drain") }

// events makes a loop for one of the three methods and pushes its generator.
func (c call) events(method string) int {
	l := c.w.newEventLoop(c.Env, c.event(1), method)
	c.Push(&l.generator.LFunction)
	return 1
}

// step gives the loop the next event. Like every loop, it raises the budget.
func (l *eventLoop) step(L *lua.LState) (a, b interp.Value, n int) {
	w := l.generator.world
	if l.handed.over {
		l.handed.over = false
		l.state, l.given = running, false
		l.visit.handedOver(w, L, &l.generator.LFunction, l.handed.adds)
	}
	w.sameTurn(L, l.turn, "world:"+l.method)
	if l.handed.once && l.given && l.state == running && !l.drained() {
		l.visit.end(w)
		l.state = suspended
		return a, b, 0
	}
	e := l.next()
	if e == nil {
		l.visit.end(w)
		l.state = finished
		return a, b, 0
	}
	l.given = true
	l.visit.row(w, L, &l.generator.LFunction)
	return e.asValue(), b, 1
}

// drained reports whether events that the loop peeks at were drained. No kernel can go on with these.
func (l *eventLoop) drained() bool { return l.peek != nil && l.peek.taken }

// next returns the next event, nil at the end.
func (l *eventLoop) next() *event {
	w, k := l.generator.world, l.kind
	switch p := l.peek; l.method {
	case "read":
		if next, _ := l.reader.Position(); next >= l.end {
			return nil
		}
		row, ok := l.reader.Next()
		if !ok {
			return nil
		}
		return l.kind.event(row)
	case "peek":
		if p.next >= p.events.Len() {
			return nil
		}
		p.next++
		if p.taken {
			e := p.kept[0]
			p.kept = p.kept[1:]
			return e
		}
		return l.kind.event(p.events.Row(p.next - 1))
	case "drain":
		left := w.ecs.Peek(k.id)
		if next, _ := left.Position(); next >= l.end {
			return nil
		}
		e := l.kind.event(left.Row(0))
		w.take(k, 1)
		return e
	}
	panic("surface: a loop over events by " + l.method)
}

// sameTurn raises an error if a loop is used after the turn in which it was begun. name is the full name of the function that began it.
func (w *World) sameTurn(L *lua.LState, turn uint64, name string) {
	if turn != w.turn {
		raise(L, "this %s belongs to an earlier turn of a system; call %s again", name, name)
	}
	if w.surface.loading > 0 {
		raise(L, "%s while a file is being loaded: only the functions it returns get at a world", name)
	}
}
