package lower

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Records: tables that the body makes at new keys of a table from around the loop, as in
//
//	local s = by[k]
//	if not s then s = { n = 0 } by[k] = s end
//
// or in local s = by[k] or { n = 0 } with by[k] = s behind it, or in by[k] = { n = 0 }. The table is made at its key by an
// ir.PutRow, and a variable that holds it is the table at that key, as one that holds a table which was there before.
//
// A variable may get the table before the table is at its key. Then it is put there at once, because nobody can tell: the
// statement that stores it follows in the same block, nothing between leaves the block, and nothing between uses the table
// around it. That statement leaves the row to the interpreter if it stores the table at another key.

// makesRecords reports whether the source shows that the body stores tables that it makes at computed keys of an input, and
// reads elements of it. Then the tables in it are looked up by key, and may appear while the row runs.
func (c *lowerer) makesRecords(input int) bool {
	in := c.t.Inputs[input]
	return in.Records && in.Looked && in.Member == "" && !c.t.Open
}

// recordKinds returns the kinds of inputs, where an empty table to which the body adds records holds tables.
func (t *Template) recordKinds(kinds []Kind) []Kind {
	kinds = slices.Clone(kinds)
	for i, in := range t.Inputs {
		if k := &kinds[i]; k.InputKind == TableInput && k.Empty && in.Records && in.Member == "" && !t.Open {
			k.Rows, k.Type = true, ir.Number
		}
	}
	return kinds
}

// An unstored is a record that a variable holds before it is stored at its key.
type unstored struct {
	variable *syntax.Variable
	input    int
	by       ast.Stmt // the statement that stores it
}

// isRecord reports whether a symbol is a table that was looked up where the body may make one.
func (c *lowerer) isRecord(s *symbol) bool { return c.isRow(s) && c.makesRecords(s.input) }

// bindRecord declares a variable whose first value is a table that was looked up, or nil. It keeps whether there was one.
func (c *lowerer) bindRecord(v *syntax.Variable, s *symbol, at ast.PositionHolder) {
	held := *s
	held.x, held.made = c.keep(s.x), nil
	if s.made != nil { // the record, or a new one
		c.placeRecord(s, at)
		c.stores(v, s.input, at)
		held.there = boolean(true)
	} else {
		held.there = c.found(&held)
	}
	if s.made == nil && c.t.assigned[v] {
		reg := c.register(ir.Bool)
		c.set(reg, -1, held.there)
		held.there = &ir.Expr{Op: ir.Reg, Type: ir.Bool, I: reg}
	} else {
		held.there = c.keep(held.there)
	}
	c.declare(v, &held)
}

// recordOrElse returns the record at a key, or a new one that e makes. It is not at the key yet.
func (c *lowerer) recordOrElse(s *symbol, e *ast.TableExpr) *symbol {
	out := *s
	out.x = c.keep(s.x)
	out.there = c.keep(c.found(&out))
	body := c.collect(func() { c.branching(func() { out.made = c.operand(e).made }) })
	if out.made == nil {
		refuseWith(e, makeBefore, "stores a table with a key that is no name in %q", c.t.Inputs[s.input].Text())
	}
	c.emit(&ir.Stmt{Op: ir.If, A: not(out.there), Body: body})
	return &out
}

// placeRecord makes the record of recordOrElse at its key, where there is none.
func (c *lowerer) placeRecord(s *symbol, at ast.PositionHolder) {
	body := c.collect(func() { c.putRow(s, s.x, s.made, at) })
	c.emit(&ir.Stmt{Op: ir.If, A: not(s.there), Body: body})
}

// storeRecord emits an assignment to a variable that holds a record, or nil.
func (c *lowerer) storeRecord(t *target, v, s *symbol) {
	switch {
	case s.kind == madeSymbol && !s.made.kept:
		c.putRow(v, v.x, s.made, t.at)
		c.stores(v.variable, v.input, t.at)
	case c.isPlacedRecord(s) && s.i == v.i:
		s = c.withKey(s)
		c.sameKey(s.x, v.x)
		c.guard(c.found(s))
	default:
		refuse(t.at, "assigns %q, which is %s", v.name, kindTexts[v.kind])
	}
	c.set(v.there.I, -1, boolean(true))
	c.hasValue[v] = true
}

// storeRow emits the assignment of a record at a key.
func (c *lowerer) storeRow(t *target, s *symbol) {
	at := t.looked
	switch {
	case s.kind == madeSymbol && !s.made.kept:
		c.putRow(at, t.key, s.made, t.at)
	case s.kind == lookupSymbol && s.i == at.i && c.isRecord(s):
		if s.made != nil {
			c.sameKey(t.key, s.x)
			c.placeRecord(s, t.at)
			break
		}
		s = c.withKey(s)
		c.sameKey(t.key, s.x)
		c.guard(c.found(s)) // storing what is there changes nothing
	case s.kind == madeSymbol:
		refuseWith(t.at, makeBefore, "stores a table made here that a local holds")
	default:
		refuseTarget(t.at)
	}
}

