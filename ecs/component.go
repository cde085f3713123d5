package ecs

import (
	"fmt"
	"reflect"
	"slices"
	"sync/atomic"
	"unsafe"
)

// This file declares components and gives typed access to them. A component is declared by a Go type (Register) or
// at run time (DeclareComponent); both end in declareComponent. Tables make a column for each of their components
// (table.go, which also finds the column of a component in a table).

// A ComponentID identifies a component type in its world: its place in the order of declaration, from 0. See the
// example of [ComponentInfo].
type ComponentID uint32

type componentKind uint8

const (
	dataComponent     componentKind = iota
	relationComponent               // a component whose row holds the target of a relation
)

func (k componentKind) String() string {
	if k == relationComponent {
		return "relation"
	}
	return "component"
}

// component is what a world knows about a component type. Components are the same if their names are the same; the
// layout is in the schema, whether a Go type, a config or a script declared it.
type component struct {
	id        ComponentID
	name      string
	kind      componentKind
	schema    *Schema
	pages     []*tablePage   // by table id, in pages of 64 tables: the column, and the address of its row 0
	directory unsafe.Pointer // address of the first element of pages, for look-ups without a bounds check
	lost      *removedLog    // nil until removals of the component are tracked
	slots     *slots         // those of the world, so that Get needs no look at the world
	relation  *relation      // nil for a component that is not a relation
	watch     *watch         // who observes it; nil if nobody ever has
	shown     atomic.Bool    // somebody has asked for the schema and may rely on it; loops are compiled, and ask, on several cores at a time
}

// A ComponentInfo describes a declared component.
type ComponentInfo struct {
	ID       ComponentID
	Name     string
	Schema   *Schema
	Relation bool // declared by DeclareRelation: the row holds the target, the first one if there may be many
	Many     bool // a relation with [ManyTargets]
}

// DeclareComponent declares a component with this layout and returns its id. If the name is declared already with
// the same fields, in any order, and the same defaults, the id is that of the existing component; otherwise the
// error is [ErrMismatch] and shows both layouts. A name can belong to one component, tag or relation only.
func (w *World) DeclareComponent(name string, s *Schema) (ComponentID, error) {
	if s == nil {
		return 0, fail("declare component", None, name, errNoSchema)
	}
	return w.declareComponent(name, dataComponent, s, func(c *component) error {
		if c.schema.sameFields(s) {
			return nil
		}
		return fmt.Errorf("%w: it is %s, not %s", ErrMismatch, c.schema.describe(), s.describe())
	})
}

// declareComponent returns the id of a component or relation and declares it if the name is new. check compares an
// existing one with what the caller wants; its error is returned.
func (w *World) declareComponent(name string, kind componentKind, s *Schema, check func(*component) error) (ComponentID, error) {
	made(len(w.tables) != 0, "World", "ecs.NewWorld")
	if id, ok := w.componentNames[name]; ok {
		c := w.components[id]
		err := check(c)
		if c.kind != kind {
			err = fmt.Errorf("%w: the name belongs to a %s", ErrMismatch, c.kind)
		}
		if err != nil {
			return 0, fail("declare "+kind.String(), None, name, err)
		}
		return id, nil
	}
	w.mustBeAlone()
	if name == "" {
		return 0, fail("declare "+kind.String(), None, name, fmt.Errorf("a %s needs a name", kind))
	}
	if _, taken := w.tagNames[name]; taken {
		return 0, fail("declare "+kind.String(), None, name, fmt.Errorf("%w: the name belongs to a tag", ErrMismatch))
	}
	if w.LookupIndex(name) != nil {
		return 0, fail("declare "+kind.String(), None, name, fmt.Errorf("%w: the name belongs to an index", ErrMismatch))
	}
	c := &component{id: ComponentID(len(w.components)), name: name, kind: kind, schema: s, slots: &w.slots}
	c.coverTables(len(w.tables))
	w.components = append(w.components, c)
	w.componentNames[name] = c.id
	return c.id, nil
}

// describe returns the fields with their types and defaults, for messages: {x f64, y f64 = 1}.
func (s *Schema) describe() string {
	text := "{"
	for i, f := range s.fields {
		if i > 0 {
			text += ", "
		}
		text += f.Name + " " + f.Type.String()
		if f.Default.kind != NilValue {
			text += " = " + f.Default.String()
		}
	}
	return text + "}"
}

// checkLayout returns nil if a Go type of layout s can be used for the rows of this component. Otherwise it
// returns ErrMismatch with both layouts.
func (c *component) checkLayout(s *Schema, goType string) error {
	if c.schema.sameLayout(s) {
		return nil
	}
	return fmt.Errorf("%w: it is laid out as %s (%d bytes), %s as %s (%d bytes)",
		ErrMismatch, c.schema, c.schema.size, goType, s, s.size)
}

