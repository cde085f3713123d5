package lower

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/yuin/gopher-lua/ast"
)

// Declarations and assignments. The left side becomes a target, the right side a symbol, and store emits the
// statement for the pair. Targets are variables, fields, resources, and elements and members of Lua tables.

// locals lowers a declaration of locals. The values are evaluated before any of the variables is visible.
func (c *lowerer) locals(st *ast.LocalAssignStmt) {
	values := c.values(st.Exprs, max(len(st.Names), len(st.Exprs)))
	for i, v := range c.t.Names.Declared(st) {
		s := &symbol{kind: nilSymbol}
		if i < len(values) {
			s = values[i]
		}
		c.bind(v, s, st)
	}
	c.discardAll(values[min(len(values), len(st.Names)):])
}

// discardAll evaluates values that are not used, for their effects and errors.
func (c *lowerer) discardAll(values []*symbol) {
	for _, s := range values {
		for _, x := range s.operands() {
			c.discard(*x)
		}
	}
}

// assign lowers an assignment. As in the interpreter, all values are evaluated first, and then stored from right to
// left. With several targets, keys and values are kept in registers until then.
func (c *lowerer) assign(st *ast.AssignStmt) {
	targets := make([]*target, len(st.Lhs))
	var values []*symbol
	keys := make([]**ir.Expr, 0, len(st.Lhs))
	for i, lhs := range st.Lhs {
		t := c.target(lhs)
		targets[i] = t
		if t.key != nil {
			if len(st.Lhs) > 1 {
				t.key = c.keep(t.key)
			}
			keys = append(keys, &t.key)
		}
		if t.place != nil && t.place.root == nil { // the table is found before the values are evaluated
			if len(st.Lhs) > 1 {
				t.place.table = c.keep(t.place.table)
			}
			keys = append(keys, &t.place.table)
		}
	}
	c.after(func() {
		n := len(c.out)
		values = c.first(c.values(st.Rhs, max(len(st.Lhs), len(st.Rhs))), len(st.Lhs))
		for _, t := range targets {
			if t.held != nil && !c.stable(t.held) && alters(c.out[n:], t.held) {
				panic(&Reason{whole: true, Line: c.t.Line, Text: "a variable is used and changed by a function in one expression"})
			}
		}
	}, keys...)
	if len(st.Lhs) > 1 {
		for _, s := range values {
			for _, x := range s.operands() {
				*x = c.keep(*x)
			}
		}
	}
	if len(st.Lhs) > 1 {
		c.viewsAmong(targets, values, st)
	}
	for i := len(targets) - 1; i >= 0; i-- {
		s := &symbol{kind: nilSymbol}
		if i < len(values) {
			s = values[i]
		}
		c.store(targets[i], s)
	}
}

// store emits the assignment of one value to a target.
func (c *lowerer) store(t *target, s *symbol) {
	switch {
	case t.never:
	case t.variable != nil:
		c.storeVariable(t, s)
	case t.named != nil:
		c.storeNamed(t, s)
	case t.chosen != nil:
		c.storeInChosen(t, s)
	case t.view != nil:
		c.storeField(t, s)
	case t.resource != "":
		c.storeResource(t, s)
	case t.place != nil:
		c.putAny(t, s)
	case t.looked == nil && t.member == "" && !t.cells && !c.assumed[t.table.input].read:
		c.setElement(t.table.input, t.key, s, t.at)
	default:
		if t.looked == nil && t.member == "" && !t.cells && c.kinds[t.table.input].Rows {
			refuseTarget(t.at)
		}
		c.storesValue(s, t.at)
		x := c.value(s, t.at)
		if t.looked != nil {
			c.storeKeyed(t, x)
			return
		}
		x = c.as(x, ir.Number)
		if x.Type != ir.Number {
			refuse(t.at, "puts %s into a table of numbers", typeNames[x.Type])
		}
		p := &ir.Stmt{Op: ir.Put, Member: -1, A: t.key, B: x}
		if t.cells {
			p.I = t.table.i
		} else if t.member == "" {
			p.I = c.table(t.table.input)
		} else {
			p.I = t.table.i
			p.Member = c.place(p.I, t.member)
		}
		c.p.Tables[p.I].Stored = true
		c.p.Exact = true
		c.emit(p)
	}
}

