package lower

import (
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Expressions: names, arithmetic, and what has a value of one type. compare.go has comparisons, logical.go has and, or and
// not. An expression becomes an [ir.Expr] if it has to be a number, a boolean or a string, and a [symbol] if it may be
// something else. If it needs statements of its own, they are emitted first: see order.go.

// arithmetic has the operations of the arithmetic operators.
var arithmetic = map[string]ir.Op{"+": ir.Add, "-": ir.Sub, "*": ir.Mul, "/": ir.Div, "%": ir.Mod, "^": ir.Pow}

// typeNames are the words for types in reasons.
var typeNames = [...]string{ir.Number: "a number", ir.Bool: "a boolean", ir.Text: "a string", ir.Any: "a value that may be of any kind"}

// number lowers an expression that has to be a number.
func (c *lowerer) number(e ast.Expr) *ir.Expr {
	x := c.as(c.expr(e), ir.Number)
	if x.Type != ir.Number {
		c.mixesIn(e)
		refuse(e, "does arithmetic with %s", typeNames[x.Type])
	}
	return x
}

// pair lowers two values, the first one first.
func (c *lowerer) pair(lhs, rhs func() *ir.Expr) (a, b *ir.Expr) {
	a = lhs()
	c.after(func() { b = rhs() }, &a)
	return a, b
}

// expr lowers an expression that has to be a number, boolean or string.
func (c *lowerer) expr(e ast.Expr) *ir.Expr {
	return c.value(c.operand(e), e)
}

// value returns the value of a symbol that has to be a number, boolean or string. If it may be nil, rows in which
// it is nil are left to the interpreter.
func (c *lowerer) value(s *symbol, at ast.PositionHolder) *ir.Expr {
	switch s.kind {
	case valueSymbol:
		if s.has != nil {
			c.guard(s.has)
			return surely(s).x
		}
		return s.x
	case registerSymbol, unsetSymbol:
		return c.read(s)
	case lookupSymbol:
		return c.fetch(s, at)
	case viewSymbol:
		switch {
		case s.event:
			refuseWith(at, useFields, "uses the event %q as a value", s.name)
		case s.schema == nil && s.name != "":
			refuse(at, "the target of a relation, %q, is used", s.name)
		case s.name != "":
			refuseWith(at, useFields, "uses the view %q as a value", s.name)
		}
	case nilSymbol:
		if s.name != "" && s.variable != nil && !c.t.isInput(s.variable) {
			refuse(at, "uses %q, which is nil", s.name)
		}
		if s.name != "" {
			refuse(at, "uses %q, which is nil when the loop begins", s.name)
		}
		if s.text != "" {
			refuse(at, "uses %s, which is nil when the loop begins", s.text)
		}
		refuse(at, "uses nil as a value")
	}
	if e, ok := at.(ast.Expr); ok && inSource(e) != "…" {
		refuseWith(at, adviceOnUse(s.kind), "uses %s, which is %s, as a value", inSource(e), kindTexts[s.kind])
	}
	refuseWith(at, adviceOnUse(s.kind), "uses %s as a value", kindTexts[s.kind])
	return nil
}

// operand lowers an expression of any kind to a symbol.
func (c *lowerer) operand(e ast.Expr) *symbol {
	s := c.meaning(e)
	if get, ok := e.(*ast.AttrGetExpr); ok && s.kind == nilSymbol && s.name == "" && s.text == "" {
		named := *s
		named.text = inSource(get)
		return &named
	}
	return s
}

// meaning is operand without the name of a member or element that is nil.
func (c *lowerer) meaning(e ast.Expr) *symbol {
	switch e := e.(type) {
	case *ast.IdentExpr:
		c.pay()
		if s := c.constantOf(e); s != nil {
			return s
		}
		return c.named(e)
	case *ast.FunctionExpr:
		c.pay()
		if f := c.t.closures[e]; f != nil {
			c.allocates(sandbox.ClosureBytes, e)
			return constantSymbolOf(&Constant{Kind: FunctionConstant, Function: f})
		}
	case *ast.AttrGetExpr:
		c.pay()
		return c.get(e)
	case *ast.FuncCallExpr:
		c.pay()
		out := c.call(e, 1)
		if len(out) == 0 {
			return &symbol{kind: nilSymbol}
		}
		return out[0]
	case *ast.NilExpr:
		c.pay()
		return &symbol{kind: nilSymbol}
	case *ast.LogicalOpExpr:
		c.pay()
		return c.logical(e)
	case *ast.TableExpr:
		c.pay()
		return c.constructor(e)
	}
	return &symbol{kind: valueSymbol, x: c.simple(e)}
}

// simple lowers an expression whose value is always a number, boolean or string.
func (c *lowerer) simple(e ast.Expr) *ir.Expr {
	c.pay()
	switch e := e.(type) {
	case *ast.NumberExpr:
		n, ok := syntax.ParseNumber(e.Value)
		if !ok {
			refuse(e, "has a malformed number")
		}
		return &ir.Expr{Op: ir.Const, N: n}
	case *ast.StringExpr:
		return &ir.Expr{Op: ir.Const, Type: ir.Text, S: e.Value}
	case *ast.TrueExpr:
		return boolean(true)
	case *ast.FalseExpr:
		return boolean(false)
	case *ast.UnaryMinusOpExpr:
		return fold(&ir.Expr{Op: ir.Neg, A: c.number(e.Expr)})
	case *ast.UnaryNotOpExpr:
		return not(c.condition(e.Expr))
	case *ast.ArithmeticOpExpr:
		a, b := c.pair(func() *ir.Expr { return c.number(e.Lhs) }, func() *ir.Expr { return c.number(e.Rhs) })
		if _, ok := e.Lhs.(*ast.UnaryLenOpExpr); ok && e.Operator == "+" {
			a = c.roomIn(a)
		}
		return fold(&ir.Expr{Op: arithmetic[e.Operator], A: a, B: b})
	case *ast.UnaryLenOpExpr:
		return c.lengthOf(e)
	case *ast.RelationalOpExpr:
		return c.compare(e)
	case *ast.StringConcatOpExpr:
		return c.concat(e)
	}
	refuse(e, "has an expression that is no number, boolean or string")
	return nil
}

// fold computes an arithmetic operation on constants while lowering. As in the interpreter, only a unary minus
// gives -0.
func fold(x *ir.Expr) *ir.Expr {
	if x.A.Op != ir.Const || x.B != nil && x.B.Op != ir.Const {
		return x
	}
	n := 0.0
	switch a := x.A.N; x.Op {
	case ir.Neg:
		return &ir.Expr{Op: ir.Const, N: -a}
	case ir.Add:
		n = a + x.B.N
	case ir.Sub:
		n = a - x.B.N
	case ir.Mul:
		n = a * x.B.N
	case ir.Div:
		n = a / x.B.N
	case ir.Mod:
		n = sandbox.Modulo(a, x.B.N)
	case ir.Pow:
		n = sandbox.Power(a, x.B.N)
	default:
		panic("lower: a constant of unknown operation")
	}
	return &ir.Expr{Op: ir.Const, N: n + 0}
}

// named returns the symbol that an identifier stands for, with inputs resolved.
func (c *lowerer) named(e *ast.IdentExpr) *symbol {
	s := c.lookup(e)
	if s.kind == valueSymbol && s.x.Op == ir.Entity {
		c.p.Entity = true
	}
	return c.resolve(s, e)
}

// Strings that a body makes: a .. b. They become ir.Join and ir.Shown.

// concat lowers a .. b.
func (c *lowerer) concat(e *ast.StringConcatOpExpr) *ir.Expr {
	a, b := c.pair(func() *ir.Expr { return c.expr(e.Lhs) }, func() *ir.Expr { return c.expr(e.Rhs) })
	c.p.Exact = true
	if _, chain := e.Rhs.(*ast.StringConcatOpExpr); !chain && b.Op == ir.Join { // the value of a function: a string of its own
		b = c.keep(b)
	}
	return &ir.Expr{Op: ir.Join, Type: ir.Text, A: c.shownOf(a, e.Lhs), B: c.shownOf(b, e.Rhs)}
}

// shownOf returns an operand of a .. b as a string. A number that is kept in a register is kept as it is: a string would count as allocated.
func (c *lowerer) shownOf(x *ir.Expr, e ast.Expr) *ir.Expr {
	switch x.Type {
	case ir.Text:
		return x
	case ir.Number, ir.Any:
		return &ir.Expr{Op: ir.Shown, Type: ir.Text, A: x}
	case ir.Bool:
	}
	refuse(e, "joins %s with a string", typeNames[x.Type])
	return nil
}