// isPlacedRecord reports whether a symbol is a record that is at its key, or nil.
func (c *lowerer) isPlacedRecord(s *symbol) bool {
	return s.kind == lookupSymbol && s.made == nil && c.isRecord(s)
}

// recordResult returns the symbol for a value of a function, of which the first return gives a record.
func (c *lowerer) recordResult(s *symbol) *symbol {
	r := *s
	r.x, r.there = c.temporary(s.x.Type), c.temporary(ir.Bool)
	return &r
}

// giveRecord emits the assignment of a value of a function at one of its returns, where r is the symbol for it.
func (c *lowerer) giveRecord(in *inlined, r, s *symbol, at ast.PositionHolder) {
	switch {
	case s.kind == nilSymbol: // the key may be read, so it has a defined value
		c.set(r.x.I, -1, constantOf(r.x.Type))
		c.set(r.there.I, -1, boolean(false))
	case c.isPlacedRecord(s) && s.i == r.i:
		s = c.withKey(s)
		c.set(r.x.I, -1, s.x)
		c.set(r.there.I, -1, c.found(s))
	default:
		refuse(at, "the function %q returns now one type, now another", in.name)
	}
}

// withKey returns a record whose key is evaluated here, once: it may be drawn, or counted by a function.
func (c *lowerer) withKey(s *symbol) *symbol {
	kept := *s
	if kept.x = c.keep(s.x); c.hasValue[s] {
		kept.there = boolean(true)
	}
	return &kept
}

// sameKey leaves the row to the interpreter where two keys differ.
func (c *lowerer) sameKey(a, b *ir.Expr) {
	if a == b || a.Op == b.Op && a.Type == b.Type && (a.Op == ir.Entity || a.Op == ir.Reg && a.I == b.I) && c.stable(a) {
		return
	}
	same := &ir.Expr{Op: ir.Equal, Type: ir.Bool, A: a, B: b}
	if a.Type == ir.Number && (!c.isEntity(a) || !c.isEntity(b)) { // 0 and -0 are equal, but pairs gives the one that is stored first
		over := func(x *ir.Expr) *ir.Expr {
			return &ir.Expr{Op: ir.Div, A: &ir.Expr{Op: ir.Const, N: 1}, B: x}
		}
		zero := &ir.Expr{Op: ir.Equal, Type: ir.Bool, A: a, B: &ir.Expr{Op: ir.Const}}
		alike := &ir.Expr{Op: ir.Equal, Type: ir.Bool, A: over(a), B: over(b)}
		same = &ir.Expr{Op: ir.And, Type: ir.Bool, A: same, B: &ir.Expr{Op: ir.Or, Type: ir.Bool, A: not(zero), B: alike}}
	}
	c.guard(same)
}

// putRow emits the making of a record at a key of the table of row, a lookupSymbol.
func (c *lowerer) putRow(row *symbol, key *ir.Expr, m *made, at ast.PositionHolder) {
	name := c.t.Inputs[row.input].Text()
	if c.use(row.input, tableUse{stored: true}).measured {
		refuseWith(at, KeepBefore, "stores a table in %q, and takes its length", name)
	}
	s := &ir.Stmt{Op: ir.PutRow, I: row.i, A: key}
	if len(m.items) > 0 || c.hints.lists[row.input] {
		i := c.lengthMember(row)
		c.p.Keyed[row.i].Members[i].Stored = true
		s.Members, s.Args = append(s.Members, i), append(s.Args, &ir.Expr{Op: ir.Const})
	}
	for _, e := range m.named {
		x := c.value(e.value, at)
		i := c.memberWith(row, e.name, x.Type)
		k := &c.p.Keyed[row.i].Members[i]
		x = c.as(x, k.Type)
		if k.Kind == ir.Plain && x.Type != k.Type {
			c.expects(row, e.name, x.Type)
			refuse(at, "puts %s into a table of %q, where %q is %s", typeNames[x.Type], name, e.name, typeNames[k.Type])
		}
		k.Stored = true
		s.Members, s.Args = append(s.Members, i), append(s.Args, x)
	}
	c.p.Keyed[row.i].Stored, c.p.Keyed[row.i].Makes, c.p.Exact = true, true, true
	c.emit(s)
	for _, item := range m.items {
		if item.kind == nilSymbol {
			refuse(at, "stores a list with nil in %q", name)
		}
		c.append(&symbol{kind: lookupSymbol, i: row.i, x: key, member: -1, input: row.input}, item, at, true)
	}
}

