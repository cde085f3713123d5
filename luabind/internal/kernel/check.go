package kernel

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/yuin/gopher-lua/ast"
)

// An InputKind is what an input is when the loop begins.
type InputKind uint8

// The kinds.
const (
	NumberInput InputKind = iota
	BoolInput
	FuncInput // a function of math, by name
	NilInput
	OtherInput
)

// A Kind is what an input is.
type Kind struct {
	InputKind
	Func string
}

// most bounds registers of a type, views, and stored fields.
const (
	mostRegisters = 64
	mostViews     = 16
	mostStores    = 32
)

// Check types the body of a loop: schema gives the component of each view, nil
// when there is none.
func (t *Template) Check(kinds []Kind, schema func(view int) *ecs.Schema) (p *Program, reason *Reason) {
	defer caught(&reason)
	c := &checker{t: t, kinds: kinds, schema: schema, p: &Program{Views: len(t.Views), Inputs: make([]Place, len(kinds))}}
	if len(t.Views) > mostViews {
		panic(&Reason{t.Line, "the loop has too many views"})
	}
	for i := range t.Inputs {
		c.input(i)
	}
	c.declare(t.Entity, &symbol{kind: entitySymbol})
	for i, name := range t.Views {
		c.declare(name, &symbol{kind: viewSymbol, i: i})
	}
	c.p.Body = c.block(t.Body, nil)
	c.p.Price = 1 + c.price
	c.always(c.p.Body)
	if c.p.Numbers > mostRegisters || c.p.Bools > mostRegisters || len(c.p.Stores) > mostStores {
		panic(&Reason{t.Line, "the body is too large"})
	}
	return c.p, nil
}

type symbolKind uint8

const (
	registerSymbol symbolKind = iota
	entitySymbol
	viewSymbol
	lateSymbol // assigned, never read: its type is that of the first assignment
)

type symbol struct {
	name  string
	kind  symbolKind
	i     int // register, view, or input
	typ   Type
	mark  int
	input bool
}

// checker lowers one body.
type checker struct {
	t      *Template
	p      *Program
	kinds  []Kind
	schema func(int) *ecs.Schema

	scope  []*symbol
	labels []label
	places []*symbol // by input
	price  int64     // of the construct being looked at, so far
	jumps  int
	loops  int // loops around this place, within the body
}

type label struct {
	name string
	id   int
	loop int // 0: the body of the query loop
}

func (c *checker) declare(name string, s *symbol) *symbol {
	s.name = name
	c.scope = append(c.scope, s)
	return s
}

func (c *checker) lookup(name string) *symbol {
	for i := len(c.scope) - 1; i >= 0; i-- {
		if c.scope[i].name == name {
			return c.scope[i]
		}
	}
	return nil
}

func (c *checker) register(t Type) int {
	n := &c.p.Numbers
	if t == Bool {
		n = &c.p.Bools
	}
	*n++
	return *n - 1
}

// input gives a variable from around the loop its register.
func (c *checker) input(i int) {
	in, k := c.t.Inputs[i], c.kinds[i]
	s := &symbol{mark: -1, input: true}
	if in.Member == "" {
		c.declare(in.Name, s)
	}
	c.places = append(c.places, s)
	switch {
	case in.Assigned && !in.Read && in.Member == "":
		s.kind, s.i = lateSymbol, i
		return
	case k.InputKind == NumberInput:
		s.typ = Number
	case k.InputKind == BoolInput:
		s.typ = Bool
	case k.InputKind == FuncInput && !in.Assigned:
		s.i = -1
		return
	case k.InputKind == NilInput:
		panic(&Reason{in.line, "reads " + in.text() + ", which is nil when the loop begins; begin with a number or a boolean"})
	default:
		panic(&Reason{in.line, "uses " + in.text() + ", which is no number, boolean or function of math when the loop begins"})
	}
	s.i = c.register(s.typ)
	c.p.Inputs[i] = Place{true, s.typ, s.i}
	if in.Assigned {
		c.p.Outputs = append(c.p.Outputs, Output{c.p.Inputs[i], -1, i})
	}
}

func (in Input) text() string {
	if in.Member != "" {
		return in.Name + "." + in.Member
	}
	return in.Name
}

// late decides the type of a variable that is only assigned.
func (c *checker) late(s *symbol, t Type) {
	input := s.i
	s.kind, s.typ, s.i, s.mark = registerSymbol, t, c.register(t), c.register(Bool)
	c.p.Outputs = append(c.p.Outputs, Output{Place{true, t, s.i}, s.mark, input})
}