// storeVariable assigns to a variable: to its register and mark, or, if it holds a view, by a new lookup. A
// variable that turns out to become nil or a view after it was declared as something else makes Lower begin again
// with a hint.
func (c *lowerer) storeVariable(t *target, s *symbol) {
	v := t.variable
	if v.kind == scratchSymbol {
		c.setScratch(t, s)
		return
	}
	if v.kind == registerSymbol && v.typ == ir.Any {
		c.set(v.i, v.mark, c.anyOf(s, t.at))
		return
	}
	switch v.kind {
	case viewSymbol:
		if t.part != nil && (s.kind != viewSymbol || s.component != v.component) {
			c.partOfAny(t)
		}
		c.move(v, s, t.at)
		return
	case registerSymbol, unsetSymbol:
	case valueSymbol:
		refuseWith(t.at, ownLocal, "assigns the variable %q of a loop", v.name)
	default:
		c.partOfAny(t)
		refuse(t.at, "assigns %q, which is %s", v.name, kindTexts[v.kind])
	}
	isTable := s.kind == madeSymbol
	s = c.real(c.optional(s), t.at)
	c.refuseFalse(s, t.at)
	if s.kind == viewSymbol && v.kind == unsetSymbol && v.variable != nil && (!c.t.isInput(v.variable) || c.mayKeep(s, v.variable)) {
		c.hints.views[v.variable] = s.component
		panic(retry{})
	}
	if s.kind == nilSymbol || isOptional(s) {
		if v.variable == nil || c.t.isInput(v.variable) && !c.t.readInput(v.variable) {
			c.partOfAny(t)
			refuse(t.at, "%q is nil here, and had a value", v.name)
		}
		if v.mark < 0 || !c.cleared(v.variable) {
			c.mayBecomeNil(v.variable)
		}
		if s.kind == nilSymbol {
			c.set(v.mark, -1, boolean(false))
			return
		}
	}
	has := s.has
	var x *ir.Expr
	if has != nil {
		x, has = s.x, c.keep(has)
		if c.t.isInput(v.variable) { // its register is compared by the watch even while the variable is nil, so it has a defined value
			x = &ir.Expr{Op: ir.Select, Type: x.Type, A: has, B: x, C: constantOf(x.Type)}
		}
	} else {
		x = c.value(s, t.at)
	}
	if v.kind == unsetSymbol {
		c.typed(v, x.Type)
	}
	if isTable && v.guess {
		c.becomesAny(v)
		refuseWith(t.at, AssignAfter, "%q is a table here, and %s elsewhere", v.name, typeNames[v.typ])
	}
	c.settle(v, x.Type)
	if x.Type == ir.Any && v.typ == ir.Bool {
		c.becomesAny(v) // false often stands for a table that is not there
	}
	if x.Type == ir.Any && isTable {
		c.partOfAny(t)
	}
	if x.Type == ir.Any && (isTable || c.isMixed(x)) && c.mayMix() {
		c.partOfAny(t)
		c.becomesAny(v)
		refuseWith(t.at, oneType, "%q is of several types here, and %s elsewhere", v.name, typeNames[v.typ])
	}
	if x = c.as(x, v.typ); v.typ != x.Type {
		if c.partOfAny(t); c.mayMix() {
			c.becomesAny(v)
		}
		refuse(t.at, "%q is %s here, and %s elsewhere", v.name, typeNames[x.Type], typeNames[v.typ])
	}
	if has != nil {
		c.set(v.i, -1, x)
		c.set(v.mark, -1, has)
		return
	}
	c.set(v.i, v.mark, x)
	if v.mark >= 0 && !c.cleared(v.variable) {
		c.hasValue[v] = true
	}
}

// partOfAny makes Lower begin again with a table that the body makes as a value of type Any, if the target is a part of one that is kept
// in registers: a register cannot become nil, or a value of another type.
func (c *lowerer) partOfAny(t *target) {
	if t.part != nil {
		c.becomesAny(t.part)
	}
}

// storeField assigns to a field of a view, and lists the field or the view as stored.
func (c *lowerer) storeField(t *target, s *symbol) {
	f := t.field
	var x *ir.Expr
	want, _ := ir.TypeOf(f)
	switch {
	case f.Type == ecs.EntityField:
		x = c.entityOrNone(s, t.at)
	case tableField(f) && s.kind == viewSymbol:
		c.value(s, t.at)
	case tableField(f):
		if want, x = ir.Any, c.anyOf(s, t.at); x.Op == ir.Wrap || x.Op == ir.Const {
			refuse(t.at, "assigns something else than a table to the field %q", f.Name)
		}
	default:
		x = c.as(c.value(s, t.at), want)
	}
	if want != x.Type {
		refuse(t.at, "assigns %s to the field %q", typeNames[x.Type], f.Name)
	}
	if !alwaysFits(f) {
		c.p.Exact = true
	}
	c.unobservedStore(t)
	if t.view.i >= c.p.Views {
		c.p.Refs[t.view.i-c.p.Views].Stored = true
		c.p.Exact = true
	} else if !slices.ContainsFunc(c.p.Stores, func(o ir.Target) bool { return o.View == t.view.i && o.Field == f }) {
		c.p.Stores = append(c.p.Stores, ir.Target{View: t.view.i, Field: f})
	}
	c.emit(&ir.Stmt{Op: ir.Store, I: t.view.i, Field: f, A: x})
	if !t.together {
		c.follow(t.view, f)
	}
}

// alwaysFits reports whether every value of the field's type fits the field, so that a store cannot fail.
func alwaysFits(f *ecs.Field) bool {
	switch f.Type {
	case ecs.F64, ecs.F32, ecs.Bool, ecs.String:
		return true
	}
	return false
}

// storeResource assigns to a resource. The register of the resource is an output, which is written back when the
// loop has ended.
func (c *lowerer) storeResource(t *target, s *symbol) {
	if id, ok := c.tableResource(t.resource); ok {
		c.storeTable(id, c.anyOf(s, t.at), t.at)
		return
	}
	o, f, typ := c.resourceOf(t.resource, t.at)
	var x *ir.Expr
	if f.Type == ecs.EntityField {
		x = c.entityOrNone(s, t.at)
	} else {
		x = c.as(c.value(s, t.at), typ)
	}
	if x.Type != typ {
		refuse(t.at, "assigns %s to the resource %q", typeNames[x.Type], t.resource)
	}
	reg := c.given(o, typ).I
	input := slices.Index(c.p.Origins, o)
	if !slices.ContainsFunc(c.p.Outputs, func(out ir.Output) bool { return out.Input == input }) {
		c.p.Outputs = append(c.p.Outputs, ir.Output{Place: c.p.Inputs[input], Mark: -1, Input: input})
	}
	switch f.Type {
	case ecs.F64, ecs.Bool, ecs.String:
		c.set(reg, -1, x)
	default:
		c.p.Exact = c.p.Exact || f.Type != ecs.F32
		c.emit(&ir.Stmt{Op: ir.Fit, I: reg, Field: f, A: x})
	}
}
