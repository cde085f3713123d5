package lower

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/yuin/gopher-lua/ast"
)

// Calls of a constant function, or of one of several: see choice.go.

// chosenFunction returns "cond and first or rest" where both are functions.
func (c *lowerer) chosenFunction(cond *ir.Expr, first, rest ast.Expr, at ast.PositionHolder) *symbol {
	cond = c.keep(cond)
	both := func(a, b *ir.Expr) *ir.Expr {
		if b.Op == ir.Const {
			return a
		}
		return &ir.Expr{Op: ir.And, Type: ir.Bool, A: a, B: b}
	}
	var list []alternative
	for _, a := range c.operand(first).alternatives() {
		list = append(list, alternative{cond: both(cond, a.cond), value: a.value})
	}
	none := not(anyOf(list))
	for _, a := range c.operand(rest).alternatives() {
		list = append(list, alternative{cond: both(none, a.cond), value: a.value})
	}
	return c.choiceOf(list, at)
}

// callConstant lowers a call of a constant, or of one of several. A row in which nothing is chosen, or something
// else than a function, is left to the interpreter.
func (c *lowerer) callConstant(s *symbol, e *ast.FuncCallExpr, args []*symbol, wanted int) []*symbol {
	list := s.alternatives()
	if len(list) == 1 && list[0].cond.Op == ir.Const {
		return c.callOne(list[0].value, e, list[0].withClass(args), wanted)
	}
	for _, a := range args {
		for _, x := range a.operands() {
			*x = c.keep(*x)
		}
	}
	join := c.t.joins[e]
	if join == nil {
		join = &Function{}
	}
	in := &inlined{name: callee(e), f: join, call: e, wanted: wanted}
	for _, a := range list {
		n := c.t.valuesOf(e, a.value)
		if a.value.Kind == FunctionConstant {
			n = max(n, c.resultsFor(c.t.entering(e, a.value.Function), e, wanted))
		}
		in.n = max(in.n, n)
	}
	otherwise := []*ir.Stmt{{Op: ir.Leave}}
	c.p.Exact = true
	before := c.position
	branches := make([][]*ir.Stmt, len(list))
	for i, a := range list {
		c.rare = true
		branches[i] = c.collect(func() {
			c.branching(func() {
				c.choices++
				defer func() { c.choices-- }()
				values := c.callOne(a.value, e, a.withClass(args), wanted)
				if wanted > 0 && a.value.callable() {
					c.results(in, values, e)
				}
			})
		})
	}
	c.position = before
	for i := len(list) - 1; i >= 0; i-- {
		otherwise = []*ir.Stmt{{Op: ir.If, A: list[i].cond, Body: branches[i], Else: otherwise}}
	}
	c.out = append(c.out, otherwise...)
	return c.resultsOf(in)
}

// withClass returns a copy of the arguments of a call, in which the class of an object is known.
func (a alternative) withClass(args []*symbol) []*symbol {
	args = slices.Clone(args)
	if a.class != nil {
		self := *args[0]
		self.class = a.class
		args[0] = &self
	}
	return args
}

// callable reports whether a constant is a function that a body may call.
func (k *Constant) callable() bool { return k.Kind == FunctionConstant || k.Kind == LibraryConstant }

// valuesOf returns how many values a call of a constant gives at most.
func (t *Template) valuesOf(e *ast.FuncCallExpr, k *Constant) int {
	switch k.Kind {
	case FunctionConstant:
		return t.results(t.entering(e, k.Function))
	case LibraryConstant:
		return 1
	default:
		return 0
	}
}

// calleeOf returns the symbol of what a call calls, if it is a constant or one of several; otherwise nil.
func (c *lowerer) calleeOf(fn ast.Expr) *symbol {
	if s := c.constantOf(fn); s != nil {
		return s
	}
	switch fn := fn.(type) {
	case *ast.IdentExpr:
		if s := c.symbols[c.t.Names.Of(fn)]; s != nil && s.alternatives() != nil && s.kind != functionSymbol {
			return s
		}
	case *ast.AttrGetExpr:
		if c.isConstant(fn.Object) {
			if s := c.operand(fn); s.alternatives() != nil {
				return s
			}
			refuseWith(fn, doAfter, "calls %s, which is no function", callee(fn))
		}
	case *ast.FunctionExpr:
		return c.operand(fn)
	}
	return nil
}

// callOne lowers the call of a constant.
func (c *lowerer) callOne(k *Constant, e *ast.FuncCallExpr, args []*symbol, wanted int) []*symbol {
	switch k.Kind {
	case FunctionConstant:
		return c.inline(callee(e), k.Function, e, args, wanted)
	case LibraryConstant:
		numbers := make([]*ir.Expr, len(args))
		for i, s := range args {
			if numbers[i] = c.as(c.value(s, e), ir.Number); numbers[i].Type != ir.Number {
				refuse(e, "does arithmetic with %s", typeNames[numbers[i].Type])
			}
		}
		return []*symbol{plain(c.libraryOf(k.S, e, numbers))}
	default:
		c.departs(e, "%s is no function", callee(e))
		c.emit(&ir.Stmt{Op: ir.Leave})
		return nil
	}
}

// arguments lowers the arguments of a call of one of some constants.
func (c *lowerer) arguments(s *symbol, e *ast.FuncCallExpr) []*symbol {
	most, all := len(e.Args), false
	for _, a := range s.alternatives() {
		if a.value.Kind == FunctionConstant {
			most = max(most, len(c.t.entering(e, a.value.Function).Params))
			all = all || a.value.Function.Vararg
		} else if n := len(e.Args); a.value.Kind == LibraryConstant && n > 0 && len(c.t.calls[e]) > 0 {
			c.open(e) // finds all such places
			c.opens[e.Args[n-1]] = true
		}
	}
	values := c.values(e.Args, most)
	if n := len(values); all && n > 0 && values[n-1].short {
		refuseWith(e, oneValue, "passes on a number of values that is not known")
	}
	return values
}
