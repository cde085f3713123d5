package lower

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Loops over lists: for … in ipairs(LIST), pairs(TABLE), and next, TABLE. If the list is a constant, or a table made
// here, the loop is unrolled: its body is lowered once for each item, with the item as a constant. Other lists are
// copied when the loop begins, and ipairs counts through the copy.

// A walkedList is what a for … in walks.
type walkedList struct {
	function ast.Expr // ipairs, pairs or next, as the source has it
	list     ast.Expr
	all      bool // it visits all entries, as pairs does
}

// walked returns what a for … in walks, judged by its syntax; false if it does not seem to be a list.
func walked(st *ast.GenericForStmt) (walkedList, bool) {
	if len(st.Names) > 2 {
		return walkedList{}, false
	}
	return walkedBy(st.Exprs)
}

// walkedBy is walked for the expressions after in.
func walkedBy(exprs []ast.Expr) (walkedList, bool) {
	if _, ok := exprs[len(exprs)-1].(*ast.NilExpr); len(exprs) == 2 || len(exprs) == 3 && ok {
		if id, ok := exprs[0].(*ast.IdentExpr); ok && id.Value == "next" {
			return walkedList{id, exprs[1], true}, true
		}
	}
	call, ok := exprs[0].(*ast.FuncCallExpr)
	if !ok || call.AdjustRet || len(exprs) != 1 || len(call.Args) != 1 {
		return walkedList{}, false
	}
	if id, ok := call.Func.(*ast.IdentExpr); ok && (id.Value == "ipairs" || id.Value == "pairs") {
		return walkedList{id, call.Args[0], id.Value == "pairs"}, true
	}
	return walkedList{}, false
}

// walk is the first step for a loop over a list.
func (p *preparer) walk(st *ast.GenericForStmt, w walkedList) {
	p.expr(w.function)
	p.walksIn(w.list)
	k := p.value(w.list)
	if k.place.Variable != nil {
		p.reaches(k.place)
		p.constant(k.place, ToWalk)
		k = p.at(k.place) // a parameter was bound before the constant was known
		p.lists(w.list, k.place)
	}
	if k.compound() {
		p.parts(w.list)
	} else {
		p.expr(w.list)
	}
	names := p.t.Names.Declared(st)
	var item known
	for _, c := range k.constants {
		for _, e := range c.Entries {
			item.constants = append(item.constants, e.Value)
		}
	}
	p.keep(names[0], known{})
	if len(names) > 1 {
		p.keep(names[1], item)
	}
	p.block(st.Stmts)
}

// walksIn asks for the tables in which the list of a loop is an element at a computed key.
func (p *preparer) walksIn(e ast.Expr) {
	get, ok := e.(*ast.AttrGetExpr)
	if !ok {
		return
	}
	p.walksIn(get.Object)
	if pl := p.value(get.Object).place; pl.Variable != nil && constantKey(get) == nil {
		p.constant(pl, ToWalk)
	}
}

// lists notes that the body reads the elements of the table at a place.
func (p *preparer) lists(e ast.Expr, pl Place) {
	if pl.Path != "" {
		p.input(pl.Variable, "", e).object = true
	}
	in := p.input(pl.Variable, pl.Path, e)
	in.object, in.Looked = true, true
}

// mostUnrolled is the largest number of statements that unrolling a loop over numbers may make. A loop that would be
// larger counts through a copy of the list.
const mostUnrolled = 120

// walk is the second step for a loop over a list.
func (c *lowerer) walk(st *ast.GenericForStmt, w walkedList) {
	if fn := c.operand(w.function); fn.kind != functionSymbol || fn.text != w.function.(*ast.IdentExpr).Value {
		refuse(st, "calls %s, which is not Lua's", callee(w.function))
	}
	list := c.listOperand(st, w)
	if list.kind == unsetSymbol {
		c.becomesAny(list)
	}
	if isAny(list) {
		c.walkAny(st, w, list)
		return
	}
	switch list.kind {
	case lookupSymbol:
		refuseWith(st, OneList, "walks %s with %s, a table that the row finds", inSource(w.list), callee(w.function))
	case constantSymbol:
		c.unroll(st, c.itemsOf(list.constant, w, st))
	case choiceSymbol:
		c.unrollOne(st, w, list.choice)
	case madeSymbol:
		c.unroll(st, c.madeItems(list.made, w, st))
	case tableSymbol:
		if w.all {
			refuseWith(st, numericFor, "walks %q with %s, and its entries may change", c.t.Inputs[list.input].Text(), callee(w.function))
		}
		c.countThrough(st, list)
	default:
		refuseWith(st, OneList, "walks %s with %s, a table that the row finds", inSource(w.list), callee(w.function))
	}
}

// listOperand lowers the list. A long constant list of numbers is the table itself, which is not unrolled.
func (c *lowerer) listOperand(st *ast.GenericForStmt, w walkedList) *symbol {
	s := c.operand(w.list)
	if w.all || s.kind != constantSymbol || s.place.Variable == nil {
		return s
	}
	for _, e := range s.constant.Entries {
		if e.Value.Kind != NumberConstant {
			return s
		}
	}
	if s.constant.Items*statements(st.Stmts) <= mostUnrolled {
		return s
	}
	if table := c.tableAt(s.place, w.list); table != nil {
		return table
	}
	return s
}

