package kernel

import (
	"math"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
	"github.com/yuin/gopher-lua/ast"
)

var arithmetic = map[string]Op{"+": Add, "-": Sub, "*": Mul, "/": Div, "%": Mod, "^": Pow}

func boolean(b bool) *Expr {
	e := &Expr{Op: Const, Type: Bool}
	if b {
		e.N = 1
	}
	return e
}

func (c *checker) number(e ast.Expr) *Expr {
	x := c.expr(e)
	if x.Type != Number {
		refuse(e, "does arithmetic with a boolean")
	}
	return x
}

// condition is whether a value counts as true.
func (c *checker) condition(e ast.Expr) *Expr {
	switch e := e.(type) {
	case *ast.LogicalOpExpr:
		c.price++
		op := And
		if e.Operator == "or" {
			op = Or
		}
		return &Expr{Op: op, Type: Bool, A: c.condition(e.Lhs), B: c.condition(e.Rhs)}
	case *ast.UnaryNotOpExpr:
		c.price++
		return &Expr{Op: Not, Type: Bool, A: c.condition(e.Expr)}
	case *ast.NilExpr:
		c.price++
		return boolean(false)
	}
	x := c.expr(e)
	if x.Type == Number {
		return boolean(true)
	}
	return x
}

func (c *checker) expr(e ast.Expr) *Expr {
	c.price++
	switch e := e.(type) {
	case *ast.NumberExpr:
		n, ok := sandbox.ParseNumber(e.Value)
		if !ok {
			refuse(e, "has a malformed number")
		}
		return &Expr{Op: Const, N: n}
	case *ast.TrueExpr:
		return boolean(true)
	case *ast.FalseExpr:
		return boolean(false)
	case *ast.IdentExpr:
		return c.name(e)
	case *ast.AttrGetExpr:
		return c.get(e)
	case *ast.UnaryMinusOpExpr:
		return c.fold(&Expr{Op: Neg, A: c.number(e.Expr)}, e)
	case *ast.UnaryNotOpExpr:
		return &Expr{Op: Not, Type: Bool, A: c.condition(e.Expr)}
	case *ast.ArithmeticOpExpr:
		return c.fold(&Expr{Op: arithmetic[e.Operator], A: c.number(e.Lhs), B: c.number(e.Rhs)}, e)
	case *ast.RelationalOpExpr:
		return c.compare(e)
	case *ast.LogicalOpExpr:
		return c.logical(e)
	case *ast.FuncCallExpr:
		return c.call(e)
	case *ast.NilExpr:
		refuse(e, "uses nil as a value")
	}
	refuse(e, "has an expression that is no number or boolean")
	return nil
}

// fold refuses a constant -0: gopher-lua folds constants and keeps one of 0 and -0
// per function. Nothing else need be folded here.
func (c *checker) fold(x *Expr, at ast.Expr) *Expr {
	if x.A.Op != Const || x.B != nil && x.B.Op != Const {
		return x
	}
	var n float64
	switch a := x.A.N; x.Op {
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
	case Neg:
		n = -a
	}
	if n == 0 && math.Signbit(n) {
		refuse(at, "has a constant -0")
	}
	return &Expr{Op: Const, N: n}
}

func (c *checker) name(e *ast.IdentExpr) *Expr {
	s := c.lookup(e.Value)
	switch {
	case s == nil:
		refuse(e, "uses the global %q", e.Value)
	case s.kind == entitySymbol:
		c.p.Entity = true
		return &Expr{Op: Entity}
	case s.kind == viewSymbol:
		refuse(e, "uses the view %q as a value", e.Value)
	case s.kind == registerSymbol && s.i >= 0:
		return &Expr{Op: Reg, Type: s.typ, I: s.i}
	}
	refuse(e, "uses %q as a value", e.Value)
	return nil
}

// get is view.field, or a member of a table of constants.
func (c *checker) get(e *ast.AttrGetExpr) *Expr {
	if view, f := c.field(e); f != nil {
		x := &Expr{Op: Load, I: view, Field: f}
		if f.Type == ecs.Bool {
			x.Type = Bool
		}
		return x
	}
	if i := c.member(e); i >= 0 {
		if p := c.p.Inputs[i]; p.Used {
			return &Expr{Op: Reg, Type: p.Type, I: p.Reg}
		}
		refuse(e, "uses %s as a value", c.t.Inputs[i].text())
	}
	refuse(e, "indexes something that is no view")
	return nil
}

