package ecs

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"
	"unsafe"
)

// This file makes typed queries: it finds the components of Go types, and tells types that are written from those
// that are only read, or are optional. walk.go walks the queries; zz_query.go has what differs in the number of types only.

//go:generate go run ./internal/gen

// typedTerms is the largest number of types of a typed query.
const typedTerms = 8

// Mut as a type of a typed query says that the walk may write the component: every entity that it visits counts as
// changed. V is the value; in memory a Mut is a T. See the example of [Query3].
type Mut[T any] struct{ V T }

// mutable returns the type of the component.
func (*Mut[T]) mutable() reflect.Type { return reflect.TypeFor[T]() }

// A typed is what typed queries of all numbers of types have in common.
type typed struct {
	world  *World
	types  int
	term   [typedTerms]int // of each type: the index of its term in the query
	most   [typedTerms]int // of each type: rows of a run whose table lacks the component; 0 if the query asks for it
	writes []int           // indexes of the terms that are written
	needs  []int           // those of them that the query asks for
	own    *walk           // the walk that goes the short way; nil before the first one
	spare  *walk           // other walks that are not open, linked by spare
	whole  bool            // no type is optional, and there are no conditions on rows, see walkwhole.go
}

// A typedTerm is one type of a typed query.
type typedTerm struct {
	of     reflect.Type
	writes bool
	maybe  bool
}

func termOf[T any]() typedTerm {
	switch r := any((*T)(nil)).(type) {
	case interface{ mutable() reflect.Type }:
		return typedTerm{of: r.mutable(), writes: true}
	case interface{ optional() typedTerm }:
		t := r.optional()
		t.maybe = true
		return t
	default:
		return typedTerm{of: reflect.TypeFor[T]()}
	}
}

// typedQuery makes the query of these types. The conditions of all filters hold.
func (w *World) typedQuery(filters []Filter, terms ...typedTerm) (*Query, typed, error) {
	given(w != nil, "NewQuery", "a world")
	t := typed{world: w, types: len(terms)}
	var f Filter
	for i, term := range terms {
		if isMaybe(term.of) {
			return nil, t, fail("query", None, "", fmt.Errorf("the type %s is inside a Mut; write Maybe[Mut[T]] for a component that is optional and written", term.of))
		}
		c, err := w.componentOf(term.of)
		if err != nil {
			return nil, t, fail("query", None, "", err)
		}
		if term.maybe {
			t.term[i], t.most[i] = len(f.Optional), absentRows(term.of)
			f.Optional = append(f.Optional, c.id)
		} else {
			t.term[i] = len(f.Required)
			f.Required = append(f.Required, c.id)
		}
	}
	var where []*Expr
	for _, o := range filters {
		f.Required, f.Optional = append(f.Required, o.Required...), append(f.Optional, o.Optional...)
		f.Without, f.Tagged, f.Untagged = append(f.Without, o.Without...), append(f.Tagged, o.Tagged...), append(f.Untagged, o.Untagged...)
		f.Inherited, f.Exclusive, f.Prefabs = f.Inherited || o.Inherited, f.Exclusive || o.Exclusive, f.Prefabs || o.Prefabs
		if o.Where != nil {
			where = append(where, o.Where)
		}
		for _, list := range []struct {
			all, more *[]ComponentID
			test      func(ComponentID) *Expr
		}{{&f.Any, &o.Any, Contains}, {&f.Changed, &o.Changed, Changed}, {&f.Added, &o.Added, Added}} {
			if len(*list.all) == 0 {
				*list.all = *list.more
			} else if len(*list.more) > 0 { // of each list at least one must hold
				where = append(where, Or(exprs(*list.more, list.test)...))
			}
		}
	}
	if len(where) == 1 {
		f.Where = where[0]
	} else if len(where) > 1 {
		f.Where = And(where...)
	}
	for i, term := range terms {
		if term.maybe {
			t.term[i] += len(f.Required)
		}
		if term.writes {
			t.writes = append(t.writes, t.term[i])
		}
		if term.writes && !term.maybe {
			t.needs = append(t.needs, t.term[i])
		}
	}
	q, err := w.Query(f)
	t.whole = err == nil && q.rows == nil && !slices.ContainsFunc(terms, func(t typedTerm) bool { return t.maybe })
	return q, t, err
}

// A keptQuery is a typed query that the world has made. It is returned again when the same types and filters are asked for,
// so that a system may make its query anew in each frame.
type keptQuery struct {
	typed any // the *Query1 to *Query8
	query *Query
	infos []*component // of the terms
}

// A typedKey says of what a typed query was made.
type typedKey struct {
	of      reflect.Type
	filters string // Filter.appendKey of each
}

