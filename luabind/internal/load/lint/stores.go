package lint

import (
	"fmt"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/host/alias"
	"github.com/ecsrun/ecsrun/luabind/internal/host/api"
	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Values that a field cannot hold, and stores where nothing can be stored.

func (c *checker) stores(f *file) {
	f.Chunk.Visit(syntax.Visitor{
		Stmt: func(st ast.Stmt) {
			assign, ok := st.(*ast.AssignStmt)
			if !ok {
				return
			}
			for i, to := range assign.Lhs {
				get, ok := to.(*ast.AttrGetExpr)
				if !ok {
					continue
				}
				v := value{}
				if i < len(assign.Rhs) {
					v = c.value(f, assign.Rhs[i])
				}
				c.storedItem(f, get, v)
				if member(get) == "" {
					continue
				}
				c.stored(f, get, v)
				if a, ok := c.array(f, get); ok && i < len(assign.Rhs) {
					c.items(f, get.Line(), a.String(), a.of, assign.Rhs[i])
				}
			}
		},
		Expr: func(e ast.Expr) {
			call, ok := e.(*ast.FuncCallExpr)
			if !ok {
				return
			}
			_, fn, _ := c.callee(f, call)
			if fn == nil {
				return
			}
			for i, arg := range call.Args {
				switch fn.Role(i) {
				case api.Fields:
					if name, ok := f.names.Text(call.Args[i-1]); ok {
						if s := c.schema(name.Value, fn.Role(i-1) == api.Event); s != nil {
							c.fields(f, name.Value, s, arg)
						}
					}
				case api.Parts:
					c.parts(f, arg)
				case api.Value:
					if fn.Name == "spawn_many" && i == 2 {
						c.made(f, arg)
					}
				}
			}
		},
	})
}

// schema returns the fields of a component or an event, nil if there is none of that name, and for a relation.
func (c *checker) schema(name string, event bool) *ecs.Schema {
	if event {
		if id, ok := c.World.LookupEvent(name); ok {
			return c.World.EventSchema(id)
		}
		return nil
	}
	id, ok := c.World.LookupComponent(name)
	if info, _ := c.World.ComponentInfo(id); ok && !info.Relation {
		return info.Schema
	}
	return nil
}

// stored reports an assignment to a member that cannot hold the value, or that holds nothing.
func (c *checker) stored(f *file, get *ast.AttrGetExpr, v value) {
	on := c.value(f, get.Object)
	if on.sort != object {
		return
	}
	switch on.meaning.Kind {
	case alias.Event:
		c.add("E204", f, get.Line(), "an event is read-only", "keep the value in a local, or send another event")
	case alias.View:
		if s := c.schemaOf(f, get.Object); s != nil {
			c.fits(f, get.Line(), on.meaning.Name, s, member(get), v)
		}
	case alias.Resources:
		if id, ok := c.World.LookupResource(member(get)); ok {
			if s := c.World.Resource(id).Schema(); len(s.Fields()) == 1 && s.Fields()[0].Name == "value" {
				if why := misfit(s, 0, v); why != "" {
					c.add("E204", f, get.Line(), fmt.Sprintf("resource %s: %s", member(get), why), "")
				}
			}
		}
	default: // package script reports the others
	}
}

// fits reports a value that a field cannot hold.
func (c *checker) fits(f *file, line int, owner string, s *ecs.Schema, name string, v value) {
	if i := s.Index(name); i >= 0 {
		if why := misfit(s, i, v); why != "" {
			c.add("E204", f, line, fmt.Sprintf("%s.%s: %s", owner, name, why), v.advice)
		}
	}
}

// misfit returns why a field cannot hold a value; "" if it can, or may.
func misfit(s *ecs.Schema, i int, v value) string {
	t := s.Fields()[i].Type
	wrong := fmt.Sprintf("%s expected, got %s", surface.Expects(t), v.shown())
	switch {
	case v.sort == unknown:
	case t.Len() > 0:
		if v.sort != table {
			return "list expected, got " + v.shown()
		}
	case t == ecs.EntityField:
		if v.number != nil {
			if _, ok := ecs.EntityFromNumber(*v.number); !ok {
				return wrong
			}
		} else if !v.is(number, nothing) {
			return wrong
		}
	case t == ecs.Bool && v.sort != boolean, t == ecs.String && v.sort != str, t == ecs.TableField && v.sort != table, t.Numeric() && v.sort != number:
		return wrong
	case t.Numeric() && v.number != nil:
		if err := s.Check(ecs.FieldValue{Index: i, Value: ecs.Number(*v.number)}); err != nil {
			return err.Error()
		}
	}
	return ""
}

// fields reports values in a table of fields that they do not fit.
func (c *checker) fields(f *file, owner string, s *ecs.Schema, e ast.Expr) {
	t := c.constructor(f, e)
	if t == nil {
		return
	}
	for _, field := range t.Fields {
		key, named := field.Key.(*ast.StringExpr)
		switch {
		case field.Key == nil:
			c.add("E204", f, e.Line(), fmt.Sprintf("%s has named fields, and this one has no name", owner), fmt.Sprintf("write { %s }", example(s)))
			return
		case named:
			v := c.value(f, field.Value)
			if v.sort == nothing { // such a field is not in the table
				continue
			}
			line := field.Value.Line()
			c.fits(f, line, owner, s, key.Value, v)
			if i := s.Index(key.Value); i >= 0 && s.Fields()[i].Type == ecs.TableField {
				c.data(f, line, owner+"."+key.Value, field.Value)
			} else if i >= 0 {
				c.items(f, line, owner+"."+key.Value, s.Fields()[i].Type, field.Value)
			}
		}
	}
}

// constructor returns the table that an expression is, also that which a function of the file returns.
func (c *checker) constructor(f *file, e ast.Expr) *ast.TableExpr {
	if call, ok := e.(*ast.FuncCallExpr); ok {
		if fn := f.names.Function(call.Func); fn != nil && len(fn.Stmts) == 1 {
			if ret, ok := fn.Stmts[0].(*ast.ReturnStmt); ok && len(ret.Exprs) == 1 {
				e = ret.Exprs[0]
			}
		}
	}
	return f.names.Constructor(e)
}

// example writes the fields of a schema as a constructor does.
func example(s *ecs.Schema) string {
	if len(s.Fields()) == 0 {
		return ""
	}
	return s.Fields()[0].Name + " = …"
}

// data reports what is no plain data in the value of a table field.
func (c *checker) data(f *file, line int, where string, e ast.Expr) {
	t := f.names.Constructor(e)
	if t == nil {
		return
	}
	for _, field := range t.Fields {
		if v := c.value(f, field.Value); v.is(function, thread, object) {
			c.add("E204", f, line, fmt.Sprintf("%s: %s is not plain data (numbers, strings, booleans and tables of them)", where, v.what), "")
		}
		c.data(f, line, where, field.Value)
	}
}

// parts reports what cannot be in a table that describes an entity.
func (c *checker) parts(f *file, e ast.Expr) {
	t := c.constructor(f, e)
	if t == nil {
		return
	}
	for _, field := range t.Fields {
		line := field.Value.Line()
		v := c.value(f, field.Value)
		if field.Key == nil {
			c.listed(f, line, v)
			continue
		}
		key, ok := field.Key.(*ast.StringExpr)
		if !ok || v.sort == nothing || v.sort == unknown {
			continue
		}
		id, declared := c.World.LookupComponent(key.Value)
		info, _ := c.World.ComponentInfo(id)
		switch {
		case !declared:
		case info.Relation:
			if v.sort != number && !(info.Many && v.sort == table) {
				c.add("E204", f, line, fmt.Sprintf("relation %q takes an entity as its target, not %s", key.Value, v.shown()), "")
			}
		case v.sort != table:
			c.add("E204", f, line, fmt.Sprintf("component %q takes a table of its fields, not %s", key.Value, v.shown()), fmt.Sprintf("write %s = { %s }", key.Value, example(info.Schema)))
		default:
			c.fields(f, key.Value, info.Schema, field.Value)
		}
	}
}

// listed reports what cannot be in the list part of a description.
func (c *checker) listed(f *file, line int, v value) {
	switch {
	case v.is(boolean, number, table, function, thread, object):
		c.add("E204", f, line, fmt.Sprintf("the list part holds names of tags, not %s", v.shown()), "write components by name: Position = { x = 1 }")
	case v.text != nil:
		if _, ok := c.World.LookupRelation(*v.text); ok {
			c.add("E204", f, line, fmt.Sprintf("relation %q needs a target", *v.text), fmt.Sprintf("write %s = parent", *v.text))
		}
	}
}

// made reports what cannot be in the tables that the function of spawn_many returns.
func (c *checker) made(f *file, e ast.Expr) {
	fn := f.names.Function(e)
	if fn == nil {
		return
	}
	syntax.Search(fn.Stmts, func(n ast.PositionHolder) syntax.Step {
		switch n := n.(type) {
		case *ast.FunctionExpr, *ast.FuncDefStmt:
			return syntax.Past
		case *ast.ReturnStmt:
			if len(n.Exprs) > 0 {
				c.parts(f, n.Exprs[0])
			}
		}
		return syntax.Deeper
	})
}
