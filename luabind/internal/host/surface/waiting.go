package surface

import (
	"math"

	"github.com/ecsrun/ecsrun/luabind/internal/host/api"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// The third argument of world.commands:send, and world.commands:cancel: events that wait for a frame or a time.

const waitExamples = "write { after = 0.5 } for seconds, { frames = 10 } or { at = world.frame + 10 }"

// queueSend is world.commands:send(name, fields, when). The event is in the log when the queue is applied, or in a later frame: then it
// returns a number for cancel.
func queueSend(c call) int {
	k, fields := c.sending()
	if c.args() < 3 || c.arg(3) == lua.LNil {
		c.check(c.queue().Send(k.id, fields...))
		return 0
	}
	when, value, key := c.when()
	q := c.queue()
	var number uint64
	var err error
	switch frame := c.w.ecs.Frame(); when {
	case "after":
		if math.IsInf(value, 1) {
			raise(c.LState, "%s: after is inf, which never comes; give a number of seconds", c.full)
		}
		if !(value >= 0) {
			raise(c.LState, "%s: after is %s; give seconds of at least 0", c.full, sandbox.NumberText(value))
		}
		number, err = q.SendAfter(k.id, value, key, fields...)
	case "frames":
		number, err = q.SendAt(k.id, frame+uint64(c.frames(when, value, 1)), key, fields...)
	default:
		number, err = q.SendAt(k.id, uint64(c.frames(when, value, frame+1)), key, fields...)
	}
	c.check(err)
	c.Push(lua.LNumber(number))
	return 1
}

// when returns what argument 3 of send says: which of after, frames and at, its value, and the key.
func (c call) when() (when string, value float64, key string) {
	t := c.table(3, waitExamples)
	for k, v := t.Next(lua.LNil); k != lua.LNil; k, v = t.Next(k) {
		name, ok := k.(lua.LString)
		if !ok || !contains(api.WaitKeys, string(name)) {
			raise(c.LState, "%s: an event waits for after, frames or at, and has a key; not %s%s", c.full, shown(k), meant(k.String(), api.WaitKeys))
		}
		if name == "key" {
			text, ok := v.(lua.LString)
			if !ok || text == "" {
				raise(c.LState, "%s: key is a text that is not empty, not %s", c.full, shown(v))
			}
			key = string(text)
			continue
		}
		if when != "" {
			raise(c.LState, "%s: both %s and %s; give one of them", c.full, when, string(name))
		}
		n, ok := v.(lua.LNumber)
		if !ok {
			raise(c.LState, "%s: %s says when the event comes: give a number, not %s", c.full, string(name), shown(v))
		}
		when, value = string(name), float64(n)
	}
	if when == "" {
		raise(c.LState, "%s: it is not said when the event comes; %s", c.full, waitExamples)
	}
	return when, value, key
}

// mostFrame is the last frame for which an event can wait: numbers of Lua are exact so far.
const mostFrame = 1 << 53

// frames checks a number of frames, or of a frame.
func (c call) frames(when string, value float64, least uint64) float64 {
	if value == math.Trunc(value) && value >= float64(least) && value < mostFrame/2 {
		return value
	}
	if value >= mostFrame/2 {
		raise(c.LState, "%s: %s is %s, which never comes; give a whole number below 2^52", c.full, when, sandbox.NumberText(value))
	}
	if when == "at" {
		raise(c.LState, "%s: at is %s; give the number of a frame that is later than this one, %d", c.full, sandbox.NumberText(value), least-1)
	}
	raise(c.LState, "%s: frames is %s; give a whole number of frames, at least 1", c.full, sandbox.NumberText(value))
	return 0
}

// queueCancel is world.commands:cancel(number), or cancel(event, key). What does not wait is skipped.
func queueCancel(c call) int {
	if n, ok := c.arg(1).(lua.LNumber); ok {
		if c.args() > 1 && c.arg(2) != lua.LNil {
			c.bad(2, "a number stands alone; a key goes with the name of its event")
		}
		q := c.queue()
		if v := float64(n); v >= 1 && v < mostFrame && v == math.Trunc(v) {
			q.Cancel(uint64(v))
		}
		return 0
	}
	if _, ok := c.arg(1).(lua.LString); !ok {
		c.expected(1, "number of a waiting event, or event name")
	}
	k := c.event(1)
	key := c.text(2, "key")
	c.check(c.queue().CancelKey(k.id, key))
	return 0
}
