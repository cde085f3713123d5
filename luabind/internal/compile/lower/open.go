package lower

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
)

// Open templates. Otherwise a kernel gets the Lua tables from around its loop as copies, as caches of what it looks up, or
// as lists of what it stores; that is fast, and needs values of one type, and tables that are not found through one
// another. In an open template, a Lua table from around the loop is a value of type ir.Any, which rows read and change in
// place, whatever it holds. Package loops tries an open template where the other kind gives no kernel. A template is open
// as a whole, so that no table is reached in two ways.

// isOpen reports whether an input is a value of type Any: a variable that holds a Lua table when the loop begins, or one
// to which the body assigns such a value.
func (c *lowerer) isOpen(input int) bool {
	in := c.t.Inputs[input]
	if !c.t.Open || in.Member != "" {
		return false
	}
	for i, of := range c.t.Inputs {
		if of.Variable == in.Variable && c.kinds[i].InputKind == FuncInput {
			return false // a library
		}
	}
	switch c.kinds[input].InputKind {
	case TableInput, ObjectInput:
		return true
	case NumberInput, BoolInput, TextInput, NilInput, ViewInput:
		return in.Assigned && c.hints.anys[in.Variable]
	default:
		return false
	}
}

// openInput makes the symbol of an open input, which the body uses now, a register.
func (c *lowerer) openInput(s *symbol) *symbol {
	i := s.i
	if !c.t.assigned[s.variable] {
		s.place = Place{Variable: s.variable}
	}
	s.kind, s.typ, s.i, s.mark, s.input = registerSymbol, ir.Any, c.register(ir.Any), -1, -1
	c.p.Inputs[i] = ir.Place{Used: true, Type: ir.Any, Reg: s.i}
	c.p.Lua, c.p.Exact = true, true
	if c.t.Inputs[i].Assigned {
		c.p.Outputs = append(c.p.Outputs, ir.Output{Place: c.p.Inputs[i], Mark: -1, Input: i})
	} else {
		c.fixed[register{ir.Any, s.i}] = true
	}
	return s
}

// eachStatement visits some statements and those in them.
func (c *lowerer) eachStatement(body []*ir.Stmt, visit func(*ir.Stmt)) {
	for _, s := range body {
		visit(s)
		c.eachStatement(s.Body, visit)
		c.eachStatement(s.Else, visit)
	}
}

// HasExits reports whether some statements are left to the interpreter whatever the types are.
func (t *Template) HasExits() bool { return len(t.exits) > 0 }

// Add adds inputs for the variables from around the loop that another template of it uses and this one does not,
// because what uses them is in an exit. Nothing in this template uses these inputs.
func (t *Template) Add(other *Template) {
	for _, in := range other.Inputs {
		i := slices.IndexFunc(t.Inputs, func(o Input) bool { return o.Variable == in.Variable && o.Member == "" })
		switch {
		case in.Member != "" || i >= 0 && (!in.Assigned || t.Inputs[i].Assigned):
		case i >= 0: // it would be an output of this template, too
			t.Inputs[i].Passed = true
		default:
			t.Inputs = append(t.Inputs, Input{Variable: in.Variable, Passed: in.Assigned, Spare: true, File: in.File, Line: in.Line})
		}
	}
}

// AddSpare adds an input for a variable from around the loop, if there is none and there is room. Nothing in this template
// uses it.
func (t *Template) AddSpare(v *syntax.Variable, line int) {
	if len(t.Inputs) < mostInputs && !slices.ContainsFunc(t.Inputs, func(in Input) bool { return in.Variable == v && in.Member == "" }) {
		t.Inputs = append(t.Inputs, Input{Variable: v, Passed: v.Assigned, Spare: true, Line: line})
	}
}
