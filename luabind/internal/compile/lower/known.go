package lower

import (
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// What Prepare knows of values: which functions a call may call, and which tables are constants. It follows them
// through locals of the loop, parameters and elements of constant tables. Whatever it does not know becomes an input,
// or is refused by the second step.

// A known is what is known of the value of an expression. The zero value says nothing.
type known struct {
	place     Place       // the value is what is found here; the variable is nil if that is not known
	constants []*Constant // the value is one of these, or nil
	object    Place       // the value is an element of the table at this place
	class     *Class      // of an element: its class, if that is known
}

// functions lists the functions that a value may be.
func (k known) functions() (list []*Function) {
	for _, c := range k.constants {
		if c.Kind == FunctionConstant && !slices.Contains(list, c.Function) {
			list = append(list, c.Function)
		}
	}
	return list
}

// plain reports whether a value is known to be a number, a boolean or a string.
func (k known) plain() bool {
	return len(k.constants) > 0 && !slices.ContainsFunc(k.constants, func(c *Constant) bool {
		return c.Kind != NumberConstant && c.Kind != BoolConstant && c.Kind != TextConstant
	})
}

// compound reports whether a value is a function or a table that is a constant, so that it is no input.
func (k known) compound() bool {
	return slices.ContainsFunc(k.constants, func(c *Constant) bool {
		return c.Kind == FunctionConstant || c.Kind == TableConstant || c.Kind == LibraryConstant
	})
}

// within returns the place of a member.
func (pl Place) within(name string) Place {
	if pl.Path == "" {
		return Place{pl.Variable, name}
	}
	return Place{pl.Variable, pl.Path + PathSeparator + name}
}

// CallName stands in a Place.Path for the function that the metatable of a table has for calls of the table, __call. No
// source has such a name.
const CallName = "\x01call"

// PathSeparator stands between the names of a Place.Path.
const PathSeparator = "\x00"

// value returns what is known of the value of an expression. It adds no inputs.
func (p *preparer) value(e ast.Expr) known {
	switch e := e.(type) {
	case *ast.IdentExpr:
		return p.valueOf(p.t.Names.Of(e))
	case *ast.AttrGetExpr:
		return p.elementOf(e)
	case *ast.FunctionExpr:
		return known{constants: []*Constant{{Kind: FunctionConstant, Function: p.closure(e)}}}
	case *ast.LogicalOpExpr:
		return known{constants: append(slices.Clone(p.value(e.Lhs).constants), p.value(e.Rhs).constants...)}
	}
	return known{}
}

func (p *preparer) valueOf(v *syntax.Variable) known {
	if p.t.own[v] {
		return p.values[v]
	}
	if f := p.function(v); f != nil {
		return known{constants: []*Constant{{Kind: FunctionConstant, Function: f}}}
	}
	return p.at(Place{Variable: v})
}

// at returns what is known of the value at a place.
func (p *preparer) at(pl Place) known {
	k := known{place: pl}
	if c := p.t.constants[pl]; c != nil {
		k.constants = []*Constant{c}
	}
	return k
}

// elementOf is value for OBJECT.NAME and OBJECT[KEY].
func (p *preparer) elementOf(e *ast.AttrGetExpr) known {
	object := p.value(e.Object)
	key := constantKey(e)
	var out known
	if object.place.Variable != nil && key != nil && key.Kind == TextConstant {
		out = p.at(object.place.within(key.S))
	} else if object.place.Variable != nil {
		out.object = object.place
		if c := p.constant(object.place, ToChoose); c != nil {
			object.constants = []*Constant{c}
		}
	}
	for _, c := range object.constants {
		for _, entry := range c.Entries {
			if key == nil || entry.Value == c.at(key) {
				out.constants = append(out.constants, entry.Value)
			}
		}
	}
	return out
}

// chosen reports whether an expression is an element of a constant, which may be nil.
func (p *preparer) chosen(e ast.Expr) bool {
	get, ok := e.(*ast.AttrGetExpr)
	return ok && len(p.value(get.Object).constants) > 0
}

// constant asks for the Constant at a place, once; nil if there is none.
func (p *preparer) constant(pl Place, purpose Purpose) *Constant {
	switch {
	case p.t.constants[pl] != nil:
		return p.t.constants[pl]
	case p.t.Source.Constant == nil:
		if ask := (Ask{pl, purpose}); !slices.Contains(p.t.Asks, ask) {
			p.t.Asks = append(p.t.Asks, ask)
		}
		return nil
	case p.varied[pl] || p.refusedAsks[Ask{pl, purpose}]:
		return nil
	}
	c := p.t.Source.Constant(pl, purpose)
	if c == nil {
		p.refusedAsks[Ask{pl, purpose}] = true
		return nil
	}
	p.t.constants[pl] = c
	p.notes(c, pl)
	return c
}

// notes keeps from which place the parts of a constant come.
func (p *preparer) notes(c *Constant, pl Place) {
	if _, ok := p.origins[c]; ok {
		return
	}
	p.origins[c] = pl
	for _, e := range c.Entries {
		p.notes(e.Value, pl)
	}
}

// A variation is the panic of a preparer that finds out that the body assigns to what it took for a constant.
type variation struct{}

// assigned notes that the body assigns to an element of a value. No place where that value may be is a constant.
func (p *preparer) assigned(object known) {
	for _, c := range object.constants {
		if pl, ok := p.origins[c]; ok {
			p.varies(pl)
		}
	}
	if object.place.Variable != nil {
		p.varies(object.place)
	}
}

// varies notes that what is at a place, and around it, is no constant.
func (p *preparer) varies(pl Place) {
	for {
		if p.t.Source.Constant != nil && !p.varied[pl] {
			p.varied[pl] = true
			if p.t.constants[pl] != nil {
				panic(variation{})
			}
		}
		if pl.Path == "" {
			return
		}
		pl.Path = pl.Path[:max(0, strings.LastIndex(pl.Path, PathSeparator))]
	}
}

// reassigned notes that the body assigns to the place itself, so that nothing found through it is a constant.
func (p *preparer) reassigned(pl Place) {
	p.varies(pl)
	for other := range p.t.constants {
		if other.Variable == pl.Variable && (pl.Path == "" || strings.HasPrefix(other.Path, pl.Path+PathSeparator)) {
			p.varies(other)
		}
	}
}

// itself is the Path of the Place that stands for a variable which the body assigns: see moves.
const itself = PathSeparator

// moves notes that the body assigns a variable declared outside the loop. What the table in it has when the loop begins says
// nothing about the one that a row finds.
func (p *preparer) moves(v *syntax.Variable) {
	pl := Place{v, itself}
	if p.t.Member == nil || p.varied[pl] {
		return
	}
	p.varied[pl] = true
	again := false
	for m, f := range p.t.functions {
		if m.variable == v && m.name != "" && f != nil {
			p.t.functions[m], again = nil, true
		}
	}
	if again {
		panic(variation{})
	}
}

// closure returns the function that a function expression in the body makes.
func (p *preparer) closure(e *ast.FunctionExpr) *Function {
	if f := p.t.closures[e]; f != nil {
		return f
	}
	f := &Function{File: p.file(), Line: e.Line(), Vararg: e.ParList.HasVargs, Body: e.Stmts}
	for _, v := range p.t.Names.Declared(e) {
		if v.Kind != syntax.Arg {
			f.Params = append(f.Params, v)
		}
	}
	p.t.closures[e] = f
	return f
}

// keep notes what is known of the value of a local, or of a parameter.
func (p *preparer) keep(v *syntax.Variable, k known) {
	if v.Assigned && !p.getsObjects(v, k) {
		k = known{}
	}
	p.values[v] = k
}

// getsObjects reports whether a local holds an object of a table, as in local o = objects[e], and gets another one of a function where there
// is none: o = Class.new(e). Rows that come there are left (see target), so in the others it is an object of the table.
func (p *preparer) getsObjects(v *syntax.Variable, k known) bool {
	if v.Captured || k.object.Variable == nil || len(k.constants) > 0 {
		return false
	}
	if _, ok := v.Node.(*ast.LocalAssignStmt); !ok {
		return false
	}
	for _, use := range v.Uses {
		if _, call := use.Value.(*ast.FuncCallExpr); use.Assigned && !call {
			return false
		}
	}
	return p.callsMethod(v) && len(p.objectsAt(k.object)) > 0
}

// callsMethod reports whether the body that is walked calls a method of a variable.
func (p *preparer) callsMethod(v *syntax.Variable) bool {
	body := p.t.Source.Body
	if p.fn != nil {
		body = p.fn.Body
	}
	return syntax.Search(body, func(n ast.PositionHolder) syntax.Step {
		if call, ok := n.(*ast.FuncCallExpr); ok && call.Func == nil && p.t.Names.Variable(call.Receiver) == v {
			return syntax.Found
		}
		return syntax.Deeper
	})
}

// operand walks an expression whose value a local or a parameter of a known function gets. It may be a function or a
// constant table, which is no input then.
func (p *preparer) operand(e ast.Expr) {
	if k := p.value(e); k.compound() {
		p.parts(e)
		return
	}
	p.expr(e)
}

// parts walks the expressions in one whose value is a function or a constant table.
func (p *preparer) parts(e ast.Expr) {
	switch e := e.(type) {
	case *ast.IdentExpr, *ast.FunctionExpr:
	case *ast.AttrGetExpr:
		p.get(e)
	case *ast.LogicalOpExpr:
		p.testsIn(e)
		p.operand(e.Lhs)
		p.operand(e.Rhs)
	default:
		p.expr(e)
	}
}
