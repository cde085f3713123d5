package ecs

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
	"unsafe"
)

func TestRuntimeComponentAsGoSlice(t *testing.T) {
	w := newWorld(Options{})
	s := must[*Schema](t)(NewSchema(Field{Name: "x", Type: F64}, Field{Name: "y", Type: F64, Default: Number(2)}))
	id := must[ComponentID](t)(w.DeclareComponent("Position", s))
	for i := range 100 {
		e := must[Entity](t)(w.Spawn(id))
		must[bool](t)(w.Set(e, id, FieldValue{0, Number(float64(i))}))
	}
	table := w.Tables()[1]
	column := must[[]position](t)(Slice[position](table.Column(id)))
	for i := range column {
		if column[i] != (position{float64(i), 2}) {
			t.Fatalf("row %d is %v", i, column[i])
		}
		column[i].Y = 7
	}
	pos := must[Component[position]](t)(Register[position](w, "Position")) // laid over what the config declared
	if pos.ID() != id || &pos.Slice(table)[0] != &column[0] {
		t.Fatal("the typed view is a copy")
	}
	if v := must[Value](t)(w.Ref(table.Entities()[3], id).Get(1)); v.Float() != 7 {
		t.Fatalf("a write through the slice reads as %s", v)
	}
}

func TestLayoutIsThatOfGo(t *testing.T) {
	type mixed struct {
		A bool
		B float64
		C uint8
		D int16
		E float32
		F string
		G Entity
		H int8
		I *Data
		J uint16
	}
	s := must[*Schema](t)(NewSchema(
		Field{Name: "a", Type: Bool}, Field{Name: "b", Type: F64}, Field{Name: "c", Type: U8}, Field{Name: "d", Type: I16}, Field{Name: "e", Type: F32},
		Field{Name: "f", Type: String}, Field{Name: "g", Type: EntityField}, Field{Name: "h", Type: I8}, Field{Name: "i", Type: TableField}, Field{Name: "j", Type: U16}))
	goes := must[*Schema](t)(SchemaOf[mixed]())
	if !s.sameLayout(goes) || s.Size() != unsafe.Sizeof(mixed{}) || s.PointerFree() {
		t.Fatalf("%s (%d bytes) against %s (%d bytes)", s, s.Size(), goes, goes.Size())
	}
	for i, f := range s.Fields() {
		if g := goes.Fields()[i]; g.Offset != f.Offset {
			t.Errorf("field %s at %d, in Go at %d", f.Name, f.Offset, g.Offset)
		}
	}
	w := newWorld(Options{})
	id := must[ComponentID](t)(w.DeclareComponent("Mixed", s))
	c := must[Component[mixed]](t)(Register[mixed](w, "Mixed"))
	e := must[Entity](t)(w.Spawn(id))
	want := mixed{true, 1.5, 200, -300, 2.25, "text", e, -100, must[*Data](t)(NewData([]DataEntry{{Text("k"), Number(1)}})), 65535}
	must[bool](t)(c.Set(e, want))
	row, err := w.Ref(e, id).Row()
	ok(t, err)
	var got []string
	for i := range s.Fields() {
		got = append(got, row.Get(i).String())
	}
	if text := strings.Join(got, " "); text != `true 1.5 200 -300 2.25 "text" 0v1 -100 {k = 1} 65535` {
		t.Fatal(text)
	}
	for i := range s.Fields() { // and back
		ok(t, w.Ref(e, id).Set(i, row.Get(i)))
	}
	if *c.Get(e) != want {
		t.Fatalf("%+v", *c.Get(e))
	}
}

