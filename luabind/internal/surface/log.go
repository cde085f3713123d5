package surface

import (
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
	var attrs []slog.Attr
	if c.args() > 1 && c.arg(2) != lua.LNil {
		t := c.table(2)
		for k, v := t.Next(lua.LNil); k != lua.LNil; k, v = t.Next(k) {
			attrs = append(attrs, slog.Any(fieldName(sandbox.ToString(c.LState, k)), c.logged(v)))
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

// logged is a value as the log shows it.
func (c call) logged(v lua.LValue) any {
	switch v := v.(type) {
	case lua.LBool:
		return bool(v)
	case lua.LNumber:
		if f := float64(v); f == math.Trunc(f) && math.Abs(f) < 1<<53 {
			return int64(f)
		}
		return float64(v)
	case *lua.LTable:
		if x, err := Value(v); err == nil {
			return x.String()
		}
	}
	return sandbox.ToString(c.LState, v)
}
