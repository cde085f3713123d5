package closures

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
)

// Lua tables declared outside the loop whose elements are numbers, and resources. Package loops reads both before the
// loop begins, and writes them back when it has ended.

// A table has the elements of a Lua table, in memory that belongs to package loops.
type table struct {
	values []float64
	from   int
	count  int // number of elements
	width  int // number of values of each element
}

// SetTable implements [kernel.Kernel].
func (k *Kernel) SetTable(i int, e kernel.Elements) {
	width := max(1, len(k.program.Tables[i].Members))
	k.frame.tables[i] = table{e.Values, e.From, len(e.Values) / width, width}
}

// SetTableWriter implements [kernel.Kernel].
func (k *Kernel) SetTableWriter(w kernel.TableWriter) { k.tables = w }

// value returns the address of a value; nil if there is no element at the key.
func (t *table) value(key float64, member int) *float64 {
	i := int(key)
	if float64(i) != key {
		return nil
	}
	if i -= t.from; uint(i) >= uint(t.count) {
		return nil
	}
	return &t.values[i*t.width+member]
}

// element compiles ir.Element.
func (c *compiler) element(x *ir.Expr) numberFn {
	if x.Field != nil {
		return c.cell(x)
	}
	key, i, member := c.number(x.A), x.I, max(0, x.Member)
	return func(f *frame) float64 {
		if p := f.tables[i].value(key(f), member); p != nil {
			return *p
		}
		f.failed = true
		return 0
	}
}

// exists compiles ir.Exists.
func (c *compiler) exists(x *ir.Expr) boolFn {
	key, i := c.number(x.A), x.I
	return func(f *frame) bool { return f.tables[i].value(key(f), 0) != nil }
}

// put compiles ir.Put. The old value is logged.
func (c *compiler) put(s *ir.Stmt) step {
	if s.Field != nil {
		return c.putCell(s)
	}
	key, v, i, member := c.number(s.A), c.number(s.B), s.I, max(0, s.Member)
	return func(f *frame) int {
		at, x := key(f), v(f)
		p := f.tables[i].value(at, member)
		if p == nil || len(f.undo.puts) >= mostUndone {
			return stopped
		}
		f.undo.puts = append(f.undo.puts, storedPut{p, *p})
		*p = x
		return next
	}
}

// fit compiles ir.Fit: the register gets the number as a resource of that type would hold it.
func (c *compiler) fit(s *ir.Stmt) step {
	t, i := s.Field.Type, s.I&(ir.MaxRegisters-1)
	v := c.number(s.A)
	return func(f *frame) int {
		x := v(f)
		if !kernel.Fits(t, x) {
			return stopped
		}
		switch t {
		case ecs.F64:
		case ecs.F32:
			x = float64(float32(x))
		default:
			x += 0 // an integer is never -0
		}
		f.n[i] = x
		return next
	}
}