// member is the input that NAME.MEMBER is, -1 if it is none.
func (c *checker) member(e *ast.AttrGetExpr) int {
	id, ok := e.Object.(*ast.IdentExpr)
	key, isName := e.Key.(*ast.StringExpr)
	if !ok || !isName {
		return -1
	}
	if s := c.lookup(id.Value); s != nil && !s.input {
		return -1
	}
	for i, in := range c.t.Inputs {
		if in.Name == id.Value && in.Member == key.Value {
			return i
		}
	}
	return -1
}

func (c *checker) compare(e *ast.RelationalOpExpr) *Expr {
	equality := e.Operator == "==" || e.Operator == "~="
	if equality {
		for _, pair := range [][2]ast.Expr{{e.Lhs, e.Rhs}, {e.Rhs, e.Lhs}} {
			if _, ok := pair[0].(*ast.NilExpr); ok { // no value here is nil
				if _, both := pair[1].(*ast.NilExpr); both {
					return boolean(e.Operator == "==")
				}
				c.expr(pair[1])
				return boolean(e.Operator == "~=")
			}
		}
	}
	a, b := c.expr(e.Lhs), c.expr(e.Rhs)
	if a.Type != b.Type {
		if !equality {
			refuse(e, "compares a number with a boolean")
		}
		return boolean(e.Operator == "~=")
	}
	if !equality && a.Type == Bool {
		refuse(e, "compares booleans by order")
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
	case "~=":
		return &Expr{Op: Not, Type: Bool, A: &Expr{Op: Equal, Type: Bool, A: a, B: b}}
	}
	return &Expr{Op: Equal, Type: Bool, A: a, B: b}
}

// logical is the value of and, or. A number is always true, so "c and 1 or 2" is
// one number.
func (c *checker) logical(e *ast.LogicalOpExpr) *Expr {
	if and, ok := e.Lhs.(*ast.LogicalOpExpr); ok && e.Operator == "or" && and.Operator == "and" {
		c.price++
		// A condition is right for the left of and: what it is does not show.
		cond, a, b := c.condition(and.Lhs), c.expr(and.Rhs), c.expr(e.Rhs)
		switch {
		case a.Type != b.Type:
			refuse(e, "and, or give now a boolean, now a number")
		case a.Type == Number:
			return &Expr{Op: Select, A: cond, B: a, C: b}
		}
		return &Expr{Op: Or, Type: Bool, A: &Expr{Op: And, Type: Bool, A: cond, B: a}, B: b}
	}
	a, b := c.expr(e.Lhs), c.expr(e.Rhs)
	switch {
	case a.Type == Number && e.Operator == "and":
		return b
	case a.Type == Number:
		return a
	case b.Type != Bool:
		refuse(e, "%s gives now a boolean, now a number", e.Operator)
	case e.Operator == "and":
		return &Expr{Op: And, Type: Bool, A: a, B: b}
	}
	return &Expr{Op: Or, Type: Bool, A: a, B: b}
}

// call is a call of a function of math.
func (c *checker) call(e *ast.FuncCallExpr) *Expr {
	i := -1
	switch fn := e.Func.(type) {
	case *ast.AttrGetExpr:
		i = c.member(fn)
	case *ast.IdentExpr:
		if s := c.lookup(fn.Value); s != nil && s.input {
			for j, in := range c.t.Inputs {
				if in.Name == fn.Value && in.Member == "" {
					i = j
				}
			}
		}
	}
	if i < 0 || c.kinds[i].InputKind != FuncInput {
		refuse(e, "calls %s", callee(e))
	}
	name := c.kinds[i].Func
	args := make([]*Expr, len(e.Args))
	for i, arg := range e.Args {
		args[i] = c.number(arg)
	}
	switch {
	case sandbox.MathOne[name] != nil && len(args) == 1:
		return &Expr{Op: Call, Func: name, A: args[0], One: sandbox.MathOne[name]}
	case sandbox.MathTwo[name] != nil && len(args) == 2:
		return &Expr{Op: Call, Func: name, A: args[0], B: args[1], Two: sandbox.MathTwo[name]}
	case (name == "min" || name == "max") && len(args) > 0:
		op := Min
		if name == "max" {
			op = Max
		}
		x := args[0]
		for _, arg := range args[1:] {
			x = &Expr{Op: op, A: x, B: arg}
		}
		return x
	}
	refuse(e, "calls %s with %d arguments", callee(e), len(args))
	return nil
}
