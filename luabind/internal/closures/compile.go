package closures

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
)

// Compiling: a [compiler] walks the statements of a Program once, and makes a closure of each. statement.go has
// statements, number.go, condition.go and value.go expressions; the rest are named for what they compile.

// A compiler makes the closures of one Program. While it does, it finds out what the Kernel has to know.
type compiler struct {
	p          *ir.Program
	absent     uint64 // views that may be nil
	used       uint64 // views that closures read or write
	exact      bool   // a row may have to be restored, or has something to do at its end
	draws      bool
	entity     bool
	nests      []*nested
	tags       []ecs.TagID
	components []ecs.ComponentID
	probe      Probe // nil: conditions are not observed
}

func newCompiler(p *ir.Program) *compiler {
	c := &compiler{p: p, absent: p.Optional, exact: p.Exact}
	for i, ref := range p.Refs {
		if ref.Query < 0 || ref.Optional {
			c.absent |= 1 << (p.Views + i)
		}
	}
	return c
}

// view returns the index of a view in a frame, and records that closures use the view.
func (c *compiler) view(i int) int {
	c.used |= 1 << i
	return i & (ir.MaxViews - 1)
}

// maybe reports whether a view may be nil.
func (c *compiler) maybe(view int) bool { return c.absent&(1<<view) != 0 }

// within reports whether a view is one of the query loop itself.
func (c *compiler) within(view int) bool { return view < c.p.Views }

// tag returns the index of a tag in frame.sets.
func (c *compiler) tag(id uint32) int {
	c.exact = true
	return place(&c.tags, ecs.TagID(id))
}

// finder returns the index of a component in frame.finders.
func (c *compiler) finder(id ecs.ComponentID) int { return place(&c.components, id) }

// place returns the index of an element, which it appends if it is not there.
func place[T comparable](list *[]T, x T) int {
	for i, y := range *list {
		if x == y {
			return i
		}
	}
	*list = append(*list, x)
	return len(*list) - 1
}

// fails reports whether an expression may fail, or change more than can be restored. Then it sets frame.failed.
func (c *compiler) fails(x *ir.Expr) bool {
	switch {
	case x == nil:
		return false
	case x.Op == ir.Load && c.maybe(x.I), x.Op == ir.Element, x.Op == ir.Lookup, x.Op == ir.HasKey, x.Op == ir.Random && x.A != nil, x.Op == ir.Tag, x.Op == ir.Untag:
		c.exact = true
		return true
	}
	return c.fails(x.A) || c.fails(x.B) || c.fails(x.C)
}

// guarded returns a step that stops the row when one of its expressions has failed.
func (c *compiler) guarded(s step, list ...*ir.Expr) step {
	for _, x := range list {
		if c.fails(x) {
			return func(f *frame) int {
				if how := s(f); !f.failed {
					return how
				}
				return stopped
			}
		}
	}
	return s
}
