package lower

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Loops over iterators that the script has written; matches.go has loops over the matches of a pattern.
//
//	for x in iter(list) do            where iter is known, and returns a function that is made in it
//	for i, x in step, list, 0 do      where step is known
//	for i, name in names() do         where names is known, and ends with return ipairs(LIST), return pairs(TABLE) or return next, TABLE
//
// The last one is lowered as for i, name in ipairs(LIST) do (unroll.go), with the rest of the function in front. The others become an ir.While. Its body begins with the next values, from the inlined iterator, and with a break where
// the first value is nil.

// iterates finds the iterator of a for … in. made is the call that returns it; nil if the loop has the iterator itself.
// ok is false if the iterator is not known.
func (p *preparer) iterates(st *ast.GenericForStmt) (made *ast.FuncCallExpr, f *Function, ok bool) {
	if len(st.Exprs) > 1 || !isCall(st.Exprs[0]) {
		if list := p.callees(st.Exprs[0]); len(list) == 1 {
			return nil, list[0], true
		}
		return nil, nil, false
	}
	call := st.Exprs[0].(*ast.FuncCallExpr)
	from := p.theCallee(call)
	if from == nil {
		return nil, nil, false
	}
	if f = p.madeIn(from); f == nil {
		return nil, nil, false
	}
	return call, f, true
}

// theCallee returns the function that a call calls; nil if that is not certain.
func (p *preparer) theCallee(call *ast.FuncCallExpr) *Function {
	list := []*Function(nil)
	if call.Func != nil {
		list = p.callees(call.Func)
	} else {
		list = p.methods(call)
	}
	if len(list) != 1 {
		return nil
	}
	return list[0]
}

// walksResult returns the list that a loop walks over what a function returns, as in for i, name in names() do, where names ends with return
// ipairs(LIST): as the call of a function that returns LIST.
func (p *preparer) walksResult(st *ast.GenericForStmt) (w walkedList, ok bool) {
	call, isCall := st.Exprs[0].(*ast.FuncCallExpr)
	if !isCall || call.AdjustRet || len(st.Exprs) != 1 || len(st.Names) > 2 {
		return walkedList{}, false
	}
	f := p.theCallee(call)
	if f == nil {
		return walkedList{}, false
	}
	if w, ok = p.t.walks[st]; ok {
		return w, true
	}
	last := p.t.onlyReturn(f)
	if last == nil {
		return walkedList{}, false
	}
	if w, ok = walkedBy(last.Exprs); !ok {
		return walkedList{}, false
	}
	gives := *f
	gives.Body = append(slices.Clone(f.Body[:len(f.Body)-1]), syntax.At(&ast.ReturnStmt{Exprs: []ast.Expr{w.list}}, last))
	list := syntax.At(&ast.FunctionExpr{}, call)
	p.t.closures[list] = &gives
	args := call.Args
	if call.Func == nil {
		args = append([]ast.Expr{call.Receiver}, args...)
	}
	w.list = syntax.At(&ast.FuncCallExpr{Func: list, Args: args}, call)
	p.t.walks[st] = w
	return w, true
}

// mayIterate walks a loop over what a member of a variable or a method of an object returns, as in for x, y in grid.around(e) do, where
// functions of members are not known yet: the template that is linked when the loop begins may know it. It returns false for another loop.
func (p *preparer) mayIterate(st *ast.GenericForStmt) bool {
	call, ok := st.Exprs[0].(*ast.FuncCallExpr)
	if !ok || len(st.Exprs) != 1 {
		return false
	}
	if p.t.Member != nil {
		return false
	}
	object := call.Receiver
	if get, isMember := call.Func.(*ast.AttrGetExpr); isMember && keyOf(get) != "" {
		object = get.Object
	}
	id, ok := object.(*ast.IdentExpr)
	if !ok || p.free(id) == nil || p.free(id) == p.t.World {
		return false
	}
	p.call(call)
	for _, v := range p.t.Names.Declared(st) {
		p.keep(v, known{})
	}
	p.block(st.Stmts)
	return true
}

// isCall reports whether an expression is a call.
func isCall(e ast.Expr) bool {
	_, ok := e.(*ast.FuncCallExpr)
	return ok
}

