package abi

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
)

// Mirrors. The columns of a component with strings or tables are on Go's heap, where code cannot reach them. If rows reach
// such a component in other rows, by a handle or by a query within, the host keeps a mirror of each of its columns in linear
// memory. A mirror has the layout of the column, with the number of a string in place of the string. Its rows are
// copied in when code first asks for them: see [MirrorWhole].

// A Mirror is a component that code sees in mirrors.
type Mirror struct {
	Component ecs.ComponentID
	Schema    *ecs.Schema
	Fields    []*ecs.Field // that rows use
	Stored    bool         // rows store some of them
}

// A mirror begins at an address that code gets in place of the column's. In front of it lie, from there downwards, what
// says which rows have been copied in: a byte for the whole column, and a byte for each MirrorBlock rows. 0 means that they
// have not been.
const (
	MirrorTable = 8 // uint32: the table, that many bytes in front of the mirror
	MirrorWhole = 1 // whether all rows have been copied
	MirrorFlags = 9 // whether the first block has been; the next block's byte is one further down

	MirrorShift = 4
	MirrorBlock = 1 << MirrorShift // rows of a block
)

// Mirrors returns the components that code sees in mirrors, in a fixed order. A component of which only is asked whether it
// is there needs none.
func Mirrors(p *ir.Program) (list []Mirror) {
	of := func(view int) *Mirror {
		id := p.Refs[view-p.Views].Component
		i := slices.IndexFunc(list, func(m Mirror) bool { return m.Component == id })
		if i < 0 {
			i = len(list)
			list = append(list, Mirror{Component: id, Schema: p.Refs[view-p.Views].Schema})
		}
		return &list[i]
	}
	used := UsedRefs(p)
	for i, ref := range p.Refs {
		if used[i] && ref.Schema != nil && !ref.Schema.PointerFree() {
			m := of(p.Views + i)
			m.Stored = m.Stored || ref.Stored
		}
	}
	if len(list) == 0 {
		return nil
	}
	own := func(view int) *Mirror {
		if view >= p.Views {
			if p.Refs[view-p.Views].Schema.PointerFree() {
				return nil
			}
			return of(view)
		}
		if p.Events != nil {
			return nil
		}
		i := slices.IndexFunc(list, func(m Mirror) bool { return m.Component == p.Components[view] })
		if i < 0 {
			return nil
		}
		return &list[i]
	}
	for _, t := range p.Stores {
		if m := own(t.View); m != nil {
			m.Stored = true
		}
	}
	add := func(view int, f *ecs.Field) {
		m := own(view)
		if m == nil || view < p.Views && !m.Stored {
			return
		}
		if !slices.ContainsFunc(m.Fields, func(g *ecs.Field) bool { return g.Offset == f.Offset }) {
			m.Fields = append(m.Fields, f)
		}
	}
	Walk(p.Body, func(s *ir.Stmt) {
		if s.Op == ir.Store {
			add(s.I, s.Field)
		}
	}, func(x *ir.Expr) {
		if x.Op == ir.Load {
			add(x.I, x.Field)
		}
	})
	return slices.DeleteFunc(list, func(m Mirror) bool { return len(m.Fields) == 0 })
}

// UsedRefs returns which views of other rows a body uses. Statements that were left out may have used the others.
func UsedRefs(p *ir.Program) []bool {
	used := make([]bool, len(p.Refs))
	if len(used) == 0 {
		return used
	}
	mention := func(view int) {
		if view >= p.Views {
			used[view-p.Views] = true
		}
	}
	Walk(p.Body, func(s *ir.Stmt) {
		switch {
		case s.Op == ir.Look, s.Op == ir.Store:
			mention(s.I)
		case s.Op == ir.Each:
			for i := range p.Queries[s.I].Views {
				mention(p.Queries[s.I].First + i)
			}
		}
	}, func(x *ir.Expr) {
		if x.Op == ir.Load || x.Op == ir.Present {
			mention(x.I)
		}
	})
	return used
}

// InMirror reports whether code reaches a view of the query loop in a mirror, because rows store the component there or in
// other rows, and so must see the same memory.
func InMirror(p *ir.Program, mirrors []Mirror, view int) bool {
	return p.Events == nil && view < p.Views && slices.ContainsFunc(mirrors, func(m Mirror) bool {
		return m.Stored && m.Component == p.Components[view]
	})
}
