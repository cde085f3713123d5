package lower

import (
	"fmt"
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/yuin/gopher-lua/ast"
)

// Lua tables declared outside the loop that are looked up by key: by strings, and by numbers if the table cannot be
// copied as a list. TABLE[KEY], TABLE[KEY].MEMBER, and assignments to both become ir.Lookup, ir.HasKey and
// ir.PutKey. What is found may be nil.

// Tables shows what Lua tables from around a loop hold when the loop is lowered. Package loops implements it.
type Tables interface {
	// Member returns what a member of the tables is that an input's table holds, taken from the first of them that
	// has the member. It is false if none has it as a number, a boolean, a string or a view.
	Member(input int, name string) (ir.Member, bool)
	// Named reports whether an input's table has a string as a key.
	Named(input int) bool
	// Inner returns the type of the values in the tables that an input's table holds, judged by one of them: Any if it is no number, boolean or
	// string. It is false if there are none.
	Inner(input int) (ir.Type, bool)
	// Even reports whether all lists in an input's table are equally long and not empty, and none is at 0. It is true if that is not known.
	Even(input int) bool
}

// keyed returns the index in Program.Keyed of the table that an input holds, for keys of a type. The first use adds
// it.
func (c *lowerer) keyed(input int, key ir.Type) int {
	i := slices.IndexFunc(c.p.Keyed, func(t ir.Keyed) bool { return t.Input == input && t.Key == key && !t.Pairs })
	if i < 0 {
		i = len(c.p.Keyed)
		k := c.kinds[input]
		if u := c.assumed[input]; u.typed {
			k.Type = u.Type
		}
		c.p.Keyed = append(c.p.Keyed, ir.Keyed{Input: input, Key: key, Type: k.Type, Rows: k.Rows})
	}
	c.p.Exact = true
	return i
}

// lookedUp returns the symbol of the value at a key in the table of an input.
func (c *lowerer) lookedUp(input int, key *ir.Expr) *symbol {
	return &symbol{kind: lookupSymbol, i: c.keyed(input, key.Type), x: key, member: -1, input: input}
}

// rowNamed returns the symbol of TABLE.NAME, where TABLE holds tables: a lookup with a constant key.
func (c *lowerer) rowNamed(s *symbol) *symbol {
	in := c.t.Inputs[s.input]
	return c.lookedUp(c.base(in.Variable), &ir.Expr{Op: ir.Const, Type: ir.Text, S: in.Member})
}

// namedKey returns the symbol of TABLE.NAME, where TABLE is looked up by computed strings as well; nil for any other table.
func (c *lowerer) namedKey(t *symbol, name string) *symbol {
	if name == "" || c.t.Inputs[t.input].Member != "" || !c.assumed[t.input].keyed {
		return nil
	}
	return c.lookedUp(t.input, &ir.Expr{Op: ir.Const, Type: ir.Text, S: name})
}

// memberOf returns the symbol of a member of a table that was looked up. The first use adds the member.
func (c *lowerer) memberOf(s *symbol, name string, at ast.PositionHolder) *symbol {
	t := &c.p.Keyed[s.i]
	if !t.Rows || s.member != -1 {
		refuseWith(at, c.adviceOnPlace(at), "indexes a value of the table %q, which is no table", c.t.Inputs[s.input].Text())
	}
	i := slices.IndexFunc(t.Members, func(m ir.Member) bool { return m.Name == name && m.Named() })
	if i < 0 {
		m, known := ir.Member{}, false
		if c.context.Tables != nil {
			m, known = c.context.Tables.Member(s.input, name)
		}
		if !known {
			m = ir.Member{Name: name}
		}
		i = len(t.Members)
		t.Members = append(t.Members, m)
	}
	out := *s
	out.member = i
	if t.Members[i].Kind == ir.View {
		return c.viewMember(&out)
	}
	return &out
}

// isRow reports whether a symbol stands for a table that was looked up.
func (c *lowerer) isRow(s *symbol) bool {
	return s.kind == lookupSymbol && s.member == -1 && c.p.Keyed[s.i].Rows
}