func TestMismatchShowsBothLayouts(t *testing.T) {
	w := newWorld(Options{})
	s := must[*Schema](t)(NewSchema(Field{Name: "x", Type: F32}, Field{Name: "y", Type: F32}))
	id := must[ComponentID](t)(w.DeclareComponent("Position", s))
	_, err := Register[position](w, "Position")
	if !errors.Is(err, ErrMismatch) || !strings.Contains(err.Error(), "{x f32, y f32}") || !strings.Contains(err.Error(), "{x f64, y f64}") ||
		!strings.Contains(err.Error(), `Position`) || !strings.Contains(err.Error(), "ecs.position") {
		t.Errorf("%v", err)
	}
	must[Entity](t)(w.Spawn(id))
	if _, err := Slice[position](w.Tables()[1].Column(id)); !errors.Is(err, ErrMismatch) {
		t.Errorf("a column as another type: %v", err)
	}
	other := must[*Schema](t)(NewSchema(Field{Name: "x", Type: F32, Default: Number(1)}, Field{Name: "y", Type: F32}))
	if _, err := w.DeclareComponent("Position", other); !errors.Is(err, ErrMismatch) || !strings.Contains(err.Error(), "x f32 = 1") {
		t.Errorf("another default: %v", err)
	}
	order := must[*Schema](t)(NewSchema(Field{Name: "y", Type: F32}, Field{Name: "x", Type: F32}))
	if again, err := w.DeclareComponent("Position", order); err != nil || again != id {
		t.Errorf("the same fields in another order: %v", err)
	}
	type swapped struct{ Y, X float32 }
	if _, err := Register[swapped](w, "Position"); !errors.Is(err, ErrMismatch) {
		t.Errorf("the same fields at other offsets: %v", err)
	}
}

func TestSchemaMistakes(t *testing.T) {
	for _, c := range []struct {
		fields []Field
		want   string
	}{
		{[]Field{{Name: "", Type: F64}}, "no name"},
		{[]Field{{Name: "x"}}, `"x" has no type`},
		{[]Field{{Name: "x", Type: U64 + 1}}, `"x" has no type`},
		{[]Field{{Name: "x", Type: 255}}, `"x" has no type`},
		{[]Field{{Name: "x", Type: F64}, {Name: "x", Type: U8}}, `"x" is declared twice`},
		{[]Field{{Name: "x", Type: U8, Default: Number(300)}}, "300 does not fit u8 (0 to 255)"},
		{[]Field{{Name: "x", Type: I16, Default: Number(0.5)}}, "0.5 is not a whole number"},
		{[]Field{{Name: "x", Type: F64, Default: Text("1")}}, "number expected, got string"},
		{[]Field{{Name: "x", Type: String, Default: Number(1)}}, "string expected, got number"},
		{[]Field{{Name: "s", Type: String}, {Name: "x", Type: U8, Default: Number(-1)}}, "-1 does not fit u8"},
	} {
		if _, err := NewSchema(c.fields...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.fields, err)
		}
	}
	type bad struct {
		List []int
		Also []int `ecs:"list"`
	}
	if _, err := SchemaOf[bad](); err == nil || !strings.Contains(err.Error(), `two fields are named "list"`) {
		t.Errorf("two slices of one name: %v", err)
	}
	type named struct {
		MaxHP int32 `ecs:"hp"`
		URLID uint8
		M     [2]float32
		Pos   position
	}
	if s := must[*Schema](t)(SchemaOf[named]()); s.String() != "{hp i32, urlid u8, m f32[2], pos_x f64, pos_y f64}" {
		t.Errorf("%s", s)
	}
}

func TestFieldRanges(t *testing.T) {
	w := newWorld(Options{})
	for _, c := range []struct {
		t       FieldType
		lo, hi  float64
		integer bool
	}{{I8, -128, 127, true}, {U8, 0, 255, true}, {I16, -32768, 32767, true}, {U16, 0, 65535, true}, {I32, -1 << 31, 1<<31 - 1, true}, {U32, 0, 1<<32 - 1, true}} {
		id := must[ComponentID](t)(w.DeclareComponent(c.t.String(), must[*Schema](t)(NewSchema(Field{Name: "v", Type: c.t}))))
		e := must[Entity](t)(w.Spawn(id))
		ref := w.Ref(e, id)
		for _, v := range []float64{c.lo, c.hi, 0, 1} {
			ok(t, ref.SetNumber(0, v))
			if got := must[float64](t)(ref.Number(0)); got != v {
				t.Errorf("%s: %v reads as %v", c.t, v, got)
			}
		}
		for _, v := range []float64{c.lo - 1, c.hi + 1, 0.5, math.NaN(), math.Inf(1)} {
			if err := ref.SetNumber(0, v); err == nil || !strings.Contains(err.Error(), "set "+c.t.String()+".v on "+e.String()) {
				t.Errorf("%s: %v: %v", c.t, v, err)
			}
		}
		if got := must[float64](t)(ref.Number(0)); got != 1 {
			t.Errorf("%s: a refused value was written: %v", c.t, got)
		}
	}
}

