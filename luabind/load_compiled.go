package luabind

import (
	"sync"

	"github.com/ecsrun/ecsrun/luabind/internal/load/script"
)

// Compiled keeps files that were compiled, for all Runtimes that have it in their [Options]: a world of the same scripts starts without compiling them
// again. Its zero value is empty. It may be used by several goroutines at the same time, keeps each text of a file until it is collected itself, and
// is not used by a Runtime with [Options.Coverage]. Its Runtimes have the same [Options.ParseData].
type Compiled struct {
	mu    sync.Mutex
	units map[compiledKey]*script.Unit
}

type compiledKey struct{ path, name, text string }

// compile returns the unit of a text, which it makes with a function the first time. A text with an error is not kept.
func (c *Compiled) compile(path, name, text string, with func(path, name, text string) (*script.Unit, error)) (*script.Unit, error) {
	key := compiledKey{path, name, text}
	c.mu.Lock()
	u := c.units[key]
	c.mu.Unlock()
	if u != nil {
		return u, nil
	}
	u, err := with(path, name, text)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.units == nil {
		c.units = map[compiledKey]*script.Unit{}
	}
	if first := c.units[key]; first != nil {
		return first, nil
	}
	c.units[key] = u
	return u, nil
}
