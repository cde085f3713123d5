package sample

import (
	"math"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

func world(t *testing.T) *ecs.World {
	t.Helper()
	w := ecs.NewWorld(ecs.Options{})
	schema := func(fields ...ecs.Field) *ecs.Schema { return ecs.Must(ecs.NewSchema(fields...)) }
	health := ecs.Must(w.DeclareComponent("Health", schema(ecs.Field{Name: "current", Type: ecs.F64}, ecs.Field{Name: "on", Type: ecs.Bool}, ecs.Field{Name: "name", Type: ecs.String})))
	frozen := ecs.Must(w.DeclareComponent("Frozen", schema()))
	enemy := ecs.Must(w.DeclareTag("enemy"))
	isA := ecs.Must(w.DeclareRelation(ecs.IsA))
	ecs.Must(w.DeclareResource("score", ecs.I32, ecs.Number(3)))
	ecs.Must(ecs.RegisterResource[struct{ X, Y float64 }](w, "wind"))
	for i := range 10 {
		e := ecs.Must(w.Spawn(health))
		ecs.Must(w.Set(e, health, ecs.FieldValue{Value: ecs.Number(float64(i))}, ecs.FieldValue{Index: 1, Value: ecs.Boolean(i%2 == 0)}))
		if i < 3 {
			w.Tag(e, enemy)
		}
		if i >= 8 {
			ecs.Must(w.Add(e, frozen))
		}
		if i == 9 {
			ecs.Must(w.SpawnRelated([]ecs.Target{{Relation: isA, Entity: e}})) // shares Health and Frozen
		}
	}
	return w
}

func TestSamples(t *testing.T) {
	w := world(t)
	before := w.Digest()
	for text, want := range map[string]float64{
		"sum(Health.current)":                  45 + 9,
		"sum( Health.current ; !Frozen )":      28,
		"mean(Health.current; #enemy)":         1,
		"min(Health.current; !#enemy)":         3,
		"max(Health.current)":                  9,
		"sum(Health.on)":                       5,
		"count(Health)":                        11,
		"count(Health, #enemy)":                3,
		"count(Health, !Frozen, !#enemy)":      5,
		"count(Frozen)":                        3,
		"count()":                              11,
		"count((IsA, *))":                      1,
		"sum(Health.current; !(IsA, 9v1))":     45,
		"sum(Health.current; Frozen, #enemy)":  0,
		"score":                                3,
		"wind.y":                               0,
		"mean(Health.current; Frozen, #enemy)": math.NaN(),
		"max(Health.current; Frozen, #enemy)":  math.NaN(),
	} {
		s, err := Parse(w, text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		got, ok := s.Read()
		if ok == math.IsNaN(want) || ok && got != want {
			t.Errorf("%s: %v, %v; want %v", text, got, ok, want)
		}
	}
	if w.Digest() != before {
		t.Error("the world has changed")
	}
	for text, want := range map[string]string{
		"summ(Health.current)":       `there is no function "summ"; did you mean "sum"?`,
		"sum(Helth.current)":         `component "Helth" is not declared; did you mean "Health"?`,
		"sum(Health)":                `sum(Health.FIELD) expected`,
		"sum(Health.curent)":         `Health has no field "curent"; did you mean "current"?`,
		"sum(Health.name)":           `Health.name is a string, and no number`,
		"sum(Health.current; #enmy)": `tag "enmy" is not declared; did you mean "enemy"?`,
		"count(Health,)":             `a word is missing`,
		"count(?Health)":             `a component behind ? leaves no entity out`,
		"count(changed(Health))":     `what has changed is known to the inspector only`,
		"count((IsA, boss))":         `an entity expected, got "boss"`,
		"count(Health":               `a ) is missing`,
		"scor":                       `resource "scor" is not declared; did you mean "score"?`,
		"wind":                       `wind has no field "value"`,
	} {
		if _, err := Parse(w, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

func TestTable(t *testing.T) {
	var out strings.Builder
	table, err := NewTable(world(t), []string{"sum(Health.current)", "mean(Health.current; Frozen, #enemy)", "count(Health, #enemy)"}, 2, &out)
	if err != nil {
		t.Fatal(err)
	}
	if err := table.Head(); err != nil {
		t.Fatal(err)
	}
	for frame := range uint64(5) {
		if err := table.Frame(frame); err != nil {
			t.Fatal(err)
		}
	}
	want := "frame,sum(Health.current),\"mean(Health.current; Frozen, #enemy)\",\"count(Health, #enemy)\"\n0,54,,3\n2,54,,3\n4,54,,3\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}
