package ecs

import (
	"fmt"
	"unsafe"
)

// A Ref is a live view of one component of one entity. It follows the entity from table to table and never reads
// another entity's row. Every access looks the row up (about 2 ns). A write stamps the row, even if the value
// stays the same.
//
// The zero value is not usable: methods panic with a sentence. Get, Set, Number, SetNumber and Row are too fast to look for it, and end in a nil dereference.
type Ref struct {
	world  *World
	info   *component
	entity Entity
}

// Ref returns a view of a component of e. The entity need not have the component yet. Panics for an id that this
// world has not declared.
func (w *World) Ref(e Entity, id ComponentID) Ref {
	return Ref{world: w, info: w.component(id), entity: e}
}

// Entity returns whose component this is.
func (r Ref) Entity() Entity { return r.entity }

// Component returns which component this is.
func (r Ref) Component() ComponentID {
	made(r.world != nil, "Ref", "World.Ref")
	return r.info.id
}

// Schema returns the layout.
func (r Ref) Schema() *Schema {
	made(r.world != nil, "Ref", "World.Ref")
	return r.info.schema
}

// Row returns the component for reading: the entity's own, or the one that it shares through [IsA]. It is valid
// until the next structural change. Errors: [ErrDead]; [ErrNoComponent] if the entity lacks the component.
func (r Ref) Row() (Row, error) {
	col, row, err := r.find("get", true)
	if err != nil {
		return Row{}, err
	}
	return Row{schema: r.info.schema, ptr: col.at(row)}, nil
}

// find returns where the component is stored. With inherited, a component on a base counts, too; without, it is
// ErrInherited. op names the operation in errors.
func (r Ref) find(op string, inherited bool) (*Column, int, error) {
	sl := r.world.slots.find(r.entity)
	if sl == nil {
		return nil, 0, fail(op, r.entity, r.info.name, ErrDead)
	}
	if col := r.info.column(sl.table); col != nil {
		return col, int(sl.row), nil
	}
	if col, row := r.world.shared(r.info, sl); col != nil {
		if inherited {
			return col, row, nil
		}
		return nil, 0, fail(op, r.entity, r.info.name, ErrInherited)
	}
	return nil, 0, fail(op, r.entity, r.info.name, ErrNoComponent)
}

// findToWrite is find for writers. The target of a relation cannot be written this way: Relate does that.
func (r Ref) findToWrite() (*Column, int, error) {
	if r.info.relation != nil {
		return nil, 0, fail("set", r.entity, r.info.name, errTarget)
	}
	return r.find("set", false)
}

// Get returns field i of the schema.
func (r Ref) Get(i int) (Value, error) {
	row, err := r.Row()
	if err != nil {
		return Value{}, err
	}
	return row.Get(i), nil
}

// Set writes field i and stamps the row. Errors: those of [Ref.Row]; [ErrInherited] if the entity only shares the
// component; a value that does not fit. After an error nothing is written.
func (r Ref) Set(i int, v Value) error {
	col, row, err := r.findToWrite()
	if err != nil {
		return err
	}
	if r.world.journal != nil {
		col.tell(row, row+1)
	}
	f := &r.info.schema.fields[i]
	if err := f.store(col.at(row), v); err != nil {
		return fail("set", r.entity, r.info.name+"."+f.Name, err)
	}
	col.stampChanged(row, r.world.now)
	if r.info.watch != nil {
		r.world.wrote(r.info, r.entity)
	}
	return nil
}

// Number returns field i as a number, see [Row.Number]. Its errors are those of [Ref.Row].
func (r Ref) Number(i int) (float64, error) {
	col, row, err := r.find("get", true)
	if err != nil {
		return 0, err
	}
	f := &r.info.schema.fields[i]
	return loadNumber(unsafe.Add(col.at(row), f.Offset), f.Type), nil
}

// SetNumber writes a number into field i and stamps the row. Its errors are those of [Ref.Set].
func (r Ref) SetNumber(i int, v float64) error {
	col, row, err := r.findToWrite()
	if err != nil {
		return err
	}
	if r.world.journal != nil {
		col.tell(row, row+1)
	}
	f := &r.info.schema.fields[i]
	if err := storeNumber(unsafe.Add(col.at(row), f.Offset), f.Type, v); err != nil {
		return fail("set", r.entity, r.info.name+"."+f.Name, err)
	}
	col.stampChanged(row, r.world.now)
	if r.info.watch != nil {
		r.world.wrote(r.info, r.entity)
	}
	return nil
}

