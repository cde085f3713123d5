package heap

import (
	"encoding/binary"
	"math"
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	lua "github.com/yuin/gopher-lua"
)

// Suspended coroutines. The body of one is its function, whether it has begun, the number of its calls then, and for each of these: the function, a hash of its code, the
// place where it waits, how it ends, a count, the handler of xpcall, its registers, its captured variables, and its further arguments. The edge
// of register r of call k is k*perCall + r.

// perCall is more than the registers of a call; the last numbers are the edges of other values.
const (
	perCall    = 1 << 10
	atFunction = perCall - 3
	atHandler  = perCall - 2
	atExtra    = perCall - 1
)

func (e *Encoder) coroutine(i int32, body lua.LValue, calls []interp.SavedCall) (err error) {
	b := e.bodies
	if b, err = e.value(b, body, i, atFunction); err != nil {
		return err
	}
	if calls == nil {
		e.bodies = binary.AppendUvarint(b, 0) // it has not begun
		return nil
	}
	b = binary.AppendUvarint(b, 1)
	b = binary.AppendUvarint(b, uint64(len(calls)))
	for k := range calls {
		c := &calls[k]
		edge := int32(min(k, math.MaxInt32/perCall-1) * perCall)
		var fn lua.LValue
		if c.Function != nil {
			fn = c.Function
		}
		if b, err = e.value(b, fn, i, edge+atFunction); err != nil {
			return err
		}
		for _, n := range []int{int(c.Code), c.PC, int(c.End), c.Count} {
			b = binary.AppendUvarint(b, uint64(n))
		}
		if b, err = e.value(b, c.Handler, i, edge+atHandler); err != nil {
			return err
		}
		b = binary.AppendUvarint(b, uint64(len(c.Registers)))
		for r, v := range c.Registers {
			if b, err = e.value(b, v, i, edge+int32(r)); err != nil {
				return err
			}
		}
		b = binary.AppendUvarint(b, uint64(len(c.Boxes)))
		for _, box := range c.Boxes {
			b = binary.AppendUvarint(b, uint64(box.Register))
			b = e.variable(b, box.Variable, i, edge+int32(c.Slots+box.Register))
		}
		b = binary.AppendUvarint(b, uint64(len(c.Extra)))
		for _, v := range c.Extra {
			if b, err = e.value(b, v, i, edge+atExtra); err != nil {
				return err
			}
		}
	}
	e.bodies = b
	return nil
}

// calls reads the body of a coroutine behind its function; nil if it has not begun.
func (d *decoder) calls() []interp.SavedCall {
	if d.below(2, "kind of coroutine") == 0 {
		return nil
	}
	calls := make([]interp.SavedCall, d.count(8, "calls of a coroutine"))
	for k := range calls {
		c := &calls[k]
		fn := d.lua()
		if fn != lua.LNil {
			is, ok := fn.(*lua.LFunction)
			if !ok || is.IsG {
				d.bad("a call of a %s", fn.Type())
				return nil
			}
			c.Function = is
		}
		c.Code, c.PC, c.End, c.Count = uint32(d.below(1<<32, "code")), d.below(most, "instruction"), uint8(d.below(256, "end")), d.below(perCall, "operand")
		if c.Handler = d.lua(); c.Handler == lua.LNil {
			c.Handler = nil
		}
		c.Registers = d.list("registers")
		c.Boxes = make([]interp.SavedBox, d.count(2, "variables"))
		for i := range c.Boxes {
			c.Boxes[i].Register = d.below(perCall, "register")
			at := d.object(upvalueObject, "variable")
			if d.fail != nil {
				return nil
			}
			c.Boxes[i].Variable = d.ups[at]
		}
		c.Extra = d.list("arguments")
		if d.fail != nil {
			return nil
		}
	}
	return calls
}

// localAt returns the name of the variable that a register holds where a call waits, and the line in which it is declared; "" if none does.
func localAt(c *interp.SavedCall, register int) (name string, line int) {
	p := c.Function.Proto
	for _, l := range p.DbgLocals {
		if l.StartPc > c.PC || c.PC > l.EndPc {
			continue
		}
		if register == 0 {
			at := l.StartPc - 1
			if strings.HasPrefix(l.Name, "(for") { // it begins before its values are known
				at++
			}
			if line = p.LineDefined; at >= 0 && at < len(p.DbgSourcePositions) {
				line = p.DbgSourcePositions[at]
			}
			return l.Name, line
		}
		register--
	}
	return "", p.DbgSourcePositions[c.PC]
}

// variableOf returns the variable of a call that an edge of a coroutine stands for.
func (o *found) variableOf(edge int32) (name, file string, line int) {
	k, r := int(edge)/perCall, int(edge)%perCall
	if k >= len(o.calls) || r >= atFunction || o.calls[k].Function == nil {
		return "its function", "", 0
	}
	c := &o.calls[k]
	name, line = localAt(c, r-c.Slots)
	w := c.Function.Proto.Code[c.PC]
	a := int(w >> 18 & 0xff)
	switch {
	case int(w>>26) == lua.OP_TFORLOOP && a <= r-c.Slots && r-c.Slots < a+3:
		name = "for … in"
	case name == "":
		name = "a value of this expression"
	case strings.HasPrefix(name, "(for") || strings.HasPrefix(name, "\x00"):
		name = "for … in"
	}
	return name, c.Function.Proto.SourceName, line
}

func (d *decoder) list(what string) []lua.LValue {
	n := d.count(1, what)
	if n == 0 {
		return nil
	}
	list := make([]lua.LValue, n)
	for i := range list {
		list[i] = d.lua()
	}
	return list
}
