package ecs

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// A grid over a query: who matches is decided when the snapshot is taken, by whatever system comes first. So the
// query cannot ask for what each system sees differently.

// membersOf returns the query by which a grid chooses its entities: that of the spec without what has no part in
// the choice, so that equal choices are one query. The caller releases it. nil stays nil.
func (w *World) membersOf(q *Query) (*Query, error) {
	if q == nil {
		return nil, nil
	}
	f := q.filter
	switch {
	case q.use() != w:
		return nil, errors.New("the query is one of another world")
	case len(f.Changed)+len(f.Added) > 0:
		return nil, errors.New("a grid's query cannot ask for changed or added: they differ from system to system")
	case f.Where != nil:
		return nil, errors.New("a grid's query takes components and tags, not Where")
	}
	f.Prefabs = false // prefabs are in no grid
	if !f.Exclusive {
		f.Optional = nil
	}
	for _, list := range []*[]ComponentID{&f.Required, &f.Optional, &f.Without, &f.Any} {
		*list = slices.Compact(slices.Sorted(slices.Values(*list)))
	}
	for _, list := range []*[]TagID{&f.Tagged, &f.Untagged} {
		*list = slices.Compact(slices.Sorted(slices.Values(*list)))
	}
	return w.Query(f)
}

// describeGrid returns what a grid is over, for messages: "Position.x, y of cells of 4, among Health; without Mark".
func (w *World) describeGrid(s *GridSpec) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s.%s, %s", w.components[s.Component].name, s.X, s.Y)
	if s.Cell > 0 {
		fmt.Fprintf(&b, " of cells of %v", s.Cell)
	}
	if c := s.Carry; c.Field != "" && uint(c.Component) < uint(len(w.components)) {
		fmt.Fprintf(&b, ", carrying %s.%s", w.components[c.Component].name, c.Field)
	} else if c.Tag != "" {
		fmt.Fprintf(&b, ", carrying %s", c.Tag)
	}
	if s.Query == nil {
		return b.String()
	}
	f, what := &s.Query.filter, ", among "
	part := func(word, names string) {
		if names != "" {
			b.WriteString(what + word + names)
			what = "; "
		}
	}
	tags := func(ids []TagID) string {
		var names []string
		for _, id := range ids {
			names = append(names, w.tags[id].name)
		}
		return strings.Join(names, ", ")
	}
	part("", w.list(f.Required))
	part("any of ", w.list(f.Any))
	part("tagged ", tags(f.Tagged))
	part("without ", w.list(f.Without))
	part("untagged ", tags(f.Untagged))
	return b.String()
}

// key returns the key of the query of a grid: equal in worlds with the same declarations.
func (s *GridSpec) key() string {
	if s.Query == nil {
		return ""
	}
	return s.Query.key
}

// in returns the spec with its query in another world, which has the same declarations.
func (s GridSpec) in(w *World) GridSpec {
	if s.Query != nil {
		s.Query = Must(w.Query(s.Query.filter))
	}
	return s
}

// rowsOf returns how many rows of a table with the grid's component belong to the grid, and the match by which
// they are chosen, nil if all of them do.
func (g *Grid) rowsOf(t *Table) (n int, m *match) {
	if g.spec.Query == nil {
		return t.Len(), nil
	}
	if m = g.spec.Query.matchOf(t.id); m == nil {
		return 0, nil
	}
	if !m.inherit && g.spec.Query.rows == nil {
		return t.Len(), nil
	}
	return g.spec.Query.countRows(m, window{}), m
}

// autoCell returns the width of a cell for a grid without one: about one entity in each cell.
func autoCell(width, height float64, n int) float64 {
	cell := max(math.Sqrt(width)*math.Sqrt(height)/math.Sqrt(float64(n)), max(width, height)/float64(n))
	if cell > 0 {
		return cell
	}
	return 1
}

// members writes the query of a grid.
func (s *saver) members(q *Query) {
	f := &q.filter
	for _, list := range [][]ComponentID{f.Required, f.Optional, f.Without, f.Any} {
		s.ids(list)
	}
	for _, list := range [][]TagID{f.Tagged, f.Untagged} {
		s.count(len(list))
		for _, id := range list {
			s.number(uint64(id))
		}
	}
	s.flag(f.Exclusive)
	s.flag(f.Inherited)
}

func (l *loader) members(w *World) *Query {
	var f Filter
	for _, list := range []*[]ComponentID{&f.Required, &f.Optional, &f.Without, &f.Any} {
		for range l.count(1) {
			*list = append(*list, ComponentID(l.below(uint64(len(w.components)), "a component of a grid's query")))
		}
	}
	for _, list := range []*[]TagID{&f.Tagged, &f.Untagged} {
		for range l.count(1) {
			*list = append(*list, TagID(l.below(uint64(len(w.tags)), "a tag of a grid's query")))
		}
	}
	f.Exclusive, f.Inherited = l.flag(), l.flag()
	q, err := w.Query(f)
	l.must(err)
	return q
}
