package lower

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Variables that hold one of the tables in a list from around the loop, or nil:
//
//	local best, least
//	for _, c in ipairs(list) do
//	  if not best or c.cost < least then best, least = c, c.cost end
//	end
//
// Such a variable is a register with the key of the table, and the variable itself is the table at that key: an elementSymbol, or a
// lookupSymbol for a list that is looked up. Values of functions are the same.

// NoKey is the key of a variable that holds nil. A table that has something there, which no list has, cannot be used: package loops checks
// that when the loop begins.
const NoKey = 1.2345678901234567e-301

// isInList reports whether a symbol is a table at a number in a table from around the loop.
func (c *lowerer) isInList(s *symbol) bool {
	switch s.kind {
	case elementSymbol:
		return true
	case lookupSymbol:
		return c.isRow(s) && s.x.Type == ir.Number && s.class == nil && !s.orEmpty && !c.isRecord(s)
	}
	return false
}

// listOf returns the input whose table has the table that a symbol is.
func (c *lowerer) listOf(s *symbol) int {
	if s.kind == elementSymbol {
		return c.p.Tables[s.i].Input
	}
	return s.input
}

// tableAtKey returns the symbol of the table at a key of the table that an input holds. A register with the key may change.
func (c *lowerer) tableAtKey(input int, key *ir.Expr, at ast.PositionHolder) *symbol {
	s := c.elementAt(&symbol{kind: tableSymbol, input: input}, key, at)
	if !c.isInList(s) {
		refuse(at, "keeps an element of %q in a variable", c.t.Inputs[input].Text())
	}
	return s
}

// bindTable declares a variable that begins with the table at a key, or with nil, and is assigned later.
func (c *lowerer) bindTable(v *syntax.Variable, input int, key *ir.Expr, at ast.PositionHolder) {
	reg := c.register(ir.Number)
	c.set(reg, -1, key)
	c.declare(v, c.tableAtKey(input, &ir.Expr{Op: ir.Reg, I: reg}, at))
}

// storeHeldTable emits an assignment to a variable that was declared by bindTable. It returns false, and emits nothing, for any other one.
func (c *lowerer) storeHeldTable(v, s *symbol, at ast.PositionHolder) bool {
	if v.variable == nil || !c.t.assigned[v.variable] || !c.isInList(v) || v.x.Op != ir.Reg || c.stable(v.x) {
		return false
	}
	key, ok := c.keyOfTable(s, c.listOf(v))
	if !ok {
		refuse(at, "%q is a table of one list, and something else here", v.name)
	}
	c.set(v.x.I, -1, key)
	delete(c.hasValue, v)
	return true
}

// tableOrScalar lowers an operand of and, or: a table of a list, or what scalar allows.
func (c *lowerer) tableOrScalar(e ast.Expr) *symbol {
	s := c.operand(e)
	if c.isInList(s) {
		return s
	}
	return c.scalarOf(s, e)
}

// tableIf returns a table of a list if a condition holds, otherwise nil. In Lua the value is nil there, and not false.
func (c *lowerer) tableIf(cond *ir.Expr, of branchValue, at ast.PositionHolder) *symbol {
	key := c.temporary(ir.Number)
	c.emit(&ir.Stmt{
		Op: ir.If, A: cond, Body: append(of.body, &ir.Stmt{Op: ir.Set, I: key.I, Mark: -1, A: of.s.x}),
		Else: []*ir.Stmt{{Op: ir.Set, I: key.I, Mark: -1, A: &ir.Expr{Op: ir.Const, N: NoKey}}},
	})
	return c.tableAtKey(c.listOf(of.s), key, at)
}

// tableOr lowers the right side of or behind a table of a list, which may be nil.
func (c *lowerer) tableOr(s *symbol, e *ast.LogicalOpExpr) *symbol {
	key := c.temporary(ir.Number)
	c.set(key.I, -1, s.x)
	rest := c.branchOf(func() *symbol { return c.tableOrScalar(e.Rhs) })
	other, ok := c.keyOfTable(rest.s, c.listOf(s))
	if !ok {
		refuseWith(e, oneType, "or gives a table, or something else")
	}
	there := c.truth(c.tableAtKey(c.listOf(s), key, e), e)
	c.emit(&ir.Stmt{Op: ir.If, A: not(there), Body: append(rest.body, &ir.Stmt{Op: ir.Set, I: key.I, Mark: -1, A: other})})
	return c.tableAtKey(c.listOf(s), key, e)
}

