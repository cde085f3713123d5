package lower

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/yuin/gopher-lua/ast"
)

// Objects that stand in a table declared outside the loop: local o = objects[e], o:update(dt). The objects of one class share
// the table in which their methods are looked up. Package loops finds out which classes there are when the loop begins,
// and the method of each class is inlined. A lookup of an object gives the number of its class, too (ir.Class). The
// members of an object are those of any table that is looked up by key (keyed.go); one of them may be a view.

// A Class is one class of the objects in a table: all whose __index is the same table. It does not change.
type Class struct {
	Number int // from 1 on, among the classes of one table

	// Method returns the function that a method of the class always is while the Template is used; nil if that is not
	// certain. Prepare calls it once for each name.
	Method func(name string) *Function
}

// A classMethod is the key of Template.methods, the functions that Prepare has found.
type classMethod struct {
	class *Class
	name  string
}

// objectsAt returns the classes of the objects in the table at a place; nil if they are not known.
func (p *preparer) objectsAt(pl Place) []*Class {
	if p.t.Source.Classes == nil {
		if ask := (Ask{pl, ToCallObjects}); !slices.Contains(p.t.Asks, ask) {
			p.t.Asks = append(p.t.Asks, ask)
		}
		return nil
	}
	list, ok := p.t.classes[pl]
	if !ok {
		list = p.t.Source.Classes(pl)
		p.t.classes[pl] = list
	}
	return list
}

// methodOf returns a method of a class, and keeps it for the second step.
func (p *preparer) methodOf(class *Class, name string) *Function {
	m := classMethod{class, name}
	f, ok := p.t.methods[m]
	if !ok {
		f = class.Method(name)
		p.t.methods[m] = f
	}
	return f
}

// objectMethod is the first step for OBJECT:METHOD(…), where OBJECT is found in a table. self is what is known of it. The
// method of each class is walked with an object of that class.
func (p *preparer) objectMethod(e *ast.FuncCallExpr, self known) {
	p.expr(e.Receiver)
	classes := []*Class{self.class}
	if self.class == nil {
		classes = p.objectsAt(self.object)
	}
	args := []known{self}
	for _, arg := range e.Args {
		args = append(args, p.value(arg))
	}
	most := 0
	for _, class := range classes {
		f := p.methodOf(class, e.Method)
		if f == nil {
			continue
		}
		if f.Vararg {
			args = p.allArguments(e, args)
			f = p.spread(callee(e), f, e, args)
		}
		if !slices.Contains(p.t.calls[e], f) {
			p.t.calls[e] = append(p.t.calls[e], f)
		}
		args[0].class = class
		p.enter(callee(e), f, e, slices.Clone(args), len(classes) > 1)
		most = max(most, p.t.results(f))
	}
	if len(classes) > 1 {
		if p.t.joins[e] == nil {
			p.t.joins[e] = &Function{}
		}
		p.t.counts[p.t.joins[e]] = max(p.t.counts[p.t.joins[e]], most)
	}
	for _, arg := range e.Args {
		p.operand(arg)
	}
}

// calledObject returns the object whose method a call calls, if it is found in a table and its class, or those of all
// objects there, are known; otherwise nil.
func (c *lowerer) calledObject(e *ast.FuncCallExpr) *symbol {
	var s *symbol
	switch r := e.Receiver.(type) {
	case *ast.IdentExpr:
		s = c.symbols[c.t.Names.Of(r)]
	case *ast.AttrGetExpr:
		if pl := c.placeNamed(r.Object); pl.Variable == nil || keyOf(r) != "" || len(c.t.classes[pl]) == 0 {
			return nil
		}
		s = c.operand(r)
	}
	if s == nil || !c.isRow(s) || s.class == nil && len(c.classesOf(s)) == 0 {
		return nil
	}
	return c.valueNow(s)
}

// classesOf returns the classes of the objects in the table in which one was found.
func (c *lowerer) classesOf(s *symbol) []*Class {
	in := c.t.Inputs[s.input]
	return c.t.classes[Place{in.Variable, in.Member}]
}

// callObject is the second step for the call of a method of an object.
func (c *lowerer) callObject(self *symbol, e *ast.FuncCallExpr, wanted int) []*symbol {
	classes := []*Class{self.class}
	if self.class == nil {
		classes = c.classesOf(self)
	}
	fn := &symbol{kind: choiceSymbol}
	number := c.classNumber(self)
	for _, class := range classes {
		k := &Constant{Kind: OtherConstant} // the class has no such method, and the interpreter raises the error
		if f := c.t.methods[classMethod{class, e.Method}]; f != nil {
			k = &Constant{Kind: FunctionConstant, Function: f}
		}
		is := &ir.Expr{Op: ir.Equal, Type: ir.Bool, A: number, B: &ir.Expr{Op: ir.Const, N: float64(class.Number)}}
		if self.class != nil {
			is = boolean(true)
		}
		fn.choice = append(fn.choice, alternative{cond: is, value: k, class: class})
	}
	if len(classes) == 1 {
		if self.class == nil {
			c.guard(fn.choice[0].cond)
		}
		fn.choice[0].cond = boolean(true)
	}
	c.p.Keyed[self.i].Methods = addName(c.p.Keyed[self.i].Methods, e.Method)
	return c.callConstant(fn, e, append([]*symbol{self}, c.arguments(fn, e)...), wanted)
}

