package lower

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/yuin/gopher-lua/ast"
)

// Choices among constants: TABLE[KEY] with a computed key, where TABLE is a constant. If all values are numbers,
// booleans or strings of one type, the choice is an ir.Select for each entry. Functions and tables stay a list of
// alternatives: a call becomes an if with the body of one function in each branch, and a member of a table another
// list of alternatives.

// An alternative is a constant with the condition under which it is chosen. The conditions read only registers that
// are set once, and at most one of them holds.
type alternative struct {
	cond  *ir.Expr
	value *Constant
	class *Class // of a method: the class of the object that is the first argument
}

// mostAlternatives is the largest number of constants among which a key chooses.
const mostAlternatives = 64

// constantAt returns the symbol of the constant at a place; nil if there is none.
func (c *lowerer) constantAt(pl Place) *symbol {
	if k := c.t.constants[pl]; k != nil {
		s := constantSymbolOf(k)
		s.place = pl
		return s
	}
	return nil
}

// placeOf returns the place whose value a symbol stands for. The variable is nil if it is no place.
func (c *lowerer) placeOf(s *symbol) Place {
	switch s.kind {
	case inputSymbol:
		return Place{c.t.Inputs[s.i].Variable, c.t.Inputs[s.i].Member}
	case tableSymbol:
		return Place{c.t.Inputs[s.input].Variable, c.t.Inputs[s.input].Member}
	case constantSymbol:
		return s.place
	case registerSymbol:
		return s.place
	}
	return Place{}
}

// placeNamed returns the place that an expression names: a variable declared outside the loop, or names behind one. The
// variable is nil if it is no place. Nothing is emitted.
func (c *lowerer) placeNamed(e ast.Expr) Place {
	switch e := e.(type) {
	case *ast.IdentExpr:
		if s := c.symbols[c.t.Names.Of(e)]; s != nil {
			return c.placeOf(s)
		}
		if v := c.t.Names.Of(e); !c.t.own[v] { // a constant that is no input
			return Place{Variable: v}
		}
	case *ast.AttrGetExpr:
		if pl := c.placeNamed(e.Object); pl.Variable != nil && keyOf(e) != "" {
			return pl.within(keyOf(e))
		}
	}
	return Place{}
}

// constantOf returns the symbol of an expression that is a constant table or function; nil for any other one.
func (c *lowerer) constantOf(e ast.Expr) *symbol {
	pl := c.placeNamed(e)
	if pl.Variable == nil {
		return nil
	}
	if s := c.constantAt(pl); s != nil {
		return s
	}
	if f := c.t.functions[member{pl.Variable, pl.Path}]; f != nil {
		return &symbol{kind: constantSymbol, constant: &Constant{Kind: FunctionConstant, Function: f}, place: pl}
	}
	return nil
}

// tableAt returns the symbol of the Lua table at a place, which is an input; nil if it is none.
func (c *lowerer) tableAt(pl Place, at ast.PositionHolder) *symbol {
	i := slices.IndexFunc(c.t.Inputs, func(in Input) bool { return in.Variable == pl.Variable && in.Member == pl.Path })
	if i < 0 || c.kinds[i].InputKind != TableInput {
		return nil
	}
	return &symbol{kind: tableSymbol, input: i}
}

// entryOf lowers CONSTANT[KEY] or CONSTANT.NAME, where the object is one of several constants. A row in which none is chosen, or none that
// is a table, is left to the interpreter, which raises the error.
func (c *lowerer) entryOf(object *symbol, e *ast.AttrGetExpr) *symbol {
	all := object.alternatives()
	list := slices.DeleteFunc(slices.Clone(all), func(a alternative) bool { return a.value.Kind != TableConstant })
	if object.kind != choiceSymbol || !c.hasValue[object] || len(list) < len(all) {
		c.guard(anyOf(list))
	}
	c.hasValue[object] = true
	if k := constantKey(e); k != nil {
		return c.entryAt(list, k, e)
	}
	key := c.keep(c.as(c.expr(e.Key), keyTypeOf(list)))
	if k := constantOfExpr(key); k != nil {
		return c.entryAt(list, k, e)
	}
	var out []alternative
	for _, a := range list {
		for _, entry := range a.value.Entries {
			k := entry.Key.expr()
			if k == nil || k.Type != key.Type {
				continue
			}
			cond := &ir.Expr{Op: ir.Equal, Type: ir.Bool, A: key, B: k}
			if a.cond.Op != ir.Const {
				cond = &ir.Expr{Op: ir.And, Type: ir.Bool, A: a.cond, B: cond}
			}
			out = append(out, alternative{cond: cond, value: entry.Value})
		}
	}
	return c.choiceOf(out, e)
}

// entryAt returns the symbol of what the chosen one of some tables has at a constant key. One of the tables is chosen.
func (c *lowerer) entryAt(list []alternative, key *Constant, e *ast.AttrGetExpr) *symbol {
	entries := entriesAt(list, key)
	s := c.choiceOf(entries, e)
	if len(entries) == len(list) { // each table has one
		s.has = nil
		c.hasValue[s] = s.kind == choiceSymbol
	}
	return s
}

// entriesAt returns what the tables in a list have at a constant key.
func entriesAt(list []alternative, key *Constant) (out []alternative) {
	for _, a := range list {
		if v := a.value.at(key); v != nil {
			out = append(out, alternative{cond: a.cond, value: v})
		}
	}
	return out
}

