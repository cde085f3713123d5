package lower

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/yuin/gopher-lua/ast"
)

// The order of evaluation. Lua evaluates from left to right. Some expressions need statements of their own, such as
// an inlined function, or the lookup of a component of another entity. These come before the statement that is
// being lowered. So what stands to the left of such an expression has to be evaluated before them, into registers,
// and what is evaluated only in some cases (the right side of and, or) goes into an if.

// after calls lower for something that is evaluated after earlier values. If lower emits statements, the earlier
// values are put into registers before them.
func (c *lowerer) after(lower func(), earlier ...**ir.Expr) {
	n := len(c.out)
	lower()
	if len(c.out) > n {
		c.keepBefore(n, earlier...)
	}
}

// keepBefore puts earlier values into registers before the statements from number n on.
func (c *lowerer) keepBefore(n int, earlier ...**ir.Expr) {
	var kept []*ir.Stmt
	for _, x := range earlier {
		if c.stable(*x) {
			continue
		}
		if alters(c.out[n:], *x) {
			panic(&Reason{whole: true, Line: c.t.Line, Text: "a variable is used and changed by a function in one expression"})
		}
		reg := c.temporary((*x).Type)
		kept = append(kept, &ir.Stmt{Op: ir.Set, I: reg.I, Mark: -1, A: *x})
		*x = reg
	}
	c.out = slices.Insert(c.out, n, kept...)
}

// temporary returns a new register for a value that is set once.
func (c *lowerer) temporary(t ir.Type) *ir.Expr {
	reg := c.register(t)
	c.fixed[register{t, reg}] = true
	return &ir.Expr{Op: ir.Reg, Type: t, I: reg}
}

// keep returns a value that is evaluated here, once, however often it is used.
func (c *lowerer) keep(x *ir.Expr) *ir.Expr {
	if c.stable(x) {
		return x
	}
	reg := c.temporary(x.Type)
	c.entities[reg.I] = c.entities[reg.I] || x.Type == ir.Number && c.isEntity(x)
	c.set(reg.I, -1, x)
	c.keepStrings(reg.I, x)
	return reg
}

// stable reports whether a value is the same wherever it is evaluated, and free to evaluate.
func (c *lowerer) stable(x *ir.Expr) bool {
	if x.Op == ir.Wrap {
		x = x.A
	}
	if x.Op == ir.Pair {
		return c.stable(x.A) && c.stable(x.B)
	}
	return x.Op == ir.Const || x.Op == ir.Entity || x.Op == ir.Reg && c.fixed[register{x.Type, x.I}]
}

// alters reports whether some statements set a register that a value reads.
func alters(body []*ir.Stmt, x *ir.Expr) bool {
	return x != nil && (x.Op == ir.Reg && sets(body, x) || alters(body, x.A) || alters(body, x.B) || alters(body, x.C))
}

// sets reports whether some statements set the register x.
func sets(body []*ir.Stmt, x *ir.Expr) bool {
	return slices.ContainsFunc(body, func(s *ir.Stmt) bool {
		switch s.Op {
		case ir.Set, ir.Count:
			if s.I == x.I && s.A.Type == x.Type { // a counter is a number, as its bounds are
				return true
			}
		case ir.Store, ir.If, ir.While, ir.Repeat, ir.Break, ir.Jump, ir.Block, ir.Do, ir.Look, ir.Put, ir.PutKey, ir.Return, ir.Leave:
		case ir.PutItem, ir.Insert:
		case ir.Make, ir.Remove, ir.Sort, ir.Invoke, ir.Items, ir.Entries: // they set registers that nothing has read before
		case ir.Fit, ir.Emit, ir.Each, ir.Near, ir.Sources: // they set registers of resources, or registers that nothing has read before
		default:
			panic("lower: a statement of unknown operation")
		}
		return sets(s.Body, x) || sets(s.Else, x)
	})
}

// hasEffect reports whether the evaluation of a value changes something.
func hasEffect(x *ir.Expr) bool {
	return x != nil && (x.Op == ir.Random || x.Op == ir.Tag || x.Op == ir.Untag || hasEffect(x.A) || hasEffect(x.B) || hasEffect(x.C))
}

// draws reports whether some statements draw random numbers. It looks at the finished body, because what is lowered is not
// always emitted: see unless.
func draws(body []*ir.Stmt) bool {
	return slices.ContainsFunc(body, func(s *ir.Stmt) bool {
		return isDraw(s.A) || isDraw(s.B) || isDraw(s.C) || slices.ContainsFunc(s.Args, isDraw) || draws(s.Body) || draws(s.Else)
	})
}

// isDraw reports whether the evaluation of a value draws random numbers.
func isDraw(x *ir.Expr) bool {
	return x != nil && (x.Op == ir.Random || isDraw(x.A) || isDraw(x.B) || isDraw(x.C))
}

