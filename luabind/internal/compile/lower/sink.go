package lower

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/yuin/gopher-lua/ast"
)

// Lua tables declared outside the loop whose elements the body assigns. If the body does not read them, the table is an
// [ir.Sink]: each assignment becomes an effect, and the length is counted in a register. If the body reads
// elements, too, they are copied when the loop begins (access.go).

// A tableUse is what a body does with the elements of an input. Lower assumes one for each input; if the body turns
// out to do more, it is lowered again.
type tableUse struct {
	read, stored bool
	measured     bool // the body takes the length
	asked        bool // the body asks whether an element exists
	others       bool // some key cannot be an index of a list
	named        bool // of a table in a table: the body reads members by name, which are looked up through the table around it
	renamed      bool // the same for members that it assigns
	keyed        bool // the body uses names and computed strings, so names are looked up as keys, too
	inserted     bool // the body adds to it with table.insert
	typed        bool // the type of the values was not known from the table, and is Type
	Type         ir.Type
}

// use notes what was seen of the use of an input, and returns what is assumed of it.
func (c *lowerer) use(input int, seen tableUse) tableUse {
	u := c.seen[input]
	if seen.typed && !u.typed {
		u.typed, u.Type = true, seen.Type
	}
	u.read, u.stored, u.measured = u.read || seen.read, u.stored || seen.stored, u.measured || seen.measured
	u.asked, u.others = u.asked || seen.asked, u.others || seen.others
	u.named, u.renamed, u.keyed, u.inserted = u.named || seen.named, u.renamed || seen.renamed, u.keyed || seen.keyed, u.inserted || seen.inserted
	if u.renamed && (u.read || u.stored) || u.named && u.stored { // the kernel would have two copies of the table
		refuseWith(c.where, KeepBefore, "changes %q, and uses it both by name and by other keys", c.t.Inputs[input].Text())
	}
	c.seen[input] = u
	return c.assumed[input]
}

// mapped reports whether a table is looked up number by number. Otherwise it is a list that is copied when the loop
// begins.
func (c *lowerer) mapped(input int) bool {
	u, k := c.assumed[input], c.kinds[input]
	in := c.t.Inputs[input]
	return k.Map || c.hints.mapped[input] || len(c.t.classes[Place{in.Variable, in.Member}]) > 0 || u.others || !k.Rows && k.Type != ir.Number || u.read && u.stored && (u.asked || k.Empty)
}

// hasMembers reports whether the body also uses members, by name, of the table that an input holds.
func (c *lowerer) hasMembers(input int) bool {
	of := c.t.Inputs[input]
	return of.Member == "" && slices.ContainsFunc(c.t.Inputs, func(in Input) bool { return in.Variable == of.Variable && in.Member != "" })
}

// sink returns the index in Program.Sinks of the table that an input holds. The first use adds it.
func (c *lowerer) sink(input int) int {
	i := slices.IndexFunc(c.p.Sinks, func(s ir.Sink) bool { return s.Input == input })
	if i < 0 {
		i = len(c.p.Sinks)
		c.p.Sinks = append(c.p.Sinks, ir.Sink{Input: input})
	}
	return i
}

// length returns the register with the length of the table that an input holds. The register only changes if the
// body stores in a table whose elements are not copied.
func (c *lowerer) length(input int) *ir.Expr {
	u := c.use(input, tableUse{measured: true})
	o := ir.Origin{From: ir.FromLength, Input: input}
	known := slices.Contains(c.p.Origins, o)
	x := c.given(o, ir.Number)
	if !known && u.stored && (!u.read || c.mapped(input) || u.inserted) { // a statement that reads it may have become an exit
		c.fixed[register{ir.Number, x.I}] = false
		c.p.Outputs = append(c.p.Outputs, ir.Output{Place: ir.Place{Used: true, Type: ir.Number, Reg: x.I}, Mark: -1, Input: slices.Index(c.p.Origins, o)})
	}
	return x
}

// lengthOf lowers #TABLE.
func (c *lowerer) lengthOf(e *ast.UnaryLenOpExpr) *ir.Expr {
	t := c.operand(e.Expr)
	if t.kind == constantSymbol && t.constant.Kind == TableConstant {
		return &ir.Expr{Op: ir.Const, N: float64(t.constant.Items)}
	}
	if x := c.chosenLength(t); x != nil {
		return x
	}
	if t.kind == unsetSymbol {
		c.becomesAny(t)
	}
	if t.kind == elementSymbol || c.isRow(t) {
		refuseWith(e, OneList, "takes the length of %s, a table that the row finds", inSource(e.Expr))
	}
	if t = c.real(t, e.Expr); isAny(t) {
		c.p.Exact = true
		return &ir.Expr{Op: ir.Length, A: c.value(t, e.Expr)}
	}
	if x := c.textOf(t, e); x != nil {
		return &ir.Expr{Op: ir.Length, A: wrapped(x)}
	}
	if t.kind != tableSymbol || c.kinds[t.input].InputKind != TableInput {
		refuse(e, "takes a length of something else than a table")
	}
	return c.length(t.input)
}

