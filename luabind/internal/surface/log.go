package surface

import (
	"errors"
	"log/slog"
	"math"

	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// ecs.log: messages of scripts go to the log of the Host.

func logDebug(c call) int { return c.log(slog.LevelDebug) }
func logInfo(c call) int  { return c.log(slog.LevelInfo) }
func logWarn(c call) int  { return c.log(slog.LevelWarn) }
func logError(c call) int { return c.log(slog.LevelError) }

// log is ecs.log.info(message, { key = value }) and the like. The attributes keep the order of the table.
func (c call) log(level slog.Level) int {
	if c.args() == 0 {
		c.expected(1, "message")
	}
	message := sandbox.ToString(c.LState, c.arg(1))
	l := logged{c, c.surface.state.MaxString()}
	l.count(len(message))
	var attrs []slog.Attr
	if c.args() > 1 && c.arg(2) != lua.LNil {
		t := c.table(2)
		for k, v := t.Next(lua.LNil); k != lua.LNil; k, v = t.Next(k) {
			name := fieldName(sandbox.ToString(c.LState, k))
			l.count(len(name))
			attrs = append(attrs, slog.Any(name, l.value(v)))
		}
	}
	c.host.Log(c.surface.state.Where(), level, message, attrs)
	return 0
}

// fieldName returns the name of an attribute in the log: the name that the script gave, but "field.system" for a
// name that the log uses itself, because a parser of the log would see two equal names.
func fieldName(name string) string {
	switch name {
	case slog.TimeKey, slog.LevelKey, slog.MessageKey, "script", "system", "frame":
		return "field." + name
	}
	return name
}

// A logged is a line of the log in progress. It must not become longer than a string of scripts may be.
type logged struct {
	call
	room int // the number of bytes that the line may still have
}

// count takes n bytes of the line, and raises an error if there is no room.
func (l *logged) count(n int) {
	if l.room -= n; l.room < 0 {
		l.check(sandbox.Limitf("a line of the log of more than %d bytes", l.surface.state.MaxString()))
	}
	l.charge(n >> 6)
}

// value returns a value as the log shows it.
func (l *logged) value(v lua.LValue) any {
	switch v := v.(type) {
	case lua.LBool:
		return bool(v)
	case lua.LNumber:
		if f := float64(v); f == math.Trunc(f) && math.Abs(f) < 1<<53 {
			return int64(f)
		}
		return float64(v)
	case *lua.LTable:
		x, err := l.surface.Value(v)
		if errors.Is(err, sandbox.ErrLimit) {
			l.check(err)
		}
		if err == nil {
			text := x.AppendText(nil, l.room)
			l.count(len(text))
			return string(text)
		}
	}
	text := sandbox.ToString(l.LState, v)
	l.count(len(text))
	return text
}