// keyOfTable returns the key of what is assigned to a variable, or returned by a function, that holds tables of a list.
func (c *lowerer) keyOfTable(s *symbol, input int) (key *ir.Expr, ok bool) {
	switch {
	case s.kind == nilSymbol:
		return &ir.Expr{Op: ir.Const, N: NoKey}, true
	case c.isInList(s) && c.listOf(s) == input:
		return s.x, true
	}
	return nil, false
}

// holdsTable makes Lower begin again with a variable that holds tables of a list, if a symbol is one and the variable may.
func (c *lowerer) holdsTable(v *syntax.Variable, s *symbol) {
	if v != nil && c.isInList(s) {
		c.hintTable(v, c.listOf(s))
	}
}

// hintTable makes Lower begin again with a variable that holds tables in the table of an input.
func (c *lowerer) hintTable(v *syntax.Variable, input int) {
	if !c.t.isInput(v) && !c.hints.anys[v] {
		c.hintHolder(c.holder(v), input)
	}
}

// hintHolder makes Lower begin again with what holds tables in the table of an input.
func (c *lowerer) hintHolder(h holder, input int) {
	if _, known := c.hints.tables[h]; known || c.t.Open {
		return
	}
	c.hints.tables[h] = input
	panic(retry{})
}

// A holder is a variable, or a value of a function, in one call of the function.
type holder struct {
	call     *ast.FuncCallExpr // nil for the loop itself
	variable *syntax.Variable  // nil for a value of the function
	value    int
}

// holder returns what stands for a variable in the call that is being lowered.
func (c *lowerer) holder(v *syntax.Variable) holder {
	if c.fn == nil {
		return holder{variable: v}
	}
	return holder{call: c.fn.call, variable: v}
}

// mustGetTable does the same for a variable without a value whose members are used in front of the assignment. It looks for one in the
// source.
func (c *lowerer) mustGetTable(id *ast.IdentExpr) {
	v, body := c.t.Names.Of(id), c.t.Body
	if c.fn != nil {
		body = c.fn.f.Body
	}
	syntax.Search(body, func(n ast.PositionHolder) syntax.Step {
		st, ok := n.(*ast.AssignStmt)
		if !ok || len(st.Lhs) != len(st.Rhs) {
			return syntax.Deeper
		}
		for i, lhs := range st.Lhs {
			if c.t.Names.Variable(lhs) != v {
				continue
			}
			if list := c.t.listOfElement(st.Rhs[i], body); list != nil {
				if input := c.inputAt(c.placeNamed(list)); input >= 0 && c.kinds[input].InputKind == TableInput && c.kinds[input].Rows {
					c.hintTable(v, input)
				}
			}
		}
		return syntax.Deeper
	})
}

// inputAt returns the index of the input at a place; -1 if there is none.
func (c *lowerer) inputAt(pl Place) int {
	return slices.IndexFunc(c.t.Inputs, func(in Input) bool { return in.Variable == pl.Variable && in.Member == pl.Path })
}

// listOfElement returns the list of which an expression is an element, judged by the source: LIST[i], or a local that is declared in the
// body with such an element, or by a loop over LIST. It returns nil if that does not show.
func (t *Template) listOfElement(e ast.Expr, body []ast.Stmt) (list ast.Expr) {
	if get, ok := e.(*ast.AttrGetExpr); ok {
		if _, named := get.Key.(*ast.StringExpr); named {
			return nil
		}
		return get.Object
	}
	v := t.Names.Variable(e)
	if v == nil || !t.own[v] {
		return nil
	}
	syntax.Search(body, func(n ast.PositionHolder) syntax.Step {
		switch st := n.(type) {
		case *ast.LocalAssignStmt:
			if i := slices.Index(t.Names.Declared(st), v); i >= 0 && i < len(st.Exprs) {
				if get, ok := st.Exprs[i].(*ast.AttrGetExpr); ok {
					list = t.listOfElement(get, body)
				}
				return syntax.Found
			}
		case *ast.GenericForStmt:
			if slices.Index(t.Names.Declared(st), v) == 1 {
				if w, ok := walked(st); ok {
					list = w.list
				}
				return syntax.Found
			}
		}
		return syntax.Deeper
	})
	return list
}

// holds is the first step for a value that a variable is assigned, or that a function returns. If it is one of the tables in a constant
// list, the list is no constant: a variable cannot hold one of several constants.
func (p *preparer) holds(e ast.Expr) {
	k := p.value(e)
	if k.place.Variable != nil || len(k.constants) == 0 {
		return
	}
	for _, of := range k.constants {
		pl, ok := p.origins[of]
		list := p.t.constants[pl]
		if of.Kind != TableConstant || of.Compound() || !ok || list == nil || list == of || list.Items == 0 || list.Items != len(list.Entries) {
			return
		}
	}
	for _, of := range k.constants {
		p.varies(p.origins[of])
	}
}
