package surface

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// world.commands: functions that queue structural changes. Arguments are checked when a command is queued, so
// applying the queue cannot fail because of them. Commands for entities that are dead by then are skipped.

// A commandQueue is the object world.commands: the queue of the running system.
type commandQueue struct{ world *World }

// noCommand is __index of world.commands, for names that are no functions: it raises an error with a suggestion.
func (w *World) noCommand(L *lua.LState) int {
	raiseLacking(L, w.ecs, CommandsObject, L.Get(2), names(commandMethods))
	return 0
}

// noCommandSet is __newindex of world.commands. It always raises an error.
func (w *World) noCommandSet(L *lua.LState) int {
	sandbox.Raise(L, CommandsObject.Assigned(sandbox.ToString(L, L.Get(2))))
	return 0
}

func commandsString(L *lua.LState) int {
	L.Push(lua.LString("world.commands"))
	return 1
}

// mostQueued is the largest number of commands in the queue of one turn. A command takes about 100 bytes.
const mostQueued = 10_000_000

// queue returns the queue of the running system. What is queued next carries the line of the call, for errors.
func (c call) queue() *ecs.Commands {
	q := c.w.ecs.Commands()
	if q.Len() >= mostQueued {
		c.check(sandbox.Limitf("more than %d commands in one turn", mostQueued))
	}
	q.At(c.surface.place(c.LState))
	return q
}

// queueSpawn is world.commands:spawn(parts). It returns the handle of the entity, which exists when the queue is
// applied. The description is checked now.
func queueSpawn(c call) int {
	w, q := c.w, c.queue()
	s := w.spawning()
	if c.args() > 0 {
		c.check(s.parse(w, c.parts(1)))
	}
	e, err := q.SpawnRelated(s.targets, s.ids...)
	c.check(err)
	c.check(s.join(q, e))
	c.Push(w.entity(e))
	return 1
}

// join queues the fields and tags of a new entity, as a part of its spawn.
func (s *spawning) join(q *ecs.Commands, e ecs.Entity) (err error) {
	q.Join(true)
	defer q.Join(false)
	for i, id := range s.ids {
		if fields := s.of(i); len(fields) > 0 && err == nil {
			err = q.Set(e, id, fields...)
		}
	}
	for _, id := range s.tags {
		q.Tag(e, id)
	}
	return err
}

// queueDespawn is world.commands:despawn(e).
func queueDespawn(c call) int {
	c.queue().Despawn(c.entity(1))
	return 0
}

// queueAdd is world.commands:add(e, names…). Relations are refused, because they need a target.
func queueAdd(c call) int {
	e := c.entity(1)
	c.check(c.queue().Add(e, c.dataIDs(2, "world.commands:relate")...))
	return 0
}

// queueRemove is world.commands:remove(e, names…).
func queueRemove(c call) int {
	e := c.entity(1)
	c.check(c.queue().Remove(e, c.componentIDs(2)...))
	return 0
}

// queueSet is world.commands:set(e, name, fields). The values are checked and copied now.
func queueSet(c call) int {
	e, k, fields := c.setting("world.commands:relate")
	c.check(c.queue().Set(e, k.id, fields...))
	return 0
}

// queueTag is world.commands:tag(e, names…): one command for each tag.
func queueTag(c call) int {
	e, q := c.entity(1), c.queue()
	for i := 2; i == 2 || i <= c.args(); i++ {
		q.Tag(e, c.tagID(i))
	}
	return 0
}

// queueUntag is world.commands:untag(e, names…): one command for each tag.
func queueUntag(c call) int {
	e, q := c.entity(1), c.queue()
	for i := 2; i == 2 || i <= c.args(); i++ {
		q.Untag(e, c.tagID(i))
	}
	return 0
}