// fetch returns the value of a lookup. A row in which it is nil is left to the interpreter.
func (c *lowerer) fetch(s *symbol, at ast.PositionHolder) *ir.Expr {
	if c.isRow(s) {
		refuseWith(at, useFields, "uses a table of %q as a value", c.t.Inputs[s.input].Text())
	}
	return &ir.Expr{Op: ir.Lookup, Type: c.p.Keyed[s.i].ValueType(s.member), I: s.i, Member: s.member, A: s.x}
}

// found returns the condition that the value of a lookup is not nil.
func (c *lowerer) found(s *symbol) *ir.Expr {
	if c.hasValue[s] {
		return boolean(true)
	}
	return &ir.Expr{Op: ir.HasKey, Type: ir.Bool, I: s.i, Member: s.member, A: s.x}
}

// mustLookUp makes Lower begin again with lookups in a list of tables, if a member of the tables is no number: only numbers are copied when
// the loop begins.
func (c *lowerer) mustLookUp(input int, member string) {
	if c.context.Tables == nil || c.hints.mapped[input] {
		return
	}
	if m, known := c.context.Tables.Member(input, member); known && (m.Kind != ir.Plain || m.Type != ir.Number) {
		c.hints.mapped[input] = true
		panic(retry{})
	}
}

// isTrue returns the condition that the value of a lookup is neither nil nor false.
func (c *lowerer) isTrue(s *symbol, at ast.PositionHolder) *ir.Expr {
	if c.isRow(s) || c.p.Keyed[s.i].ValueType(s.member) != ir.Bool {
		return c.found(s)
	}
	s.x = c.keep(s.x)
	return &ir.Expr{Op: ir.And, Type: ir.Bool, A: c.found(s), B: c.fetch(s, at)}
}

// rowOrElse lowers TABLE[KEY] or TABLE[OTHER], where both values are tables: it chooses between the keys.
func (c *lowerer) rowOrElse(s *symbol, e *ast.LogicalOpExpr) *symbol {
	out := *s
	rest := c.branchOf(func() *symbol {
		other := c.operand(e.Rhs)
		if other.kind != lookupSymbol || other.i != s.i || other.member != -1 {
			refuseWith(e, oneType, "or gives a table of %q, or something else", c.t.Inputs[s.input].Text())
		}
		return plain(other.x)
	})
	out.x = c.either(c.found(s), branchValue{s: plain(s.x)}, rest, e).x
	out.x = c.keep(out.x)
	return &out
}

// valueNow returns the value of a lookup for use later on. A table is looked up again at each use, because it never
// changes which table stands at a key.
func (c *lowerer) valueNow(s *symbol) *symbol {
	if !c.isRow(s) {
		return c.optional(s)
	}
	out := *s
	out.x = c.keep(s.x) // a key that is drawn or counted is evaluated once
	return &out
}

// storeKeyed emits the assignment to a value of a keyed table, or to a member of a table in it.
func (c *lowerer) storeKeyed(t *target, x *ir.Expr) {
	s := t.looked
	k := &c.p.Keyed[s.i]
	x = c.as(x, k.ValueType(s.member))
	if want := k.ValueType(s.member); want != x.Type {
		if u := c.assumed[s.input]; c.kinds[s.input].Empty && s.member < 0 && !k.Pairs && !u.typed {
			c.use(s.input, tableUse{typed: true, Type: x.Type}) // the body is lowered again
			return
		}
		if k.Pairs {
			c.expectsPairs(s.input, x.Type)
		}
		refuse(t.at, "puts %s into the table %q, which holds %s there", typeNames[x.Type], c.t.Inputs[s.input].Text(), typeNames[want])
	}
	k.Stored = true
	if s.member >= 0 {
		k.Members[s.member].Stored = true
	}
	counts := s.member < 0 && k.Key == ir.Number && !k.Pairs && c.use(s.input, tableUse{stored: true}).measured && !c.isEntity(t.key)
	if counts && !isNext(t.key, c.length(s.input)) {
		t.key = c.keep(t.key) // it is used twice
	}
	c.emit(&ir.Stmt{Op: ir.PutKey, I: s.i, Member: s.member, A: t.key, B: x})
	if counts {
		c.lengthen(c.length(s.input), t.key)
	}
}

