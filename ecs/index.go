package ecs

import (
	"fmt"
	"slices"
	"strings"
	"unsafe"
)

// An index finds entities by the values of fields of one component. Its places are the values that the fields have: the cells of a
// grid, or any combination of integers, strings and entities. Each place has a list of its entities, threaded by slot, in the
// order of their arrival. That order is state; the place of an entity follows from its values.

const (
	// MaxIndexFields is the largest number of fields of an index.
	MaxIndexFields = 4
	// MaxIndexPlaces is the largest product of the width and the height of an index.
	MaxIndexPlaces = 1 << 26
)

// An IndexSpec describes an index. See the example of [Index].
type IndexSpec struct {
	Name          string
	Component     string   // no relation
	Fields        []string // 1 to MaxIndexFields of them: integers, strings or entities
	Width, Height int      // 0, or the size of the area in which two integer fields, x and y, are places
	Wrap          bool     // places outside are those of the other side; needs a size
}

// An Index finds entities by values. Who has the component is in the place that the values of its fields say, and in no place where they
// lie outside of the size of the index. Only own components count, none that is shared through [IsA].
//
// An entity arrives at a place when it gets the component, and when a write changes its place. Setters, commands and scripts write at once.
// What code writes through pointers and slices arrives when the turn ends, in the order of tables and rows, provided that it is stamped, or
// earlier with [Index.Update].
//
// Each method that takes values takes one for each field. Errors: another number of values, a value of another kind, a number with a fraction.
// Handles stay valid as long as the world, also across [World.Restore].
type Index struct {
	world   *World
	spec    IndexSpec
	info    *component
	fields  []*Field
	query   *Query // of the component
	entries slotPages[indexEntry]
	indexPlaces
	spare []*IndexWalk // for reuse
	wrote Tick         // of the last turn in which an entity arrived or left
}

// DeclareIndex declares an index. If there is one of that name with the same spec, it is returned; with another spec the error is [ErrMismatch], as
// for a name that a component, relation or tag has. The entities that are there arrive in the order of tables and rows. [ErrUnknown]: no such
// component. [ErrBytes]: there is no room for it.
func (w *World) DeclareIndex(spec IndexSpec) (*Index, error) {
	made(len(w.tables) != 0, "World", "ecs.NewWorld")
	refused := func(err error) (*Index, error) { return nil, fail("declare index", None, spec.Name, err) }
	if x := w.LookupIndex(spec.Name); x != nil {
		if !x.spec.same(spec) {
			return refused(fmt.Errorf("%w: it is %s, not %s", ErrMismatch, x.spec, spec))
		}
		return x, nil
	}
	if err := w.checkIndex(spec); err != nil {
		return refused(err)
	}
	w.mustBeAlone()
	x := w.newIndex(spec)
	if uint64(x.spec.bytes()+x.rowBytes()) > Raw.BytesLeft(w) {
		return refused(w.full())
	}
	x.begin()
	x.sync(false)
	return x, nil
}

// checkIndex returns what is wrong with a spec, nil if nothing is.
func (w *World) checkIndex(spec IndexSpec) error {
	if spec.Name == "" {
		return fmt.Errorf("an index needs a name")
	}
	if id, taken := w.componentNames[spec.Name]; taken {
		return fmt.Errorf("%w: the name belongs to a %s", ErrMismatch, w.components[id].kind)
	}
	if _, taken := w.tagNames[spec.Name]; taken {
		return fmt.Errorf("%w: the name belongs to a tag", ErrMismatch)
	}
	id, known := w.componentNames[spec.Component]
	if !known {
		return unknown("component", spec.Component)
	}
	info := w.components[id]
	if info.relation != nil {
		return fmt.Errorf("%q is a relation; an index needs a component", spec.Component)
	}
	if n := len(spec.Fields); n < 1 || n > MaxIndexFields {
		return fmt.Errorf("an index has 1 to %d fields, not %d", MaxIndexFields, n)
	}
	for i, name := range spec.Fields {
		at := info.schema.Index(name)
		if at < 0 {
			return fmt.Errorf("%q has no field %q", spec.Component, name)
		}
		if t := info.schema.fields[at].Type; !indexable(t) {
			return fmt.Errorf("field %q is %s; an index takes integers, strings and entities", name, t)
		}
		if slices.Contains(spec.Fields[:i], name) {
			return fmt.Errorf("field %q is named twice", name)
		}
	}
	return spec.checkSize(func(i int) FieldType { return info.schema.fields[info.schema.Index(spec.Fields[i])].Type })
}

// indexable reports whether an index may have a field of the type.
func indexable(t FieldType) bool {
	_, _, integer := t.Range()
	return integer || t == String || t == EntityField
}

// checkSize returns what is wrong with the size of an index; typeOf returns the type of a field.
func (s IndexSpec) checkSize(typeOf func(field int) FieldType) error {
	switch {
	case s.Width == 0 && s.Height == 0 && !s.Wrap:
		return nil
	case s.Width == 0 && s.Height == 0:
		return fmt.Errorf("wrap needs width and height")
	case s.Width < 1 || s.Height < 1 || s.Width > MaxIndexPlaces || s.Height > MaxIndexPlaces/s.Width:
		return fmt.Errorf("%d × %d places; both must be at least 1, and the product at most %d", s.Width, s.Height, MaxIndexPlaces)
	case len(s.Fields) != 2:
		return fmt.Errorf("width and height need two fields, x and y, not %d", len(s.Fields))
	}
	for i, name := range s.Fields {
		if t := typeOf(i); !t.Numeric() {
			return fmt.Errorf("width and height need two integer fields, and %q is %s", name, t)
		}
	}
	return nil
}

