package lower

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Variables to which the body assigns tables that it makes, and of which it uses the members, as in
//
//	if not best or p.x > best.x then best = { e = e, x = p.x } end
//
// Each member has a register, and no table is made. A variable from around the loop gets its table when the loop is over: the registers are
// outputs (ir.Record). The table that such a variable holds when the loop begins is one whose members are inputs.

// makings are the tables that the source assigns to a variable.
type makings struct {
	tables []*ast.TableExpr // in the order of the source
	local  bool             // the body declares the variable
	others bool             // something else is assigned, too
}

// makes notes what a statement assigns to a variable; a value that is nil stands for one that is not in the source.
func (p *preparer) makes(v *syntax.Variable, value ast.Expr, declares bool) {
	m := p.t.makings[v]
	if m == nil {
		m = &makings{}
		p.t.makings[v] = m
	}
	m.local = m.local || declares
	switch e := value.(type) {
	case *ast.NilExpr:
	case *ast.TableExpr:
		if !slices.Contains(m.tables, e) {
			m.tables = append(m.tables, e)
		}
		m.others = m.others || !isRecord(e)
	default:
		m.others = true
	}
}

// isRecord reports whether a constructor has members only, none of which is a table.
func isRecord(t *ast.TableExpr) bool {
	for i, f := range t.Fields {
		name, ok := f.Key.(*ast.StringExpr)
		if _, table := f.Value.(*ast.TableExpr); !ok || table {
			return false
		}
		for _, other := range t.Fields[:i] {
			if other.Key.(*ast.StringExpr).Value == name.Value {
				return false
			}
		}
	}
	return len(t.Fields) > 0 && len(t.Fields) <= ir.MostRecorded
}

// holdsRecords reports whether the source assigns only tables with members to a variable, and nil.
func (t *Template) holdsRecords(v *syntax.Variable) bool {
	m := t.makings[v]
	return !t.Open && m != nil && len(m.tables) > 0 && !m.others && (m.local || !t.own[v])
}

// A recordVariable is such a variable.
type recordVariable struct {
	made   int  // boolean register: the body has assigned the variable
	which  int  // number register: the table that was assigned last, as an index in orders and one more; 0 for nil
	given  bool // the variable holds a table when the loop begins
	parts  []recordPart
	orders [][]string // the members of the tables, in the order of pairs
	output int        // index in Program.Outputs; -1 of a local
}

// A recordPart is a member of the tables.
type recordPart struct {
	name string
	s    *symbol // a registerSymbol, with a mark if some of the tables lack it
}

// A partHint says what type a member of the tables in a variable has, and whether it may be nil.
type partHint struct {
	typ     ir.Type
	known   bool
	nilable bool
}

// A partName identifies a member of the tables in a variable.
type partName struct {
	variable *syntax.Variable
	name     string
}

// newRecordVariable makes a symbol a variable that holds records. input is the input that it is, -1 for a local.
func (c *lowerer) newRecordVariable(s *symbol, v *syntax.Variable, input int) {
	r := &recordVariable{made: c.register(ir.Bool), which: c.register(ir.Number), output: -1}
	if input >= 0 {
		r.given = c.kinds[input].InputKind == TableInput
		r.output = len(c.p.Outputs)
		c.p.Outputs = append(c.p.Outputs, ir.Output{Place: ir.Place{Used: true, Type: ir.Number, Reg: r.which}, Mark: r.made, Input: input, Records: []ir.Record{}})
	}
	tables := c.t.makings[v].tables
	for _, table := range tables {
		for _, f := range table.Fields {
			name := f.Key.(*ast.StringExpr).Value
			if !slices.ContainsFunc(r.parts, func(p recordPart) bool { return p.name == name }) {
				r.parts = append(r.parts, c.newPart(r, partName{v, name}, tables, input))
			}
		}
	}
	s.kind, s.record, s.input = recordSymbol, r, input
}

// bindRecords declares a local that holds records.
func (c *lowerer) bindRecords(v *syntax.Variable, s *symbol, at ast.PositionHolder) {
	local := c.declare(v, &symbol{})
	c.newRecordVariable(local, v, -1)
	if s.kind == madeSymbol {
		c.storeMade(local, s, at)
		return
	}
	c.set(local.record.made, -1, boolean(false))
}