// within checks a block with names of its own.
func (c *checker) within(fn func()) {
	n, m := len(c.scope), len(c.labels)
	fn()
	c.scope, c.labels = c.scope[:n], c.labels[:m]
}

// block checks the statements of a block. A label may stand at its end only.
func (c *checker) block(stmts []ast.Stmt, before func()) (out []*Stmt) {
	c.within(func() {
		if before != nil {
			before()
		}
		out = c.stmts(stmts)
	})
	return out
}

func (c *checker) stmts(stmts []ast.Stmt) []*Stmt {
	n := len(stmts)
	id := 0
	for n > 0 {
		l, ok := stmts[n-1].(*ast.LabelStmt)
		if !ok {
			break
		}
		if id == 0 {
			c.jumps++
			id = c.jumps
		}
		c.labels = append(c.labels, label{l.Name, id, c.loops})
		n--
	}
	var out []*Stmt
	for _, st := range stmts[:n] {
		out = append(out, c.stmt(st)...)
	}
	if id > 0 {
		return []*Stmt{{Op: Block, I: id, Body: out}}
	}
	return out
}

func (c *checker) stmt(st ast.Stmt) []*Stmt {
	c.price++
	switch st := st.(type) {
	case *ast.LocalAssignStmt:
		if len(st.Exprs) != len(st.Names) {
			refuse(st, "local %s gets no value of its own", st.Names[len(st.Names)-1])
		}
		return c.locals(st)
	case *ast.AssignStmt:
		return c.assign(st)
	case *ast.DoBlockStmt:
		return []*Stmt{{Op: Block, Body: c.block(st.Stmts, nil)}}
	case *ast.IfStmt:
		return []*Stmt{{Op: If, A: c.condition(st.Condition), Body: c.block(st.Then, nil), Else: c.block(st.Else, nil)}}
	case *ast.WhileStmt:
		s := &Stmt{Op: While}
		c.loop(s, func() {
			s.A = c.condition(st.Condition)
			s.Body = c.block(st.Stmts, nil)
		})
		return []*Stmt{s}
	case *ast.RepeatStmt:
		s := &Stmt{Op: Repeat}
		c.loop(s, func() {
			c.within(func() {
				for _, inner := range st.Stmts {
					if _, ok := inner.(*ast.LabelStmt); ok {
						refuse(inner, "has a label inside repeat")
					}
					s.Body = append(s.Body, c.stmt(inner)...)
				}
				s.A = c.condition(st.Condition)
			})
		})
		return []*Stmt{s}
	case *ast.NumberForStmt:
		return c.count(st)
	case *ast.BreakStmt:
		return []*Stmt{{Op: Break}}
	case *ast.GotoStmt:
		for i := len(c.labels) - 1; i >= 0; i-- {
			if c.labels[i].name == st.Label {
				return []*Stmt{{Op: Jump, I: c.labels[i].id}}
			}
		}
		refuse(st, "jumps to %q, which is not at the end of a block around it", st.Label)
	case *ast.LabelStmt:
		refuse(st, "has the label %q in the middle of a block", st.Name)
	}
	refuse(st, "has a statement of an unknown kind")
	return nil
}

// loop checks a loop within the body; its turns have a price of their own.
func (c *checker) loop(s *Stmt, body func()) {
	saved := c.price
	c.price = 1
	c.loops++
	body()
	c.loops--
	s.Price, c.price = c.price, saved
	c.p.Exact = true
}

func (c *checker) count(st *ast.NumberForStmt) []*Stmt {
	s := &Stmt{Op: Count, A: c.number(st.Init), B: c.number(st.Limit), C: &Expr{Op: Const, N: 1}}
	if st.Step != nil {
		s.C = c.number(st.Step)
	}
	s.I = c.register(Number)
	c.loop(s, func() {
		s.Body = c.block(st.Stmts, func() { c.declare(st.Name, &symbol{typ: Number, i: s.I, mark: -1}) })
	})
	return []*Stmt{s}
}

func (c *checker) locals(st *ast.LocalAssignStmt) (out []*Stmt) {
	values := make([]*Expr, len(st.Exprs))
	for i, e := range st.Exprs {
		values[i] = c.expr(e)
	}
	for i, v := range values {
		reg := c.register(v.Type)
		out = append(out, &Stmt{Op: Set, I: reg, Mark: -1, A: v})
		c.declare(st.Names[i], &symbol{typ: v.Type, i: reg, mark: -1})
	}
	return out
}

