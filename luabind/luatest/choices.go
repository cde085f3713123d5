package luatest

import "github.com/ecsrun/ecsrun/ecs"

// Generators (generator.go) make a value from a list of choices, each a whole number below a bound, where 0 stands for
// what is simplest. A case is recorded as that list. shrink.go makes lists smaller and replays them, so it needs no
// knowledge of the generators.

// choices are the choices of one case: drawn at random and recorded, or replayed.
type choices struct {
	random *ecs.Random // nil: replayed
	list   []uint64
	next   int // of list, when replayed
}

// mostChoices is the largest number of choices of a case. All further ones are 0.
const mostChoices = 100_000

// below returns a number in [0, n). n must be above 0. A replayed choice that is too large becomes the largest one,
// and after the end of the list all are 0. One of eight random choices is an edge: 0, 1 or the largest one.
func (c *choices) below(n uint64) uint64 {
	if c.random == nil {
		if c.next >= len(c.list) {
			return 0
		}
		v := min(c.list[c.next], n-1)
		c.list[c.next] = v // what was used
		c.next++
		return v
	}
	if len(c.list) == mostChoices {
		return 0
	}
	var v uint64
	switch edge := c.draw(24); {
	case n > 8 && edge < 3:
		v = [...]uint64{0, 1, n - 1}[edge]
	default:
		v = c.draw(n)
	}
	c.list = append(c.list, v)
	return v
}

// draw returns a random number in [0, n).
func (c *choices) draw(n uint64) uint64 {
	const most = 1 << 53
	if n <= most {
		return uint64(c.random.Between(0, float64(n-1)))
	}
	high := (n - 1) / most
	for {
		v := uint64(c.random.Between(0, float64(high)))*most + uint64(c.random.Between(0, most-1))
		if v < n {
			return v
		}
	}
}

// used returns the choices that a replay has used.
func (c *choices) used() []uint64 {
	if c.random == nil {
		return c.list[:c.next]
	}
	return c.list
}
