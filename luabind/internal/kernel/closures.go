package kernel

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
)

// What an expression or statement is compiled to. A statement says how it ended.
type (
	numeric func(*frame) float64
	logical func(*frame) bool
	textual func(*frame) string
	step    func(*frame) int
)

// How a statement ends; firstJump+I is a Jump to Label I.
const (
	next = iota
	broken
	stopped // the row is to be put back
	returned
	firstJump
)

// frame is what code works on.
type frame struct {
	ptr    [mostViews]unsafe.Pointer // the row, by view; nil: there is none
	n      [mostRegisters]float64
	b      [mostRegisters]bool
	t      []string
	entity float64
	dirty  uint64 // views stored in this row and not yet noted, one bit each
	own    uint64 // of the views beyond those of the loop: those that may be stored
	failed bool   // an expression was one that raises
	fuel   int64  // granted and not used up
	refuel func() bool

	column   [mostViews]*ecs.Column // of the views of the loop
	row      int                    // of all of them
	location [mostViews]location    // of the others
	tables   []table
	results  []Result

	world   *ecs.World
	random  *ecs.Random
	sets    []ecs.TagSet // by place in compiler.tags
	finders []ecs.Finder // by place in compiler.components
	effects Effects
	undo    undo
	writes  []location // rows beyond the loop's own to be stamped when the row is done
}

// A spot is where a component is stored.
type location struct {
	finder     int // in frame.finders
	table, row int
}

// burn pays for a construct; false when the budget is spent.
func (f *frame) burn(price int64) bool {
	f.fuel -= price
	return f.fuel >= 0 || f.refuel()
}

// A compiler makes the closures of one program.
type compiler struct {
	p          *Program
	absent     uint64 // views that may be nil
	used       uint64 // views that code touches
	atOnce     bool   // stores are stamped where they stand: a query within asks for changes of what is stored
	exact      bool   // a row may have to be put back, or has something to do at its end
	draws      bool
	entity     bool
	nests      []*nested
	tags       []ecs.TagID
	components []ecs.ComponentID
	probe      Probe // nil: nobody asks
}

func newCompiler(p *Program) *compiler {
	c := &compiler{p: p, absent: p.Optional, atOnce: p.asksForOwn(), exact: p.Exact}
	for i, ref := range p.Refs {
		if ref.Query < 0 || ref.Optional {
			c.absent |= 1 << (p.Views + i)
		}
	}
	return c
}

// asksForOwn reports whether a query within asks for changes of a component that
// the body stores.
func (p *Program) asksForOwn() bool {
	if len(p.Queries) == 0 {
		return false
	}
	stored := map[ecs.ComponentID]bool{}
	for _, id := range p.Writes() {
		stored[id] = true
	}
	for _, q := range p.Queries {
		f := q.Query.Filter()
		if f.Where != nil && len(stored) > 0 {
			return true
		}
		for _, id := range f.Changed {
			if stored[id] {
				return true
			}
		}
	}
	return false
}

// view notes that code touches a view.
func (c *compiler) view(i int) int {
	c.used |= 1 << i
	return i & (mostViews - 1)
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
func (c *compiler) fails(x *Expr) bool {
	switch {
	case x == nil:
		return false
	case x.Op == Load && c.maybe(x.I), x.Op == Element, x.Op == Random && x.A != nil, x.Op == Tag, x.Op == Untag:
		c.exact = true
		return true
	}
	return c.fails(x.A) || c.fails(x.B) || c.fails(x.C)
}

// guarded stops the row when one of the expressions of a step was one that raises.
func (c *compiler) guarded(s step, list ...*Expr) step {
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

// sequence runs statements one after the other.
func (c *compiler) sequence(body []*Stmt) step {
	var list []step
	for i := 0; i < len(body); i++ {
		if i+1 < len(body) {
			if both := c.pair(body[i], body[i+1]); both != nil {
				list = append(list, both)
				i++
				continue
			}
		}
		list = append(list, c.statement(body[i]))
	}
	return chain(list)
}

func chain(list []step) step {
	switch len(list) {
	case 0:
		return func(*frame) int { return next }
	case 1:
		return list[0]
	case 2:
		a, b := list[0], list[1]
		return func(f *frame) int {
			if how := a(f); how != next {
				return how
			}
			return b(f)
		}
	case 3:
		a, b, c := list[0], list[1], list[2]
		return func(f *frame) int {
			if how := a(f); how != next {
				return how
			}
			if how := b(f); how != next {
				return how
			}
			return c(f)
		}
	}
	return func(f *frame) int {
		for _, s := range list {
			if how := s(f); how != next {
				return how
			}
		}
		return next
	}
}

func (c *compiler) statement(s *Stmt) step {
	switch s.Op {
	case Set:
		return c.set(s)
	case Store:
		return c.guarded(c.store(s), s.A)
	case If:
		return c.branch(s)
	case While, Repeat, Count:
		return c.loop(s)
	case Break:
		return func(*frame) int { return broken }
	case Leave:
		return func(*frame) int { return stopped }
	case Jump:
		how := firstJump + s.I
		return func(*frame) int { return how }
	case Block:
		body, here := c.sequence(s.Body), firstJump+s.I
		return func(f *frame) int {
			if how := body(f); how != here {
				return how
			}
			return next
		}
	}
	c.exact = true
	switch s.Op {
	case Do:
		return c.guarded(c.do(s.A), s.A)
	case Look:
		return c.guarded(c.look(s), s.A)
	case Put:
		return c.guarded(c.put(s), s.A, s.B)
	case Fit:
		return c.guarded(c.fit(s), s.A)
	case Emit:
		return c.emit(s)
	case Each:
		return c.each(s)
	case Near:
		return c.near(s)
	case Return:
		return c.leave(s)
	}
	panic("kernel: a statement of unknown operation")
}

func (c *compiler) set(s *Stmt) step {
	i, mark := s.I&(mostRegisters-1), s.Mark&(mostRegisters-1)
	var plain step
	switch s.A.Type {
	case Bool:
		v := c.condition(s.A)
		plain = func(f *frame) int { f.b[i] = v(f); return next }
	case Text:
		v := c.text(s.A)
		plain = func(f *frame) int { f.t[s.I] = v(f); return next }
	case Number:
		v := c.number(s.A)
		plain = func(f *frame) int { f.n[i] = v(f); return next }
	}
	plain = c.guarded(plain, s.A)
	if s.Mark < 0 {
		return plain
	}
	return func(f *frame) int {
		how := plain(f) // it may ask whether there is a value
		f.b[mark] = true
		return how
	}
}

// do evaluates an expression for its effect.
func (c *compiler) do(x *Expr) step {
	switch x.Type {
	case Bool:
		v := c.condition(x)
		return func(f *frame) int { v(f); return next }
	case Text:
		v := c.text(x)
		return func(f *frame) int { v(f); return next }
	case Number:
		v := c.number(x)
		return func(f *frame) int { v(f); return next }
	}
	panic("kernel: a value of unknown type")
}

func (c *compiler) branch(s *Stmt) step {
	test, then, other := c.condition(s.A), c.sequence(s.Body), c.sequence(s.Else)
	switch {
	case c.fails(s.A):
		return func(f *frame) int {
			switch is := test(f); {
			case f.failed:
				return stopped
			case is:
				return then(f)
			}
			return other(f)
		}
	case len(s.Else) == 0:
		return func(f *frame) int {
			if test(f) {
				return then(f)
			}
			return next
		}
	}
	return func(f *frame) int {
		if test(f) {
			return then(f)
		}
		return other(f)
	}
}
