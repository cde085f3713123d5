package surface

import (
	"errors"
	"log/slog"
	"math"

	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
	lua "github.com/yuin/gopher-lua"
)

func logDebug(c call) int { return c.log(slog.LevelDebug) }
func logInfo(c call) int  { return c.log(slog.LevelInfo) }
func logWarn(c call) int  { return c.log(slog.LevelWarn) }
func logError(c call) int { return c.log(slog.LevelError) }

// log is ecs.log.info(message, { key = value }). The attributes keep the order
// of the table.
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

// fieldName is the name of a script's field in the log: the script's own, but "field.system" for one that the log uses itself, since
// whoever parses a record takes one of two equal names.
func fieldName(name string) string {
	switch name {
	case slog.TimeKey, slog.LevelKey, slog.MessageKey, "script", "system", "frame":
		return "field." + name
	}
	return name
}

// logged is a line of the log that is being made: a script cannot make one that
// is longer than its strings may be.
type logged struct {
	call
	room int // bytes that there may still be
}

// count takes n bytes of the line.
func (l *logged) count(n int) {
	if l.room -= n; l.room < 0 {
		l.check(sandbox.Limitf("a line of the log of more than %d bytes", l.surface.state.MaxString()))
	}
	l.charge(n >> 6)
}

// value is a value as the log shows it.
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