// assign evaluates all of the right before it stores from right to left.
func (c *checker) assign(st *ast.AssignStmt) (out []*Stmt) {
	if len(st.Lhs) != len(st.Rhs) {
		refuse(st, "assigns another number of values than it has")
	}
	values := make([]*Expr, len(st.Rhs))
	for i, e := range st.Rhs {
		values[i] = c.value(e, st.Lhs[i])
	}
	if len(values) > 1 {
		for i, v := range values {
			reg := c.register(v.Type)
			out = append(out, &Stmt{Op: Set, I: reg, Mark: -1, A: v})
			values[i] = &Expr{Op: Reg, Type: v.Type, I: reg}
		}
	}
	for i := len(values) - 1; i >= 0; i-- {
		out = append(out, c.store(st.Lhs[i], values[i]))
	}
	return out
}

// value is what is assigned to a target: nil is no entity.
func (c *checker) value(e, target ast.Expr) *Expr {
	if _, ok := e.(*ast.NilExpr); ok {
		if get, ok := target.(*ast.AttrGetExpr); ok {
			if _, f := c.field(get); f != nil && f.Type == ecs.EntityField {
				return &Expr{Op: Const}
			}
		}
	}
	return c.expr(e)
}

func (c *checker) store(lhs ast.Expr, v *Expr) *Stmt {
	switch lhs := lhs.(type) {
	case *ast.IdentExpr:
		s := c.lookup(lhs.Value)
		if s != nil && s.kind == lateSymbol {
			c.late(s, v.Type)
		}
		switch {
		case s == nil || s.kind != registerSymbol || s.i < 0:
			refuse(lhs, "assigns %q", lhs.Value)
		case s.typ != v.Type:
			refuse(lhs, "%q is now a number, now a boolean", lhs.Value)
		}
		return &Stmt{Op: Set, I: s.i, Mark: s.mark, A: v}
	case *ast.AttrGetExpr:
		view, f := c.field(lhs)
		if f == nil {
			refuse(lhs, "assigns something else than a local or a field")
		}
		if (f.Type == ecs.Bool) != (v.Type == Bool) {
			refuse(lhs, "assigns a value of another type to the field %q", f.Name)
		}
		if f.Type != ecs.F64 && f.Type != ecs.F32 && f.Type != ecs.Bool {
			c.p.Exact = true // it may not fit
		}
		if !slices.ContainsFunc(c.p.Stores, func(t Target) bool { return t.View == view && t.Field == f }) {
			c.p.Stores = append(c.p.Stores, Target{View: view, Field: f})
		}
		return &Stmt{Op: Store, I: view, Field: f, A: v}
	}
	refuse(lhs, "assigns something else than a local or a field")
	return nil
}

// field is the field that view.name means; nil when it is no view.
func (c *checker) field(get *ast.AttrGetExpr) (int, *ecs.Field) {
	id, ok := get.Object.(*ast.IdentExpr)
	key, isName := get.Key.(*ast.StringExpr)
	if !ok || !isName {
		return 0, nil
	}
	s := c.lookup(id.Value)
	if s == nil || s.kind != viewSymbol {
		return 0, nil
	}
	schema := c.schema(s.i)
	if schema == nil {
		refuse(get, "%q may be nil, or is a relation", id.Value)
	}
	i := schema.Index(key.Value)
	if i < 0 {
		refuse(get, "there is no field %q", key.Value)
	}
	f := &schema.Fields()[i]
	switch f.Type {
	case ecs.F64, ecs.F32, ecs.I32, ecs.U32, ecs.I16, ecs.U16, ecs.I8, ecs.U8, ecs.Bool, ecs.EntityField:
		c.p.Uses |= 1 << s.i
		return s.i, f
	}
	refuse(get, "the field %q is of type %s", key.Value, f.Type)
	return 0, nil
}

// always finds the fields that each row stores: those stored before the first
// statement that could leave the body.
func (c *checker) always(body []*Stmt) {
	for _, s := range body {
		switch s.Op {
		case Set:
		case Store:
			for i := range c.p.Stores {
				if t := &c.p.Stores[i]; t.View == s.I && t.Field == s.Field {
					t.Always = true
				}
			}
		case Block:
			c.always(s.Body)
			if leaves(s.Body) {
				return
			}
		default:
			if leaves([]*Stmt{s}) {
				return
			}
		}
	}
}

// leaves reports whether a statement can jump or break out.
func leaves(body []*Stmt) bool {
	return slices.ContainsFunc(body, func(s *Stmt) bool {
		return s.Op == Break || s.Op == Jump || leaves(s.Body) || leaves(s.Else)
	})
}
