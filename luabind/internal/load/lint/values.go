package lint

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/host/alias"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// What sort of value an expression has in every execution, as far as the source shows it. The rules about mistakes ask this. In doubt the sort is
// unknown, and the rules are silent.

// A sort is what kind of value something is.
type sort uint8

// The sorts.
const (
	unknown sort = iota
	nothing      // nil
	boolean
	number // an entity is a number, too
	str
	table    // with no metatable that the source does not show
	function // an iterator, too
	thread
	object // what this program gives: a view, an event, the world, a query, a module
)

// A value is what is known of the value of an expression.
type value struct {
	sort   sort
	what   string   // what it is, as messages say it: a number, a view of Health
	advice string   // how to use it, "" for an ordinary value
	text   *string  // of a constant
	number *float64 // of a constant
	no     bool     // it is false, so a test of it decides, as one of nil does

	meaning alias.Meaning
}

var ordinary = map[sort]string{nothing: "nil", boolean: "a boolean", number: "a number", str: "a string", table: "a table", function: "a function", thread: "a coroutine"}

func plain(s sort) value { return value{sort: s, what: ordinary[s]} }

// is reports whether a value is of one of these sorts.
func (v value) is(sorts ...sort) bool {
	for _, s := range sorts {
		if v.sort == s {
			return true
		}
	}
	return false
}

// shown returns the value as messages about fields write it: string "abc", number 5, nil.
func (v value) shown() string {
	switch {
	case v.text != nil:
		return fmt.Sprintf("string %q", *v.text)
	case v.number != nil:
		return "number " + strconv.FormatFloat(*v.number, 'g', 14, 64)
	}
	return strings.TrimPrefix(strings.TrimPrefix(v.what, "an "), "a ")
}

// numeric reports whether Lua takes the value for a number, or may do so.
func (v value) numeric() bool {
	if v.text == nil {
		return v.is(unknown, number, str)
	}
	_, ok := syntax.ParseNumber(*v.text)
	return ok
}

// value returns what is known of an expression.
func (c *checker) value(f *file, e ast.Expr) value {
	switch e := e.(type) {
	case *ast.NilExpr:
		return plain(nothing)
	case *ast.FalseExpr:
		v := plain(boolean)
		v.no = true
		return v
	case *ast.TrueExpr, *ast.RelationalOpExpr, *ast.UnaryNotOpExpr:
		return plain(boolean)
	case *ast.NumberExpr:
		v := plain(number)
		if n, ok := syntax.ParseNumber(e.Value); ok {
			v.number = &n
		}
		return v
	case *ast.StringExpr:
		v := plain(str)
		v.text = &e.Value
		return v
	case *ast.FunctionExpr:
		return plain(function)
	case *ast.TableExpr:
		return plain(table)
	case *ast.UnaryLenOpExpr:
		if !c.overloaded(f, []ast.Expr{e.Expr}) {
			return plain(number)
		}
	case *ast.UnaryMinusOpExpr:
		v := c.value(f, e.Expr)
		if v.sort != number {
			return value{}
		}
		if v.number != nil {
			n := -*v.number
			v.number = &n
		}
		return v
	case *ast.ArithmeticOpExpr:
		if c.value(f, e.Lhs).sort == number && c.value(f, e.Rhs).sort == number {
			return plain(number)
		}
	case *ast.StringConcatOpExpr:
		if c.value(f, e.Lhs).is(str, number) && c.value(f, e.Rhs).is(str, number, unknown) && !c.overloaded(f, []ast.Expr{e.Rhs}) {
			return plain(str)
		}
	case *ast.LogicalOpExpr:
		a, b := c.value(f, e.Lhs), c.value(f, e.Rhs)
		if a.sort == b.sort && a.what == b.what {
			a.text, a.number = nil, nil
			a.no = a.no && b.no || e.Operator == "and" && (a.no || b.no)
			return a
		}
	case *ast.IdentExpr:
		return c.variable(f, f.Chunk.Bindings.Of(e))
	case *ast.FuncCallExpr:
		return c.result(f, e, 0)
	case *ast.AttrGetExpr:
		if v := c.known(f, e); v.sort != unknown {
			return v
		}
		if x, ok := c.item(f, e); ok {
			return ofField(x.kind)
		}
		if s := c.schemaOf(f, e.Object); s != nil {
			if i := s.Index(member(e)); i >= 0 {
				return ofField(s.Fields()[i].Type)
			}
		}
	}
	return c.known(f, e)
}