// classNumber returns the number of the class of an object.
func (c *lowerer) classNumber(s *symbol) *ir.Expr {
	t := &c.p.Keyed[s.i]
	i := slices.IndexFunc(t.Members, func(m ir.Member) bool { return m.Kind == ir.Class })
	if i < 0 {
		i = len(t.Members)
		t.Members = append(t.Members, ir.Member{Kind: ir.Class, Classes: len(c.classesOf(s))})
	}
	return c.keep(&ir.Expr{Op: ir.Lookup, I: s.i, Member: i, A: s.x})
}

// addName adds a name to a list, once.
func addName(list []string, name string) []string {
	if slices.Contains(list, name) {
		return list
	}
	return append(list, name)
}

// viewMember returns the symbol of a view that is a member of an object: a lookup of its component. A row in which the
// object does not have that view is left to the interpreter.
func (c *lowerer) viewMember(s *symbol) *symbol {
	m, key := c.p.Keyed[s.i].Members[s.member], c.keep(s.x)
	component := m.Component
	at := heldMember{table: s.i, member: s.member, entity: key.Op == ir.Entity, constant: key.N, key: key.I}
	if key.Op == ir.Const && key.Type == ir.Text {
		at.text = key.S
	}
	of := c.heldMembers[at]
	if of == nil {
		of = &symbol{kind: valueSymbol, x: c.temporary(ir.Number)}
		c.heldMembers[at] = of
		c.entities[of.x.I] = true
	}
	c.p.Exact = true
	if own := c.ownTerm(component); own != nil && m.Own && at.entity {
		if !c.hasValue[of] {
			c.p.Entity = true
			c.set(of.x.I, -1, &ir.Expr{Op: ir.Lookup, I: s.i, Member: s.member, A: key})
			c.guard(&ir.Expr{Op: ir.Equal, Type: ir.Bool, A: of.x, B: key})
			c.hasValue[of] = true
		}
		return own
	}
	if known, ok := c.held[held{component, of.x.I}]; ok && c.hasValue[of] {
		view := c.view(known, component)
		view.owned, view.entity = true, of.x
		return view
	}
	c.set(of.x.I, -1, &ir.Expr{Op: ir.Lookup, I: s.i, Member: s.member, A: key})
	view := c.viewAt(component, of.x)
	view.nilable = false
	c.hasValue[of] = true // in this branch
	return view
}

// ownTerm returns the symbol of the view of a component that each row of the loop has; nil if the loop has no such view.
func (c *lowerer) ownTerm(id ecs.ComponentID) *symbol {
	if c.t.Events {
		return nil
	}
	i := slices.Index(c.context.Query.Terms(), id)
	if i < 0 || i >= c.context.Query.Required() || i >= c.p.Views {
		return nil
	}
	s := c.view(i, id)
	s.entity = &ir.Expr{Op: ir.Entity}
	return s
}

// A heldMember identifies a view that is a member of the object at a key. While a row runs, it is always the same view.
type heldMember struct {
	table, member int
	entity        bool    // the key is the entity of the row
	constant      float64 // the key, if it is a constant number
	text          string  // or a constant string
	key           int     // or the register with the key
}

// Objects: Lua tables with methods, in variables declared outside the loop. OBJECT:METHOD(…) is inlined with the object as
// self; the members of self are inputs, as those of any table in a variable are. A member, or a variable, may also
// hold a view, which is looked up where it is used.

// methodOf returns the function that OBJECT:METHOD(…) calls, where OBJECT is a table declared outside the loop; nil if it
// is not known.
func (c *lowerer) methodOf(e *ast.FuncCallExpr) *symbol {
	pl := c.placeNamed(e.Receiver)
	if pl.Variable == nil {
		return nil
	}
	pl = pl.within(e.Method)
	f := c.t.functions[member{pl.Variable, pl.Path}]
	if f == nil {
		return nil
	}
	return &symbol{kind: constantSymbol, constant: &Constant{Kind: FunctionConstant, Function: f}, place: pl}
}

// heldView returns the symbol of a view that an input holds: a new lookup of its component, because the entity may
// have died. The view itself is never nil, so only its use fails.
func (c *lowerer) heldView(s *symbol) *symbol {
	x := &ir.Expr{Op: ir.Reg, I: s.i}
	c.p.Exact = true
	view := c.viewAt(s.component, x)
	view.nilable, view.given = false, true
	return view
}

// A held is a component of an entity that is known by an expression whose value never changes in a row.
type held struct {
	component ecs.ComponentID
	reg       int
}

// viewAt is look for an entity in a register that is set once. Lookups of the same component share a view.
func (c *lowerer) viewAt(id ecs.ComponentID, entity *ir.Expr) *symbol {
	at := held{id, entity.I}
	if i, ok := c.held[at]; ok {
		c.find(i, entity)
		s := c.view(i, id)
		s.nilable, s.owned, s.entity = true, true, entity
		return s
	}
	s := c.look(id, entity)
	c.held[at] = s.i
	return s
}
