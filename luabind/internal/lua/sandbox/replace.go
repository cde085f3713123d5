package sandbox

import (
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
)

// The parts of string.gsub with a function or a table, for compiled loops: they find a match, put what replaces it into the result, and end
// the result. The loop over the matches is a part of the kernel.

// plainFind finds the next match. The arguments are the string, the pattern, the place to begin at, the number of matches so far and how many
// there may be, and whether a function gets the captures, which pays for them. The results are the place to begin at next, where the match
// begins and ends, and its captures; nil if there is no more.
func plainFind(c *PlainCall) bool {
	src, ok := c.text(0)
	pat, also := c.text(1)
	at, isInt := c.int(2, 0)
	n, isCount := c.int(3, 0)
	most, isLimit := c.int(4, int64(len(src))+1)
	if !ok || !also || !isInt || !isCount || !isLimit || len(src) >= mostPlain {
		return false
	}
	if n >= most {
		c.gives(ecs.Value{})
		return true
	}
	pat, anchored := strings.CutPrefix(pat, "^")
	return c.matching(src, pat, func(m *matcher) bool {
		for si := int(at); si <= len(src); si++ {
			end := m.start(si)
			if end < 0 && anchored {
				break
			}
			if end < 0 {
				continue
			}
			next := end
			if end == si { // an empty match: go on behind the next byte
				next++
			}
			if anchored {
				next = len(src) + 1
			}
			c.gives(ecs.Number(float64(next)))
			c.gives(ecs.Number(float64(si)))
			c.gives(ecs.Number(float64(end)))
			before := c.Bytes
			c.captures(m, si, end, true)
			if !c.Args[5].Bool() {
				c.Bytes = before
			}
			return true
		}
		c.gives(ecs.Value{})
		return true
	})
}

// plainPut appends to the result what is between two matches, and what replaces the second one. The arguments are the result, the string, the
// end of the match before, the beginning and the end of this one, and the value that replaces it: nil and false keep the match.
func plainPut(c *PlainCall) bool {
	out, _ := c.text(0)
	src, _ := c.text(1)
	copied, _ := c.int(2, 0)
	from, _ := c.int(3, 0)
	end, _ := c.int(4, 0)
	buf := append(append(c.buf[:0], out...), src[copied:from]...)
	switch v := c.Args[5]; v.Kind() {
	case ecs.StringValue:
		buf = append(buf, v.Str()...)
	case ecs.NumberValue:
		buf = AppendNumber(buf, v.Float())
	case ecs.NilValue:
		buf = append(buf, src[from:end]...)
	case ecs.BoolValue:
		if v.Bool() {
			return false
		}
		buf = append(buf, src[from:end]...)
	default:
		return false
	}
	if c.buf = buf; len(buf) >= mostPlain {
		return false
	}
	c.gives(ecs.Text(string(buf)))
	return true
}

// plainEnd appends to the result what is behind the last match. The arguments are the result, the string, the end of the last match, and the
// pattern.
func plainEnd(c *PlainCall) bool {
	out, _ := c.text(0)
	src, _ := c.text(1)
	copied, _ := c.int(2, 0)
	if pat, _ := c.text(3); len(pat) > maxPattern || len(src) >= mostPlain {
		return false
	}
	c.buf = append(append(c.buf[:0], out...), src[copied:]...)
	return c.made(string(c.buf))
}
