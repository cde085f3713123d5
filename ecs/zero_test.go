package ecs

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// zeroValues are zero values of all exported types that have methods, or hold a pointer that the package sets.
func zeroValues() []any {
	return []any{
		new(Adopting), new(AnyLayer), new(Index), new(IndexSpec), new(IndexWalk), new(AreaWalk), new(RawLayer), new(Layer[int8]), new(LayerSpec), new(Neighbourhood), new(Builder), new(Bundle), new(Carried), new(Change), new(Column), new(CommandError), new(Commands), new(Component[label]), new(ComponentID),
		new(ComponentInfo), new(Cursor), new(Data), new(DataEntry), new(Difference), new(DifferenceKind), new(Digest), new(Drained), new(Entity), new(Event[spot]),
		new(EventID), new(EventReader), new(EventTap), new(Events), new(Expr), new(Field), new(FieldType), new(FieldValue), new(Filter), new(Finder), new(Grid), new(GridSpec),
		new(Loss), new(LossError), new(Maybe[spot]), new(Memory), new(Mut[spot]), new(NativeFunc), new(Observer), new(ObserverError), new(ObserverKind), new(ObserverSpec), new(OpError),
		new(OpaqueField), new(Options), new(OrderKey), new(Ordered), new(Part), new(PartDigest), new(PrefabPart), new(PrefabSpec), new(Place), new(Pool), new(Query), new(Query1[Mut[spot]]), new(Query2[Mut[spot], Mut[label]]), new(Query3[Mut[spot], Mut[label], Mut[int]]),
		new(Query4[Mut[spot], Mut[label], Mut[int], Mut[int8]]), new(Query5[Mut[spot], Mut[label], Mut[int], Mut[int8], Mut[int16]]), new(Query6[Mut[spot], Mut[label], Mut[int], Mut[int8], Mut[int16], Mut[int32]]),
		new(Query7[Mut[spot], Mut[label], Mut[int], Mut[int8], Mut[int16], Mut[int32], Mut[int64]]), new(Query8[Mut[spot], Mut[label], Mut[int], Mut[int8], Mut[int16], Mut[int32], Mut[int64], Mut[uint8]]), new(Random), new(RandomState),
		new(RawAccess), new(RawGrid), new(Ref), new(RelationID), new(RelationOption), new(Renamed), new(ResourceID), new(Row), new(Schedule), new(Schema), new(Search), new(Spawner1[spot]),
		new(Spawner2[spot, label]), new(Spawner3[spot, label, int]), new(Spawner4[spot, label, int, int8]), new(Spawner5[spot, label, int, int8, int16]),
		new(Spawner6[spot, label, int, int8, int16, int32]), new(Spawner7[spot, label, int, int8, int16, int32, int64]),
		new(Spawner8[spot, label, int, int8, int16, int32, int64, uint8]), new(Stage), new(StateID), new(StateSpec), new(Stats), new(System), new(SystemFunc), new(SystemSpec), new(Table), new(TagID), new(TagSet), new(Target),
		new(Tick), new(TurnDigests), new(Value), new(ValueKind), new(Visit), new(Walk1[Mut[spot]]), new(Walk2[Mut[spot], Mut[label]]), new(Walk3[Mut[spot], Mut[label], Mut[int]]),
		new(Walk4[Mut[spot], Mut[label], Mut[int], Mut[int8]]), new(Walk5[Mut[spot], Mut[label], Mut[int], Mut[int8], Mut[int16]]), new(Walk6[Mut[spot], Mut[label], Mut[int], Mut[int8], Mut[int16], Mut[int32]]),
		new(Walk7[Mut[spot], Mut[label], Mut[int], Mut[int8], Mut[int16], Mut[int32], Mut[int64]]), new(Walk8[Mut[spot], Mut[label], Mut[int], Mut[int8], Mut[int16], Mut[int32], Mut[int64], Mut[uint8]]), new(Workers), new(WaitingEvent), new(World),
	}
}

func TestZeroValuesListsEveryExportedType(t *testing.T) {
	var listed []string
	for _, v := range zeroValues() {
		name, _, _ := strings.Cut(reflect.TypeOf(v).Elem().Name(), "[")
		listed = append(listed, name)
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, s := range g.Specs {
				if s, ok := s.(*ast.TypeSpec); ok && s.Name.IsExported() && !s.Assign.IsValid() && !slices.Contains(listed, s.Name.Name) {
					t.Errorf("zeroValues lacks %s", s.Name.Name)
				}
			}
		}
	}
}

