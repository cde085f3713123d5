package lower

import (
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Calls of library functions that look at values of any kind: those of module string, also as methods of strings, tostring,
// tonumber, type, unpack, table.concat, assert. They become ir.Invoke. Machine code asks its host for those that take no tables (ir.TextResults); closures do the rows that
// reach the others.

// tableFunctions are the functions beside sandbox.PlainFunctions that become an ir.Invoke. They have one result, apart from
// unpack.
var tableFunctions = map[string]bool{"type": true, "table.concat": true, "unpack": true, "next": true, "ecs.name": true}

// mostArguments says how many arguments some of these functions take; the others take one.
var mostArguments = map[string]int{"table.concat": 4, "unpack": 3}

// print lowers a call of print: a row prints its lines when it is done.
func (c *lowerer) print(e *ast.FuncCallExpr) {
	line := c.invoke("print", e, nil, 1)[0]
	effect := &ir.Effect{Index: len(c.p.Effects), Op: ir.Print, File: c.file, Line: e.Line()}
	c.p.Effects = append(c.p.Effects, effect)
	c.emit(&ir.Stmt{Op: ir.Emit, I: -1, Effect: effect, Args: []*ir.Expr{line.x}})
}

// isInvoked reports whether calls of a library function become an ir.Invoke.
func isInvoked(name string) bool {
	return sandbox.PlainFunctions[name].Run != nil || tableFunctions[name]
}

// isStringMethod reports whether strings have a method that kernels know.
func isStringMethod(name string) bool { return sandbox.PlainFunctions["string."+name].Run != nil }

// Invoked lists the library functions that loops can call, by the name of the module; "" for globals.
func Invoked() map[string][]string {
	out := map[string][]string{"": {"type", "unpack", "assert", "setmetatable", "getmetatable", "rawget", "rawset", "rawequal", "next", "select", "pcall", "xpcall", "error"}, "table": {"concat"}, "string": {"gmatch"}}
	for name := range sandbox.PlainFunctions {
		module, fn, ok := strings.Cut(name, ".")
		if !ok {
			module, fn = "", name
		}
		out[module] = append(out[module], fn)
	}
	return out
}

// stringMethod walks a call of a method that strings have, in the first step. What the receiver is shows later.
func (p *preparer) stringMethod(e *ast.FuncCallExpr) {
	p.operand(e.Receiver)
	_, _, with, _, _ := replacement(e)
	for _, arg := range e.Args {
		switch {
		case arg != with:
			p.expr(arg)
		case !p.given(e, arg):
			p.operand(arg)
		}
	}
	p.replaces(e)
}

// ofStrings notes that the body may call a method of strings.
func (c *lowerer) ofStrings(method string) {
	if !slices.Contains(c.p.Methods, method) {
		c.p.Methods = append(c.p.Methods, method)
	}
}

// text lowers the receiver of a call of a method that strings have; nil if it is no string.
func (c *lowerer) text(e *ast.FuncCallExpr) *symbol {
	if !isStringMethod(e.Method) {
		return nil
	}
	c.ofStrings(e.Method)
	s := c.optional(c.operand(e.Receiver))
	if isAny(s) || isOptional(s) && s.x.Type == ir.Text {
		return plain(c.as(c.value(s, e), ir.Text))
	}
	if (s.kind == valueSymbol || s.kind == registerSymbol) && c.value(s, e).Type == ir.Text {
		return plain(c.value(s, e))
	}
	return nil
}

// invoke lowers a call of a library function. self is in front of the arguments; nil: there is none.
func (c *lowerer) invoke(name string, e *ast.FuncCallExpr, self *symbol, wanted int) []*symbol {
	if name == "string.gsub" {
		if out := c.replace(e, self); out != nil {
			return out
		}
	}
	most := sandbox.PlainFunctions[name].Most
	if tableFunctions[name] && name != "unpack" && name != "next" {
		most = 1
	}
	if most != 1 && !c.single(name, e) {
		refuseWith(e, oneValue, "passes on all values of %s", callee(e))
	}
	var args []*ir.Expr
	if self != nil {
		args = append(args, wrapped(self.x))
	}
	for i, x := range e.Args {
		var more []*ir.Expr
		earlier := make([]**ir.Expr, len(args))
		for j := range args {
			earlier[j] = &args[j]
		}
		c.after(func() {
			for _, s := range c.passed(x, i == len(e.Args)-1) {
				if s.kind == viewSymbol { // the interpreter writes its fields
					c.value(s, x)
				}
				more = append(more, c.anyOf(s, x))
			}
		}, earlier...)
		args = append(args, more...)
	}
	if tableFunctions[name] && (len(args) == 0 || len(args) > max(1, mostArguments[name])) {
		refuseWith(e, adviceOnCall(e), "calls %s with %d arguments", callee(e), len(args))
	}
	s := &ir.Stmt{Op: ir.Invoke, Func: name, Args: args, J: max(wanted, 0)}
	if most != 1 && wanted == 1 && c.open(e) && !c.adjusted(e) {
		s.Mark = 1
	}
	out := make([]*symbol, s.J)
	for i := range out {
		x := c.temporary(ir.Any)
		if i == 0 {
			s.I = x.I
		}
		out[i] = plain(x)
	}
	c.p.Exact = true
	c.emit(s)
	if len(out) > 0 {
		switch name {
		case "string.find", "string.match", "string.byte", "tonumber", "unpack", "next":
		case "string.len":
			out[0] = plain(c.as(out[0].x, ir.Number))
		default:
			out[0] = plain(c.as(out[0].x, ir.Text))
		}
	}
	return out
}

// passed lowers an argument of a library function: a call of a script's function at the end gives all its values. How many
// there are must not depend on the row, because a missing value is another thing than nil.
func (c *lowerer) passed(x ast.Expr, last bool) []*symbol {
	call, ok := x.(*ast.FuncCallExpr)
	if !ok || !last || call.AdjustRet || len(c.t.calls[call]) == 0 && c.t.protected(call) == nil && !c.t.isSelect(call) && !c.t.isPrint(call) {
		s := c.operand(x)
		if ok && last && !call.AdjustRet && s.short {
			refuseWith(x, oneValue, "passes on a number of values that is not known")
		}
		return []*symbol{c.settled(s, x)}
	}
	n := c.t.values([]ast.Expr{x})
	c.pay()
	values := c.call(call, n)
	if len(values) != n {
		refuseWith(x, oneValue, "passes on a number of values that is not known")
	}
	for i, s := range values {
		if s.short {
			refuseWith(x, oneValue, "passes on a number of values that is not known")
		}
		values[i] = c.settled(s, x)
	}
	return values
}

// single reports whether a call whose function may have several values stands where one of them, or a fixed number, is
// used, or has exactly one value.
func (c *lowerer) single(name string, e *ast.FuncCallExpr) bool {
	if !c.open(e) || c.adjusted(e) {
		return true
	}
	switch name {
	case "string.byte":
		return len(e.Args) <= 1 || e.Func != nil && len(e.Args) <= 2
	case "string.match":
		args := e.Args
		if e.Func != nil && len(args) > 0 {
			args = args[1:]
		}
		if len(args) == 0 {
			return false
		}
		pattern, ok := args[0].(*ast.StringExpr)
		return ok && strings.Count(pattern.Value, "(") <= 1
	}
	return false
}

// adjusted reports whether a call stands at the end of a return of the function that is being inlined, and the caller uses a fixed number of values:
// local x, y = both(t), with function both(t) return unpack(t) end.
func (c *lowerer) adjusted(e *ast.FuncCallExpr) bool {
	if c.fn == nil || c.fn.call == nil || c.open(c.fn.call) {
		return false
	}
	return slices.ContainsFunc(c.t.returnsOf(c.fn.f), func(st *ast.ReturnStmt) bool {
		n := len(st.Exprs)
		return n > 0 && st.Exprs[n-1] == ast.Expr(e)
	})
}

// open reports whether a call stands where all its values are used: at the end of a return, of arguments, or of the list
// in a constructor.
func (c *lowerer) open(e *ast.FuncCallExpr) bool {
	if c.opens == nil {
		c.opens = map[ast.Expr]bool{}
		last := func(list []ast.Expr) {
			if n := len(list); n > 0 {
				c.opens[list[n-1]] = true
			}
		}
		look := func(n ast.PositionHolder) syntax.Step {
			switch n := n.(type) {
			case *ast.ReturnStmt:
				last(n.Exprs)
			case *ast.FuncCallExpr:
				if c.t.takesAllOf(n) {
					last(n.Args)
				}
			case *ast.FuncCallStmt:
				if call := n.Expr.(*ast.FuncCallExpr); c.t.takesAllOf(call) {
					last(call.Args)
				}
			case *ast.TableExpr:
				if k := len(n.Fields); k > 0 && n.Fields[k-1].Key == nil {
					c.opens[n.Fields[k-1].Value] = true
				}
			}
			return syntax.Deeper
		}
		syntax.Search(c.t.Body, look)
		for f := range c.t.entered {
			syntax.Search(f.Body, look)
		}
	}
	return !e.AdjustRet && c.opens[e]
}

// takesAllOf reports whether a call may use all values of a call at the end of its arguments. A function of the script that
// takes no `...` uses a number of them that is known.
func (t *Template) takesAllOf(e *ast.FuncCallExpr) bool {
	return len(t.calls[e]) == 0 || slices.ContainsFunc(t.calls[e], func(f *Function) bool { return f.of != nil })
}

// assert lowers a call of assert, which returns its arguments: a row in which it raises an error is left to the interpreter.
func (c *lowerer) assert(e *ast.FuncCallExpr) []*symbol {
	if len(e.Args) == 0 {
		c.arity(e, 1)
	}
	var out []*symbol
	for i, x := range e.Args {
		var earlier []**ir.Expr
		for _, s := range out {
			earlier = append(earlier, s.operands()...)
		}
		c.after(func() { out = append(out, c.passed(x, i == len(e.Args)-1)...) }, earlier...)
	}
	if len(out) == 0 {
		refuseWith(e, adviceOnCall(e), "calls assert without a value")
	}
	if len(out) > 1 && c.open(e) {
		refuseWith(e, oneValue, "passes on all values of %s", callee(e))
	}
	for _, s := range out {
		for _, x := range s.operands() {
			*x = c.keep(*x)
		}
	}
	s := out[0]
	c.p.Exact = true
	cond := c.keep(c.truth(s, e.Args[0]))
	c.emit(&ir.Stmt{Op: ir.If, A: not(cond), Body: []*ir.Stmt{{Op: ir.Leave}}})
	if s.kind == madeSymbol || s.kind == nilSymbol {
		refuse(e, "asserts a table or nil")
	}
	return out
}

// lessText returns the condition that a string is less than another one.
func (c *lowerer) lessText(a, b *ir.Expr) *ir.Expr {
	x := c.temporary(ir.Any)
	c.p.Exact = true
	c.emit(&ir.Stmt{Op: ir.Invoke, Func: "<", Args: []*ir.Expr{wrapped(a), wrapped(b)}, I: x.I, J: 1})
	return c.as(x, ir.Bool)
}