// newPart makes the register of a member. Of a table that the variable holds when the loop begins, the body reads what the template has as an
// input.
func (c *lowerer) newPart(r *recordVariable, of partName, tables []*ast.TableExpr, input int) recordPart {
	hint := c.hints.parts[of]
	member := slices.IndexFunc(c.t.Inputs, func(in Input) bool { return in.Variable == of.variable && in.Member == of.name })
	given := NilInput
	if r.given && member >= 0 {
		if given = c.kinds[member].InputKind; given == NilInput {
			hint.nilable = true
		} else if hint.typ, hint.known = given.ValueType(); !hint.known {
			refuse(c.where, "keeps %s, which is no number, boolean or string when the loop begins", c.t.Inputs[member].Text())
		}
	}
	for _, t := range tables {
		hint.nilable = hint.nilable || !slices.ContainsFunc(t.Fields, func(f *ast.Field) bool {
			_, isNil := f.Value.(*ast.NilExpr)
			return f.Key.(*ast.StringExpr).Value == of.name && !isNil
		})
	}
	if !hint.known {
		hint.typ = c.seems(of.name, tables)
	}
	s := &symbol{name: of.name, kind: registerSymbol, typ: hint.typ, i: c.register(hint.typ), mark: -1, input: -1}
	if hint.nilable {
		s.mark = c.register(ir.Bool)
	}
	if input >= 0 {
		place := ir.Place{Used: true, Type: s.typ, Reg: s.i}
		if given != NilInput {
			c.p.Inputs[member] = place
		}
		c.p.Outputs = append(c.p.Outputs, ir.Output{Place: place, Mark: s.mark, Given: given != NilInput, Input: input, Part: true})
	}
	return recordPart{of.name, s}
}

// seems returns the type that a member of some tables probably has, judged by the source. If it has another one, Lower begins again.
func (c *lowerer) seems(name string, tables []*ast.TableExpr) ir.Type {
	for _, t := range tables {
		for _, f := range t.Fields {
			if f.Key.(*ast.StringExpr).Value == name {
				switch e := f.Value.(type) {
				case *ast.StringExpr, *ast.StringConcatOpExpr:
					return ir.Text
				case *ast.TrueExpr, *ast.FalseExpr, *ast.UnaryNotOpExpr, *ast.RelationalOpExpr:
					return ir.Bool
				case *ast.AttrGetExpr:
					if view := c.symbols[c.t.Names.Variable(e.Object)]; view != nil && view.kind == viewSymbol && view.schema != nil {
						if i := view.schema.Index(keyOf(e)); i >= 0 {
							typ, _ := ir.TypeOf(&view.schema.Fields()[i])
							return typ
						}
					}
				}
			}
		}
	}
	return ir.Number
}

// keepsRecords reports whether an input is a variable that holds records: it is nil when the loop begins, or holds a plain table.
func (c *lowerer) keepsRecords(i int) bool {
	in, k := c.t.Inputs[i], c.kinds[i]
	return in.Assigned && in.Member == "" && (k.InputKind == NilInput || k.InputKind == TableInput) && c.t.holdsRecords(in.Variable) && in.object
}

// hasRecord returns the condition that the variable holds a table.
func (c *lowerer) hasRecord(s *symbol) *ir.Expr {
	r := s.record
	made := &ir.Expr{Op: ir.Reg, Type: ir.Bool, I: r.made}
	is := &ir.Expr{Op: ir.Less, Type: ir.Bool, A: &ir.Expr{Op: ir.Const}, B: &ir.Expr{Op: ir.Reg, I: r.which}}
	clears := c.t.cleared[s.variable]
	switch {
	case c.hasValue[s], r.given && !clears:
		return boolean(true)
	case r.given:
		return &ir.Expr{Op: ir.Or, Type: ir.Bool, A: not(made), B: is}
	case clears:
		return &ir.Expr{Op: ir.And, Type: ir.Bool, A: made, B: is}
	}
	return made
}

