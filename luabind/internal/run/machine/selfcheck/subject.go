package selfcheck

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
)

// What the scratch worlds of a check must contain so that the body has something to do: rows of each set of components,
// tags, targets of handles.

// A subject is a Program that is checked, and what a world needs for it.
type subject struct {
	program   *ir.Program
	filter    ecs.Filter
	layouts   []layoutOfRows
	tags      []ecs.TagID
	relations []ecs.RelationID // that the body asks about
	often     []int            // of 8 entities, how many have the tag

	constants []float64
	texts     []string // constants, and another
	tame      bool     // values are given that sums and products of are no NaN

	asks    bool // about entities by handle
	effects bool
	changes bool // which entities there are, and what they have
	records bool // what a row does in its loops may be more than there is room for
	grids   bool
}

// A layoutOfRows is a set of components, and how many entities have it.
type layoutOfRows struct {
	ids       []ecs.ComponentID
	relations []ecs.RelationID
	extra     int // and some that no query asks for, one bit each
	rows      int
}

func subjectOf(p *ir.Program, q *ecs.Query, w *ecs.World) *subject {
	s := &subject{program: p, texts: []string{"of no constant"}, effects: len(p.Effects) > 0, records: abi.NeedsRoom(p)}
	if q != nil {
		s.filter = q.Filter()
	}
	var asked, given []ecs.ComponentID
	for _, ref := range p.Refs {
		if ref.Query < 0 {
			asked = append(asked, ref.Component)
		}
	}
	for _, e := range p.Effects {
		s.changes = s.changes || e.Op != ir.Send && e.Op != ir.QueueSend && e.Op != ir.Made && e.Op != ir.TableSet
		given = append(append(given, e.Components...), e.Relations...)
		for _, id := range e.Tags {
			s.tag(id, 4)
		}
	}
	for _, id := range s.filter.Tagged {
		s.tag(id, 7)
	}
	for _, id := range s.filter.Untagged {
		s.tag(id, 1)
	}
	abi.Walk(p.Body, func(st *ir.Stmt) {
		s.asks = s.asks || st.Op == ir.Look || st.Op == ir.Emit
		s.grids = s.grids || st.Grid != nil
		if st.Op == ir.Sources {
			s.asks = true
			id, _ := st.Listed()
			s.relation(id)
		}
	}, func(x *ir.Expr) {
		switch x.Op {
		case ir.Const:
			switch x.Type {
			case ir.Number:
				s.constants = append(s.constants, x.N)
			case ir.Text:
				s.texts = append(s.texts, x.S)
			}
			return
		case ir.Related:
			asked = append(asked, ecs.ComponentID(x.ID))
			s.relation(ecs.RelationID(x.ID))
		case ir.Has:
			asked = append(asked, ecs.ComponentID(x.ID))
		case ir.Tagged, ir.Tag, ir.Untag:
			s.tag(ecs.TagID(x.ID), 4)
		case ir.Alive:
		default:
			return
		}
		s.asks = true
	})

	// Beside long tables there are some around the widths of packed code, 4 and 8. Loops
	// over entities within multiply.
	lengths := []int{71, 29, 3, 4, 5, 7, 8, 9}
	switch nests(p.Body) {
	case 0:
	case 1:
		lengths = []int{17, 9, 3, 4, 5, 7, 8}
	default:
		lengths = []int{9, 5, 3}
	}
	f := s.filter
	lean := append(slices.Clone(f.Required), f.Any[:min(1, len(f.Any))]...)
	for i, rows := range lengths {
		if i == 0 {
			s.layout(w, rows, 0, lean, f.Optional, f.Any)
		} else {
			s.layout(w, rows, i, lean)
		}
	}
	if len(f.Optional) > 1 { // rows that have one of them and lack the others
		for _, id := range f.Optional {
			s.layout(w, 9, 0, lean, []ecs.ComponentID{id})
		}
	}
	for _, sub := range p.Queries {
		f := sub.Query.Filter()
		s.layout(w, 5, 0, f.Required, f.Optional, f.Any[:min(1, len(f.Any))])
	}
	if len(asked) > 0 {
		s.layout(w, 5, 0, asked)
		s.layout(w, 5, 0, lean, asked)
	}
	if len(given) > 0 {
		s.layout(w, 5, 0, lean, given)
	}
	return s
}

// relation adds a relation in which entities of all layouts are sources and targets.
func (s *subject) relation(id ecs.RelationID) {
	if !slices.Contains(s.relations, id) {
		s.relations = append(s.relations, id)
	}
}

// tag adds a tag, which often of 8 entities have.
func (s *subject) tag(id ecs.TagID, often int) {
	if i := slices.Index(s.tags, id); i >= 0 {
		s.often[i] = often
		return
	}
	s.tags, s.often = append(s.tags, id), append(s.often, often)
}

// layout adds rows with some components. Entities inherit no component if the query does not ask for it, because closures
// do rows that inherit.
func (s *subject) layout(w *ecs.World, rows, extra int, lists ...[]ecs.ComponentID) {
	l := layoutOfRows{rows: rows, extra: extra}
	isA, shares := w.LookupRelation(ecs.IsA)
	ids := slices.Concat(lists...)
	slices.Sort(ids)
	for _, id := range slices.Compact(ids) {
		info, _ := w.ComponentInfo(id)
		switch {
		case shares && id == isA && !slices.Contains(s.filter.Required, id):
		case info.Relation:
			l.relations = append(l.relations, id)
		default:
			l.ids = append(l.ids, id)
		}
	}
	s.layouts = append(s.layouts, l)
}

// nests returns how deeply walks over entities are nested.
func nests(body []*ir.Stmt) (depth int) {
	for _, s := range body {
		n := max(nests(s.Body), nests(s.Else))
		if s.Op == ir.Each || s.Op == ir.Near || s.Op == ir.Sources {
			n++
		}
		depth = max(depth, n)
	}
	return depth
}

// moved returns the Program for another world with the same declarations.
func moved(p *ir.Program, w *ecs.World) (*ir.Program, error) {
	out := *p
	out.Queries = slices.Clone(p.Queries)
	for i := range out.Queries {
		sub := &out.Queries[i]
		q, err := w.Query(sub.Query.Filter())
		if err != nil {
			return nil, err
		}
		sub.Query = q
	}
	out.Body = movedBody(p.Body, w)
	return &out, nil
}

// movedBody returns a body with the grids of another world.
func movedBody(body []*ir.Stmt, w *ecs.World) []*ir.Stmt {
	out := make([]*ir.Stmt, len(body))
	for i, s := range body {
		c := *s
		if s.Grid != nil {
			c.Grid = w.LookupGrid(s.Grid.Spec().Name)
		}
		c.Body, c.Else = movedBody(s.Body, w), movedBody(s.Else, w)
		out[i] = &c
	}
	return out
}
