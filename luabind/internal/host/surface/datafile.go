package surface

import (
	"errors"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// A DataHost is a [Host] that has data files.
type DataHost interface {
	// Data returns the frozen table of a data file. The error has a suggestion.
	Data(name string) (lua.LValue, error)
}

// data is ecs.data(name).
func data(c call) int {
	name, ok := c.arg(1).(lua.LString)
	if !ok {
		c.bad(1, "name of a data file expected, got %s", shown(c.arg(1)))
	}
	from, ok := c.host.(DataHost)
	if !ok {
		sandbox.Raise(c.LState, errors.New("ecs.data: there are no data files here"))
	}
	v, err := from.Data(string(name))
	if err != nil {
		sandbox.Raise(c.LState, err)
	}
	c.Push(v)
	return 1
}
