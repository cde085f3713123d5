package lower

import (
	"fmt"
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Symbols: what names and expressions stand for while a body is lowered. They exist only in this package; a Program
// has registers and views instead. An input becomes a symbol of its kind when the body first uses it.

// A symbolKind says what a symbol stands for, and which of its fields are set.
type symbolKind uint8

const (
	registerSymbol symbolKind = iota // the value of register i
	valueSymbol                      // the value of x, which cannot change
	inputSymbol                      // input i, which the body has not used yet; resolve makes it another kind
	unsetSymbol                      // a variable without a value. The first assignment gives it a type and makes it a registerSymbol
	viewSymbol                       // view i
	worldSymbol
	resourcesSymbol
	commandsSymbol
	layersSymbol
	statesSymbol
	layerSymbol // the layer text
	querySymbol
	functionSymbol   // the function text of Lua's math, or ecs.random
	tableSymbol      // the Lua table that input holds
	elementSymbol    // the element at key x of table i, a table with members
	lookupSymbol     // the value at key x of keyed table i, or its member; it may be nil, or a table
	nilSymbol        // the value nil
	madeSymbol       // the table made, which the body makes
	constantSymbol   // constant, a function or a table
	choiceSymbol     // one of choice, or nil
	heldSymbol       // a view that an input holds, by the number register i of its entity
	chosenViewSymbol // the one of views that a name chooses: see namedview.go
	scratchSymbol    // a member that each row sets before it reads it, and has not set yet: see sink.go
)

// kindTexts are the words for kinds of symbols in reasons.
var kindTexts = map[symbolKind]string{
	viewSymbol: "a view", worldSymbol: "the world", resourcesSymbol: "world.resources", commandsSymbol: "world.commands", layersSymbol: "world.layers", statesSymbol: "world.states", layerSymbol: "a layer", querySymbol: "a query",
	functionSymbol: "a function", tableSymbol: "a table", elementSymbol: "a table", lookupSymbol: "a value of a table", nilSymbol: "nil", unsetSymbol: "nil", madeSymbol: "a table made here",
	constantSymbol: "a function or a table of constants", scratchSymbol: "a member that is set later", chosenViewSymbol: "a view", choiceSymbol: "one of several functions, tables or values of different types",
}

// A symbol is what a name or an expression stands for. A number, boolean or string that is assigned has a register.
// Everything else needs none: the name is an alias.
type symbol struct {
	name     string           // name of the variable; "" if it is not a variable
	variable *syntax.Variable // nil if it is not a variable
	kind     symbolKind
	i        int     // number of the register, view, table or input
	typ      ir.Type // of a registerSymbol
	guess    bool    // of a registerSymbol: its type is a guess, because it was read before the source assigns it
	asked    bool    // of an unsetSymbol: the body has asked whether it is true, before its type was known
	mark     int     // of a registerSymbol or unsetSymbol: the boolean register that says whether it has a value; -1: it always has one
	x        *ir.Expr
	has      *ir.Expr // of a valueSymbol: the condition that it is not nil; if has is nil, the value is never nil
	sure     *ir.Expr // of a valueSymbol with has: an expression for the value that is only valid where it is not nil; if sure is nil, x
	made     *made    // of a madeSymbol
	text     string   // of a functionSymbol: its name; of a nilSymbol that is a member or an element: how the source writes it; of a string input that stands for a name: the string

	constant *Constant     // of a constantSymbol
	place    Place         // of a constantSymbol, or of a registerSymbol for an open input: where it was found; the variable is nil if that is not known
	choice   []alternative // of a choiceSymbol

	member int    // of a lookupSymbol: the member, -1 for the value itself
	class  *Class // of a lookupSymbol that is an object: its class, if that is known

	input int // of a tableSymbol, lookupSymbol or unsetSymbol: the input that it comes from; -1 for a local

	query *ecs.Query // of a querySymbol

	views *chosenView // of a chosenViewSymbol

	// Of a viewSymbol.
	component ecs.ComponentID
	schema    *ecs.Schema // nil for a relation
	nilable   bool
	entity    *ir.Expr  // the entity that has the component; nil if it is not known here
	kept      *keptView // the view stays in a variable declared outside the loop: see keptview.go
	owned     bool      // the view was made by world:get for this symbol, so an assignment may set it to another entity
	event     bool      // it is an event, which is read-only
	orFalse   bool      // where it is nil, the script may have false instead of nil
	falseIf   *ir.Expr  // of a view with orFalse: the condition that the script has false; nil if that is not known
	given     bool      // it may be the same as a value that the script has, so no other value may be made of it: see box

	short bool // of a value of a function: at some returns the function gives no value here
}

func (c *lowerer) view(i int, id ecs.ComponentID) *symbol {
	s := &symbol{kind: viewSymbol, i: i, component: id}
	if info, ok := c.context.World.ComponentInfo(id); ok && !info.Relation {
		s.schema = info.Schema
	}
	return s
}

// resolve returns the symbol of an input that the body uses now: a symbol of its kind, with a register if it needs
// one. Other symbols stay as they are. at is the place of the use, for a reason.
func (c *lowerer) resolve(s *symbol, at ast.PositionHolder) *symbol {
	if s.kind == heldSymbol {
		return c.heldView(s)
	}
	if s.kind != inputSymbol {
		return s
	}
	i := s.i
	in, k := c.t.Inputs[i], c.kinds[i]
	typ, isValue := ir.Number, true
	switch k.InputKind {
	case NumberInput:
	case BoolInput:
		typ = ir.Bool
	case TextInput:
		typ = ir.Text
		s.text = k.Name
	default:
		isValue = false
	}
	switch {
	case isValue:
		s.kind, s.typ, s.i, s.mark = registerSymbol, typ, c.register(typ), -1
		c.p.Inputs[i] = ir.Place{Used: true, Type: typ, Reg: s.i}
		if in.Assigned && in.Member == "" && c.hints.nilable[in.Variable] {
			s.mark = c.register(ir.Bool)
			c.p.Outputs = append(c.p.Outputs, ir.Output{Place: c.p.Inputs[i], Mark: s.mark, Given: true, Nil: true, Input: i})
		} else if in.Assigned {
			c.p.Outputs = append(c.p.Outputs, ir.Output{Place: c.p.Inputs[i], Mark: -1, Input: i})
		} else {
			c.fixed[register{typ, s.i}] = true
		}
	case c.keepsView(i):
		c.keepView(s)
	case k.InputKind == NilInput && in.Assigned && in.Member == "":
		c.unset(s, i)
	case k.InputKind == ViewInput && !in.Assigned:
		s.kind, s.i, s.component = heldSymbol, c.register(ir.Number), k.Component
		c.fixed[register{ir.Number, s.i}], c.entities[s.i] = true, true
		c.p.Inputs[i] = ir.Place{Used: true, Type: ir.Number, Reg: s.i}
		return c.heldView(s)
	case c.isScratch(i):
		s.kind = scratchSymbol
	case in.Assigned:
		c.refuseScratch(s, at)
	case k.InputKind == FuncInput:
		s.kind, s.text = functionSymbol, k.Name
	case k.InputKind == WorldInput:
		s.kind = worldSymbol
	case k.InputKind == ResourcesInput:
		s.kind = resourcesSymbol
	case k.InputKind == CommandsInput:
		s.kind = commandsSymbol
	case k.InputKind == LayersInput:
		s.kind = layersSymbol
	case k.InputKind == LayerInput:
		s.kind, s.text = layerSymbol, k.Name
	case k.InputKind == QueryInput:
		s.kind, s.query = querySymbol, k.Query
	case k.InputKind == TableInput, k.InputKind == ObjectInput:
		s.kind, s.input = tableSymbol, i
	case k.InputKind == NilInput && !in.Global() && (in.Member == "" || c.kindOf(in.Variable) == TableInput || c.kindOf(in.Variable) == ObjectInput):
		s.kind = nilSymbol
	default:
		refuse(at, "uses %s, which is no number, boolean, string or table of constants when the loop begins", in.Text())
	}
	return s
}

// kindOf returns what sort of value a variable declared outside the loop holds.
func (c *lowerer) kindOf(v *syntax.Variable) InputKind {
	for i, in := range c.t.Inputs {
		if in.Variable == v && in.Member == "" {
			return c.kinds[i].InputKind
		}
	}
	return OtherInput
}

// hasRows reports whether a variable holds a Lua table whose values are tables.
func (c *lowerer) hasRows(v *syntax.Variable) bool {
	i := c.base(v)
	return i >= 0 && c.kinds[i].InputKind == TableInput && c.kinds[i].Rows
}

// base returns the index of the input that is a variable declared outside the loop; -1 if there is none for the variable
// itself.
func (c *lowerer) base(v *syntax.Variable) int {
	return slices.IndexFunc(c.t.Inputs, func(in Input) bool { return in.Variable == v && in.Member == "" })
}

// unset makes a symbol a variable without a value, with a mark. input is the input that it is, -1 for a local.
func (c *lowerer) unset(s *symbol, input int) {
	s.kind, s.mark, s.input = unsetSymbol, c.register(ir.Bool), input
}

// typed gives a variable without a value the type of its first value, and a register. If its truth was asked for before, as in
// a loop whose later iterations see the value, and the value is a boolean, Lower begins again: there is a value, but it may be false.
func (c *lowerer) typed(s *symbol, t ir.Type) {
	if s.asked && t == ir.Bool && s.variable != nil && !c.hints.bools[s.variable] {
		c.hints.bools[s.variable] = true
		panic(retry{})
	}
	if s.input >= 0 && t == ir.Any {
		c.becomesAny(s)
		panic(&Reason{Line: c.where.Line(), Text: fmt.Sprintf("assigns a value that may be a table to %q, which is nil when the loop begins", s.name), Advice: AssignAfter})
	}
	s.kind, s.typ, s.i = registerSymbol, t, c.register(t)
	if s.input >= 0 {
		c.p.Outputs = append(c.p.Outputs, ir.Output{Place: ir.Place{Used: true, Type: t, Reg: s.i}, Mark: s.mark, Nil: c.hints.nilable[s.variable], Input: s.input})
	}
}

// guessed gives a variable a type that is read before the source assigns it. It is most likely a number. If the
// first value that is assigned is of another type, Lower begins again: see settle.
func (c *lowerer) guessed(s *symbol) {
	c.typed(s, c.hints.types[s.variable])
	s.guess = true
	c.guesses = append(c.guesses, s)
}

// settle compares the type that was guessed for a variable with that of the first value that is assigned to it.
func (c *lowerer) settle(s *symbol, t ir.Type) {
	if !s.guess {
		return
	}
	if s.guess = false; t == s.typ || s.variable == nil {
		return
	}
	if t == ir.Any {
		c.becomesAny(s)
		return
	}
	if c.hints.types[s.variable] == ir.Number {
		c.hints.types[s.variable] = t
		panic(retry{})
	}
}

// settleBy does the same as settle for a value that is compared with one of type t, if it is that of a variable whose type was
// guessed.
func (c *lowerer) settleBy(x *ir.Expr, t ir.Type) {
	for _, s := range c.guesses {
		if x.Op == ir.Reg && x.Type == s.typ && x.I == s.i {
			c.settle(s, t)
		}
	}
}

// present returns the condition that a variable has a value.
func (c *lowerer) present(s *symbol) *ir.Expr {
	if s.mark < 0 || c.hasValue[s] {
		return boolean(true)
	}
	return &ir.Expr{Op: ir.Reg, Type: ir.Bool, I: s.mark}
}

// read returns the value of a variable. A row in which it has none is left to the interpreter.
func (c *lowerer) read(s *symbol) *ir.Expr {
	if s.kind == unsetSymbol {
		c.guessed(s)
	}
	if s.typ == ir.Any {
		x := &ir.Expr{Op: ir.Reg, Type: ir.Any, I: s.i}
		if s.mark >= 0 && !c.hasValue[s] {
			x = &ir.Expr{Op: ir.Select, Type: ir.Any, A: &ir.Expr{Op: ir.Reg, Type: ir.Bool, I: s.mark}, B: x, C: null()}
		}
		return x
	}
	if s.mark >= 0 && !c.hasValue[s] {
		c.guard(&ir.Expr{Op: ir.Reg, Type: ir.Bool, I: s.mark})
	}
	return &ir.Expr{Op: ir.Reg, Type: s.typ, I: s.i}
}
