package closures

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/draft"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
)

// Strings that rows make: ir.Join and ir.Shown. The parts of a .. b .. c are written into one buffer, so a chain
// makes one string.

// mostJoined is the length from which the interpreter charges the budget for a string, or refuses to make it. Rows
// that make longer strings are left to it.
const mostJoined = 256

// numberSize is what the interpreter counts for a number in a .. b.
const numberSize = 4

// A joinedPart is an operand of a chain of a .. b. Only the function for its type is set.
type joinedPart struct {
	text   textFn
	number numberFn
	any    refFn
}

// joined compiles ir.Join and ir.Shown.
func (c *compiler) joined(x *ir.Expr) textFn {
	parts := c.joinedParts(nil, x)
	var memory []byte // the statement does not run inside itself
	return func(f *frame) string {
		buf, size := memory[:0], 0
		for i := range parts {
			before := len(buf)
			var isText bool
			if buf, isText = parts[i].write(f, buf); isText {
				size += len(buf) - before
			} else {
				size += numberSize
			}
			if size >= mostJoined {
				f.failed = true
			}
			if f.failed {
				return ""
			}
		}
		if !f.effects.Takes(sandbox.StringBytes + int64(len(buf))) {
			f.failed = true
		}
		memory = buf
		return string(buf)
	}
}

// joinedParts appends the parts of a chain, in their order. In (a .. b) .. c the first operand is a string of its own,
// as it is in the interpreter, which counts what it allocates.
func (c *compiler) joinedParts(parts []joinedPart, x *ir.Expr) []joinedPart {
	switch {
	case x.Op == ir.Join:
		if x.A.Op == ir.Join {
			return c.joinedParts(append(parts, joinedPart{text: c.joined(x.A)}), x.B)
		}
		return c.joinedParts(c.joinedParts(parts, x.A), x.B)
	case x.Op != ir.Shown:
		return append(parts, joinedPart{text: c.text(x)})
	case x.A.Type == ir.Number:
		return append(parts, joinedPart{number: c.number(x.A)})
	}
	return append(parts, joinedPart{any: c.ref(x.A, false)})
}

// write appends a part to buf. It reports whether the part is a string.
func (p *joinedPart) write(f *frame, buf []byte) (out []byte, isText bool) {
	switch {
	case p.text != nil:
		return append(buf, p.text(f)...), true
	case p.number != nil:
		return sandbox.AppendNumber(buf, p.number(f)), false
	}
	v := p.any(f)
	if v.Table == nil && v.Value.Kind() == ecs.StringValue {
		return append(buf, *ecs.Raw.Text(v.Value)...), true
	}
	n, ok := draft.Ref.Number(v)
	if !ok {
		f.failed = true
		return buf, false
	}
	return sandbox.AppendNumber(buf, n), false
}