// typedAgain returns the typed query of a Go type and filters that was kept, nil if there is none or it was forgotten.
func (w *World) typedAgain(of reflect.Type, filters []Filter) any {
	var buf [256]byte
	kept := w.typedQueries[typedKey{of, string(filterKeys(buf[:0], filters))}]
	if kept.query == nil {
		return nil
	}
	for _, c := range kept.infos {
		if int(c.id) >= len(w.components) || w.components[c.id] != c {
			return nil // taken back since
		}
	}
	w.mustBeAlone()
	kept.query.another()
	return kept.typed
}

func filterKeys(key []byte, filters []Filter) []byte {
	for i := range filters {
		from := len(key)
		key = filters[i].appendKey(key)
		key = binary.LittleEndian.AppendUint32(key, uint32(len(key)-from)) // where it begins, seen from the end
	}
	return key
}

// keepTyped keeps a typed query for typedAgain.
func (w *World) keepTyped(of reflect.Type, filters []Filter, made any, q *Query) {
	if w.typedQueries == nil {
		w.typedQueries = map[typedKey]keptQuery{}
	}
	kept := keptQuery{typed: made, query: q}
	for _, id := range q.terms {
		kept.infos = append(kept.infos, w.components[id])
	}
	w.typedQueries[typedKey{of, string(filterKeys(nil, filters))}] = kept
}

func exprs(ids []ComponentID, test func(ComponentID) *Expr) []*Expr {
	var list []*Expr
	for _, id := range ids {
		list = append(list, test(id))
	}
	return list
}

// ownsWritten reports whether the table of a match has the columns that are written and not optional. If it lacks one,
// its entities share the component with a base, and what is shared must not be written.
func (t *typed) ownsWritten(m *match) bool {
	return !slices.ContainsFunc(t.needs, func(i int) bool { return m.cols[i] == nil })
}

// lacks reports whether the table of a match lacks the column of a type.
func (t *typed) lacks(m *match) bool {
	return slices.ContainsFunc(t.term[:t.types], func(i int) bool { return m.cols[i] == nil })
}

// noteType records that a Go type was registered for a component.
func (w *World) noteType(of reflect.Type, c *component) {
	if w.goTypes == nil {
		w.goTypes = map[reflect.Type][]*component{}
	}
	if !slices.Contains(w.goTypes[of], c) {
		w.goTypes[of] = append(w.goTypes[of], c)
		clear(w.typedQueries) // a type of several components is refused from now on
	}
}

// componentOf returns the component of a registered Go type. Errors: [ErrUnknown] if the type was not registered in
// this world, [ErrMismatch] if it was for several components.
func (w *World) componentOf(of reflect.Type) (*component, error) {
	var found *component
	for _, c := range w.goTypes[of] {
		if int(c.id) >= len(w.components) || w.components[c.id] != c {
			continue // taken back since
		}
		if found != nil {
			return nil, fmt.Errorf("%w: the Go type %s is registered as %s and as %s; give each component a type of its own", ErrMismatch, of, found.name, c.name)
		}
		found = c
	}
	if found == nil {
		return nil, fmt.Errorf("%w: no component of the Go type %s in this world; call Register first", ErrUnknown, of)
	}
	return found, nil
}

// The rest of this file has the optional types of typed queries. A walk hands out columns as they lie in memory, so an entity
// without the component needs an address, too: that of absent, which is never read or written. A run of such entities
// is no longer than absent is large.

// absentBytes is the size of absent. As it is never touched, it takes no memory.
const absentBytes = 256 << 10

// absent is where the values of tables without an optional component lie.
var absent [absentBytes / 8]uint64

// Maybe as a type of a typed query says that some of the entities lack the component: the query does not ask for it.
// Maybe[Mut[T]] says that the walk may write it where there is one, and then stamps it. Do not assign to a Maybe. In
// memory it is a T.
type Maybe[T any] struct{ value T }

// Get returns the component, nil if the entity lacks it. It stays valid as long as the pointer or slice that the walk
// has returned.
func (m *Maybe[T]) Get() *T {
	if uintptr(unsafe.Pointer(m))-uintptr(unsafe.Pointer(&absent)) < absentBytes {
		return nil
	}
	return &m.value
}

func (*Maybe[T]) optional() typedTerm { return termOf[T]() }

// isMaybe reports whether the type of a component is a Maybe: then it stands inside a Mut.
func isMaybe(of reflect.Type) bool {
	_, ok := reflect.Zero(reflect.PointerTo(of)).Interface().(interface{ optional() typedTerm })
	return ok
}

// absentRows returns how many values of a type lie in absent, at least one.
func absentRows(of reflect.Type) int { return absentBytes / max(1, min(absentBytes, int(of.Size()))) }