// memberWith returns the index of a member of the tables in a keyed table. If nothing shows its type, it gets the type.
func (c *lowerer) memberWith(row *symbol, name string, t ir.Type) int {
	k := &c.p.Keyed[row.i]
	i := slices.IndexFunc(k.Members, func(m ir.Member) bool { return m.Name == name && m.Named() })
	if i < 0 {
		i = len(k.Members)
		m, known := c.shownMember(row.input, name)
		if !known && t != ir.Any {
			m.Type = t
		}
		k.Members = append(k.Members, m)
	}
	return i
}

// shownMember returns what a member of the tables is that an input's table holds; false if nothing shows it.
func (c *lowerer) shownMember(input int, name string) (m ir.Member, known bool) {
	if c.context.Tables != nil {
		if m, known = c.context.Tables.Member(input, name); known {
			return m, true
		}
	}
	m = ir.Member{Name: name}
	m.Type, known = c.hints.members[recordMember{input, name}]
	return m, known
}

// A recordMember identifies a member of the tables that an input's table holds.
type recordMember struct {
	input int
	name  string
}

// expects makes Lower begin again with the type of a member that nothing has shown.
func (c *lowerer) expects(row *symbol, name string, t ir.Type) {
	if _, known := c.shownMember(row.input, name); known || t == ir.Any || !c.makesRecords(row.input) {
		return
	}
	c.hints.members[recordMember{row.input, name}] = t
	panic(retry{})
}

// stores notes that a variable holds a record which is stored later. It refuses that if the source does not show that the row
// comes to a statement which stores it.
func (c *lowerer) stores(v *syntax.Variable, input int, at ast.PositionHolder) {
	for _, st := range c.following {
		if c.storesIn(st, v, input) {
			c.unstored = append(c.unstored, unstored{v, input, st})
			return
		}
		if isLabel(st) || jumps(st, true, nil) {
			break
		}
	}
	refuseWith(at, "store the new table in the next statement", "makes a table for %q that is not stored there in each case", c.t.Inputs[input].Text())
}

// storesIn reports whether a statement is TABLE[KEY] = VARIABLE, for the table of an input.
func (c *lowerer) storesIn(st ast.Stmt, v *syntax.Variable, input int) bool {
	a, ok := st.(*ast.AssignStmt)
	if !ok || len(a.Lhs) != 1 || len(a.Rhs) != 1 || c.t.Names.Variable(a.Rhs[0]) != v {
		return false
	}
	get, ok := a.Lhs[0].(*ast.AttrGetExpr)
	if !ok || keyOf(get) != "" {
		return false
	}
	return c.holdsInput(get.Object, input) && !c.asks(st, get.Object, input)
}

// holdsInput reports whether an expression is a variable that holds the table of an input.
func (c *lowerer) holdsInput(e ast.Expr, input int) bool {
	of := c.symbols[c.t.Names.Variable(e)]
	return of != nil && (of.kind == tableSymbol && of.input == input || of.kind == inputSymbol && of.i == input)
}

// asks reports whether the key of an assignment to table depends on the table, or may do so in a function.
func (c *lowerer) asks(st ast.Stmt, table ast.Expr, input int) (found bool) {
	syntax.Search([]ast.Stmt{st}, func(n ast.PositionHolder) syntax.Step {
		switch n := n.(type) {
		case *ast.FuncCallExpr:
			found = true
		case *ast.IdentExpr:
			found = found || ast.Expr(n) != table && c.holdsInput(n, input)
		}
		return syntax.Deeper
	})
	return found
}

// stored notes that a statement is reached which may store a record, so that its table may be used again.
func (c *lowerer) stored(st ast.Stmt) {
	c.unstored = slices.DeleteFunc(slices.Clone(c.unstored), func(u unstored) bool { return u.by == st })
}

// refuseUnstored refuses a use of a table from around the loop while a variable holds a record that is not in it yet.
func (c *lowerer) refuseUnstored(input int) {
	if slices.ContainsFunc(c.unstored, func(u unstored) bool { return u.input == input }) {
		refuseWith(c.where, "store the new table in the next statement", "uses %q before a table made for it is stored there", c.t.Inputs[input].Text())
	}
}

// recordsFit refuses tables in which records are made, and which no kernel can keep.
func (c *lowerer) recordsFit() {
	for _, k := range c.p.Keyed {
		if !k.Makes {
			continue
		}
		of := c.t.Inputs[k.Input]
		switch {
		case len(k.Members) > ir.MostRecorded:
			panic(&Reason{whole: true, File: of.File, Line: of.Line, Text: "more than 12 members of the tables in \"" + of.Text() + "\" are used, and some are made", Advice: SplitLoop})
		case len(k.Methods) > 0 || slices.ContainsFunc(k.Members, func(m ir.Member) bool { return m.Kind != ir.Plain && m.Kind != ir.ListLength }):
			panic(&Reason{whole: true, File: of.File, Line: of.Line, Text: "\"" + of.Text() + "\" has objects or views, and tables are made in it", Advice: makeBefore})
		}
	}
}
