package emit

import (
	"fmt"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
)

// What was cut out of a body, in the words of its author.

// A Cut is a statement of a body that only closures can do.
type Cut struct {
	File string // "" for the file of the loop
	Line int    // 0 if it is not known
	Why  string // what rows do there: "makes a string"
}

// At returns the place of a cut: "line 3" or "file.lua:3"; "" if it is not known.
func (c Cut) At() string {
	switch {
	case c.Line == 0:
		return ""
	case c.File == "":
		return fmt.Sprintf("line %d", c.Line)
	}
	return fmt.Sprintf("%s:%d", c.File, c.Line)
}

// cut says what is in a statement that code cannot do. x is the expression; nil if it is the statement itself.
func (h *hot) cut(s *ir.Stmt, x *ir.Expr) Cut {
	if x == nil {
		if why := statementText(s); why != "" {
			return Cut{Why: why}
		}
		c := Cut{}
		for _, x := range append([]*ir.Expr{s.A, s.B, s.C}, s.Args...) {
			if x != nil && c.Why == "" {
				c = h.about(x)
			}
		}
		if c.Why == "" {
			c.Why = "uses a table"
		}
		return c
	}
	if c := h.about(x); c.Why != "" {
		return c
	}
	for _, next := range h.behind { // a part of what the line does, such as the key of a table that is read next
		if next.File != s.File || next.Line != s.Line || next.Op != ir.Set {
			break
		}
		if c := h.about(next.A); c.Why != "" {
			return c
		}
	}
	return Cut{Why: "uses a variable that holds values of several kinds"}
}

// statementText says what a statement does; "" if that depends on its expressions.
func statementText(s *ir.Stmt) string {
	switch s.Op {
	case ir.Make:
		return "makes a table"
	case ir.Sort:
		return "sorts a table"
	case ir.Invoke:
		if text := invoked[s.Func]; text != "" {
			return text
		}
		return "calls " + s.Func
	case ir.Each:
		return "walks the sources of an entity with world:each"
	case ir.Emit:
		return effectText(s)
	default:
		return ""
	}
}

// invoked are the texts for functions whose names stand in no source.
var invoked = map[string]string{
	"gmatch step": "walks matches with gmatch", "resource": "uses a resource of type table",
	"set resource": "assigns a resource of type table", "gsub type": "calls string.gsub with what may be a table",
}

// effectText is statementText for an effect.
func effectText(s *ir.Stmt) string {
	switch {
	case spawned(s) && !s.Effect.Now:
		return "uses the entity that world.commands:spawn returns"
	case s.Effect.Now:
		return "changes the structure of the world at once"
	case s.Effect.Op == ir.Print:
		return "calls print"
	}
	for _, f := range s.Effect.Fields {
		if f.Field.Type == ecs.TableField {
			return fmt.Sprintf("gives a table to the field %q", f.Field.Name)
		}
	}
	return "does something else than sending and queueing"
}

// about says what is in an expression that code cannot do: the table field or the table declared outside the loop if there is one;
// an empty Cut if there is nothing to name.
func (h *hot) about(x *ir.Expr) (c Cut) {
	abi.WalkOwn(&ir.Stmt{A: x}, func(x *ir.Expr) {
		switch {
		case c.Why != "" && c.Why != makesString:
		case x.Op == ir.Load && x.Field.Type == ecs.TableField:
			c = Cut{Why: tableText(x.Field)}
		case x.Op == ir.Reg && x.Type == ir.Any && h.fields[x.I] != nil:
			c = Cut{Why: tableText(h.fields[x.I])}
		case x.Op == ir.Join, x.Op == ir.Shown:
			c = Cut{Why: makesString}
		}
	})
	return c
}

// tableText says that rows use the table in a field. The field of a resource has no name.
func tableText(f *ecs.Field) string {
	if f.Name == "" {
		return "uses a resource of type table"
	}
	return fmt.Sprintf("uses the table in the field %q", f.Name)
}

const makesString = "makes a string with .."

// fieldsOf returns the fields of type table that registers are copies of.
func fieldsOf(p *ir.Program) map[int]*ecs.Field {
	fields := map[int]*ecs.Field{}
	abi.Walk(p.Body, func(s *ir.Stmt) {
		if s.Op == ir.Set && s.A.Type == ir.Any && s.A.Op == ir.Load {
			fields[s.I] = s.A.Field
		}
	}, func(*ir.Expr) {})
	return fields
}