// LookupComponent returns the id of a component or relation, false if the name is not declared.
func (w *World) LookupComponent(name string) (ComponentID, bool) {
	id, ok := w.componentNames[name]
	return id, ok
}

// ComponentInfo describes a component or relation; ok is false for an id that this world has not declared.
func (w *World) ComponentInfo(id ComponentID) (info ComponentInfo, ok bool) {
	if uint(id) >= uint(len(w.components)) {
		return ComponentInfo{}, false
	}
	c := w.components[id]
	if !c.shown.Load() {
		c.shown.Store(true)
	}
	return ComponentInfo{ID: id, Name: c.name, Schema: c.schema, Relation: c.kind == relationComponent, Many: c.relation != nil && c.relation.pairs != nil}, true
}

// ComponentNames returns the names of all components and relations in the order of declaration; a ComponentID is
// an index into it.
func (w *World) ComponentNames() []string {
	names := make([]string, len(w.components))
	for i, c := range w.components {
		names[i] = c.name
	}
	return names
}

// A Component gives typed access to one component of one world: its rows are seen as values of T. It does not
// matter how the component was declared. It is valid as long as the world.
//
// A component is a name and a [Schema]: fields of fixed types, at the offsets Go gives them in a struct. It is the
// same whether Go code, a config or a script declared it: if a config declares Position as {x f64, y f64},
// [Register] with the type struct{ X, Y float64 } gives Go code the columns as slices of that type, without a copy.
//
// Pointers, slices and rows are not handles. What [Component.Get], [Component.Slice] and [Ref.Row] return lies in a
// column and is valid until the next structural change; [World.Restore] is one, too. Keep the [Entity] instead, or a
// [Ref], which looks up its row at each access.
//
// The zero value is not usable: methods panic with a sentence. Get, Has, Write, Set, Of and WriteOf are too fast to look for it, and end in a nil dereference.
type Component[T any] struct {
	world *World
	info  *component
}

// Register declares a component with the layout of T. If a config or a script has declared the name already,
// Register checks that fields, types and offsets agree, and gives typed access to that component. [SchemaOf] says
// how the fields are named. If the layouts differ, the error is [ErrMismatch] and shows both. A type with opaque fields
// takes over a component that was declared with its visible fields, together with their defaults, as long as no entity
// has it and nobody has asked for its [ComponentInfo].
func Register[T any](w *World, name string) (Component[T], error) {
	given(w != nil, "Register", "a world")
	s, err := schemaOfType(reflect.TypeFor[T](), w.codecs)
	if err != nil {
		return Component[T]{}, fail("register component", None, name, err)
	}
	goType := reflect.TypeFor[T]().String()
	id, err := w.declareComponent(name, dataComponent, s, func(c *component) error {
		if len(s.opaque) > 0 && c.unused() && c.schema.sameVisible(s) {
			return c.become(s)
		}
		return c.checkLayout(s, goType)
	})
	if err != nil {
		return Component[T]{}, err
	}
	w.noteType(reflect.TypeFor[T](), w.components[id])
	return Component[T]{world: w, info: w.components[id]}, nil
}

// unused reports whether nothing can depend on the layout of the component: nobody has asked for it, and no table has it.
func (c *component) unused() bool {
	return !c.shown.Load() && !slices.ContainsFunc(c.pages, func(p *tablePage) bool { return p != noPage })
}

// become gives an unused component the layout of a Go type with the same visible fields, whose defaults stay.
func (c *component) become(s *Schema) error {
	for i := range s.fields {
		f := &s.fields[i]
		f.Default = c.schema.fields[c.schema.Index(f.Name)].Default
	}
	c.schema = s
	return s.finish()
}

// MustRegister is [Register] for set-up code where a mismatch is a bug: it panics on an error.
func MustRegister[T any](w *World, name string) Component[T] { return Must(Register[T](w, name)) }

// ID returns the component's id.
func (c Component[T]) ID() ComponentID {
	made(c.info != nil, "Component", "ecs.Register")
	return c.info.id
}

// Get returns the value of e for reading, nil if e is dead or lacks the component. The pointer is valid until the
// next structural change. A write through it stamps nothing: use [Component.Write] to write.
func (c Component[T]) Get(e Entity) *T {
	// The look-up is written out, and small enough to be inlined: slot, base of the column, value.
	slots := c.info.slots.all
	if i := uint32(e); uint(i) < uint(len(slots)) && slots[i].meta&liveMask == uint32(e>>32) {
		if base := c.info.baseIn(slots[i].table); base != nil {
			return (*T)(unsafe.Add(base, uintptr(slots[i].row)*unsafe.Sizeof(*new(T))))
		}
	}
	return nil
}

