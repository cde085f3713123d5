package ecs

import (
	"fmt"
	"reflect"
	"unsafe"
)

// A ComponentID identifies a component type in its world: its place in the order of declaration, from 0.
type ComponentID uint32

type componentKind uint8

const (
	dataComponent     componentKind = iota
	relationComponent               // the row holds the target
)

func (k componentKind) String() string {
	if k == relationComponent {
		return "relation"
	}
	return "component"
}

// component is what a world knows of a component type. Identity is the name; the layout is the schema, wherever it came from.
type component struct {
	id        ComponentID
	name      string
	kind      componentKind
	schema    *Schema
	pages     []*tablePage   // by table id: row 0 of the column, and the column
	directory unsafe.Pointer // the first of pages
	lost      *removedLog    // nil until somebody tracks removals
	slots     *slots         // of the world
	relation  *relation      // nil for a component that is none
}

// A ComponentInfo describes a declared component.
type ComponentInfo struct {
	ID       ComponentID
	Name     string
	Schema   *Schema
	Relation bool // declared by DeclareRelation: the row holds the target
}

// DeclareComponent declares a component with this layout. Declaring a name again with the same fields (in any order) and no other
// defaults gives the same id; anything else is [ErrMismatch] and shows both layouts. A name belongs to one component, tag or relation.
func (w *World) DeclareComponent(name string, s *Schema) (ComponentID, error) {
	return w.declareComponent(name, dataComponent, s, func(c *component) error {
		if c.schema.sameFields(s) {
			return nil
		}
		return fmt.Errorf("%w: it is %s, not %s", ErrMismatch, c.schema.describe(), s.describe())
	})
}

func (w *World) declareComponent(name string, kind componentKind, s *Schema, check func(*component) error) (ComponentID, error) {
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
	c := &component{id: ComponentID(len(w.components)), name: name, kind: kind, schema: s, slots: &w.slots}
	c.coverTables(len(w.tables))
	w.components = append(w.components, c)
	w.componentNames[name] = c.id
	return c.id, nil
}

// describe returns the layout with its defaults.
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

// checkLayout returns ErrMismatch, showing both layouts, unless a Go type of layout s can be laid over this component's rows.
func (c *component) checkLayout(s *Schema, goType string) error {
	if c.schema.sameLayout(s) {
		return nil
	}
	return fmt.Errorf("%w: it is laid out as %s (%d bytes), %s as %s (%d bytes)",
		ErrMismatch, c.schema, c.schema.size, goType, s, s.size)
}

// LookupComponent returns the id of a declared name.
func (w *World) LookupComponent(name string) (ComponentID, bool) {
	id, ok := w.componentNames[name]
	return id, ok
}

// ComponentInfo describes a component; ok is false for an id this world never gave out.
func (w *World) ComponentInfo(id ComponentID) (info ComponentInfo, ok bool) {
	if uint(id) >= uint(len(w.components)) {
		return ComponentInfo{}, false
	}
	c := w.components[id]
	return ComponentInfo{ID: id, Name: c.name, Schema: c.schema, Relation: c.kind == relationComponent}, true
}

// ComponentNames returns all declared components and relations in the order of declaration.
func (w *World) ComponentNames() []string {
	names := make([]string, len(w.components))
	for i, c := range w.components {
		names[i] = c.name
	}
	return names
}

// A Component is a component seen as the Go type T: typed access to a component of a world, however it was declared.
type Component[T any] struct {
	world *World
	info  *component
}

// Register declares the component with the layout of T, or lays T over the component of that name (from a config or a script) when
// fields, types and offsets agree: see [SchemaOf] for the names. Otherwise the error is [ErrMismatch] and shows both layouts.
func Register[T any](w *World, name string) (Component[T], error) {
	s, err := SchemaOf[T]()
	if err != nil {
		return Component[T]{}, fail("register component", None, name, err)
	}
	goType := reflect.TypeFor[T]().String()
	id, err := w.declareComponent(name, dataComponent, s, func(c *component) error {
		return c.checkLayout(s, goType)
	})
	if err != nil {
		return Component[T]{}, err
	}
	return Component[T]{world: w, info: w.components[id]}, nil
}

// MustRegister is [Register] for set-up code where a mismatch is a bug: it panics on an error.
func MustRegister[T any](w *World, name string) Component[T] {
	c, err := Register[T](w, name)
	if err != nil {
		panic(err)
	}
	return c
}

// ID returns the component's id.
func (c Component[T]) ID() ComponentID { return c.info.id }

// Get returns the value of e for reading, nil when e is dead or lacks the component. Valid until the next structural change; a write
// through it stamps nothing, see [Component.Mut].
func (c Component[T]) Get(e Entity) *T {
	// Written out, and lean enough to be inlined: slot, base of the column, value.
	slots := c.info.slots.all
	if i := uint32(e); uint(i) < uint(len(slots)) && slots[i].meta&liveMask == uint32(e>>32) {
		if base := c.info.baseIn(slots[i].table); base != nil {
			return (*T)(unsafe.Add(base, uintptr(slots[i].row)*unsafe.Sizeof(*new(T))))
		}
	}
	return nil
}

// Mut returns the value of e for writing and marks it changed, whether or not the caller writes; nil when e is dead or lacks the
// component.
func (c Component[T]) Mut(e Entity) *T {
	// Written out as Get is.
	slots := c.info.slots.all
	if i := uint32(e); uint(i) < uint(len(slots)) && slots[i].meta&liveMask == uint32(e>>32) {
		sl := &slots[i]
		if col := c.info.columnIn(sl.table); col != nil {
			row := int(sl.row)
			p := (*T)(unsafe.Add(col.base, uintptr(row)*unsafe.Sizeof(*new(T))))
			col.stampChanged(row, c.world.now)
			return p
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

// Set writes v, adding the component when e lacks it; false when e is dead. The only error is [ErrLocked], when it would have to add.
func (c Component[T]) Set(e Entity, v T) (bool, error) {
	if p := c.Mut(e); p != nil {
		*p = v
		return true, nil
	}
	if !c.world.Alive(e) {
		return false, nil
	}
	if c.world.locks != 0 {
		return false, fail("set", e, c.info.name, ErrLocked)
	}
	if ok, err := c.world.Add(e, c.info.id); !ok || err != nil {
		return false, err
	}
	*c.Mut(e) = v
	return true, nil
}

// Modify calls fn with the value of e and marks it changed; false, without a call, when e is dead or lacks the component. Structure is
// locked during fn, as the value would move.
func (c Component[T]) Modify(e Entity, fn func(*T)) bool {
	p := c.Mut(e)
	if p == nil {
		return false
	}
	if !c.world.slots.parallel { // then it is locked, and the count is not one worker's to change
		c.world.locks++
		defer c.world.unlock(c.world.hold)
	}
	fn(p)
	return true
}

// Slice returns the component's column in t, len == t.Len(), nil when the table lacks it. Valid until the next structural change;
// writes stamp nothing: use [Component.Column] and [Column.Stamp], [Column.StampRange] or [Column.StampAll] after writing. Panics for a
// table of another world.
func (c Component[T]) Slice(t *Table) []T {
	if t.open != c.world {
		c.info.beforeRaw(c.world, t)
	}
	base := c.info.base(t.id)
	if base == nil {
		return nil
	}
	return unsafe.Slice((*T)(base), len(t.entities))
}

// Column returns the component's column in t, nil when the table lacks it. Panics for a table of another world.
func (c Component[T]) Column(t *Table) *Column {
	if t.world != c.world {
		panic(otherWorld)
	}
	return c.info.column(t.id)
}
