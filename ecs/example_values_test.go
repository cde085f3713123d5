package ecs_test

import (
	"fmt"

	"github.com/ecsrun/ecsrun/ecs"
)

// A value says what it holds. Integers are exact to 64 bits.
func ExampleValue() {
	for _, v := range []ecs.Value{ecs.Number(1.5), ecs.Int(1 << 60), ecs.Text("rat"), ecs.Boolean(true), {}} {
		fmt.Println(v, v.Kind())
	}
	n, ok := ecs.Int(1 << 60).Int()
	fmt.Println(n, ok, ecs.Uint(5).Equal(ecs.Int(5)))
	// Output:
	// 1.5 number
	// 1152921504606846976 number
	// "rat" string
	// true boolean
	// nil nil
	// 1152921504606846976 true true
}

// Code that learns at run time what it gets asks for the kind first.
func ExampleValueKind() {
	describe := func(v ecs.Value) string {
		switch v.Kind() {
		case ecs.NumberValue, ecs.IntValue, ecs.UintValue:
			return fmt.Sprint("a number, ", v.Float())
		case ecs.StringValue:
			return fmt.Sprint("a text of ", len(v.Str()), " bytes")
		default:
			return v.Kind().String()
		}
	}
	fmt.Println(describe(ecs.Int(3)))
	fmt.Println(describe(ecs.Text("rat")))
	fmt.Println(describe(ecs.EntityOf(ecs.None)))
	// Output:
	// a number, 3
	// a text of 3 bytes
	// entity
}

// Data is the content of a table field. It never changes: With returns a copy.
func ExampleData() {
	bag := ecs.Must(ecs.NewData([]ecs.DataEntry{
		{Key: ecs.Number(1), Value: ecs.Text("sword")},
		{Key: ecs.Number(2), Value: ecs.Text("rope")},
		{Key: ecs.Text("gold"), Value: ecs.Number(12)},
	}))
	richer := ecs.Must(bag.With(ecs.Text("gold"), ecs.Number(20)))
	fmt.Println(bag, bag.Items())
	fmt.Println(richer.Get(ecs.Text("gold")), bag.Get(ecs.Text("gold")), bag.Equal(richer))
	for _, entry := range richer.Entries()[:2] {
		fmt.Println(entry.Key, entry.Value)
	}
	// Output:
	// {"sword", "rope", gold = 12} 2
	// 20 12 false
	// 1 "sword"
	// 2 "rope"
}

// An inspector lists the fields of any component with their types.
func ExampleSchema() {
	schema := ecs.Must(ecs.SchemaOf[struct {
		Offset struct{ X, Y float32 }
		MaxHP  uint16
		Speed  float32
		Name   string
	}]())
	for _, f := range schema.Fields() {
		fmt.Println(f.Name, f.Type, f.Offset)
	}
	fmt.Println(schema.PointerFree())
	// Output:
	// offset_x f32 0
	// offset_y f32 4
	// max_hp u16 8
	// speed f32 12
	// name string 16
	// false
}

// A schema that is made at run time has defaults, which a new row starts with.
func ExampleField() {
	schema := ecs.Must(ecs.NewSchema(
		ecs.Field{Name: "name", Type: ecs.String, Default: ecs.Text("nobody")},
		ecs.Field{Name: "level", Type: ecs.U8, Default: ecs.Int(1)},
		ecs.Field{Name: "leader", Type: ecs.EntityField}))
	fmt.Println(schema)
	fmt.Println(schema.Check(ecs.FieldValue{Index: schema.Index("level"), Value: ecs.Int(256)}))
	// Output:
	// {name string, level u8, leader entity}
	// 256 does not fit u8 (0 to 255)
}

// The name of a type comes from a file, its range goes into a message.
func ExampleFieldType() {
	t, ok := ecs.ParseFieldType("i16")
	lo, hi, _ := t.Range()
	fmt.Println(t == ecs.I16, ok, lo, hi, t.Size())
	fmt.Println(ecs.FieldTypes())
	// Output:
	// true true -32768 32767 2
	// [f64 f32 i64 u64 i32 u32 i16 u16 i8 u8 bool entity string table]
}

// A row is read and written by the index of a field. Here it is the row of a resource.
func ExampleRow() {
	w := ecs.NewWorld(ecs.Options{})
	id := ecs.Must(w.DeclareResource("gravity", ecs.F64, ecs.Number(-9.81)))
	row := w.Resource(id)
	fmt.Println(row.Schema(), row.Number(0))
	try(row.SetNumber(0, -1.62))
	fmt.Println(row.Get(0), row.Set(0, ecs.Text("strong")))
	// Output:
	// {value f64} -9.81
	// -1.62 field "value": number expected, got string
}

// A Ref follows its entity from table to table, and never shows another entity's data.
func ExampleRef() {
	w := ecs.NewWorld(ecs.Options{})
	health, armor := ecs.MustRegister[Health](w, "Health"), ecs.MustRegister[Armor](w, "Armor")
	e := ecs.Must(health.With(w.Build(), Health{10}).Spawn())
	hp := w.Ref(e, health.ID())
	ecs.Must(w.Add(e, armor.ID())) // moves the row: a pointer would no longer be valid
	try(hp.SetNumber(0, 7))
	fmt.Println(ecs.Must(hp.Number(0)))
	ecs.Must(w.Despawn(e))
	_, err := hp.Number(0)
	fmt.Println(err)
	// Output:
	// 7
	// get Health on 0v1: the entity is dead
}
