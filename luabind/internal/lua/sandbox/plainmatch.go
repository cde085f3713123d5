package sandbox

import (
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	lua "github.com/yuin/gopher-lua"
)

// The functions of compiled loops that match patterns: find, match, gmatch and gsub without a function. They match with the matcher of match.go,
// and decline where it would raise an error or charge the budget.

// A declined is the panic of a matcher without a thread.
type declined struct{}

// matching calls fn for a pattern. It declines where the matcher would raise an error or take long.
func (c *PlainCall) matching(src, pat string, fn func(m *matcher) bool) (ok bool) {
	ok = c.match.tries(src, pat, func() bool { return fn(&c.match) })
	c.Cost += c.match.steps / stepsPerCost
	return ok
}

// captures adds the captures as results, or the whole match.
func (c *PlainCall) captures(m *matcher, si, end int, whole bool) {
	n := m.level
	if n == 0 && whole {
		n = 1
	}
	for i := range n {
		switch v := m.capture(i, si, end).(type) {
		case lua.LString:
			c.Bytes += interp.StringBytes + int64(len(v))
			c.gives(ecs.Text(string(v)))
		case lua.LNumber:
			c.gives(ecs.Number(float64(v)))
		}
	}
}

// find is string.find or string.match.
func (c *PlainCall) find(positions bool) bool {
	src, ok := c.text(0)
	pat, also := c.text(1)
	init, isInt := c.int(2, 1)
	if !ok || !also || !isInt {
		return false
	}
	if init < 0 {
		init = max(int64(len(src))+init+1, 1)
	}
	from := int(min(max(init-1, 0), int64(len(src))))
	literal := len(c.Args) > 3 && (c.Args[3].Kind() != ecs.NilValue && (c.Args[3].Kind() != ecs.BoolValue || c.Args[3].Bool()))
	if positions && (literal || !strings.ContainsAny(pat, specials)) {
		i := strings.Index(src[from:], pat)
		c.Cost += int64(len(src)-from) >> 6
		if i < 0 {
			c.gives(ecs.Value{})
			return true
		}
		c.gives(ecs.Number(float64(from + i + 1)))
		c.gives(ecs.Number(float64(from + i + len(pat))))
		return true
	}
	pat, anchored := strings.CutPrefix(pat, "^")
	return c.matching(src, pat, func(m *matcher) bool {
		for si := from; ; si++ {
			if end := m.start(si); end >= 0 {
				if positions {
					c.gives(ecs.Number(float64(si + 1)))
					c.gives(ecs.Number(float64(end)))
				}
				c.captures(m, si, end, !positions)
				return true
			}
			if anchored || si >= len(src) {
				c.gives(ecs.Value{})
				return true
			}
		}
	})
}

// plainGmatch is one step of string.gmatch.
func plainGmatch(c *PlainCall) bool {
	src, ok := c.text(0)
	pat, also := c.text(1)
	at, isInt := c.int(2, 0)
	if !ok || !also || !isInt {
		return false
	}
	return c.matching(src, pat, func(m *matcher) bool {
		for si := int(at); si <= len(src); si++ {
			end := m.start(si)
			if end < 0 {
				continue
			}
			next := end
			if end == si { // an empty match: go on behind the next byte
				next++
			}
			c.gives(ecs.Number(float64(next)))
			c.captures(m, si, end, true)
			return true
		}
		c.gives(ecs.Value{})
		return true
	})
}

// plainGsub is string.gsub with a string as the replacement.
func plainGsub(c *PlainCall) bool {
	src, ok := c.text(0)
	pat, also := c.text(1)
	repl, isText := c.text(2)
	most, isInt := c.int(3, int64(len(src))+1)
	if !ok || !also || !isText || !isInt || len(src) >= mostPlain || len(repl) >= mostPlain {
		return false
	}
	pat, anchored := strings.CutPrefix(pat, "^")
	return c.matching(src, pat, func(m *matcher) bool {
		out, si, n := c.buf[:0], 0, int64(0)
		for n < most {
			end := m.start(si)
			if end >= 0 {
				n++
				if out = m.template(out, repl, si, end); len(out) >= mostPlain {
					return false
				}
			}
			if end > si {
				si = end
			} else if si < len(src) {
				out = append(out, src[si])
				si++
			} else {
				break
			}
			if anchored {
				break
			}
		}
		out = append(out, src[si:]...)
		c.buf = out
		if !c.made(string(out)) {
			return false
		}
		c.gives(ecs.Number(float64(n)))
		return true
	})
}
