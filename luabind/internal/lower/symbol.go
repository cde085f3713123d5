package lower

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

type symbolKind uint8

const (
	registerSymbol symbolKind = iota // a variable with a register
	valueSymbol                      // x, which nothing can change
	inputSymbol                      // an input nobody has asked for yet
	unsetSymbol                      // a variable without a value: its type is that of the first assignment
	viewSymbol
	worldSymbol
	resourcesSymbol
	commandsSymbol
	querySymbol
	functionSymbol // of math, by name
	tableSymbol
	elementSymbol // the element at x of a table
	nilSymbol     // nil
)

// what is what a symbol is, in reasons.
var kindTexts = map[symbolKind]string{
	viewSymbol: "a view", worldSymbol: "the world", resourcesSymbol: "world.resources", commandsSymbol: "world.commands", querySymbol: "a query",
	functionSymbol: "a function", tableSymbol: "a table", elementSymbol: "a table", nilSymbol: "nil", unsetSymbol: "nil",
}

// A symbol is what a name stands for. What has no register is an alias: the name
// means the thing itself.
type symbol struct {
	name     string           // of the variable, "" if it stands for none
	variable *syntax.Variable // nil likewise
	kind     symbolKind
	i        int // register, view, table, or input
	typ      ir.Type
	mark     int // boolean register that says whether it has a value; -1: it always has one
	x        *ir.Expr
	text     string // of a functionSymbol

	input int // of a table, or of a variable without a value: the input it comes from, -1 for a local

	query     *ecs.Query
	component ecs.ComponentID // of a view
	schema    *ecs.Schema
	nilable   bool
	entity    *ir.Expr // whose component it is, nil when that is not kept
	owned     bool     // a view that an assignment may move
	event     bool     // a view of an event, which is read-only
	used      bool
}

// view is the symbol of view i, of a component.
func (c *lowerer) view(i int, id ecs.ComponentID) *symbol {
	s := &symbol{kind: viewSymbol, i: i, component: id}
	if info, ok := c.context.World.ComponentInfo(id); ok && !info.Relation {
		s.schema = info.Schema
	}
	return s
}

// resolve finds out what a name stands for now; at is where it stands.
func (c *lowerer) resolve(s *symbol, at ast.PositionHolder) *symbol {
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
		if in.Assigned {
			c.p.Outputs = append(c.p.Outputs, ir.Output{Place: c.p.Inputs[i], Mark: -1, Input: i})
		} else {
			c.fixed[register{typ, s.i}] = true
		}
	case k.InputKind == NilInput && in.Assigned && in.Member == "":
		c.unset(s, i)
	case in.Assigned:
		refuse(at, "assigns %s, which is no number, boolean or string when the loop begins", in.text())
	case k.InputKind == FuncInput:
		s.kind, s.text = functionSymbol, k.Name
	case k.InputKind == WorldInput:
		s.kind = worldSymbol
	case k.InputKind == ResourcesInput:
		s.kind = resourcesSymbol
	case k.InputKind == CommandsInput:
		s.kind = commandsSymbol
	case k.InputKind == QueryInput:
		s.kind, s.query = querySymbol, k.Query
	case k.InputKind == TableInput:
		s.kind, s.input = tableSymbol, i
	case k.InputKind == NilInput && !in.Global() && (in.Member == "" || c.kindOf(in.Variable) == TableInput):
		s.kind = nilSymbol
	default:
		refuse(at, "uses %s, which is no number, boolean, string or table of constants when the loop begins", in.text())
	}
	return s
}

// kindOf is what a variable around the loop is.
func (c *lowerer) kindOf(v *syntax.Variable) InputKind {
	for i, in := range c.t.Inputs {
		if in.Variable == v && in.Member == "" {
			return c.kinds[i].InputKind
		}
	}
	return OtherInput
}

// late makes a variable without a value.
func (c *lowerer) unset(s *symbol, input int) {
	s.kind, s.mark, s.input = unsetSymbol, c.register(ir.Bool), input
}

// typed gives a variable without a value the type of its first value.
func (c *lowerer) typed(s *symbol, t ir.Type) {
	s.kind, s.typ, s.i = registerSymbol, t, c.register(t)
	if s.input >= 0 {
		c.p.Outputs = append(c.p.Outputs, ir.Output{Place: ir.Place{Used: true, Type: t, Reg: s.i}, Mark: s.mark, Input: s.input})
	}
}

// present is whether a variable that may be nil has a value.
func (c *lowerer) present(s *symbol) *ir.Expr {
	if s.mark < 0 || c.hasValue[s] {
		return boolean(true)
	}
	return &ir.Expr{Op: ir.Reg, Type: ir.Bool, I: s.mark}
}

// read is the value of a variable. What has none yet is left to the interpreter.
func (c *lowerer) read(s *symbol) *ir.Expr {
	if s.kind == unsetSymbol {
		c.typed(s, ir.Number)
	}
	if s.mark >= 0 && !c.hasValue[s] {
		c.p.Exact = true
		c.emit(&ir.Stmt{Op: ir.If, A: not(&ir.Expr{Op: ir.Reg, Type: ir.Bool, I: s.mark}), Body: []*ir.Stmt{{Op: ir.Leave}}})
	}
	return &ir.Expr{Op: ir.Reg, Type: s.typ, I: s.i}
}