// textOf returns a symbol that is a string; nil if it is something else.
func (c *lowerer) textOf(s *symbol, at ast.PositionHolder) *ir.Expr {
	if s.kind != valueSymbol && s.kind != registerSymbol && s.kind != lookupSymbol {
		return nil
	}
	x := c.value(s, at)
	if x.Type != ir.Text {
		return nil
	}
	c.p.Exact = true
	return x
}

// roomIn leaves the row to the interpreter if a list is full, where "#t + 1" raises an error. It returns the length, for use from there on:
// the table may be found by a drawn key, which is drawn once.
func (c *lowerer) roomIn(length *ir.Expr) *ir.Expr {
	c.p.Exact = true
	if hasEffect(length) {
		length = c.keep(length)
	}
	full := &ir.Expr{Op: ir.LessEqual, Type: ir.Bool, A: &ir.Expr{Op: ir.Const, N: sandbox.MaxList}, B: length}
	c.emit(&ir.Stmt{Op: ir.If, A: full, Body: []*ir.Stmt{{Op: ir.Leave}}})
	return length
}

// setElement emits TABLE[KEY] = VALUE for a table that the body only writes.
func (c *lowerer) setElement(input int, key *ir.Expr, s *symbol, at ast.PositionHolder) {
	c.storesValue(s, at)
	item, values := c.item(s, at)
	u := c.use(input, tableUse{stored: true})
	counts := u.measured && key.Type == ir.Number && !c.isEntity(key)
	next := counts && isNext(key, c.length(input))
	if counts && !next {
		key = c.keep(key) // it is used twice
	}
	if in := c.newMember(input); in != nil && !next && key.Type != ir.Text {
		panic(&Reason{File: in.File, Line: in.Line, Text: namesAndKeys(c.t.Inputs[input]), Advice: useOneWay})
	}
	e := &ir.Effect{Index: len(c.p.Effects), Op: ir.TableSet, File: c.file, Line: at.Line(), Sink: c.sink(input), Key: key.Type, Value: item}
	c.p.Effects = append(c.p.Effects, e)
	c.p.Exact = true
	c.emit(&ir.Stmt{Op: ir.Emit, I: -1, Effect: e, Args: append([]*ir.Expr{key}, values...)})
	if counts {
		if item.Kind == ir.ItemNil {
			refuse(at, "removes from %q and takes its length", c.t.Inputs[input].Text())
		}
		c.lengthen(c.length(input), key)
	}
}

// storesValue notes that rows leave in which a value that a table gets is nil.
func (c *lowerer) storesValue(s *symbol, at ast.PositionHolder) {
	if isOptional(s) || s.kind == registerSymbol && s.mark >= 0 && !c.hasValue[s] && s.typ != ir.Any {
		c.departs(at, "a value that a table gets is nil")
	}
}

// lengthen emits how the length of a list changes when a key gets a value: the next key makes it longer by one. A row with a key behind the next one
// is left to the interpreter, because the list becomes longer by that key, too, when it reaches it.
func (c *lowerer) lengthen(length, key *ir.Expr) {
	if !isNext(key, length) {
		less := func(a, b *ir.Expr) *ir.Expr { return &ir.Expr{Op: ir.Less, Type: ir.Bool, A: a, B: b} }
		whole := &ir.Expr{Op: ir.Equal, Type: ir.Bool, A: key, B: &ir.Expr{Op: ir.Call, Func: "floor", A: key, One: sandbox.MathOne["floor"]}}
		further := &ir.Expr{Op: ir.And, Type: ir.Bool, A: less(length, key), B: less(key, &ir.Expr{Op: ir.Const, N: sandbox.MaxList + 1})}
		next := &ir.Expr{Op: ir.Add, A: length, B: &ir.Expr{Op: ir.Const, N: 1}}
		beyond := &ir.Expr{Op: ir.And, Type: ir.Bool, A: &ir.Expr{Op: ir.And, Type: ir.Bool, A: less(next, key), B: further.B}, B: whole}
		c.guard(not(beyond))
		key = &ir.Expr{Op: ir.Select, A: &ir.Expr{Op: ir.And, Type: ir.Bool, A: further, B: whole}, B: key, C: length}
	}
	c.set(length.I, -1, key)
}

// isNext reports whether a key is the length plus one.
func isNext(key, length *ir.Expr) bool {
	return key.Op == ir.Add && key.A.Op == ir.Reg && key.A.I == length.I && key.B.Op == ir.Const && key.B.N == 1
}

