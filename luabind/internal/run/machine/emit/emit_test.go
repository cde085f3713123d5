package emit

import (
	"errors"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/memory"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/packing"
)

// moving is a world with a component of two numbers, and a Program that adds 2 to both.
func moving(t *testing.T, o ecs.Options, f ecs.Filter, fields ...ecs.Field) (*ir.Program, *ecs.Query, *ecs.World) {
	t.Helper()
	w := ecs.NewWorld(o)
	s, err := ecs.NewSchema(append([]ecs.Field{{Name: "x", Type: ecs.F64}, {Name: "y", Type: ecs.F64}}, fields...)...)
	if err != nil {
		t.Fatal(err)
	}
	id, err := w.DeclareComponent("P", s)
	if err != nil {
		t.Fatal(err)
	}
	f.Required = []ecs.ComponentID{id}
	q, err := w.Query(f)
	if err != nil {
		t.Fatal(err)
	}
	p := &ir.Program{Views: 1, Uses: 1, Components: []ecs.ComponentID{id}, Price: 3}
	for i := range 2 {
		f := &s.Fields()[i]
		p.Stores = append(p.Stores, ir.Target{View: 0, Field: f, Always: true})
		p.Body = append(p.Body, &ir.Stmt{
			Op: ir.Store, I: 0, Field: f, Mark: -1,
			A: &ir.Expr{Op: ir.Add, A: &ir.Expr{Op: ir.Load, I: 0, Field: f}, B: &ir.Expr{Op: ir.Const, N: 2}},
		})
	}
	return p, q, w
}

// A body of arithmetic is packed where that is allowed, and is a module of its own where it is not.
func TestUnitsArePackedOrNot(t *testing.T) {
	p, q, w := moving(t, ecs.Options{Memory: memory.New()}, ecs.Filter{})
	for _, forms := range [][]packing.Form{packing.Forms, nil} {
		u, err := Unit(p, q, w, forms, false, true)
		if err != nil {
			t.Fatal(err)
		}
		if u.Packed != (forms != nil) || u.Sparse || len(u.Walkers) != 1 || u.Walkers[0].Stride != 16 || len(u.Always) != 1 || string(u.Code[:4]) != "\x00asm" {
			t.Errorf("with %d forms: %+v", len(forms), u)
		}
	}
}

// Rows of a query with conditions on rows come by a mask, and are not packed.
func TestUnitsOfConditionsOnRows(t *testing.T) {
	p, _, w := moving(t, ecs.Options{Memory: memory.New()}, ecs.Filter{})
	q, err := w.Query(ecs.Filter{Required: p.Components, Changed: p.Components})
	if err != nil {
		t.Fatal(err)
	}
	if u, err := Unit(p, q, w, packing.Forms, true, true); err != nil || !u.Sparse || u.Packed {
		t.Errorf("%+v, %v", u, err)
	}
}

// What there is no code for is refused, and the refusal says what it is.
func TestRefusals(t *testing.T) {
	for want, spoil := range map[string]func(p *ir.Program){
		"a statement that is not known":   func(p *ir.Program) { p.Body[0].Op = 200 },
		"an expression that is not known": func(p *ir.Program) { p.Body[0].A.B.Op = 200 },
		"a value of a type":               func(p *ir.Program) { p.Body[0].A.Type = 200 },
		"it has values of several kinds, or tables in fields": func(p *ir.Program) {
			p.Anys, p.TableFields, p.Exact = 1, true, true
		},
		"its rows make tables": func(p *ir.Program) {
			p.Anys, p.Exact = 1, true
			p.Body = append(p.Body, &ir.Stmt{Op: ir.Make})
		},
		"it calls string.gsub": func(p *ir.Program) {
			p.Anys, p.Exact = 1, true
			p.Body = append(p.Body, &ir.Stmt{Op: ir.Invoke, Func: "string.gsub"})
		},
		"it has values that may be of several kinds": func(p *ir.Program) { // only a statement that was left out has used the variable
			p.Anys, p.Exact = 1, true
			p.Inputs = []ir.Place{{Used: true, Type: ir.Any}}
		},
		"it calls math.none": func(p *ir.Program) { p.Body[0].A = &ir.Expr{Op: ir.Call, Func: "none", A: p.Body[0].A} },
	} {
		p, q, w := moving(t, ecs.Options{Memory: memory.New()}, ecs.Filter{})
		spoil(p)
		_, err := Unit(p, q, w, packing.Forms, false, true)
		if r := abi.Refusal(""); !errors.As(err, &r) || !strings.Contains(string(r), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
