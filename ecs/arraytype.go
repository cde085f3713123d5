package ecs

import (
	"errors"
	"fmt"
	"unsafe"
)

// This file has arrays: fields of a fixed number of numbers, booleans or entities, which lie in the row as in a Go array. As a [Value] an array
// is plain data, a list.

// Limits of arrays.
const (
	MaxFieldItems = 4096      // of a field of a component or an event
	MaxArrayItems = 1<<20 - 1 // of a resource
)

const arrayShift = 8

// ArrayOf returns the type of arrays of n values, laid out as a Go array of them. Panics if the values are no numbers, booleans or
// entities, or n is less than 1 or more than [MaxArrayItems].
func ArrayOf(elem FieldType, n int) FieldType {
	if !elem.inArrays() || n < 1 || n > MaxArrayItems {
		panic(fmt.Sprintf("ecs: an array of %d values of type %s", n, elem))
	}
	return elem | FieldType(n)<<arrayShift
}

// Elem returns the type of the values of an array, and t itself if it is no array.
func (t FieldType) Elem() FieldType { return t & (1<<arrayShift - 1) }

// Len returns the number of values of an array, 0 if t is no array.
func (t FieldType) Len() int { return int(t >> arrayShift) }

// arrayBytes returns the memory of a resource that counts for the limit of bytes: that of rows with arrays.
func (s *Schema) arrayBytes() int64 {
	if !s.arrays {
		return 0
	}
	return int64(s.size)
}

func (t FieldType) inArrays() bool { return t.Numeric() || t == Bool || t == EntityField }

// item returns where value k of an array begins, counted from 0.
func (f *Field) item(row unsafe.Pointer, k int) unsafe.Pointer {
	return unsafe.Add(row, f.Offset+uintptr(k)*f.Type.Elem().Size())
}

// itemDefault returns what value k of an array is in a fresh row.
func (f *Field) itemDefault(k int) Value {
	switch f.Default.kind {
	case NilValue:
		return zeroValue(f.Type)
	case TableValue:
		if v := f.Default.Data().Get(Number(float64(k + 1))); v.kind != NilValue {
			return v
		}
		return zeroValue(f.Type)
	}
	return f.Default
}

// load reads the field of a row.
func (f *Field) load(row unsafe.Pointer) Value {
	n := f.Type.Len()
	if n == 0 {
		return loadValue(unsafe.Add(row, f.Offset), f.Type)
	}
	d, values := roomFor(n)
	for k := range n {
		values = append(values, loadValue(f.item(row, k), f.Type.Elem()))
	}
	return TableOf(d.fill(values, n, nil))
}

// store writes the field of a row: see storeValue. For an array v is a list, whose missing values are those of a fresh row.
func (f *Field) store(row unsafe.Pointer, v Value) error {
	if f.Type.Len() == 0 {
		return storeValue(unsafe.Add(row, f.Offset), f.Type, v)
	}
	if err := f.Type.checkList(v); err != nil {
		return err
	}
	f.fill(row)
	d := v.Data()
	for i := range d.Len() {
		key, x := d.At(i)
		if err := storeItem(f.item(row, int(key.Float())-1), f.Type.Elem(), x); err != nil {
			panic("ecs: a checked value did not fit: " + err.Error())
		}
	}
	return nil
}

// fill gives an array the values of a fresh row.
func (f *Field) fill(row unsafe.Pointer) {
	for k := range f.Type.Len() {
		if err := storeItem(f.item(row, k), f.Type.Elem(), f.itemDefault(k)); err != nil {
			panic("ecs: default of " + f.Name + ": " + err.Error()) // finish checked it
		}
	}
}

// storeDefault writes the default of a field that has one.
func (f *Field) storeDefault(row unsafe.Pointer) error {
	if f.Type.Len() > 0 {
		f.fill(row)
		return nil
	}
	return f.store(row, f.Default)
}