// item describes a symbol as a value that is stored in a table, and returns the arguments that the description
// takes.
func (c *lowerer) item(s *symbol, at ast.PositionHolder) (*ir.TableItem, []*ir.Expr) {
	switch s.kind {
	case nilSymbol:
		return &ir.TableItem{Kind: ir.ItemNil}, nil
	case madeSymbol:
		if s.made.kept {
			refuseWith(at, makeBefore, "stores a table made here that a local holds")
		}
		out, values := &ir.TableItem{Kind: ir.ItemTable}, []*ir.Expr(nil)
		for _, part := range s.made.items {
			x, more := c.item(part, at)
			out.Items, values = append(out.Items, x), append(values, more...)
		}
		for _, part := range s.made.named {
			x, more := c.item(part.value, at)
			out.Named, values = append(out.Named, ir.NamedItem{Name: part.name, Value: x}), append(values, more...)
		}
		return out, values
	}
	if s.kind == viewSymbol && s.i < c.p.Views && !s.event && !s.nilable && s.schema != nil && s.kept == nil && s.entity != nil {
		c.p.Entity = true
		return &ir.TableItem{Kind: ir.ItemView, View: s.component}, []*ir.Expr{s.entity}
	}
	x := c.value(s, at)
	if x.Type == ir.Any {
		if c.p.TableFields {
			refuseWith(at, useFields, "stores a value of a table field in a Lua table")
		}
		refuse(at, "stores a value that may be of any kind in a Lua table, where it may be a table")
	}
	return &ir.TableItem{Type: x.Type}, []*ir.Expr{x}
}

// insert lowers table.insert(list, value).
func (c *lowerer) insert(e *ast.FuncCallExpr) {
	wrong := func() { refuseWith(e, adviceOnCall(e), "calls %s with %d arguments", callee(e), len(e.Args)) }
	if len(e.Args) < 2 || len(e.Args) > 3 || c.t.values(e.Args) != len(e.Args) {
		wrong()
	}
	list := c.changed(e.Args[0])
	if list.kind == elementSymbol || c.isRow(list) {
		refuseWith(e, intoLists, "inserts into %s, a table that the row finds", inSource(e.Args[0]))
	}
	list = c.real(list, e.Args[0])
	if isAny(list) {
		c.insertAny(list, e)
		return
	}
	if len(e.Args) != 2 {
		wrong()
	}
	if list.kind != tableSymbol || c.kinds[list.input].InputKind != TableInput {
		refuseWith(e, intoLists, "inserts into %s, which is no table from around the loop", inSource(e.Args[0]))
	}
	value := c.settled(c.operand(e.Args[1]), e.Args[1])
	c.use(list.input, tableUse{inserted: true})
	length := c.length(list.input)
	c.roomIn(length)
	if value.kind == nilSymbol {
		return
	}
	c.setElement(list.input, &ir.Expr{Op: ir.Add, A: length, B: &ir.Expr{Op: ir.Const, N: 1}}, value, e)
}

// Members that every row sets before it reads them: ctx.pos, ctx.needs = pos, needs, where ctx is a table from around
// the loop that carries arguments from function to function. What such a member holds when the loop begins does not
// matter. Behind the assignment it is another name for the view, or a register. The last value is an output, so the
// table has it when the loop is over.

// isScratch reports whether the body may set an input before it reads it: a member that the body assigns, and that
// holds no value of which a register could begin.
func (c *lowerer) isScratch(i int) bool {
	in, k := c.t.Inputs[i], c.kinds[i]
	return in.Member != "" && in.Assigned && (k.InputKind == NilInput || k.InputKind == ViewInput)
}

// setScratch lowers the first assignment to such a member. Every row must reach it, so that all reads see its value.
func (c *lowerer) setScratch(t *target, s *symbol) {
	v := t.variable
	st, ok := c.at.(ast.Stmt)
	if !ok || c.rare || c.fn != nil || !slices.Contains(c.t.Body, st) {
		c.refuseScratch(v, t.at)
	}
	mark := c.register(ir.Bool)
	out := ir.Output{Mark: mark, Input: v.i}
	if s.kind == viewSymbol {
		if s.entity == nil || s.event || s.nilable || s.schema == nil || s.owned {
			refuseWith(t.at, useFields, "assigns the view %q to %s", s.name, c.t.Inputs[v.i].Text())
		}
		c.p.Entity = c.p.Entity || s.entity.Op == ir.Entity
		out.Place = ir.Place{Used: true, Type: ir.Number, Reg: c.register(ir.Number)}
		out.View, out.Component = true, s.component
		c.set(out.Reg, mark, s.entity)
		variable, name := v.variable, v.name
		*v = *s
		v.variable, v.name, v.owned = variable, name, false
	} else {
		x := c.value(s, t.at)
		if x.Type == ir.Any {
			c.refuseScratch(v, t.at)
		}
		out.Place = ir.Place{Used: true, Type: x.Type, Reg: c.register(x.Type)}
		c.set(out.Reg, mark, x)
		v.kind, v.typ, v.i, v.mark = registerSymbol, x.Type, out.Reg, -1
	}
	c.p.Outputs = append(c.p.Outputs, out)
}

// refuseScratch refuses a member that is read, or set for some rows only, and that no register can begin with.
func (c *lowerer) refuseScratch(s *symbol, at ast.PositionHolder) {
	refuse(at, "assigns %s, which is no number, boolean or string when the loop begins", c.t.Inputs[s.i].Text())
}