// choiceOf returns the symbol of one of several constants, or nil where none is chosen.
func (c *lowerer) choiceOf(list []alternative, at ast.PositionHolder) *symbol {
	switch {
	case len(list) == 0:
		return &symbol{kind: nilSymbol}
	case len(list) == 1 && list[0].cond.Op == ir.Const:
		return constantSymbolOf(list[0].value)
	case len(list) > mostAlternatives:
		refuseWith(at, chooseWithIf, "chooses one of more than %d constants", mostAlternatives)
	}
	first := list[0].value.expr()
	for _, a := range list {
		if x := a.value.expr(); x == nil || first == nil || x.Type != first.Type {
			return &symbol{kind: choiceSymbol, choice: list}
		}
	}
	last := len(list) - 1
	x := list[last].value.expr()
	for i := last - 1; i >= 0; i-- {
		x = &ir.Expr{Op: ir.Select, Type: x.Type, A: list[i].cond, B: list[i].value.expr(), C: x}
	}
	return &symbol{kind: valueSymbol, x: x, has: anyOf(list)}
}

// chosenLength returns the length of one of several constant tables; nil for another symbol. A row in which none is chosen is
// left to the interpreter.
func (c *lowerer) chosenLength(s *symbol) *ir.Expr {
	if s.kind != choiceSymbol || slices.ContainsFunc(s.choice, func(a alternative) bool { return a.value.Kind != TableConstant }) {
		return nil
	}
	c.guard(anyOf(s.choice))
	var x *ir.Expr
	for i, a := range slices.Backward(s.choice) {
		n := &ir.Expr{Op: ir.Const, N: float64(a.value.Items)}
		if i == len(s.choice)-1 {
			x = n
			continue
		}
		x = &ir.Expr{Op: ir.Select, A: a.cond, B: n, C: x}
	}
	return x
}

// anyOf returns the condition that one of several constants is chosen.
func anyOf(list []alternative) *ir.Expr {
	var any *ir.Expr
	for i := len(list) - 1; i >= 0; i-- {
		if any == nil {
			any = list[i].cond
		} else {
			any = &ir.Expr{Op: ir.Or, Type: ir.Bool, A: list[i].cond, B: any}
		}
	}
	if any == nil {
		return boolean(false)
	}
	return any
}

// chosenTrue returns the condition that what is chosen is neither nil nor false.
func chosenTrue(list []alternative) *ir.Expr {
	return anyOf(slices.DeleteFunc(slices.Clone(list), func(a alternative) bool { return a.value.Kind == BoolConstant && a.value.N == 0 }))
}

// chosenFalse returns the condition that what is chosen is false.
func chosenFalse(list []alternative) *ir.Expr {
	return anyOf(slices.DeleteFunc(slices.Clone(list), func(a alternative) bool { return a.value.Kind != BoolConstant || a.value.N != 0 }))
}

// alternatives returns what a symbol may stand for, if it is a constant or a choice.
func (s *symbol) alternatives() []alternative {
	switch s.kind {
	case constantSymbol:
		return []alternative{{cond: boolean(true), value: s.constant}}
	case functionSymbol:
		return []alternative{{cond: boolean(true), value: &Constant{Kind: LibraryConstant, S: s.text}}}
	case choiceSymbol:
		return s.choice
	default:
		return nil
	}
}

// orElse lowers CHOICE or OTHER, where OTHER is a constant or a choice, too.
func (c *lowerer) orElse(s *symbol, e *ast.LogicalOpExpr) *symbol {
	list := slices.DeleteFunc(slices.Clone(s.alternatives()), func(a alternative) bool { return a.value.Kind == BoolConstant && a.value.N == 0 })
	var rest *symbol
	body := c.collect(func() { c.branching(func() { rest = c.operand(e.Rhs) }) })
	others := rest.alternatives()
	if len(body) > 0 || others == nil && rest.kind != nilSymbol {
		refuseWith(e, oneType, "or gives a function or a table, or something else")
	}
	none := not(anyOf(list))
	if none.Op == ir.Const && none.N == 0 {
		return s
	}
	for _, a := range others {
		cond := none
		if a.cond.Op != ir.Const {
			cond = &ir.Expr{Op: ir.And, Type: ir.Bool, A: none, B: a.cond}
		}
		list = append(list, alternative{cond: cond, value: a.value})
	}
	return c.choiceOf(list, e)
}

// isFunction reports whether the value of an expression is a function, or one of several, that the body may call by name.
func (c *lowerer) isFunction(e ast.Expr) bool {
	s := c.constantOf(e)
	switch e := e.(type) {
	case *ast.IdentExpr:
		if s == nil {
			s = c.symbols[c.t.Names.Of(e)]
		}
	case *ast.AttrGetExpr: // math.floor
		if library, ok := e.Object.(*ast.IdentExpr); ok && s == nil && keyOf(e) != "" {
			s = c.members[member{c.t.Names.Of(library), keyOf(e)}]
		}
	}
	if s != nil && s.kind == inputSymbol && c.kinds[s.i].InputKind == FuncInput {
		s = c.resolve(s, e)
	}
	if s == nil || s.kind != constantSymbol && s.kind != choiceSymbol && s.kind != functionSymbol {
		return false
	}
	return !slices.ContainsFunc(s.alternatives(), func(a alternative) bool { return !a.value.callable() })
}

// isConstant reports whether the value of an expression is a constant, or one of several.
func (c *lowerer) isConstant(e ast.Expr) bool {
	if c.constantOf(e) != nil {
		return true
	}
	switch e := e.(type) {
	case *ast.IdentExpr:
		s := c.symbols[c.t.Names.Of(e)]
		return s != nil && s.alternatives() != nil
	case *ast.AttrGetExpr:
		return c.isConstant(e.Object)
	}
	return false
}

// keyTypeOf returns the type of the keys of constant tables, for a key of which the type is not known.
func keyTypeOf(list []alternative) ir.Type {
	for _, a := range list {
		for _, e := range a.value.Entries {
			if e.Key.Kind == TextConstant {
				return ir.Text
			}
		}
	}
	return ir.Number
}
