package closures

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
)

func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// A fixture is a world for programs made by hand: eight entities with A, every
// second with B, every third red; the last two share A with the first.
type fixture struct {
	t          testing.TB
	w          *ecs.World
	a, b       ecs.ComponentID
	isA, likes ecs.RelationID
	red, blue  ecs.TagID
	hit        ecs.EventID
	grid       *ecs.Grid
	all        []ecs.Entity
	loop       *ecs.Query
}

var fieldsOfA = []ecs.Field{
	{Name: "x", Type: ecs.F64},
	{Name: "f", Type: ecs.F32},
	{Name: "i8", Type: ecs.I8},
	{Name: "u8", Type: ecs.U8},
	{Name: "i16", Type: ecs.I16},
	{Name: "u16", Type: ecs.U16},
	{Name: "i32", Type: ecs.I32},
	{Name: "u32", Type: ecs.U32},
	{Name: "i64", Type: ecs.I64},
	{Name: "u64", Type: ecs.U64},
	{Name: "flag", Type: ecs.Bool},
	{Name: "e", Type: ecs.EntityField},
	{Name: "s", Type: ecs.String},
}

func newFixture(t testing.TB) *fixture {
	t.Helper()
	x := &fixture{t: t, w: ecs.NewWorld(ecs.Options{Seed: 1, MaxEntities: 60})}
	w := x.w
	x.isA, x.likes = must[ecs.RelationID](t)(w.DeclareRelation(ecs.IsA)), must[ecs.RelationID](t)(w.DeclareRelation("Likes"))
	x.a = must[ecs.ComponentID](t)(w.DeclareComponent("A", must[*ecs.Schema](t)(ecs.NewSchema(fieldsOfA...))))
	x.b = must[ecs.ComponentID](t)(w.DeclareComponent("B", must[*ecs.Schema](t)(ecs.NewSchema(ecs.Field{Name: "v", Type: ecs.F64}, ecs.Field{Name: "n", Type: ecs.U8}, ecs.Field{Name: "s", Type: ecs.String}))))
	x.red, x.blue = must[ecs.TagID](t)(w.DeclareTag("red")), must[ecs.TagID](t)(w.DeclareTag("blue"))
	x.hit = must[ecs.EventID](t)(w.DeclareEvent("Hit", must[*ecs.Schema](t)(ecs.NewSchema(
		ecs.Field{Name: "n", Type: ecs.F64, Default: ecs.Number(7)}, ecs.Field{Name: "u", Type: ecs.U8}, ecs.Field{Name: "e", Type: ecs.EntityField}, ecs.Field{Name: "s", Type: ecs.String}, ecs.Field{Name: "b", Type: ecs.Bool}))))
	x.grid = must[*ecs.Grid](t)(w.DeclareGrid(ecs.GridSpec{Name: "field", Component: x.b, X: "v", Y: "n", Cell: 25}))
	for i := range 8 {
		ids := []ecs.ComponentID{x.a, x.b}[:1+i%2]
		if i >= 6 {
			ids = []ecs.ComponentID{x.b}
		}
		e := must[ecs.Entity](t)(w.Spawn(ids...))
		x.all = append(x.all, e)
		n := ecs.Number(float64(i))
		if i < 6 {
			must[bool](t)(w.Set(e, x.a, ecs.FieldValue{Index: 0, Value: n}, ecs.FieldValue{Index: 2, Value: n}, ecs.FieldValue{Index: 12, Value: ecs.Text(fmt.Sprint("s", i))}))
		} else {
			must[bool](t)(w.Relate(e, x.isA, x.all[0]))
		}
		if i%2 == 1 || i >= 6 {
			must[bool](t)(w.Set(e, x.b, ecs.FieldValue{Index: 0, Value: ecs.Number(float64(10 * i))}, ecs.FieldValue{Index: 2, Value: ecs.Text("b")}))
		}
		if i%3 == 0 {
			w.Tag(e, x.red)
		}
	}
	x.loop = x.query(ecs.Filter{Required: []ecs.ComponentID{x.a}})
	w.Random() // it is part of the digest from now on
	w.BeginFrame(1)
	return x
}

func (x *fixture) query(f ecs.Filter) *ecs.Query { return must[*ecs.Query](x.t)(x.w.Query(f)) }

func (x *fixture) fieldA(name string) *ecs.Field { return x.field(x.a, name) }
func (x *fixture) fieldB(name string) *ecs.Field { return x.field(x.b, name) }

func (x *fixture) field(id ecs.ComponentID, name string) *ecs.Field {
	info, _ := x.w.ComponentInfo(id)
	i := info.Schema.Index(name)
	if i < 0 {
		x.t.Fatalf("there is no field %s", name)
	}
	return &info.Schema.Fields()[i]
}

// program is that of a loop over A with a body, stores listed.
func (x *fixture) program(body ...*ir.Stmt) *ir.Program {
	p := &ir.Program{Body: body, Price: 1, Numbers: 32, Bools: 32, Texts: 8, Views: 1, Components: []ecs.ComponentID{x.a}, Uses: 1, Exact: true, Entity: true, Random: true, Foreign: true}
	var visit func([]*ir.Stmt)
	visit = func(list []*ir.Stmt) {
		for _, s := range list {
			if s.Op == ir.Store && s.I < p.Views {
				p.Stores = append(p.Stores, ir.Target{View: s.I, Field: s.Field})
			}
			if s.Effect != nil {
				s.Effect.Index = len(p.Effects)
				p.Effects = append(p.Effects, s.Effect)
			}
			visit(s.Body)
			visit(s.Else)
		}
	}
	visit(body)
	return p
}