// checkDefault returns why v is no default of the field, nil if it is one: for an array the value of each item, or a list.
func (f *Field) checkDefault(v Value) error {
	if f.Type.Len() > 0 && v.kind != TableValue {
		var scratch uint64
		return storeItem(unsafe.Pointer(&scratch), f.Type.Elem(), v)
	}
	return f.Type.check(v)
}

// check returns why v cannot be stored in a field of type t, nil if it can. It stores the value in scratch memory, so that there is one set of rules.
func (t FieldType) check(v Value) error {
	var scratch [2]uint64 // every field type fits
	var text string
	var data *Data
	switch {
	case t.Len() > 0:
		return t.checkList(v)
	case t == String:
		return storeValue(unsafe.Pointer(&text), String, v)
	case t == TableField:
		return storeValue(unsafe.Pointer(&data), TableField, v)
	}
	return storeValue(unsafe.Pointer(&scratch), t, v)
}

// checkList is check for arrays.
func (t FieldType) checkList(v Value) error {
	if v.kind != TableValue {
		return fmt.Errorf("list expected, got %s", v.kind)
	}
	d := v.Data()
	if n := d.Items(); n > t.Len() {
		return fmt.Errorf("a list of %d values does not fit %s", n, t)
	}
	var scratch uint64
	for i := range d.Len() {
		key, x := d.At(i)
		if k, ok := key.Int(); !ok || k < 1 || k > int64(t.Len()) {
			return t.outside(key.String())
		}
		if err := storeItem(unsafe.Pointer(&scratch), t.Elem(), x); err != nil {
			return fmt.Errorf("[%s]: %w", key, err)
		}
	}
	return nil
}

func (t FieldType) outside(key string) error {
	return fmt.Errorf("[%s] is outside of %s, whose keys are 1 to %d", key, t, t.Len())
}

// storeItem is storeValue for a value of an array, where plain data of a script or a file has entities as numbers.
func storeItem(p unsafe.Pointer, t FieldType, v Value) error {
	if t == EntityField && (v.kind == NumberValue || v.kind == IntValue) {
		if e, ok := EntityFromNumber(v.Float()); ok {
			v = EntityOf(e)
		}
	}
	return storeValue(p, t, v)
}

// Item returns value k of the array that is field i, counted from 1; the nil Value for another k.
func (r Row) Item(i, k int) Value {
	f := &r.schema.fields[i]
	if uint(k-1) >= uint(f.Type.Len()) {
		return Value{}
	}
	return loadValue(f.item(r.ptr, k-1), f.Type.Elem())
}

// SetItem writes value k of the array that is field i, counted from 1. After an error nothing is written.
func (r Row) SetItem(i, k int, v Value) error {
	f := &r.schema.fields[i]
	if err := f.inside(k); err != nil {
		return err
	}
	if r.pages != nil {
		size := f.Type.Elem().Size()
		r.pages.before(f.Offset+uintptr(k-1)*size, size)
	}
	return storeItem(f.item(r.ptr, k-1), f.Type.Elem(), v)
}

// inside returns an error if an array has no value k.
func (f *Field) inside(k int) error {
	if uint(k-1) < uint(f.Type.Len()) {
		return nil
	}
	if f.Type.Len() == 0 {
		return errors.New("it is no array")
	}
	return f.Type.outside(fmt.Sprint(k))
}

// SetItem writes value k of the array that is field i, counted from 1, and stamps the row. Its errors are those of [Ref.Set].
func (r Ref) SetItem(i, k int, v Value) error {
	made(r.world != nil, "Ref", "World.Ref")
	col, row, err := r.findToWrite()
	if err != nil {
		return err
	}
	f := &r.info.schema.fields[i]
	if err = f.inside(k); err == nil {
		if r.world.journal != nil {
			col.tell(row, row+1)
		}
		err = storeItem(f.item(col.at(row), k-1), f.Type.Elem(), v)
	}
	if err != nil {
		return fail("set", r.entity, fmt.Sprintf("%s.%s[%d]", r.info.name, f.Name, k), err)
	}
	col.stampChanged(row, r.world.now)
	if r.info.watch != nil {
		r.world.wrote(r.info, r.entity)
	}
	return nil
}
