package lower

import (
	"math"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/yuin/gopher-lua/ast"
)

// Calls with a function in front of the parentheses: functions of scripts, which are inlined, functions of Lua's
// math, ecs.random, and table.insert. method.go has calls with a colon.

// call lowers a call and returns its values. The caller uses the first wanted of them; there may be fewer or more.
func (c *lowerer) call(e *ast.FuncCallExpr, wanted int) []*symbol {
	if e.Func == nil {
		return c.method(e, wanted)
	}
	if f := c.t.callables[e]; f != nil {
		self, fn := c.operand(e.Func), constantSymbolOf(&Constant{Kind: FunctionConstant, Function: f})
		return c.callConstant(fn, e, append([]*symbol{self}, c.arguments(fn, e)...), wanted)
	}
	if s := c.calleeOf(e.Func); s != nil {
		return c.callConstant(s, e, c.arguments(s, e), wanted)
	}
	fn := c.functionIn(e)
	if fn == nil || fn.kind != functionSymbol {
		refuseWith(e, adviceOnCall(e), "calls %s", callee(e))
	}
	if inner := c.t.protected(e); (inner != nil || c.t.isSelect(e) || c.t.isGlobalCall(e, "error")) && fn.text != callee(e) {
		refuse(e, "calls %s, which is not Lua's", callee(e))
	} else if inner != nil {
		return c.protect(e, inner, wanted)
	}
	if fn.text == "table.insert" && wanted == 0 {
		c.insert(e)
		return nil
	}
	if fn.text == "table.sort" && wanted == 0 {
		c.sort(e)
		return nil
	}
	if fn.text == "table.remove" {
		return c.remove(e, wanted)
	}
	switch {
	case fn.text == "assert":
		return c.assert(e)
	case fn.text == "error":
		c.raises(e)
		return nil
	case fn.text == "select":
		return c.selects(e, wanted)
	case fn.text == "print":
		c.print(e)
		return nil
	case isInvoked(fn.text):
		return c.invoke(fn.text, e, nil, wanted)
	}
	return []*symbol{plain(c.library(fn.text, e))}
}

// functionIn returns the symbol of the library function that a call calls; nil, or another symbol, if it calls something
// else.
func (c *lowerer) functionIn(e *ast.FuncCallExpr) *symbol {
	switch f := e.Func.(type) {
	case *ast.IdentExpr:
		s := c.lookup(f)
		if s.kind == inputSymbol && c.kinds[s.i].InputKind != FuncInput {
			return nil
		}
		return c.resolve(s, e)
	case *ast.AttrGetExpr:
		if id, ok := f.Object.(*ast.IdentExpr); ok {
			if s := c.lookup(id); s.kind == inputSymbol || s.kind == tableSymbol {
				if m := c.members[member{c.t.Inputs[c.inputOf(s)].Variable, keyOf(f)}]; m != nil &&
					(m.kind != inputSymbol || c.kinds[m.i].InputKind == FuncInput) {
					return c.resolve(m, e)
				}
			}
		}
	}
	return nil
}

// inputOf returns the index of the input that an inputSymbol or tableSymbol stands for.
func (c *lowerer) inputOf(s *symbol) int {
	if s.kind == inputSymbol {
		return s.i
	}
	return s.input
}

// list lowers expressions from left to right, each with the function lower, and keeps the earlier values where a
// later one needs statements.
func (c *lowerer) list(exprs []ast.Expr, lower func(ast.Expr) *ir.Expr) []*ir.Expr {
	out := make([]*ir.Expr, len(exprs))
	for i, e := range exprs {
		earlier := make([]**ir.Expr, i)
		for j := range i {
			earlier[j] = &out[j]
		}
		c.after(func() { out[i] = lower(e) }, earlier...)
	}
	return out
}

// numbers lowers arguments that have to be numbers. A call of a script's function at the end gives all its values.
func (c *lowerer) numbers(exprs []ast.Expr) []*ir.Expr {
	n := len(exprs)
	all := c.t.values(exprs)
	if all == n {
		return c.list(exprs, c.number)
	}
	values := c.values(exprs, all)
	out := make([]*ir.Expr, len(values))
	for i, s := range values {
		at := exprs[min(i, n-1)]
		if out[i] = c.as(c.value(s, at), ir.Number); out[i].Type != ir.Number {
			refuse(at, "does arithmetic with %s", typeNames[out[i].Type])
		}
	}
	return out
}

// library lowers a call of a function of Lua's math, or of ecs.random. The Go function in the expression is the one
// that the interpreter calls.
func (c *lowerer) library(name string, e *ast.FuncCallExpr) *ir.Expr {
	return c.libraryOf(name, e, c.numbers(e.Args))
}