// run runs a program and returns how it ended, and the entity it was left at.
func (x *fixture) run(p *ir.Program, k *Kernel) (kernel.Ending, ecs.Entity) {
	x.t.Helper()
	c := ecs.Raw.Begin(x.loop)
	how := k.Run(&c)
	at := ecs.None
	if how.Leaves() {
		at = c.Entity()
		c.End()
	}
	if x.w.Locked() {
		x.t.Error("a loop is open")
	}
	if err := x.w.Check(); err != nil {
		x.t.Error(err)
	}
	return how, at
}

// seen is all that can be seen of the world, its commands included.
func (x *fixture) seen() string {
	var out strings.Builder
	for _, table := range x.w.Tables() {
		for row, e := range table.Entities() {
			fmt.Fprintf(&out, "%v:", e)
			for _, id := range table.Components() {
				col := table.Column(id)
				for i := range col.Row(row).Schema().Fields() {
					fmt.Fprintf(&out, " %v", col.Row(row).Get(i))
				}
				fmt.Fprintf(&out, " (%d %d)", col.Changed(row), col.Added(row))
			}
			out.WriteByte('\n')
		}
	}
	events := x.w.Peek(x.hit)
	for i := range events.Len() {
		for j := range events.Row(i).Schema().Fields() {
			fmt.Fprintf(&out, "%v ", events.Row(i).Get(j))
		}
		out.WriteByte('\n')
	}
	for _, id := range []ecs.TagID{x.red, x.blue} {
		fmt.Fprintln(&out, x.w.TagMembers(id))
	}
	fmt.Fprintln(&out, x.w.Commands().Len(), "commands", x.w.Digest(), ecs.Raw.Upcoming(x.w, 0), ecs.Raw.Room(x.w))
	return out.String()
}

// after is seen, with the commands applied.
func (x *fixture) after() string {
	before := x.seen()
	if err := x.w.Commands().Apply(); err != nil {
		x.t.Error(err)
	}
	return before + x.seen()
}

// Short ways to write a program.

func num(n float64) *ir.Expr { return &ir.Expr{Op: ir.Const, N: n} }
func word(s string) *ir.Expr { return &ir.Expr{Op: ir.Const, Type: ir.Text, S: s} }
func truth(b bool) *ir.Expr {
	if b {
		return &ir.Expr{Op: ir.Const, Type: ir.Bool, N: 1}
	}
	return &ir.Expr{Op: ir.Const, Type: ir.Bool}
}
func reg(i int) *ir.Expr                      { return &ir.Expr{Op: ir.Reg, I: i} }
func typedReg(t ir.Type, i int) *ir.Expr      { return &ir.Expr{Op: ir.Reg, Type: t, I: i} }
func self() *ir.Expr                          { return &ir.Expr{Op: ir.Entity} }
func op(o ir.Op, list ...*ir.Expr) *ir.Expr   { return typed(ir.Number, o, list...) }
func test(o ir.Op, list ...*ir.Expr) *ir.Expr { return typed(ir.Bool, o, list...) }

func typed(t ir.Type, o ir.Op, list ...*ir.Expr) *ir.Expr {
	x := &ir.Expr{Op: o, Type: t}
	for i, a := range list {
		*[]**ir.Expr{&x.A, &x.B, &x.C}[i] = a
	}
	return x
}

func load(view int, f *ecs.Field) *ir.Expr {
	x := &ir.Expr{Op: ir.Load, I: view, Field: f}
	switch f.Type {
	case ecs.Bool:
		x.Type = ir.Bool
	case ecs.String:
		x.Type = ir.Text
	}
	return x
}

func (x *fixture) tag(o ir.Op, id ecs.TagID, e *ir.Expr) *ir.Expr {
	return &ir.Expr{Op: o, Type: ir.Bool, ID: uint32(id), A: e}
}

func let(i int, v *ir.Expr) *ir.Stmt { return &ir.Stmt{Op: ir.Set, I: i, Mark: -1, A: v} }
func store(view int, f *ecs.Field, v *ir.Expr) *ir.Stmt {
	return &ir.Stmt{Op: ir.Store, I: view, Field: f, A: v}
}
func when(c *ir.Expr, body ...*ir.Stmt) *ir.Stmt { return &ir.Stmt{Op: ir.If, A: c, Body: body} }
func emit(e *ir.Effect, into int, args ...*ir.Expr) *ir.Stmt {
	return &ir.Stmt{Op: ir.Emit, I: into, Effect: e, Args: args}
}
func look(view int, e *ir.Expr) *ir.Stmt        { return &ir.Stmt{Op: ir.Look, I: view, A: e} }
func (x *fixture) entity(i int) *ir.Expr        { return num(float64(x.all[i])) }
func (x *fixture) kernel(p *ir.Program) *Kernel { return Compile(p, &sandbox.Budget{}) }
func given(i int, f *ecs.Field, of int) ir.EffectField {
	return ir.EffectField{Component: of, Index: i, Field: f}
}
func (x *fixture) eventField(i int) *ecs.Field   { return &x.w.EventSchema(x.hit).Fields()[i] }
func (x *fixture) hitField(i int) ir.EffectField { return given(i, x.eventField(i), 0) }
func (x *fixture) ref(id ecs.ComponentID, q int) *ir.Ref {
	return &ir.Ref{Component: id, Query: q, Stored: true}
}
