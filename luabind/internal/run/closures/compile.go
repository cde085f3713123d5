package closures

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
)

// Compiling: the first half of this package. A [compiler] walks the statements of a Program once and makes a
// closure of each. What comes out is a [Kernel] (run.go), which calls the closures for each row. statement.go has
// statements; number.go, condition.go and value.go have expressions; the other files are named for what they
// compile.

// A compiler makes the closures of one Program. On the way it collects what the Kernel has to know: which views are
// used, whether rows may have to be restored, which inner loops, tags and components there are.
type compiler struct {
	p             *ir.Program
	now           *ir.Stmt // the statement that is being compiled, unless it has a body
	absent        uint64   // views that may be nil
	used          uint64   // views that closures read or write
	exact         bool     // rows may have to be restored, or have effects
	entity        bool
	nests         []*nested
	tags          []ecs.TagID
	components    []ecs.ComponentID
	setsResources bool  // resources of type table are stored
	probe         Probe // nil: conditions are not observed

	tablesRead, tablesStored []tableField // see touches
}

// newCompiler prepares the compiling of a Program, and finds out which views may be nil.
func newCompiler(p *ir.Program) *compiler {
	c := &compiler{p: p, absent: p.Optional, exact: p.Exact}
	for i, ref := range p.Refs {
		if ref.Query < 0 || ref.Optional {
			c.absent |= 1 << (p.Views + i)
		}
	}
	return c
}

// view records that closures use a view, and returns its index in frame.ptr. The mask of the index spares the
// bounds check in closures.
func (c *compiler) view(i int) int {
	c.used |= 1 << i
	return i & (ir.MaxViews - 1)
}

// maybe reports whether a view may be nil.
func (c *compiler) maybe(view int) bool { return c.absent&(1<<view) != 0 }

// within reports whether a view is in the query loop's own row.
func (c *compiler) within(view int) bool { return view < c.p.Views }

// tag returns the index of a tag in frame.sets.
func (c *compiler) tag(id uint32) int {
	c.exact = true
	return place(&c.tags, ecs.TagID(id))
}

// finder returns the index of a component in frame.finders.
func (c *compiler) finder(id ecs.ComponentID) int { return place(&c.components, id) }

// place returns the index of x in a list. It appends x if it is not there.
func place[T comparable](list *[]T, x T) int {
	for i, y := range *list {
		if x == y {
			return i
		}
	}
	*list = append(*list, x)
	return len(*list) - 1
}

// fails reports whether an expression may set frame.failed: it may fail, or it changes a tag, whose undo log may be
// full.
func (c *compiler) fails(x *ir.Expr) bool {
	switch {
	case x == nil:
		return false
	case x.Op == ir.Load && c.maybe(x.I), x.Op == ir.Element, x.Op == ir.Lookup, x.Op == ir.HasKey, x.Op == ir.Item, x.Op == ir.As, x.Op == ir.Length, x.Op == ir.Join, x.Op == ir.Shown, (x.Op == ir.Equal || x.Op == ir.Less || x.Op == ir.LessEqual) && x.A.Type == ir.Any, x.Op == ir.Random && x.A != nil, x.Op == ir.Tag, x.Op == ir.Untag:
		c.exact = true
		return true
	}
	return c.fails(x.A) || c.fails(x.B) || c.fails(x.C)
}

// guarded returns a step that also stops the row if one of the given expressions has failed. A step whose
// expressions cannot fail is returned as it is.
func (c *compiler) guarded(s step, list ...*ir.Expr) step {
	for _, x := range list {
		if c.fails(x) {
			of := c.now
			return func(f *frame) int {
				if how := s(f); !f.failed {
					return how
				}
				return f.ends(stopped, of)
			}
		}
	}
	return s
}
