package ecs

import (
	"unsafe"
)

// A Ref is a live view of one component of one entity: it follows the entity from table to table and never reads another entity's row.
// Every access finds the row anew (about 2 ns). A write stamps the row, also when the value is equal.
type Ref struct {
	world  *World
	info   *component
	entity Entity
}

// Ref returns a view of a component of e. It may be made before e has the component.
func (w *World) Ref(e Entity, id ComponentID) Ref {
	return Ref{world: w, info: w.component(id), entity: e}
}

// Entity returns whose component this is.
func (r Ref) Entity() Entity { return r.entity }

// Component returns which component this is.
func (r Ref) Component() ComponentID { return r.info.id }

// Schema returns the layout.
func (r Ref) Schema() *Schema { return r.info.schema }

// Row returns the component's memory for reading, its own or shared through [IsA]: [ErrDead] when the entity is dead, [ErrNoComponent]
// while it lacks the component.
func (r Ref) Row() (Row, error) {
	col, row, err := r.find("get", true)
	if err != nil {
		return Row{}, err
	}
	return Row{schema: r.info.schema, ptr: col.at(row)}, nil
}

// find returns where the component is; with inherited, also on a base.
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

// findToWrite is find for writers: the target of a relation is not to be written this way.
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

// Set writes field i and stamps the row. Errors: as for [Ref.Row], [ErrInherited] when the entity only shares the component, and a value
// that does not fit (then nothing is written).
func (r Ref) Set(i int, v Value) error {
	col, row, err := r.findToWrite()
	if err != nil {
		return err
	}
	if r.world.journal != nil {
		col.tell(row, row+1)
	}
	f := &r.info.schema.fields[i]
	if err := storeValue(unsafe.Add(col.at(row), f.Offset), f.Type, v); err != nil {
		return fail("set", r.entity, r.info.name+"."+f.Name, err)
	}
	col.stampChanged(row, r.world.now)
	return nil
}

// Number returns field i as a number, see [Row.Number].
func (r Ref) Number(i int) (float64, error) {
	col, row, err := r.find("get", true)
	if err != nil {
		return 0, err
	}
	f := &r.info.schema.fields[i]
	return loadNumber(unsafe.Add(col.at(row), f.Offset), f.Type), nil
}

// SetNumber writes a number into field i and stamps the row; errors are as for [Ref.Set].
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
	return nil
}

// A FieldValue is a value for one field, by its place in the schema.
type FieldValue struct {
	Index int
	Value Value
}

// Set writes the given fields of a component of e, adding the component first when e lacks it: its other fields at default, or at the
// base's values where it shared them through [IsA]. It reports false when e is dead. A value that does not fit is an error, and then nothing is written or added. Adding while a query loop is open
// is [ErrLocked].
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
			return false, fail("set", e, info.name+"."+info.schema.fields[fv.Index].Name, err)
		}
	}
	sl := w.slots.find(e)
	if sl == nil {
		return false, nil
	}
	if !w.tables[sl.table].mask.has(id) {
		if w.locks != 0 {
			return false, fail("set", e, info.name, ErrLocked)
		}
		mv := w.tables[sl.table].adding([]ComponentID{id})
		if err := mv.ask(w); err != nil {
			return false, fail("set", e, info.name, err)
		}
		w.migrate(e, sl, mv)
	}
	col, row := info.column(sl.table), int(sl.row)
	col.stampChanged(row, w.now)
	for _, fv := range fields {
		f := &info.schema.fields[fv.Index]
		if err := storeValue(unsafe.Add(col.at(row), f.Offset), f.Type, fv.Value); err != nil {
			panic("ecs: a checked value did not fit: " + err.Error())
		}
	}
	return true, nil
}

// check says why a value cannot go into its field, nil when it can.
func (s *Schema) check(fv FieldValue) error {
	var scratch [2]uint64 // every field type fits
	f := &s.fields[fv.Index]
	if f.Type == String || f.Type == TableField {
		var text string
		var data *Data
		if f.Type == String {
			return storeValue(unsafe.Pointer(&text), String, fv.Value)
		}
		return storeValue(unsafe.Pointer(&data), TableField, fv.Value)
	}
	return storeValue(unsafe.Pointer(&scratch), f.Type, fv.Value)
}

// Check says why a value cannot go into its field, nil when it can: for callers that check a whole set of values before they change
// anything.
func (s *Schema) Check(fv FieldValue) error { return s.check(fv) }