// statements counts the statements of a block, with those inside them.
func statements(block []ast.Stmt) (n int) {
	syntax.Search(block, func(at ast.PositionHolder) syntax.Step {
		if _, ok := at.(ast.Stmt); ok {
			n++
		}
		return syntax.Deeper
	})
	return n
}

// A walkedItem is a key and a value that a loop over a list visits.
type walkedItem struct{ key, value *symbol }

// itemsOf lists what a loop over a constant table visits.
func (c *lowerer) itemsOf(k *Constant, w walkedList, at ast.PositionHolder) (list []walkedItem) {
	if k.Kind != TableConstant {
		refuse(at, "walks something that is no table")
	}
	for _, e := range k.Entries {
		list = append(list, walkedItem{constantSymbolOf(e.Key), constantSymbolOf(e.Value)})
	}
	if w.all {
		return list
	}
	list = list[:0]
	for i := range k.Items {
		key := &Constant{N: float64(i + 1)}
		list = append(list, walkedItem{constantSymbolOf(key), constantSymbolOf(k.at(key))})
	}
	return list
}

// madeItems lists what a loop over a table visits that the body makes.
func (c *lowerer) madeItems(m *made, w walkedList, at ast.PositionHolder) (list []walkedItem) {
	for i, s := range m.items {
		c.isThere(s, at) // Lua would end the loop there
		list = append(list, walkedItem{plain(&ir.Expr{Op: ir.Const, N: float64(i + 1)}), s})
	}
	if w.all { // the order of the names is that of the constructor
		for _, x := range m.named {
			c.isThere(x.value, at) // otherwise the name is not in the table
			list = append(list, walkedItem{constantSymbolOf(&Constant{Kind: TextConstant, S: x.name}), x.value})
		}
	}
	return list
}

// isThere leaves rows to the interpreter in which a part of a table that the body makes is nil.
func (c *lowerer) isThere(s *symbol, at ast.PositionHolder) {
	switch {
	case isAny(s):
		c.guard(not(isNull(c.value(s, at))))
	case s.kind == viewSymbol:
		c.refuseFalse(s, at)
		c.guard(c.there(s))
	default:
		if o := c.optional(s); isOptional(o) {
			c.guard(o.has)
		}
	}
}

// unroll lowers the body of a loop once for each item. A break jumps to the end of the block with all of them.
func (c *lowerer) unroll(st *ast.GenericForStmt, items []walkedItem) {
	c.jumps++
	label := c.jumps
	before := c.position
	names := c.t.Names.Declared(st)
	body := c.collect(func() {
		c.branching(func() {
			c.breaks = append(c.breaks, label)
			for i, item := range items {
				c.emit(&ir.Stmt{Op: ir.Block, Body: c.block(st.Stmts, func() {
					c.bind(names[0], item.key, st)
					if len(names) > 1 {
						c.bind(names[1], c.settled(item.value, st), st) // the body may assign the entry
					}
				})})
				c.rare = c.rare || i == 0 && slices.ContainsFunc(st.Stmts, func(st ast.Stmt) bool { return jumps(st, true, nil) })
			}
			c.breaks = c.breaks[:len(c.breaks)-1]
		})
	})
	c.position = before
	c.emit(&ir.Stmt{Op: ir.Block, I: label, Body: body})
}

// unrollOne lowers a loop over one of several constant tables.
func (c *lowerer) unrollOne(st *ast.GenericForStmt, w walkedList, list []alternative) {
	otherwise := []*ir.Stmt{{Op: ir.Leave}}
	c.p.Exact = true
	before := c.position
	c.rare = true
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].value.Kind != TableConstant {
			continue
		}
		body := c.collect(func() { c.branching(func() { c.unroll(st, c.itemsOf(list[i].value, w, st)) }) })
		otherwise = []*ir.Stmt{{Op: ir.If, A: list[i].cond, Body: body, Else: otherwise}}
	}
	c.position = before
	c.out = append(c.out, otherwise...)
}

// countThrough lowers ipairs over a list that is copied when the loop begins.
func (c *lowerer) countThrough(st *ast.GenericForStmt, list *symbol) {
	names := c.t.Names.Declared(st)
	counter := c.register(ir.Number)
	i := &ir.Expr{Op: ir.Reg, I: counter}
	one := &ir.Expr{Op: ir.Const, N: 1}
	c.set(counter, -1, &ir.Expr{Op: ir.Const})
	s := &ir.Stmt{Op: ir.While, A: boolean(true)}
	c.iteration(s, func() {
		s.Body = c.block(st.Stmts, func() {
			c.set(counter, -1, &ir.Expr{Op: ir.Add, A: i, B: one})
			at := c.keep(i)
			item := c.elementAt(list, at, st)
			c.emit(&ir.Stmt{Op: ir.If, A: not(c.truthOfElement(item, st)), Body: []*ir.Stmt{{Op: ir.Break}}})
			c.bind(names[0], plain(at), st)
			if len(names) > 1 {
				c.bind(names[1], item, st)
			}
		})
	})
	c.emit(s)
}

// truthOfElement returns the condition that a list has an element.
func (c *lowerer) truthOfElement(s *symbol, at ast.PositionHolder) *ir.Expr {
	switch s.kind {
	case elementSymbol:
		return c.exists(s.i, s.x)
	case lookupSymbol:
		return c.found(s)
	case valueSymbol:
		if s.x.Op == ir.Element && s.x.Field == nil {
			return c.exists(s.x.I, s.x.A)
		}
	}
	refuse(at, "walks a list whose elements are %s", kindTexts[s.kind])
	return nil
}
