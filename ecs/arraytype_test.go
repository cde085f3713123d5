package ecs

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

type slotted struct {
	Slots [3]Entity
	Heat  [4]float32
	Small [2]uint8
	Flags [2]bool
	Wide  [2]int64
}

func slottedFields() []Field {
	return []Field{
		{Name: "slots", Type: ArrayOf(EntityField, 3)},
		{Name: "heat", Type: ArrayOf(F32, 4), Default: Number(1)},
		{Name: "small", Type: ArrayOf(U8, 2), Default: listOf(Number(7))},
		{Name: "flags", Type: ArrayOf(Bool, 2)},
		{Name: "wide", Type: ArrayOf(I64, 2)},
	}
}

// sure panics with an error.
func sure(err error) {
	if err != nil {
		panic(err)
	}
}

func listOf(values ...Value) Value {
	entries := make([]DataEntry, len(values))
	for i, v := range values {
		entries[i] = DataEntry{Number(float64(i + 1)), v}
	}
	return TableOf(Must(NewData(entries)))
}

// The name of an array type is that from which it is parsed, and says its size.
func TestArrayTypes(t *testing.T) {
	t.Parallel()
	for _, elem := range allFieldTypes {
		name := elem.String() + "[12]"
		got, ok := ParseFieldType(name)
		if ok != elem.inArrays() {
			t.Errorf("%s: parsed %v", name, ok)
		}
		if !ok {
			continue
		}
		if got != ArrayOf(elem, 12) || got.String() != name || got.Elem() != elem || got.Len() != 12 || got.Size() != 12*elem.Size() || got.Numeric() || !got.pointerFree() {
			t.Errorf("%s is %v of %d bytes", name, got, got.Size())
		}
		if _, _, ranged := got.Range(); ranged {
			t.Errorf("%s has a range", name)
		}
	}
	for _, name := range []string{"u8[0]", "u8[]", "u8[-1]", "u8[1", "u8]", "u8[1048576]", "u8[+1]", "u8[2][2]", "string[2]", "table[2]", "x[2]", "[2]", "u8[2]x", "u8[1.5]"} {
		if _, ok := ParseFieldType(name); ok {
			t.Errorf("%s is a type", name)
		}
	}
	if _, err := NewSchema(Field{Name: "a", Type: ArrayOf(U8, MaxFieldItems+1)}); err == nil || !strings.Contains(err.Error(), "4097 values: at most 4096") {
		t.Errorf("got %v", err)
	}
}

// Go code sees an array field as a Go array, whoever declared it.
func TestArraysInGo(t *testing.T) {
	t.Parallel()
	for _, first := range []bool{true, false} {
		w := NewWorld(Options{})
		id := ComponentID(0)
		declare := func() { id = must[ComponentID](t)(w.DeclareComponent("Bag", Must(NewSchema(slottedFields()...)))) }
		var bag Component[slotted]
		if first {
			bag = must[Component[slotted]](t)(Register[slotted](w, "Bag"))
			id = bag.ID()
		} else {
			declare()
			bag = must[Component[slotted]](t)(Register[slotted](w, "Bag"))
		}
		e := must[Entity](t)(w.Spawn(id))
		ref := w.Ref(e, id)
		got := bag.Get(e)
		if want := (slotted{Heat: [4]float32{1, 1, 1, 1}, Small: [2]uint8{7, 0}}); !first && *got != want {
			t.Errorf("fresh: %+v", *got)
		}
		for _, err := range []error{ref.SetItem(0, 3, EntityOf(e)), ref.SetItem(1, 2, Number(2.5)), ref.SetItem(2, 1, Int(255)), ref.SetItem(3, 2, Boolean(true)), ref.SetItem(4, 1, Int(-1<<62)), ref.SetItem(0, 1, Value{}), ref.SetItem(0, 2, Number(float64(e)))} {
			if err != nil {
				t.Error(err)
			}
		}
		want := slotted{Slots: [3]Entity{None, e, e}, Heat: [4]float32{1, 2.5, 1, 1}, Small: [2]uint8{255, 0}, Flags: [2]bool{false, true}, Wide: [2]int64{-1 << 62, 0}}
		if first {
			want.Heat = [4]float32{0, 2.5, 0, 0}
		}
		if *got != want {
			t.Errorf("got %+v, want %+v", *got, want)
		}
		row, _ := ref.Row()
		if v := row.Item(4, 1); !v.Equal(Int(-1 << 62)) {
			t.Errorf("got %v", v)
		}
		for _, k := range []int{0, 4, -1} {
			if v := row.Item(0, k); v.Kind() != NilValue {
				t.Errorf("item %d is %v", k, v)
			}
			if err := ref.SetItem(0, k, Value{}); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("[%d] is outside of entity[3], whose keys are 1 to 3", k)) {
				t.Errorf("item %d: %v", k, err)
			}
		}
		if err := ref.SetNumber(1, 3); err == nil {
			t.Error("a number is an array")
		}
	}
}