// Strings and tables in columns, events, queues and logs live as long as the world holds them, whatever the collector does.
func TestCollectorSeesPointers(t *testing.T) {
	w := newWorld(Options{})
	s := must[*Schema](t)(NewSchema(Field{Name: "n", Type: F64}, Field{Name: "text", Type: String}, Field{Name: "data", Type: TableField}))
	id := must[ComponentID](t)(w.DeclareComponent("Label", s))
	ids := letters(t, w, "A")
	event := must[EventID](t)(w.DeclareEvent("Said", s))
	value := func(i int) []FieldValue {
		d, err := NewData([]DataEntry{{Number(1), Text(fmt.Sprint("data of ", i))}})
		ok(t, err)
		return []FieldValue{{0, Number(float64(i))}, {1, Text(strings.Repeat(fmt.Sprint(i, " "), 3))}, {2, TableOf(d)}}
	}
	garbage := func() {
		for range 3 {
			runtime.GC()
			for range 1000 {
				_ = make([]byte, 64)
			}
		}
	}
	var es []Entity
	reader := w.EventReader(event)
	for i := range 300 {
		e := must[Entity](t)(w.Commands().Spawn())
		ok(t, w.Commands().Set(e, id, value(i)...))
		ok(t, w.Send(event, value(i)...))
		es = append(es, e)
		if i%100 == 50 {
			garbage()
			w.EndFrame()
		}
	}
	apply(t, w.Commands())
	garbage()
	for i, e := range es {
		if i%2 == 0 {
			must[bool](t)(w.Add(e, ids...))
		}
		if i%3 == 0 {
			must[bool](t)(w.Despawn(e))
		}
	}
	garbage()
	ok(t, w.Shrink())
	garbage()
	for i, e := range es {
		if i%3 == 0 {
			continue
		}
		row, err := w.Ref(e, id).Row()
		ok(t, err)
		for _, fv := range value(i) {
			if !row.Get(fv.Index).Equal(fv.Value) {
				t.Fatalf("%s: field %d is %s, not %s", e, fv.Index, row.Get(fv.Index), fv.Value)
			}
		}
	}
	for i := range 300 {
		row, more := reader.Next()
		if !more || !row.Get(1).Equal(value(i)[1].Value) || !row.Get(2).Equal(value(i)[2].Value) {
			t.Fatalf("event %d is lost or wrong", i)
		}
	}
	check(t, w)
}

func TestResources_0_47_1_38(t *testing.T) {
	w := newWorld(Options{})
	score := must[ResourceID](t)(w.DeclareResource("score", I32, Number(5)))
	ok(t, w.Resource(score).Set(0, Number(7)))
	if again := must[ResourceID](t)(w.DeclareResource("score", I32, Value{})); again != score || w.Resource(score).Number(0) != 7 {
		t.Fatal("declaring again lost the value")
	}
	if _, err := w.DeclareResource("score", F64, Value{}); !errors.Is(err, ErrMismatch) {
		t.Fatalf("another type: %v", err)
	}
	type input struct {
		X, Y float64
		Fire bool
	}
	p := must[*input](t)(RegisterResource[input](w, "input"))
	p.Fire = true
	for range 50 {
		must[ResourceID](t)(w.DeclareResource(fmt.Sprint("r", w.Tick(), len(w.ResourceNames())), String, Text("s")))
	}
	runtime.GC()
	if q := must[*input](t)(RegisterResource[input](w, "input")); q != p || !q.Fire {
		t.Fatal("the resource moved")
	}
	n := must[*int32](t)(RegisterResource[int32](w, "score"))
	if *n != 7 {
		t.Fatalf("score is %d", *n)
	}
	if id, known := w.LookupResource("input"); !known || w.ResourceNames()[id] != "input" {
		t.Fatal("lookup")
	}
}