// Write returns the value of e for writing and marks it as changed, whether or not the caller then writes. It
// returns nil if e is dead or lacks the component. The pointer is valid until the next structural change.
func (c Component[T]) Write(e Entity) *T {
	// Written out as Get is.
	slots := c.info.slots.all
	if i := uint32(e); uint(i) < uint(len(slots)) && slots[i].meta&liveMask == uint32(e>>32) {
		sl := &slots[i]
		if col := c.info.columnIn(sl.table); col != nil {
			row, now := int(sl.row), c.world.now
			if b := col.block(row >> blockShift); b.changedNewest == now { // stampChanged, written out
				if bit := uint64(1) << (row & (blockRows - 1)); b.newestRows&bit == 0 { // a store that is not needed would hold up the next look-up in the block
					b.newestRows |= bit
				}
			} else {
				col.stampFirst(row, now)
			}
			return (*T)(unsafe.Add(col.base, uintptr(row)*unsafe.Sizeof(*new(T))))
		}
	}
	return nil
}

// Has reports whether e lives and has the component.
func (c Component[T]) Has(e Entity) bool {
	slots := c.info.slots.all // written out as Get is
	i := uint32(e)
	return uint(i) < uint(len(slots)) && slots[i].meta&liveMask == uint32(e>>32) && c.info.baseIn(slots[i].table) != nil
}

// Set writes v and stamps it. If e lacks the component, it is added. Set reports false if e is dead. Errors:
// [ErrLocked] and [ErrBytes], both only if the component has to be added.
func (c Component[T]) Set(e Entity, v T) (bool, error) {
	// Written out as Write is.
	slots := c.info.slots.all
	if i := uint32(e); uint(i) < uint(len(slots)) && slots[i].meta&liveMask == uint32(e>>32) {
		sl := &slots[i]
		if col := c.info.columnIn(sl.table); col != nil {
			row, now := int(sl.row), c.world.now
			if b := col.block(row >> blockShift); b.changedNewest == now {
				if bit := uint64(1) << (row & (blockRows - 1)); b.newestRows&bit == 0 { // a store that is not needed would hold up the next look-up in the block
					b.newestRows |= bit
				}
			} else {
				col.stampFirst(row, now)
			}
			*(*T)(unsafe.Add(col.base, uintptr(row)*unsafe.Sizeof(v))) = v
			if c.info.watch != nil {
				c.world.wrote(c.info, e)
			}
			return true, nil
		}
	}
	return c.setNew(e, v)
}

// setNew is Set for an entity that lacks the component.
func (c Component[T]) setNew(e Entity, v T) (bool, error) {
	if w := c.world; w.locks == 0 && w.observers == nil && w.one(e, c.info.id, true) {
		sl := &w.slots.all[uint32(e)]
		*(*T)(c.info.column(sl.table).at(int(sl.row))) = v // its stamps are those of a component that was added now
		return true, nil
	}
	if !c.world.Alive(e) {
		return false, nil
	}
	if c.world.locks != 0 {
		return false, fail("set", e, c.info.name, c.world.lockedBy())
	}
	c.world.holdReports()
	defer c.world.releaseReports()
	if ok, err := c.world.Add(e, c.info.id); !ok || err != nil {
		return false, err
	}
	*c.Write(e) = v
	if c.info.watch != nil {
		c.world.wrote(c.info, e)
	}
	return true, nil
}

// Modify calls fn with the value of e and marks it as changed. If e is dead or lacks the component, it reports
// false and does not call fn. Structure is locked during fn, because a structural change could move the value.
func (c Component[T]) Modify(e Entity, fn func(*T)) bool {
	made(c.info != nil, "Component", "ecs.Register")
	given(fn != nil || c.Get(e) == nil, "Component.Modify", "a function")
	p := c.Write(e)
	if p == nil {
		return false
	}
	c.modify(p, fn)
	if c.info.watch != nil {
		c.world.wrote(c.info, e)
	}
	return true
}

// modify calls fn with structure locked. In a parallel walk it is locked already, and a worker must not change the
// count.
func (c Component[T]) modify(p *T, fn func(*T)) {
	if !c.world.slots.parallel {
		c.world.locks++
		defer c.world.unlock(c.world.hold)
	}
	fn(p)
}

// Slice returns the component's column in t with t.Len() elements, nil if the table lacks it. It is valid until
// the next structural change. Writes stamp nothing: get the [Component.Column] and call [Column.Stamp],
// [Column.StampRange] or [Column.StampAll] after writing. Panics for a table of another world.
func (c Component[T]) Slice(t *Table) []T {
	made(c.info != nil, "Component", "ecs.Register")
	given(t != nil, "Component.Slice", "a table")
	if t.open != c.world {
		c.info.beforeRaw(c.world, t)
	}
	base := c.info.base(t.id)
	if base == nil {
		return nil
	}
	return unsafe.Slice((*T)(base), len(t.entities))
}

// Column returns the component's column in t, nil if the table lacks it. Panics for a table of another world.
func (c Component[T]) Column(t *Table) *Column {
	made(c.info != nil, "Component", "ecs.Register")
	given(t != nil, "Component.Column", "a table")
	if t.world != c.world {
		panic(otherWorld)
	}
	return c.info.column(t.id)
}