// A FieldValue is a value for one field, named by its index in [Schema.Fields]. See the example of [World.Set].
type FieldValue struct {
	Index int
	Value Value
}

// Set writes the given fields of a component of e and stamps the row. If e lacks the component, it is added first;
// its other fields get the values that e has shared through [IsA], or their defaults. Set reports false if e is
// dead. Errors: a value that does not fit; [ErrUnknown]; [ErrLocked] and [ErrBytes] if the component would have to
// be added. After an error nothing is written or added.
func (w *World) Set(e Entity, id ComponentID, fields ...FieldValue) (bool, error) {
	if uint(id) >= uint(len(w.components)) {
		return false, fail("set", e, "", ErrUnknown)
	}
	info := w.components[id]
	if info.relation != nil {
		return false, fail("set", e, info.name, errTarget)
	}
	for _, fv := range fields {
		if err := info.schema.check(fv); err != nil {
			return false, fail("set", e, info.schema.of(info.name, fv), err)
		}
	}
	sl := w.slots.find(e)
	if sl == nil {
		return false, nil
	}
	if !w.tables[sl.table].mask.has(id) {
		if w.locks != 0 {
			return false, fail("set", e, info.name, w.lockedBy())
		}
		mv := w.tables[sl.table].adding([]ComponentID{id})
		if err := mv.ask(w); err != nil {
			return false, fail("set", e, info.name, err)
		}
		if w.observers != nil {
			w.holdReports()
			defer w.releaseReports()
		}
		w.shift(e, sl, mv)
	}
	col, row := info.column(sl.table), int(sl.row)
	col.stampChanged(row, w.now)
	for _, fv := range fields {
		f := &info.schema.fields[fv.Index]
		if err := f.store(col.at(row), fv.Value); err != nil {
			panic("ecs: a checked value did not fit: " + err.Error())
		}
	}
	if info.watch != nil {
		w.wrote(info, e)
	}
	return true, nil
}

// check returns nil if the value can be stored in its field, and otherwise why not.
func (s *Schema) check(fv FieldValue) error {
	if uint(fv.Index) >= uint(len(s.fields)) {
		return fmt.Errorf("there is no field %d; the last one is %d", fv.Index, len(s.fields)-1)
	}
	return s.fields[fv.Index].Type.check(fv.Value)
}

// of names the field of a value, of what is called name.
func (s *Schema) of(name string, fv FieldValue) string {
	if uint(fv.Index) >= uint(len(s.fields)) {
		return name
	}
	return name + "." + s.fields[fv.Index].Name
}

// Check returns nil if the value can be stored in its field, and otherwise why not. It is for callers that check
// several values before they change anything.
func (s *Schema) Check(fv FieldValue) error { return s.check(fv) }

// A Finder finds one component for any entity. It is for compiled loops and other code that looks up many
// entities. It is valid as long as its world.
//
// The zero value is not usable. The methods are too fast to look for it, and end in a nil dereference.
type Finder struct {
	world *World
	info  *component
}

// A Place says where a component of an entity is stored. If the entity shares the component through [IsA], Table is
// -1 and the memory may only be read. A Place is valid until the next structural change. See the example of
// [Finder].
type Place struct {
	Memory     unsafe.Pointer // address of the component; nil if the entity is dead or lacks it
	Table, Row int
}

// Find returns where the component of e is stored; the zero Place if e is dead or lacks it.
func (f Finder) Find(e Entity) Place {
	sl := f.world.slots.find(e)
	if sl == nil {
		return Place{}
	}
	if base := f.info.base(sl.table); base != nil {
		return Place{unsafe.Add(base, uintptr(sl.row)*f.info.schema.size), int(sl.table), int(sl.row)}
	}
	if f.world.isA == nil {
		return Place{}
	}
	col, row := f.world.shared(f.info, sl)
	if col == nil {
		return Place{}
	}
	return Place{col.at(row), -1, row}
}

// Column returns the column of the component in the table with this [Table.ID], nil if the table lacks it.
func (f Finder) Column(table int) *Column { return f.info.column(uint32(table)) }
