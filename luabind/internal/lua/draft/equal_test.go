package draft

import (
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// Values are equal if they are the same; of a stored table, which has no identity, that is not known.
func TestEqualValues(t *testing.T) {
	t.Parallel()
	var pool Pool
	value := func(v ecs.Value) Ref { return Ref{Value: &v} }
	own := pool.Table(nil)
	stored, _ := ecs.NewData([]ecs.DataEntry{{Key: ecs.Number(1), Value: ecs.Number(2)}})
	values := []struct {
		name string
		kind int  // values of two kinds are never equal
		open bool // whether it equals another one of its kind is not known
		of   func() Ref
	}{
		{"nil", 0, false, func() Ref { return value(ecs.Value{}) }},
		{"1", 1, false, func() Ref { return value(ecs.Number(1)) }},
		{"2", 1, false, func() Ref { return value(ecs.Number(2)) }},
		{"true", 2, false, func() Ref { return value(ecs.Boolean(true)) }},
		{"false", 2, false, func() Ref { return value(ecs.Boolean(false)) }},
		{"a string", 3, false, func() Ref { return value(ecs.Text("a")) }},
		{"the string 1", 3, false, func() Ref { return value(ecs.Text("1")) }},
		{"a table of a row", 4, false, func() Ref { return Ref{Value: &Nil, Table: own} }},
		{"another table of a row", 4, false, func() Ref { return Ref{Value: &Nil, Table: pool.Table(nil)} }},
		{"a stored table", 4, true, func() Ref { return value(ecs.TableOf(stored)) }},
	}
	for _, a := range values {
		for _, b := range values {
			same := a.name == b.name && !strings.HasPrefix(a.name, "another") // of those each call makes another one
			unknown := a.open || b.open
			wantEqual, wantKnown := same, same && a.name != "a stored table" || a.kind != b.kind || !unknown
			if got, known := Equal(a.of(), b.of()); known != wantKnown || known && got != wantEqual {
				t.Errorf("%s == %s: %v, known %v; want %v, %v", a.name, b.name, got, known, wantEqual, wantKnown)
			}
		}
	}
}
