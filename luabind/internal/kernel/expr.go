package kernel

import (
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

var arithmetic = map[string]Op{"+": Add, "-": Sub, "*": Mul, "/": Div, "%": Mod, "^": Pow}

var typeNames = [...]string{Number: "a number", Bool: "a boolean", Text: "a string"}

func (c *checker) number(e ast.Expr) *Expr {
	x := c.expr(e)
	if x.Type != Number {
		refuse(e, "does arithmetic with %s", typeNames[x.Type])
	}
	return x
}

// pair is two values, the first one evaluated first.
func (c *checker) pair(lhs, rhs func() *Expr) (a, b *Expr) {
	a = lhs()
	c.after(func() { b = rhs() }, &a)
	return a, b
}

// condition is whether a value counts as true.
func (c *checker) condition(e ast.Expr) *Expr {
	switch e := e.(type) {
	case *ast.LogicalOpExpr:
		c.pay()
		op := And
		if e.Operator == "or" {
			op = Or
		}
		return c.both(op, c.condition(e.Lhs), func() *Expr { return c.condition(e.Rhs) })
	case *ast.UnaryNotOpExpr:
		c.pay()
		return not(c.condition(e.Expr))
	case *ast.NilExpr:
		c.pay()
		return boolean(false)
	case *ast.IdentExpr:
		c.pay()
		return c.truth(c.named(e), e)
	}
	v := c.operand(e)
	return c.truth(v, e)
}

// truth is whether what a symbol stands for counts as true.
func (c *checker) truth(s *symbol, at ast.Expr) *Expr {
	switch s.kind {
	case nothingSymbol:
		return boolean(false)
	case lateSymbol:
		return c.present(s)
	case viewSymbol:
		return c.there(s)
	case registerSymbol, valueSymbol:
	case elementSymbol:
		refuseWith(at, ZeroForNone, "asks whether a table has an element")
	default:
		refuse(at, "asks whether there is %s", what[s.kind])
	}
	if s.kind == registerSymbol && s.typ != Bool {
		return c.present(s)
	}
	if s.kind == registerSymbol {
		x := &Expr{Op: Reg, Type: Bool, I: s.i}
		if s.mark < 0 || c.known[s] {
			return x
		}
		return &Expr{Op: And, Type: Bool, A: c.present(s), B: x}
	}
	if s.x.Type != Bool {
		c.absent(s.x, at)
		c.discard(s.x)
		return boolean(true)
	}
	return s.x
}

// absent notes that a row may ask for an element that is not there.
func (c *checker) absent(x *Expr, at ast.PositionHolder) {
	if x.Op == Element {
		c.departs(at, "the table %q has no such element", c.t.Inputs[c.p.Tables[x.I].Input].text())
	}
}

// expr is a value with a type.
func (c *checker) expr(e ast.Expr) *Expr {
	return c.value(c.operand(e), e)
}

// value is what a symbol stands for as a value.
func (c *checker) value(s *symbol, at ast.PositionHolder) *Expr {
	switch s.kind {
	case valueSymbol:
		return s.x
	case registerSymbol, lateSymbol:
		return c.read(s)
	case viewSymbol:
		switch {
		case s.event:
			refuseWith(at, UseFields, "uses the event %q as a value", s.name)
		case s.schema == nil && s.name != "":
			refuseWith(at, TargetInField, "the target of a relation, %q, is used", s.name)
		case s.name != "":
			refuseWith(at, UseFields, "uses the view %q as a value", s.name)
		}
	case nothingSymbol:
		if s.name != "" {
			refuse(at, "uses %q, which is nil when the loop begins", s.name)
		}
		refuse(at, "uses nil as a value")
	}
	refuseWith(at, adviceOnUse(s.kind), "uses %s as a value", what[s.kind])
	return nil
}

// operand lowers an expression to a value or an alias.
func (c *checker) operand(e ast.Expr) *symbol {
	switch e := e.(type) {
	case *ast.IdentExpr:
		c.pay()
		return c.named(e)
	case *ast.AttrGetExpr:
		c.pay()
		return c.get(e)
	case *ast.FuncCallExpr:
		c.pay()
		out := c.call(e, 1)
		if len(out) == 0 {
			return &symbol{kind: nothingSymbol}
		}
		return out[0]
	case *ast.NilExpr:
		c.pay()
		return &symbol{kind: nothingSymbol}
	}
	return &symbol{kind: valueSymbol, x: c.simple(e)}
}

// simple lowers an expression that is a value for sure.
func (c *checker) simple(e ast.Expr) *Expr {
	c.pay()
	switch e := e.(type) {
	case *ast.NumberExpr:
		n, ok := syntax.ParseNumber(e.Value)
		if !ok {
			refuse(e, "has a malformed number")
		}
		return &Expr{Op: Const, N: n}
	case *ast.StringExpr:
		return &Expr{Op: Const, Type: Text, S: e.Value}
	case *ast.TrueExpr:
		return boolean(true)
	case *ast.FalseExpr:
		return boolean(false)
	case *ast.UnaryMinusOpExpr:
		return fold(&Expr{Op: Neg, A: c.number(e.Expr)})
	case *ast.UnaryNotOpExpr:
		return not(c.condition(e.Expr))
	case *ast.ArithmeticOpExpr:
		a, b := c.pair(func() *Expr { return c.number(e.Lhs) }, func() *Expr { return c.number(e.Rhs) })
		return fold(&Expr{Op: arithmetic[e.Operator], A: a, B: b})
	case *ast.RelationalOpExpr:
		return c.compare(e)
	case *ast.LogicalOpExpr:
		return c.logical(e)
	}
	refuse(e, "has an expression that is no number, boolean or string")
	return nil
}

// fold computes an operation on constants. As in the interpreter only a unary
// minus gives -0. Nothing else need be folded here.
func fold(x *Expr) *Expr {
	if x.A.Op != Const || x.B != nil && x.B.Op != Const {
		return x
	}
	n := 0.0
	switch a := x.A.N; x.Op {
	case Neg:
		return &Expr{Op: Const, N: -a}
	case Add:
		n = a + x.B.N
	case Sub:
		n = a - x.B.N
	case Mul:
		n = a * x.B.N
	case Div:
		n = a / x.B.N
	case Mod:
		n = sandbox.Modulo(a, x.B.N)
	case Pow:
		n = sandbox.Power(a, x.B.N)
	default:
		panic("kernel: a constant of unknown operation")
	}
	return &Expr{Op: Const, N: n + 0}
}

// named is what a name stands for.
func (c *checker) named(e *ast.IdentExpr) *symbol {
	s := c.lookup(e)
	if s == nil {
		refuseWith(e, AdviceOnGlobal(e.Value), "uses the global %q", e.Value)
	}
	s.used = true
	if s.kind == valueSymbol && s.x.Op == Entity {
		c.p.Entity = true
	}
	return c.resolve(s, e)
}

// compare is a comparison. Nothing but a view or a variable without a value is
// nil.
func (c *checker) compare(e *ast.RelationalOpExpr) *Expr {
	equality := e.Operator == "==" || e.Operator == "~="
	sense := func(equal *Expr) *Expr {
		if e.Operator == "~=" {
			return not(equal)
		}
		return equal
	}
	if _, ok := e.Rhs.(*ast.NilExpr); ok && equality {
		c.pay()
		return sense(c.missing(e.Lhs))
	}
	if _, ok := e.Lhs.(*ast.NilExpr); ok && equality {
		c.pay()
		return sense(c.missing(e.Rhs))
	}
	a, b := c.pair(func() *Expr { return c.expr(e.Lhs) }, func() *Expr { return c.expr(e.Rhs) })
	switch {
	case a.Type != b.Type && equality:
		c.discard(a)
		c.discard(b)
		return boolean(e.Operator == "~=")
	case a.Type != b.Type:
		refuse(e, "compares %s with %s", typeNames[a.Type], typeNames[b.Type])
	case !equality && a.Type != Number:
		refuse(e, "asks which of two values is less, and they are no numbers")
	}
	if (e.Operator == ">" || e.Operator == ">=") && (acts(a) || acts(b)) {
		a = c.keep(a)
	}
	switch e.Operator {
	case "<":
		return &Expr{Op: Less, Type: Bool, A: a, B: b}
	case ">":
		return &Expr{Op: Less, Type: Bool, A: b, B: a}
	case "<=":
		return &Expr{Op: LessEqual, Type: Bool, A: a, B: b}
	case ">=":
		return &Expr{Op: LessEqual, Type: Bool, A: b, B: a}
	}
	return sense(&Expr{Op: Equal, Type: Bool, A: a, B: b})
}

// missing is whether a value is nil.
func (c *checker) missing(e ast.Expr) *Expr {
	switch s := c.operand(e); s.kind {
	case nothingSymbol:
		return boolean(true)
	case viewSymbol:
		return not(c.there(s))
	case lateSymbol, registerSymbol:
		return not(c.present(s))
	case valueSymbol:
		c.absent(s.x, e)
		c.discard(s.x)
	}
	return boolean(false)
}

// logical is the value of and, or. A number or string is always true, so "c and 1
// or 2" is one number.
func (c *checker) logical(e *ast.LogicalOpExpr) *Expr {
	mixed := func() { refuseWith(e, OneType, "and, or give now one type, now another") }
	if and, ok := e.Lhs.(*ast.LogicalOpExpr); ok && e.Operator == "or" && and.Operator == "and" {
		c.pay()
		// A condition is right for the left of and: what it is does not show.
		return c.either(c.condition(and.Lhs), func() *Expr { return c.expr(and.Rhs) }, func() *Expr { return c.expr(e.Rhs) }, mixed)
	}
	s := c.operand(e.Lhs)
	if (s.kind == registerSymbol || s.kind == lateSymbol) && s.typ != Bool && e.Operator == "or" && s.mark >= 0 && !c.known[s] {
		there := c.present(s)
		return c.either(there, func() *Expr { c.known[s] = true; return c.read(s) }, func() *Expr { return c.expr(e.Rhs) }, mixed)
	}
	a := c.value(s, e.Lhs)
	op := Or
	if e.Operator == "and" {
		op = And
	}
	switch {
	case a.Type != Bool && op == And:
		c.discard(a)
		return c.expr(e.Rhs)
	case a.Type != Bool:
		c.absent(a, e)
		c.branching(func() { c.collect(func() { c.expr(e.Rhs) }) })
		return a
	}
	return c.both(op, a, func() *Expr {
		b := c.expr(e.Rhs)
		if b.Type != Bool {
			mixed()
		}
		return b
	})
}