// unchecked are the methods that take a few nanoseconds, of which a look for the zero value would be a measurable part. They may panic as
// Go does.
var unchecked = map[string]string{
	"Component":   "Get Has Write Set Of WriteOf",
	"Column":      "Row Stamp Changed Added",
	"Cursor":      "Row Stamp",
	"Event":       "Send",
	"EventReader": "Next",
	"Finder":      "Find Column",
	"Layer":       "Get Set",
	"Ref":         "Get Number Row Set SetNumber",
	"Row":         "Get Item Number Set SetItem SetNumber",
	"Search":      "Carried D2 Entity",
	"Spawner":     "Set",
	"TagSet":      "Has Tag TryTag Untag",
	"Visit":       "Entity Entities",
	"Walk":        "Entity Entities Get Next NextRun Ok Slices",
}

func TestZeroValuesPanicWithASentence(t *testing.T) {
	var values []reflect.Value
	for _, v := range zeroValues() {
		values = append(values, reflect.ValueOf(v))
	}
	values = append(values, reflect.ValueOf((*Column)(nil))) // that of a table without the component
	for _, v := range values {
		typ := v.Type()
		name, _, _ := strings.Cut(typ.Elem().Name(), "[")
		if name == "RawAccess" { // says that it checks less
			continue
		}
		for i := range typ.NumMethod() {
			method := typ.Method(i).Name
			if slices.Contains(strings.Fields(unchecked[strings.TrimRight(name, "12345678")]), method) {
				continue
			}
			for _, text := range []string{"", "x"} {
				fresh := v
				if !v.IsNil() {
					fresh = reflect.New(typ.Elem())
				}
				if said := zeroCall(fresh.Method(i), text); said != "" {
					t.Errorf("%s.%s(%q): %s", name, method, text, said)
				}
			}
		}
	}
}

func TestSliceOfAnAbsentColumn(t *testing.T) {
	if _, err := Slice[spot](nil); err == nil || !strings.Contains(err.Error(), "there is no column") {
		t.Error(err)
	}
}

func TestPartAfterItsWalk(t *testing.T) {
	m := newMisused(t)
	var kept *Part
	if err := m.spots.Parallel(nil, 0, func(p *Part) { kept = p }); err != nil {
		t.Fatal(err)
	}
	for name, use := range map[string]func(){
		"Table":    func() { kept.Table() },
		"Range":    func() { kept.Range() },
		"Entities": func() { kept.Entities() },
		"Rows":     func() { kept.Rows(func(int) bool { return true }) },
		"Commands": func() { kept.Commands() },
		"slice":    func() { m.home.spot.PartSlice(kept) },
		"stamp":    func() { m.home.spot.StampPart(kept) },
	} {
		func() {
			defer func() {
				if text, _ := recover().(string); !strings.HasPrefix(text, "ecs: a Part is used that is not valid") {
					t.Errorf("%s says %q", name, text)
				}
			}()
			use()
		}()
	}
}

// zeroCall calls a method with zero values, but with text for strings and with functions that there are if it is not empty, and the loops that
// it returns. It returns what is wrong with the panic.
func zeroCall(m reflect.Value, text string) (said string) {
	defer func() {
		r := recover()
		if s, ok := r.(string); r != nil && (!ok || !strings.HasPrefix(s, "ecs: ")) {
			said = fmt.Sprint(r)
		}
	}()
	var in []reflect.Value
	for i := range m.Type().NumIn() {
		v := reflect.New(m.Type().In(i)).Elem()
		switch {
		case m.Type().IsVariadic() && i == m.Type().NumIn()-1:
			continue
		case v.Kind() == reflect.String:
			v.SetString(text)
		case v.Kind() == reflect.Func && text != "":
			v = zeroFunc(v.Type())
		}
		in = append(in, v)
	}
	for _, out := range m.Call(in) {
		if out.Kind() == reflect.Func && out.Type().NumIn() == 1 && out.Type().In(0).Kind() == reflect.Func && !out.IsNil() {
			out.Call([]reflect.Value{zeroFunc(out.Type().In(0))})
		}
	}
	return ""
}

// zeroFunc returns a function that returns zero values.
func zeroFunc(of reflect.Type) reflect.Value {
	return reflect.MakeFunc(of, func([]reflect.Value) []reflect.Value {
		var out []reflect.Value
		for i := range of.NumOut() {
			out = append(out, reflect.Zero(of.Out(i)))
		}
		return out
	})
}
