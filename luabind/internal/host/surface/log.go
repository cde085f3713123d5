package surface

import (
	"errors"
	"log/slog"
	"math"
	"unicode/utf8"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
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
		names := namesOfLog{}
		for k, _ := t.Next(lua.LNil); k != lua.LNil; k, _ = t.Next(k) {
			if text, ok := k.(lua.LString); ok && !names.reserved(string(text)) && utf8.ValidString(string(text)) {
				names[string(text)] = true
			}
		}
		for k, v := t.Next(lua.LNil); k != lua.LNil; k, v = t.Next(k) {
			name := names.of(c.LState, k)
			l.count(len(name))
			attrs = append(attrs, slog.Any(name, l.value(v)))
		}
	}
	c.host.Log(c.surface.state.Where(), level, message, attrs)
	return 0
}

// namesOfLog are the names that the attributes of a line have. No two are equal, because a parser of the log would keep one of them.
type namesOfLog map[string]bool

// reserved reports whether the log uses a name itself.
func (n namesOfLog) reserved(name string) bool {
	switch name {
	case slog.TimeKey, slog.LevelKey, slog.MessageKey, "script", "system", "frame":
		return true
	}
	return false
}

// of returns the name of an attribute: the text of its key. A key that is no string, one that is no UTF-8, and a name that the log uses itself
// get "field." in front if that name is taken, as often as needed.
func (n namesOfLog) of(L *lua.LState, key lua.LValue) string {
	name := sandbox.ToString(L, key)
	if text, ok := key.(lua.LString); ok && n[string(text)] {
		return name
	}
	for name = ecs.ValidText(name); n.reserved(name) || n[name]; {
		name = "field." + name
	}
	n[name] = true
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
		switch f := float64(v); {
		case f == math.Trunc(f) && math.Abs(f) < 1<<53:
			return int64(f)
		case f != f || math.IsInf(f, 0):
			return sandbox.ToString(l.LState, v) // JSON has no such numbers
		case math.Abs(f) < 1<<53:
			return f
		default:
			return loggedData{string(ecs.Number(f).AppendJSON(nil, 0)), ecs.Number(f)} // one text in all logs
		}
	case *lua.LTable:
		x, err := l.surface.Value(v)
		if errors.Is(err, sandbox.ErrLimit) {
			l.check(err)
		}
		if err == nil {
			return l.table(x)
		}
	}
	text := sandbox.ToString(l.LState, v)
	l.count(len(text))
	return ecs.ValidText(text)
}

// table returns plain data as the log shows it.
func (l *logged) table(x ecs.Value) any {
	text := x.AppendText(nil, l.room)
	l.count(len(text))
	return loggedData{ecs.ValidText(string(text)), x}
}

// A loggedData is plain data: a text in a log for people, and JSON in one of JSON.
type loggedData struct {
	text  string
	value ecs.Value
}

func (t loggedData) String() string { return t.text }

// MarshalJSON implements [json.Marshaler].
func (t loggedData) MarshalJSON() ([]byte, error) { return t.value.AppendJSON(nil, 0), nil }