// fails reports whether the evaluation of a value may fail: see [ir.Expr].
func (c *lowerer) fails(x *ir.Expr) bool {
	if x == nil {
		return false
	}
	switch x.Op {
	case ir.Element, ir.Lookup, ir.HasKey, ir.Item, ir.As, ir.Length, ir.Join, ir.Shown, ir.Random:
		return true
	case ir.Equal, ir.Less, ir.LessEqual:
		if x.A.Type == ir.Any {
			return true
		}
	case ir.Load:
		if x.I >= c.p.Views || c.p.Optional&(1<<x.I) != 0 {
			return true
		}
	case ir.Const, ir.Reg, ir.Entity, ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Mod, ir.Pow, ir.Neg, ir.Wrap, ir.Truth, ir.Not, ir.And, ir.Or, ir.Select, ir.Call, ir.Min, ir.Max, ir.Present, ir.Alive, ir.Has, ir.Tagged, ir.Exists, ir.Related, ir.Pair, ir.Tag, ir.Untag:
	default:
		panic("lower: an expression of unknown operation")
	}
	return c.fails(x.A) || c.fails(x.B) || c.fails(x.C)
}

// discard evaluates a value that is not used, if its evaluation has an effect or may fail.
func (c *lowerer) discard(x *ir.Expr) {
	if hasEffect(x) || c.fails(x) {
		c.emit(&ir.Stmt{Op: ir.Do, A: x})
	}
}

// either returns the value of "cond and a or b", where a and b are not nil. If their types differ, it is of type Any.
func (c *lowerer) either(cond *ir.Expr, a, b branchValue, at ast.PositionHolder) *symbol {
	x, y, first, second := a.s.x, b.s.x, a.body, b.body
	if x.Type != y.Type {
		return c.ofSeveral(c.chosenAny(cond, a, b, at))
	}
	if x.Type == ir.Bool { // if a is false, the result is b
		return plain(c.joined(ir.Or, c.joined(ir.And, cond, x, first), y, second))
	}
	if len(first)+len(second) == 0 {
		return plain(&ir.Expr{Op: ir.Select, Type: x.Type, A: cond, B: x, C: y})
	}
	reg := c.temporary(x.Type)
	first = append(first, &ir.Stmt{Op: ir.Set, I: reg.I, Mark: -1, A: x})
	second = append(second, &ir.Stmt{Op: ir.Set, I: reg.I, Mark: -1, A: y})
	c.emit(&ir.Stmt{Op: ir.If, A: cond, Body: first, Else: second})
	return plain(reg)
}

// both returns "a and b" or "a or b" for booleans. lower makes b, which is only evaluated if a does not decide.
func (c *lowerer) both(op ir.Op, a *ir.Expr, lower func() *ir.Expr) *ir.Expr {
	if a.Op == ir.Const && (a.N != 0) == (op == ir.Or) { // b is never evaluated, and need not be possible: not rule.when or rule.when(s)
		return a
	}
	var b *ir.Expr
	second := c.collect(func() { c.branching(func() { b = lower() }) })
	return c.joined(op, a, b, second)
}

// joined returns "a and b" or "a or b". second are the statements that b needs.
func (c *lowerer) joined(op ir.Op, a, b *ir.Expr, second []*ir.Stmt) *ir.Expr {
	if len(second) == 0 {
		return &ir.Expr{Op: op, Type: ir.Bool, A: a, B: b}
	}
	x := &ir.Expr{Op: ir.Reg, Type: ir.Bool, I: c.register(ir.Bool)}
	c.set(x.I, -1, a)
	cond := x
	if op == ir.Or {
		cond = not(x)
	}
	c.emit(&ir.Stmt{Op: ir.If, A: cond, Body: append(second, &ir.Stmt{Op: ir.Set, I: x.I, Mark: -1, A: b})})
	c.fixed[register{ir.Bool, x.I}] = true
	return x
}

// not returns "not x".
func not(x *ir.Expr) *ir.Expr {
	if x.Op == ir.Const {
		return boolean(x.N == 0)
	}
	return &ir.Expr{Op: ir.Not, Type: ir.Bool, A: x}
}

// boolean returns a boolean constant.
func boolean(b bool) *ir.Expr {
	e := &ir.Expr{Op: ir.Const, Type: ir.Bool}
	if b {
		e.N = 1
	}
	return e
}

// branching calls fn for something that is only executed in some cases. It returns which variables are known to
// have a value after it; the lowerer itself forgets that.
func (c *lowerer) branching(fn func()) (learned map[*symbol]bool) {
	saved := c.hasValue
	c.hasValue = map[*symbol]bool{}
	for s := range saved {
		c.hasValue[s] = true
	}
	fn()
	learned = c.hasValue
	c.hasValue = saved
	return learned
}

// eachStatement visits some statements and those in them.
func (c *lowerer) eachStatement(body []*ir.Stmt, visit func(*ir.Stmt)) {
	for _, s := range body {
		visit(s)
		c.eachStatement(s.Body, visit)
		c.eachStatement(s.Else, visit)
	}
}