// newIndex makes an index whose spec is right, which the world does not know yet.
func (w *World) newIndex(spec IndexSpec) *Index {
	spec.Fields = slices.Clone(spec.Fields)
	x := &Index{world: w, spec: spec, info: w.components[w.componentNames[spec.Component]], entries: newSlotPages(&noEntries, nil)}
	texts := 0
	for _, name := range spec.Fields {
		f := &x.info.schema.fields[x.info.schema.Index(name)]
		if x.fields = append(x.fields, f); f.Type == String {
			texts++
		}
	}
	x.indexPlaces = indexPlaces{memory: w.options.Memory, width: len(spec.Fields), textual: texts > 0}
	return x
}

// begin makes the index one of the world, without entities.
func (x *Index) begin() {
	w := x.world
	q, err := w.Query(Filter{Required: []ComponentID{x.info.id}})
	if err != nil {
		panic("ecs: the component of an index is refused: " + err.Error())
	}
	x.query = q
	w.bytes.Add(x.spec.bytes() + x.rowBytes())
	if n := x.spec.Width * x.spec.Height; n > 0 {
		x.memory = w.memory
		x.heads = room(w.memory, x.heads, &x.owned[0], n)[:n]
		x.ends = room(w.memory, x.ends, &x.owned[1], n)[:n]
		x.entries.memory = w.memory
	}
	w.indexes = append(w.indexes, x)
	w.heap.elseRows.Add(x.rowBytes())
	if x.info.watch == nil {
		x.info.watch = &watch{}
	}
	x.info.watch.indexes = append(x.info.watch.indexes, x)
	w.observing().recount()
}

// bytes returns the memory of the places of an index with a size.
func (s IndexSpec) bytes() int64 {
	return int64(s.Width) * int64(s.Height) * int64(unsafe.Sizeof(None)+unsafe.Sizeof(indexEnd{}))
}

// entryBytes returns how many bytes count for each row of a table with the component: the entry of its entity, and a place of its own.
func (s IndexSpec) entryBytes() int64 {
	n := int64(unsafe.Sizeof(indexEntry{}))
	if s.Width == 0 {
		n += int64(unsafe.Sizeof(None)+unsafe.Sizeof(indexEnd{})) + int64(len(s.Fields))*24 + 16
	}
	return n
}

// rowBytes returns the bytes that count for the rows that there is memory for.
func (x *Index) rowBytes() (n int64) {
	for _, t := range x.world.tables {
		if x.info.column(t.id) != nil {
			n += int64(t.capacity) * x.spec.entryBytes()
		}
	}
	return n
}

// same reports whether two specs describe the same index.
func (s IndexSpec) same(o IndexSpec) bool {
	return s.Component == o.Component && slices.Equal(s.Fields, o.Fields) && s.Width == o.Width && s.Height == o.Height && s.Wrap == o.Wrap
}

// String returns the spec as messages show it: Cell.x, Cell.y of 100 × 100, wrapped.
func (s IndexSpec) String() string {
	names := make([]string, len(s.Fields))
	for i, f := range s.Fields {
		names[i] = s.Component + "." + f
	}
	text := strings.Join(names, ", ")
	if s.Width > 0 {
		text += fmt.Sprintf(" of %d × %d", s.Width, s.Height)
	}
	if s.Wrap {
		text += ", wrapped"
	}
	return text
}

// LookupIndex returns the index of that name, nil if there is none.
func (w *World) LookupIndex(name string) *Index {
	for _, x := range w.indexes {
		if x.spec.Name == name {
			return x
		}
	}
	return nil
}

// IndexesOf returns the indexes of a component in the order of declaration. Do not change the list.
func (w *World) IndexesOf(id ComponentID) []*Index {
	if at := w.component(id).watch; at != nil {
		return at.indexes
	}
	return nil
}

// IndexNames returns the names of all indexes in the order of declaration.
func (w *World) IndexNames() []string {
	names := make([]string, len(w.indexes))
	for i, x := range w.indexes {
		names[i] = x.spec.Name
	}
	return names
}

// Spec returns what the index was declared with. Do not change its list of fields.
func (x *Index) Spec() IndexSpec { return x.spec }

// FieldType returns the type of field i of the index.
func (x *Index) FieldType(i int) FieldType {
	made(x.world != nil, "Index", "World.DeclareIndex")
	return x.fields[i].Type
}

// AreaPlaces returns a bound for how many places or entities [Index.Around] looks at, for callers that charge for it.
func (x *Index) AreaPlaces(r int) int {
	if n := 2*min(r, 1<<20) + 1; n*n < len(x.heads) {
		return n * n
	}
	return len(x.heads)
}

// At returns the entity that was the first to arrive at a place of those that are there; [None] if nobody is. It costs O(1).
func (x *Index) At(values ...Value) (Entity, error) {
	place, err := x.placeOf(values)
	if err != nil || place == 0 {
		return None, err
	}
	return x.heads[place-1], nil
}

// Count returns how many entities are at a place. It costs O(1).
func (x *Index) Count(values ...Value) (int, error) {
	place, err := x.placeOf(values)
	if err != nil || place == 0 {
		return 0, err
	}
	return int(x.ends[place-1].count), nil
}

func (x *Index) wrong(format string, args ...any) error {
	return fmt.Errorf("index %q: %w", x.spec.Name, fmt.Errorf(format, args...))
}