// ofField returns the value of a field of some type.
func ofField(t ecs.FieldType) value {
	switch {
	case t == ecs.Bool:
		return plain(boolean)
	case t == ecs.String:
		return plain(str)
	case t == ecs.TableField:
		return plain(table)
	case t == ecs.EntityField:
		return entity
	case t.Numeric():
		return plain(number)
	}
	return value{}
}

var entity = value{sort: number, what: "an entity", advice: "an entity is a number; the functions of world take it as an argument"}

// known returns what an expression is if it is something of this program.
func (c *checker) known(f *file, e ast.Expr) value {
	m := f.names.Of(e)
	if !f.holds(m) {
		return value{}
	}
	v := value{sort: object, meaning: m}
	switch m.Kind {
	case alias.Unclear, alias.Other:
		return c.property(f, e)
	case alias.World:
		v.what = "the world"
	case alias.Commands:
		v.what = "world.commands"
	case alias.Resources:
		v.what = "world.resources"
	case alias.States:
		v.what = "world.states"
	case alias.Layers:
		v.what = "world.layers"
	case alias.Layer:
		v.what, v.advice = "a layer", "write "+text(e)+":get(x, y)"
	case alias.Module:
		v.what = "the module ecs"
	case alias.Log:
		v.what, v.advice = "ecs.log", `write ecs.log.info("…")`
	case alias.Entity:
		v = entity
	case alias.View:
		id, ok := c.World.LookupComponent(m.Name)
		info, _ := c.World.ComponentInfo(id)
		switch {
		case !ok:
			return value{}
		case info.Relation: // a loop gives the target
			return entity
		}
		v.what = "a view of " + m.Name
		if fields := info.Schema.Fields(); len(fields) > 0 {
			name := text(e)
			if strings.Contains(name, "…") {
				name = strings.ToLower(m.Name)
			}
			v.advice = fmt.Sprintf("use one of its fields, such as %s.%s", name, fields[0].Name)
		}
	case alias.Event:
		v.what, v.advice = "an event", "use one of its fields"
	case alias.Query:
		v.what, v.advice = "a query", "walk it with world:each(query)"
	case alias.Events:
		v = plain(function)
		v.advice = fmt.Sprintf("walk it: for ev in world:read(%q) do", m.Name)
	}
	return v
}

// property returns a property of the world, or a resource.
func (c *checker) property(f *file, e ast.Expr) value {
	get, ok := e.(*ast.AttrGetExpr)
	if !ok {
		return value{}
	}
	switch m := f.names.Of(get.Object); {
	case !f.holds(m):
	case m.Kind == alias.World && (member(get) == "dt" || member(get) == "time" || member(get) == "frame"):
		return plain(number)
	case m.Kind == alias.Resources:
		if id, ok := c.World.LookupResource(member(get)); ok {
			fields := c.World.Resource(id).Schema().Fields()
			if len(fields) == 1 && fields[0].Name == "value" {
				return ofField(fields[0].Type)
			}
		}
	}
	return value{}
}

// schemaOf returns the fields of a view or of an event, nil for anything else.
func (c *checker) schemaOf(f *file, e ast.Expr) *ecs.Schema {
	m := f.names.Of(e)
	switch {
	case !f.holds(m):
	case m.Kind == alias.View:
		id, ok := c.World.LookupComponent(m.Name)
		if info, _ := c.World.ComponentInfo(id); ok && !info.Relation {
			return info.Schema
		}
	case m.Kind == alias.Event:
		if id, ok := c.World.LookupEvent(m.Name); ok {
			return c.World.EventSchema(id)
		}
	}
	return nil
}
