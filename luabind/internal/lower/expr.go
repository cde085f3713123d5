package lower

import (
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Expressions: operators, comparisons, and, or, not. An expression becomes an [ir.Expr] if it has to be a number, a
// boolean or a string, and a [symbol] if it may be something else. If it needs statements of its own, they are
// emitted first: see order.go.

// arithmetic has the operations of the arithmetic operators.
var arithmetic = map[string]ir.Op{"+": ir.Add, "-": ir.Sub, "*": ir.Mul, "/": ir.Div, "%": ir.Mod, "^": ir.Pow}

// typeNames are the words for types in reasons.
var typeNames = [...]string{ir.Number: "a number", ir.Bool: "a boolean", ir.Text: "a string", ir.Any: "a value of a table field"}

// number lowers an expression that has to be a number.
func (c *lowerer) number(e ast.Expr) *ir.Expr {
	x := c.as(c.expr(e), ir.Number)
	if x.Type != ir.Number {
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

// condition lowers an expression to a boolean that says whether its value is neither nil nor false.
func (c *lowerer) condition(e ast.Expr) *ir.Expr {
	switch e := e.(type) {
	case *ast.LogicalOpExpr:
		c.pay()
		op := ir.And
		if e.Operator == "or" {
			op = ir.Or
		}
		return c.both(op, c.condition(e.Lhs), func() *ir.Expr { return c.condition(e.Rhs) })
	case *ast.UnaryNotOpExpr:
		c.pay()
		return not(c.condition(e.Expr))
	case *ast.NilExpr:
		c.pay()
		return boolean(false)
	}
	v := c.operand(e)
	return c.truth(v, e)
}

// truth is condition for a symbol.
func (c *lowerer) truth(s *symbol, at ast.Expr) *ir.Expr {
	if isAny(s) {
		return truly(c.value(s, at))
	}
	switch s.kind {
	case nilSymbol:
		return boolean(false)
	case unsetSymbol:
		return c.present(s)
	case viewSymbol:
		return c.there(s)
	case registerSymbol, valueSymbol:
	case lookupSymbol:
		return c.isTrue(s, at)
	case elementSymbol:
		return c.exists(s.i, s.x)
	case madeSymbol, constantSymbol, functionSymbol, tableSymbol:
		return boolean(true)
	case choiceSymbol:
		return chosenTrue(s.choice)
	default:
		refuse(at, "asks whether there is %s", kindTexts[s.kind])
	}
	if s.kind == registerSymbol && s.typ != ir.Bool {
		return c.present(s)
	}
	if s.kind == registerSymbol {
		x := &ir.Expr{Op: ir.Reg, Type: ir.Bool, I: s.i}
		if s.mark < 0 || c.hasValue[s] {
			return x
		}
		return &ir.Expr{Op: ir.And, Type: ir.Bool, A: c.present(s), B: x}
	}
	if s = c.optional(s); s.has != nil && s.x.Type == ir.Bool {
		return &ir.Expr{Op: ir.And, Type: ir.Bool, A: s.has, B: s.x}
	}
	if s.has != nil {
		return s.has
	}
	if s.x.Type != ir.Bool {
		c.discard(s.x)
		return boolean(true)
	}
	return s.x
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
			c.demand(s.has)
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
			refuseWith(at, targetInField, "the target of a relation, %q, is used", s.name)
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
		refuse(at, "uses nil as a value")
	}
	refuseWith(at, adviceOnUse(s.kind), "uses %s as a value", kindTexts[s.kind])
	return nil
}

// operand lowers an expression of any kind to a symbol.
func (c *lowerer) operand(e ast.Expr) *symbol {
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
	case *ast.ArithmeticOpExpr:
		if call := c.t.operators[e]; call != nil {
			if list := c.t.functionsOf(call); len(list) > 0 {
				c.pay()
				return c.calculated(e, call, list, e.Lhs, e.Rhs, arithmetic[e.Operator])
			}
		}
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
			c.roomIn(a)
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

// compare lowers a comparison. Values of different types are never equal. An order is only supported for numbers.
func (c *lowerer) compare(e *ast.RelationalOpExpr) *ir.Expr {
	if call, list := c.comparison(e); call != nil {
		return c.comparedBy(e, call, list)
	}
	equality := e.Operator == "==" || e.Operator == "~="
	sense := func(equal *ir.Expr) *ir.Expr {
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
	if equality {
		l := c.comparand(e.Lhs)
		var r *symbol
		c.after(func() { r = c.comparand(e.Rhs) }, l.operands()...)
		switch {
		case isFixed(l) && isFixed(r):
			refuse(e, "compares functions or tables")
		case isFixed(l) || isFixed(r): // they are never equal to a number, a boolean, a string or nil
			c.discardAll([]*symbol{l, r})
			return boolean(e.Operator == "~=")
		case l.kind == nilSymbol && r.kind == nilSymbol:
			return boolean(e.Operator == "==")
		case isAny(l) || isAny(r):
			c.p.Exact = true
			return sense(&ir.Expr{Op: ir.Equal, Type: ir.Bool, A: c.anyOf(l, e.Lhs), B: c.anyOf(r, e.Rhs)})
		case l.kind == nilSymbol || r.kind == nilSymbol:
			return sense(not(c.truthOfEither(l, r)))
		case l.x.Type != r.x.Type:
			c.discard(l.x)
			c.discard(r.x)
			if l.has != nil && r.has != nil {
				return sense(&ir.Expr{Op: ir.And, Type: ir.Bool, A: not(l.has), B: not(r.has)})
			}
			return boolean(e.Operator == "~=")
		}
		return sense(c.compared(l, r))
	}
	a, b := c.pair(func() *ir.Expr { return c.expr(e.Lhs) }, func() *ir.Expr { return c.expr(e.Rhs) })
	if a.Type == ir.Any && b.Type == ir.Any {
		a = c.as(a, ir.Number)
	}
	a, b = c.as(a, b.Type), c.as(b, a.Type)
	switch {
	case a.Type != b.Type:
		refuse(e, "compares %s with %s", typeNames[a.Type], typeNames[b.Type])
	case a.Type == ir.Text:
		return c.ordered(e, a, b)
	case a.Type != ir.Number:
		refuse(e, "asks which of two values is less, and they are no numbers")
	}
	if (e.Operator == ">" || e.Operator == ">=") && (hasEffect(a) || hasEffect(b)) {
		a = c.keep(a)
	}
	switch e.Operator {
	case "<":
		return &ir.Expr{Op: ir.Less, Type: ir.Bool, A: a, B: b}
	case ">":
		return &ir.Expr{Op: ir.Less, Type: ir.Bool, A: b, B: a}
	case "<=":
		return &ir.Expr{Op: ir.LessEqual, Type: ir.Bool, A: a, B: b}
	}
	return &ir.Expr{Op: ir.LessEqual, Type: ir.Bool, A: b, B: a}
}

// ordered lowers a comparison of strings.
func (c *lowerer) ordered(e *ast.RelationalOpExpr, a, b *ir.Expr) *ir.Expr {
	if c.position.exit != nil && !c.t.Open {
		refuse(e, "asks which of two strings is less")
	}
	switch e.Operator {
	case "<":
		return c.lessText(a, b)
	case ">":
		return c.lessText(b, a)
	case "<=":
		return not(c.lessText(b, a))
	}
	return not(c.lessText(a, b))
}

// comparand lowers an operand of == or ~=: a number, boolean or string, nil, or a constant table or function.
func (c *lowerer) comparand(e ast.Expr) *symbol {
	s := c.operand(e)
	if c.isConstant(e) && isFixed(s) {
		return s
	}
	return c.scalarOf(s, e)
}

// isFixed reports whether a symbol is a function or a constant table.
func isFixed(s *symbol) bool { return s.kind == constantSymbol || s.kind == functionSymbol }

// missing lowers a comparison with nil: the condition that an expression is nil.
func (c *lowerer) missing(e ast.Expr) *ir.Expr {
	s := c.operand(e)
	if isAny(s) {
		c.p.Exact = true
		return isNull(c.value(s, e))
	}
	switch s.kind {
	case nilSymbol:
		return boolean(true)
	case viewSymbol:
		return not(c.there(s))
	case unsetSymbol, registerSymbol:
		return not(c.present(s))
	case lookupSymbol:
		return not(c.found(s))
	case elementSymbol:
		return not(c.exists(s.i, s.x))
	case choiceSymbol:
		return not(anyOf(s.choice))
	case valueSymbol:
		if s = c.optional(s); s.has != nil {
			return not(s.has)
		}
		c.discard(s.x)
	}
	return boolean(false)
}

// truthOfEither returns the condition that a value is not nil. The value is the one of two symbols that is not a
// nilSymbol.
func (c *lowerer) truthOfEither(a, b *symbol) *ir.Expr {
	if a.kind == nilSymbol {
		a = b
	}
	if a.has != nil {
		return a.has
	}
	c.discard(a.x)
	return boolean(true)
}

// startsWithAnd reports whether the first part of a chain of or is an and.
func startsWithAnd(or *ast.LogicalOpExpr) bool {
	first, ok := or.Lhs.(*ast.LogicalOpExpr)
	return ok && (first.Operator == "and" || first.Operator == "or" && startsWithAnd(first))
}

// logical lowers and, or, where their value is used. Numbers and strings count as true, so "c and 1 or 2" is always
// a number. The value of "t and t.x" is nil if t is. The right side is only evaluated where Lua evaluates it. Both
// sides must have one type.
func (c *lowerer) logical(e *ast.LogicalOpExpr) *symbol {
	if c.givesView(e) {
		return c.logicalView(e)
	}
	mixed := func() { refuseWith(e, oneType, "and, or give now one type, now another") }
	if or, ok := e.Lhs.(*ast.LogicalOpExpr); ok && e.Operator == "or" && or.Operator == "or" && startsWithAnd(or) {
		// (a and x or b and y) or z is a and x or (b and y or z), in which every part has a value of one type.
		return c.logical(syntax.At(&ast.LogicalOpExpr{Operator: "or", Lhs: or.Lhs, Rhs: syntax.At(&ast.LogicalOpExpr{Operator: "or", Lhs: or.Rhs, Rhs: e.Rhs}, e)}, e))
	}
	if and, ok := e.Lhs.(*ast.LogicalOpExpr); ok && e.Operator == "or" && and.Operator == "and" {
		c.pay()
		// Only the truth of the left side of and matters: if it is false, the result is the right side of or.
		cond := c.condition(and.Lhs)
		if cond.Op == ir.Const && cond.N == 0 {
			c.unless(true, func() []*ir.Stmt { return c.branchOf(func() *symbol { return c.operand(and.Rhs) }).body })
			return c.scalar(e.Rhs)
		}
		if first := c.branchOf(func() *symbol { return c.scalar(and.Rhs) }); isAny(first.s) {
			return c.chosenAny(cond, first, c.branchOf(func() *symbol { return c.scalar(e.Rhs) }), e)
		} else if isOptional(first.s) || first.s.kind == nilSymbol {
			return c.chosen(cond, first, e.Rhs, mixed)
		} else if rest := c.branchOf(func() *symbol { return c.scalar(e.Rhs) }); isAny(rest.s) {
			return c.chosenAny(cond, first, rest, e)
		} else if isOptional(rest.s) || rest.s.kind == nilSymbol {
			if first.s.x.Type == ir.Bool {
				mixed()
			}
			return c.joinOptional(cond, first, rest, mixed)
		} else {
			return plain(c.either(cond, first, rest, mixed))
		}
	}
	s := c.optional(c.operand(e.Lhs))
	if e.Operator == "or" && (s.kind == constantSymbol || s.kind == choiceSymbol) {
		return c.orElse(s, e)
	}
	if s.kind == madeSymbol {
		s = c.real(s, e.Lhs)
	}
	if isAny(s) {
		left := c.value(s, e.Lhs)
		return c.anyOr(left, e.Operator == "and", c.branchOf(func() *symbol { return c.scalar(e.Rhs) }), e)
	}
	if e.Operator == "and" && (s.kind == viewSymbol || s.kind == elementSymbol || s.kind == lookupSymbol || s.kind == constantSymbol || s.kind == choiceSymbol) {
		cond := c.keep(c.truth(s, e.Lhs))
		rest := c.branchOf(func() *symbol { return c.scalar(e.Rhs) })
		if rest.s.kind == nilSymbol {
			return rest.s
		}
		return c.joinOptional(cond, rest, branchValue{s: &symbol{kind: nilSymbol}}, mixed)
	}
	if s.kind == lookupSymbol {
		s.x = c.keep(s.x)
		return c.rowOrElse(s, e)
	}
	if s.kind != nilSymbol && !isOptional(s) {
		s = plain(c.value(s, e.Lhs))
	}
	switch {
	case s.kind == nilSymbol && e.Operator == "or":
		return c.scalar(e.Rhs)
	case s.kind == nilSymbol:
		c.unless(true, func() []*ir.Stmt { return c.branchOf(func() *symbol { return c.operand(e.Rhs) }).body })
		return s
	case s.has != nil && s.x.Type == ir.Bool && e.Operator == "and":
		refuse(e, "and has a boolean on its left that may be nil")
	case s.has != nil && e.Operator == "or":
		cond := s.has
		if s.x.Type == ir.Bool { // false or x is x, too
			cond = &ir.Expr{Op: ir.And, Type: ir.Bool, A: s.has, B: s.x}
		}
		rest := c.branchOf(func() *symbol { return c.scalar(e.Rhs) })
		first := branchValue{s: surely(s)}
		if isAny(rest.s) {
			return c.chosenAny(cond, first, rest, e)
		}
		if isOptional(rest.s) || rest.s.kind == nilSymbol {
			return c.joinOptional(cond, first, rest, mixed)
		}
		return plain(c.either(cond, first, rest, mixed))
	case s.has != nil:
		cond := c.keep(s.has)
		rest := c.branchOf(func() *symbol { return c.scalar(e.Rhs) })
		if rest.s.kind == nilSymbol {
			return rest.s
		}
		return c.joinOptional(cond, rest, branchValue{s: &symbol{kind: nilSymbol}}, mixed)
	}
	a := s.x
	op := ir.Or
	if e.Operator == "and" {
		op = ir.And
	}
	switch {
	case a.Type != ir.Bool && op == ir.And:
		c.discard(a)
		return c.scalar(e.Rhs)
	case a.Type != ir.Bool:
		c.branching(func() { c.collect(func() { c.operand(e.Rhs) }) })
		return s
	}
	return plain(c.both(op, a, func() *ir.Expr {
		b := c.expr(e.Rhs)
		if b.Type != ir.Bool {
			mixed()
		}
		return b
	}))
}

// chosen returns the value of "cond and first or rest", where first may be nil.
func (c *lowerer) chosen(cond *ir.Expr, first branchValue, rest ast.Expr, mixed func()) *symbol {
	if first.s.kind == valueSymbol && len(first.body) == 0 && first.s.x.Type != ir.Bool {
		cond = &ir.Expr{Op: ir.And, Type: ir.Bool, A: cond, B: first.s.has}
		if other := c.branchOf(func() *symbol { return c.scalar(rest) }); isOptional(other.s) || other.s.kind == nilSymbol {
			return c.joinOptional(cond, branchValue{s: surely(first.s)}, other, mixed)
		} else {
			return plain(c.either(cond, branchValue{s: surely(first.s)}, other, mixed))
		}
	}
	there := c.temporary(ir.Bool)
	has, x := boolean(false), (*ir.Expr)(nil)
	if first.s.kind != nilSymbol {
		if has, x = first.s.has, first.s.x; x.Type == ir.Bool {
			mixed()
		}
	}
	body := append(first.body, &ir.Stmt{Op: ir.Set, I: there.I, Mark: -1, A: has})
	value := branchValue{s: &symbol{kind: nilSymbol}}
	if x != nil {
		reg := c.temporary(x.Type)
		body = append(body, &ir.Stmt{Op: ir.Set, I: reg.I, Mark: -1, A: x})
		value.s = plain(reg)
	}
	c.emit(&ir.Stmt{Op: ir.If, A: cond, Body: body, Else: []*ir.Stmt{{Op: ir.Set, I: there.I, Mark: -1, A: boolean(false)}}})
	other := c.branchOf(func() *symbol { return c.scalar(rest) })
	switch {
	case x == nil && other.s.kind == nilSymbol:
		return other.s
	case x == nil:
		return c.joinOptional(not(there), other, value, mixed)
	case isOptional(other.s) || other.s.kind == nilSymbol:
		return c.joinOptional(there, value, other, mixed)
	}
	return plain(c.either(there, value, other, mixed))
}