// partOf returns the symbol of VARIABLE.NAME. A row in which the variable is nil is left to the interpreter.
func (c *lowerer) partOf(s *symbol, e *ast.AttrGetExpr) *symbol {
	key := keyOf(e)
	i := slices.IndexFunc(s.record.parts, func(p recordPart) bool { return p.name == key })
	if i < 0 {
		refuseWith(e, membersApart, "uses a member of %q that no table assigned to it has", s.name)
	}
	if has := c.hasRecord(s); has.Op != ir.Const {
		c.guard(has)
		if !c.t.cleared[s.variable] {
			c.hasValue[s] = true
		}
	}
	return s.record.parts[i].s
}

// partTarget is partOf on the left side of an assignment. A member that is new in a table would have to be the last one of pairs.
func (c *lowerer) partTarget(s *symbol, e *ast.AttrGetExpr) *symbol {
	part := c.partOf(s, e)
	if part.mark >= 0 || s.record.given {
		refuseWith(e, membersApart, "assigns a member of %q that a table in it may lack", s.name)
	}
	return part
}

// storeMade emits the assignment of a table that the body makes, or of nil, to a variable that holds records.
func (c *lowerer) storeMade(v, s *symbol, at ast.PositionHolder) {
	r := v.record
	if s.kind == nilSymbol {
		c.set(r.which, -1, &ir.Expr{Op: ir.Const})
		c.set(r.made, -1, boolean(true))
		return
	}
	if s.kind != madeSymbol || s.made.kept || len(s.made.items) > 0 {
		refuseWith(at, membersApart, "assigns something else than a table made here to %q", v.name)
	}
	var order []string
	for _, e := range s.made.named {
		if e.value.kind != valueSymbol {
			refuseWith(at, membersApart, "keeps a table or a view in a table that %q gets", v.name)
		}
		order = append(order, e.name)
	}
	for i := range r.parts {
		c.storePart(v, &r.parts[i], s.made, at)
	}
	n := slices.IndexFunc(r.orders, func(o []string) bool { return slices.Equal(o, order) })
	if n < 0 {
		n, r.orders = len(r.orders), append(r.orders, order)
		c.addRecord(r, order)
	}
	c.set(r.which, -1, &ir.Expr{Op: ir.Const, N: float64(n + 1)})
	c.set(r.made, -1, boolean(true))
	if !c.t.cleared[v.variable] {
		c.hasValue[v] = true
	}
}

// storePart emits what a member becomes when the variable gets a new table.
func (c *lowerer) storePart(v *symbol, p *recordPart, m *made, at ast.PositionHolder) {
	of := partName{v.variable, p.name}
	i := slices.IndexFunc(m.named, func(e madeEntry) bool { return e.name == p.name })
	nilable := func() {
		if p.s.mark < 0 {
			h := c.hints.parts[of]
			h.nilable = true
			c.hints.parts[of] = h
			panic(retry{})
		}
	}
	if i < 0 {
		nilable()
		c.set(p.s.mark, -1, boolean(false))
		return
	}
	s := m.named[i].value
	x := s.x
	if x.Type != p.s.typ {
		if h := c.hints.parts[of]; !h.known && x.Type != ir.Any && !v.record.given {
			h.typ, h.known = x.Type, true
			c.hints.parts[of] = h
			panic(retry{})
		}
		refuseWith(at, membersApart, "%s.%s is now one type, now another", v.name, p.name)
	}
	if s.has != nil {
		nilable()
	}
	c.set(p.s.i, -1, x)
	switch {
	case p.s.mark < 0:
	case s.has != nil:
		c.set(p.s.mark, -1, s.has)
	default:
		c.set(p.s.mark, -1, boolean(true))
	}
}

// addRecord lists a table that an output may become.
func (c *lowerer) addRecord(r *recordVariable, order []string) {
	if r.output < 0 {
		return
	}
	record := ir.Record{}
	for _, name := range order {
		s := r.parts[slices.IndexFunc(r.parts, func(p recordPart) bool { return p.name == name })].s
		record = append(record, ir.RecordMember{Name: name, Place: ir.Place{Used: true, Type: s.typ, Reg: s.i}, Mark: s.mark})
	}
	out := &c.p.Outputs[r.output]
	out.Records = append(out.Records, record)
}
