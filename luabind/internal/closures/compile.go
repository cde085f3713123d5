package closures

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
)

// A compiler makes the closures of one program.
type compiler struct {
	p          *ir.Program
	absent     uint64 // views that may be nil
	used       uint64 // views that code touches
	exact      bool   // a row may have to be put back, or has something to do at its end
	draws      bool
	entity     bool
	nests      []*nested
	tags       []ecs.TagID
	components []ecs.ComponentID
	probe      Probe // nil: nobody asks
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

// view notes that code touches a view.
func (c *compiler) view(i int) int {
	c.used |= 1 << i
	return i & (ir.MaxViews - 1)
}

// maybe reports whether a view may be nil.
func (c *compiler) maybe(view int) bool { return c.absent&(1<<view) != 0 }

// within reports whether a view is one of the loop itself.
func (c *compiler) within(view int) bool { return view < c.p.Views }

func (c *compiler) tag(id uint32) int {
	c.exact = true
	return place(&c.tags, ecs.TagID(id))
}

func (c *compiler) finder(id ecs.ComponentID) int { return place(&c.components, id) }

// place finds or adds an element.
func place[T comparable](list *[]T, x T) int {
	for i, y := range *list {
		if x == y {
			return i
		}
	}
	*list = append(*list, x)
	return len(*list) - 1
}

// fails reports whether an expression may raise, or be too much to put back.
func (c *compiler) fails(x *ir.Expr) bool {
	switch {
	case x == nil:
		return false
	case x.Op == ir.Load && c.maybe(x.I), x.Op == ir.Element, x.Op == ir.Random && x.A != nil, x.Op == ir.Tag, x.Op == ir.Untag:
		c.exact = true
		return true
	}
	return c.fails(x.A) || c.fails(x.B) || c.fails(x.C)
}

// guarded stops the row when one of the expressions of a step was one that raises.
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