// libraryOf is library for arguments that are lowered already.
func (c *lowerer) libraryOf(name string, e *ast.FuncCallExpr, args []*ir.Expr) *ir.Expr {
	switch {
	case name == "random" && len(args) <= 2:
		x := &ir.Expr{Op: ir.Random}
		for i, arg := range args {
			c.p.Exact = true
			*[]**ir.Expr{&x.A, &x.B}[i] = arg
		}
		return x
	case name == "ecs.normal" && len(args) <= 2:
		return c.normal(args)
	case strings.HasPrefix(name, "bit.") && len(args) > 0:
		if x := c.bits(strings.TrimPrefix(name, "bit."), args); x != nil {
			return x
		}
	case sandbox.MathOne[name] != nil && len(args) == 1:
		return &ir.Expr{Op: ir.Call, Func: name, A: args[0], One: sandbox.MathOne[name]}
	case sandbox.MathTwo[name] != nil && len(args) == 2:
		return &ir.Expr{Op: ir.Call, Func: name, A: args[0], B: args[1], Two: sandbox.MathTwo[name]}
	case (name == "min" || name == "max") && len(args) > 0:
		op := ir.Min
		if name == "max" {
			op = ir.Max
		}
		x := args[0]
		for _, arg := range args[1:] {
			x = &ir.Expr{Op: op, A: x, B: arg}
		}
		return x
	}
	refuseWith(e, adviceOnCall(e), "calls %s with %d arguments", callee(e), len(args))
	return nil
}

// normal lowers a call of ecs.normal: mean + sd * sqrt(-2 * log(1 - u)) * cos(2 * pi * v).
func (c *lowerer) normal(args []*ir.Expr) *ir.Expr {
	mean, sd := &ir.Expr{Op: ir.Const}, &ir.Expr{Op: ir.Const, N: 1}
	for i, arg := range args {
		*[]**ir.Expr{&mean, &sd}[i] = c.keep(arg)
	}
	u, v := c.keep(&ir.Expr{Op: ir.Random}), c.keep(&ir.Expr{Op: ir.Random})
	number := func(k float64) *ir.Expr { return &ir.Expr{Op: ir.Const, N: k} }
	two := func(op ir.Op, a, b *ir.Expr) *ir.Expr { return &ir.Expr{Op: op, A: a, B: b} }
	one := func(name string, a *ir.Expr) *ir.Expr {
		return &ir.Expr{Op: ir.Call, Func: name, A: a, One: sandbox.MathOne[name]}
	}
	root := one("sqrt", two(ir.Mul, number(-2), one("log", two(ir.Sub, number(1), u))))
	return two(ir.Add, mean, two(ir.Mul, two(ir.Mul, sd, root), one("cos", two(ir.Mul, number(2*math.Pi), v))))
}

// bits lowers a call of a function of bit; nil for a call that is an error, and for bit.tohex. Rows with an argument that is not whole are left
// to the interpreter.
func (c *lowerer) bits(name string, args []*ir.Expr) *ir.Expr {
	two := func(name string, a, b *ir.Expr) *ir.Expr {
		return &ir.Expr{Op: ir.Call, Func: "bit." + name, A: a, B: b, Two: sandbox.BitTwo[name]}
	}
	number := func(n float64) *ir.Expr { return &ir.Expr{Op: ir.Const, N: n} }
	for i, arg := range args {
		if isWhole(arg) {
			continue
		}
		args[i] = c.keep(arg)
		floor := &ir.Expr{Op: ir.Call, Func: "floor", A: args[i], One: sandbox.MathOne["floor"]}
		c.guard(&ir.Expr{Op: ir.Equal, Type: ir.Bool, A: args[i], B: floor})
		size := &ir.Expr{Op: ir.Call, Func: "abs", A: args[i], One: sandbox.MathOne["abs"]}
		c.guard(&ir.Expr{Op: ir.LessEqual, Type: ir.Bool, A: size, B: number(1 << 53)})
	}
	x := args[0]
	switch {
	case name == "tobit" && len(args) == 1, sandbox.BitFolds[name] && len(args) == 1:
		return two("bor", x, number(0))
	case name == "bnot" && len(args) == 1:
		return two("bxor", x, number(-1))
	case name == "bswap" && len(args) == 1:
		x = c.keep(x)
		return two("bor", two("band", two("rol", x, number(8)), number(0x00ff00ff)), two("band", two("ror", x, number(8)), number(0xff00ff00)))
	case sandbox.BitTwo[name] == nil || len(args) < 2 || len(args) > 2 && !sandbox.BitFolds[name]:
		return nil
	}
	for _, arg := range args[1:] {
		x = two(name, x, arg)
	}
	return x
}

// isWhole reports whether a number is one that bit takes, whatever the row.
func isWhole(x *ir.Expr) bool {
	switch x.Op {
	case ir.Const:
		return sandbox.Whole(x.N)
	case ir.Call:
		return strings.HasPrefix(x.Func, "bit.")
	case ir.Load:
		switch x.Field.Type {
		case ecs.I32, ecs.U32, ecs.I16, ecs.U16, ecs.I8, ecs.U8, ecs.I64, ecs.U64:
			return true
		}
	default: // other numbers are looked at when the row runs
		return false
	}
	return false
}

// statement lowers a call whose values are not used.
func (c *lowerer) statement(e *ast.FuncCallExpr) {
	c.pay()
	c.discardAll(c.call(e, 0))
}