// madeIn returns the function that f returns, for loops: one that it makes, or another one that is known. It is nil unless f has one return, at
// its end, that does this.
func (p *preparer) madeIn(f *Function) (made *Function) {
	last := p.t.onlyReturn(f)
	if last == nil {
		return nil
	}
	switch e := last.Exprs[0].(type) {
	case *ast.FunctionExpr:
		made = p.closure(e)
	case *ast.IdentExpr:
		v := p.t.Names.Of(e)
		if v == nil || v.Assigned {
			return nil
		}
		expr, isFunction := v.Value.(*ast.FunctionExpr)
		if isFunction && slices.ContainsFunc(f.Body, func(st ast.Stmt) bool { return declares(st, expr) }) {
			made = p.closure(expr)
		} else if list := p.callees(e); !p.t.own[v] && len(list) == 1 {
			made = list[0]
		}
	}
	if made != nil {
		p.t.giving[last] = true
	}
	return made
}

// onlyReturn returns the return of a function at its end; nil if it has none there, another one, or one without values.
func (t *Template) onlyReturn(f *Function) *ast.ReturnStmt {
	list := t.returnsOf(f)
	if n := len(f.Body); len(list) != 1 || n == 0 || f.Body[n-1] != ast.Stmt(list[0]) || len(list[0].Exprs) == 0 {
		return nil
	}
	return list[0]
}

// declares reports whether a statement declares a local with a function.
func declares(st ast.Stmt, f *ast.FunctionExpr) bool {
	local, ok := st.(*ast.LocalAssignStmt)
	return ok && slices.Contains(local.Exprs, ast.Expr(f))
}

// iterate walks a loop over an iterator.
func (p *preparer) iterate(st *ast.GenericForStmt, made *ast.FuncCallExpr, f *Function) {
	args := []known{{}, {}}
	if made != nil {
		p.call(made)
	} else {
		p.parts(st.Exprs[0])
		for i, e := range st.Exprs[1:] {
			p.operand(e)
			if i == 0 {
				args[0] = p.value(e)
			}
		}
	}
	call := p.t.iterators[st]
	if call == nil {
		call = syntax.At(&ast.FuncCallExpr{Func: st.Exprs[0]}, st)
		p.t.iterators[st] = call
	}
	p.t.calls[call] = []*Function{f}
	p.enter("an iterator", f, call, args, false)
	for _, v := range p.t.Names.Declared(st) {
		p.keep(v, known{})
	}
	p.block(st.Stmts)
}

// iterate lowers a loop over an iterator.
func (c *lowerer) iterate(st *ast.GenericForStmt, call *ast.FuncCallExpr) {
	values := c.values(st.Exprs, 3)
	for len(values) < 3 {
		values = append(values, &symbol{kind: nilSymbol})
	}
	f := c.t.calls[call][0]
	if made := values[0]; isCall(st.Exprs[0]) && (made.kind != constantSymbol || made.constant.Function != f) {
		refuseWith(st, numericFor, "walks with another function than the one it was compiled for")
	}
	for _, s := range values[1:] {
		for _, x := range s.operands() {
			*x = c.keep(*x)
		}
	}
	control := &symbol{kind: registerSymbol, typ: ir.Any, mark: -1, input: -1}
	takes := len(f.Params) > 1
	if takes {
		first := null()
		if values[2].kind != nilSymbol {
			if first = c.value(values[2], st); first.Type == ir.Number {
				control.typ = ir.Number
			} else {
				first = wrapped(first)
			}
		}
		control.i = c.register(control.typ)
		c.set(control.i, -1, first)
	}
	names := c.t.Names.Declared(st)
	s := &ir.Stmt{Op: ir.While, A: boolean(true)}
	c.iteration(s, func() {
		s.Body = c.block(st.Stmts, func() {
			next := c.inline("an iterator", f, call, []*symbol{values[1], control}, len(names))
			for len(next) < len(names) {
				next = append(next, &symbol{kind: nilSymbol})
			}
			for i := range next {
				next[i] = c.settled(c.optional(next[i]), st)
				next[i].short = false
				for _, x := range next[i].operands() {
					*x = c.keep(*x)
				}
			}
			c.emit(&ir.Stmt{Op: ir.If, A: c.lacking(next[0], st), Body: []*ir.Stmt{{Op: ir.Break}}})
			if isOptional(next[0]) {
				next[0] = surely(next[0])
			}
			if takes && next[0].kind != nilSymbol {
				x := c.value(next[0], st)
				if control.typ == ir.Any {
					x = wrapped(x)
				} else if x = c.as(x, control.typ); x.Type != control.typ {
					refuse(st, "an iterator begins with %s and gives %s", typeNames[control.typ], typeNames[x.Type])
				}
				c.set(control.i, -1, x)
			}
			for i, v := range names {
				c.bind(v, next[i], st)
			}
		})
	})
	c.p.Exact = true
	c.emit(s)
}