// A list that is stored takes the defaults for what it lacks. What does not fit is an error, after which nothing has changed.
func TestListsForArrays(t *testing.T) {
	t.Parallel()
	w := NewWorld(Options{})
	id := must[ComponentID](t)(w.DeclareComponent("Bag", Must(NewSchema(slottedFields()...))))
	e := must[Entity](t)(w.Spawn(id))
	for _, c := range []struct {
		field int
		list  Value
		want  string // the value afterwards, or part of the error
	}{
		{1, listOf(Number(5), Number(6)), "{5, 6, 1, 1}"},
		{1, listOf(), "{1, 1, 1, 1}"},
		{2, listOf(), "{7, 0}"},
		{2, listOf(Number(1)), "{1, 0}"},
		{1, listOf(Number(1), Number(1), Number(1), Number(1), Number(1)), "a list of 5 values does not fit f32[4]"},
		{1, TableOf(Must(NewData([]DataEntry{{Number(5), Number(1)}}))), "[5] is outside of f32[4]"},
		{1, TableOf(Must(NewData([]DataEntry{{Text("x"), Number(1)}}))), `["x"] is outside`},
		{1, TableOf(Must(NewData([]DataEntry{{Number(3), Number(8)}}))), "{1, 1, 8, 1}"},
		{2, listOf(Number(1), Number(256)), "[2]: 256 does not fit u8"},
		{3, listOf(Number(1)), "[1]: boolean expected"},
		{0, listOf(Text("x")), "[1]: entity expected"},
		{0, Number(1), "list expected, got number"},
	} {
		ref := w.Ref(e, id)
		before, _ := ref.Get(c.field)
		err := ref.Set(c.field, c.list)
		after, _ := ref.Get(c.field)
		if err == nil && after.String() != c.want || err != nil && (!strings.Contains(err.Error(), c.want) || !after.Equal(before)) {
			t.Errorf("field %d = %s: %s, %v; want %s", c.field, c.list, after, err, c.want)
		}
		other := must[Entity](t)(w.Spawn())
		if _, setErr := w.Set(other, id, FieldValue{c.field, c.list}); (setErr == nil) != (err == nil) {
			t.Errorf("set: %v, %v", setErr, err)
		}
	}
}

// Snapshots, digests, copies and differences have the values of arrays.
func TestStateOfArrays(t *testing.T) {
	t.Parallel()
	build := func(change func(w *World, e Entity, bag ComponentID, res Row)) *World {
		w := NewWorld(Options{})
		id := must[ComponentID](t)(w.DeclareComponent("Bag", Must(NewSchema(slottedFields()...))))
		text := must[ComponentID](t)(w.DeclareComponent("Text", Must(NewSchema(Field{Name: "text", Type: String}, Field{Name: "list", Type: ArrayOf(I16, 3)}))))
		e := must[Entity](t)(w.Spawn(id, text))
		res := must[ResourceID](t)(w.DeclareResource("map", ArrayOf(U8, 5000), Number(3)))
		change(w, e, id, w.Resource(res))
		return w
	}
	plain := build(func(*World, Entity, ComponentID, Row) {})
	for name, c := range map[string]struct {
		change func(w *World, e Entity, bag ComponentID, res Row)
		want   string
	}{
		"an entity": {func(w *World, e Entity, bag ComponentID, _ Row) { sure(w.Ref(e, bag).SetItem(0, 3, EntityOf(e))) }, "Bag.slots[3]: none, 0v1"},
		"a number":  {func(w *World, e Entity, bag ComponentID, _ Row) { sure(w.Ref(e, bag).SetItem(1, 1, Number(2))) }, "Bag.heat[1]: 1, 2"},
		"a boolean": {func(w *World, e Entity, bag ComponentID, _ Row) { sure(w.Ref(e, bag).SetItem(3, 2, Boolean(true))) }, "Bag.flags[2]: false, true"},
		"with text": {func(w *World, e Entity, bag ComponentID, _ Row) { sure(w.Ref(e, bag+1).SetItem(1, 3, Number(-2))) }, "Text.list[3]: 0, -2"},
		"resource":  {func(_ *World, _ Entity, _ ComponentID, res Row) { sure(res.SetItem(0, 4999, Number(9))) }, "resource map[4999]: 3, 9"},
	} {
		w := build(c.change)
		if w.Digest() == plain.Digest() {
			t.Errorf("%s: the digest is the same", name)
		}
		list := plain.Differences(w, 10)
		if len(list) != 1 || !strings.Contains(fmt.Sprint(list[0]), c.want) {
			t.Errorf("%s: %v", name, list)
		}
		var file bytes.Buffer
		if err := w.Save(&file); err != nil {
			t.Fatal(err)
		}
		loaded, err := Load(bytes.NewReader(file.Bytes()), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if loaded.Digest() != w.Digest() || loaded.Check() != nil {
			t.Errorf("%s: loaded: %v", name, loaded.Check())
		}
	}
	if w := NewWorld(Options{MaxBytes: 1 << 20}); true {
		if _, err := w.DeclareResource("map", ArrayOf(F64, 1<<18), Value{}); err == nil {
			t.Error("the bytes of an array do not count")
		}
	}
}