// unambiguous refuses a body that reaches a table in two ways, by members and by computed strings, or by strings
// and by numbers, and assigns to it: kernels keep the ways apart, so one would not see the assignments of the
// other.
func (c *lowerer) unambiguous() {
	for n, k := range c.p.Keyed {
		if k.Pairs { // they are in the tables that another one finds
			continue
		}
		of := c.t.Inputs[k.Input]
		for _, other := range c.p.Keyed[:n] {
			if other.Input == k.Input && !other.Pairs && (other.Stored || k.Stored) {
				panic(&Reason{File: of.File, Line: of.Line, Text: fmt.Sprintf("the table %q is used by strings and by numbers, and assigned", of.Text()), Advice: useOneWay})
			}
		}
		settled := c.seen[k.Input] == c.assumed[k.Input]                                                   // otherwise the body is lowered again
		if settled && slices.ContainsFunc(c.p.Sinks, func(s ir.Sink) bool { return s.Input == k.Input }) { // what an effect stores is there when the row is done
			panic(&Reason{whole: true, File: of.File, Line: of.Line, Text: fmt.Sprintf("the table %q is read, and table.insert adds to it", of.Text()), Advice: "add with list[#list + 1]"})
		}
		if k.Key != ir.Text {
			if in := c.newMember(k.Input); in != nil && k.Stored {
				panic(&Reason{File: in.File, Line: in.Line, Text: namesAndKeys(of), Advice: useOneWay})
			}
			continue
		}
		for i, in := range c.t.Inputs {
			if in.Variable == of.Variable && in.Member != "" && i != k.Input && of.Member == "" && (k.Stored && (c.p.Inputs[i].Used || c.kinds[i].InputKind == NilInput) || in.Assigned) {
				alike := !k.Rows && isOf(c.kinds[i].InputKind, k.Type)
				if u := c.use(k.Input, tableUse{keyed: alike}); alike && c.seen[k.Input].keyed && !(u.keyed && c.p.Inputs[i].Used) {
					continue // the name is looked up as a key, too; if that was not assumed, the body is lowered again
				}
				panic(&Reason{File: in.File, Line: in.Line, Text: namesAndKeys(of), Advice: useOneWay})
			}
		}
	}
}

// namesAndKeys is the reason for a table that gets entries in two ways.
func namesAndKeys(of Input) string {
	return fmt.Sprintf("the table %q is used by names and by computed keys, and assigned", of.Text())
}

// newMember returns a member of the table of an input that the body assigns and the table may not have; nil if there is none. The table gets it
// when the loop is over, so if rows make keys as well, pairs would not have all in the order in which rows have made them.
func (c *lowerer) newMember(input int) *Input {
	of := c.t.Inputs[input]
	for i := range c.t.Inputs {
		if in := &c.t.Inputs[i]; of.Member == "" && in.Variable == of.Variable && in.Member != "" && in.Assigned && c.kinds[i].InputKind == NilInput {
			return in
		}
	}
	return nil
}

// isOf reports whether a member is nil or a value of a type.
func isOf(member InputKind, t ir.Type) bool {
	switch member {
	case NilInput:
		return true
	case NumberInput:
		return t == ir.Number
	case BoolInput:
		return t == ir.Bool
	case TextInput:
		return t == ir.Text
	default: // a table, a function, a view
		return false
	}
}

// keyKept returns a table that was looked up with its key in a register: the key is evaluated once, whatever is asked of the table.
func (c *lowerer) keyKept(row *symbol) *symbol {
	kept := *row
	if kept.x = c.keep(row.x); c.hasValue[row] {
		c.hasValue[&kept] = true
	}
	return &kept
}

// mustBeKeyed makes Lower begin again with lookups in a list of tables, if a symbol is one of the tables.
func (c *lowerer) mustBeKeyed(s *symbol) {
	if s.kind != elementSymbol {
		return
	}
	if input := c.p.Tables[s.i].Input; !c.hints.mapped[input] {
		c.hints.mapped[input] = true
		panic(retry{})
	}
}
