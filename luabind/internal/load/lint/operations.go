package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/host/alias"
	"github.com/ecsrun/ecsrun/luabind/internal/host/api"
	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Operations that a value does not have: arithmetic with a view, a field of an entity, a loop over a number.

func (c *checker) operations(f *file) {
	var loops []ast.PositionHolder
	f.Chunk.Visit(syntax.Visitor{
		Enter: func(s syntax.Scope) {
			switch s.Node.(type) {
			case *ast.GenericForStmt, *ast.NumberForStmt, *ast.WhileStmt, *ast.RepeatStmt, *ast.FunctionExpr:
				loops = append(loops, s.Node)
			}
		},
		Leave: func(s syntax.Scope) {
			if len(loops) > 0 && loops[len(loops)-1] == s.Node {
				loops = loops[:len(loops)-1]
			}
		},
		Stmt: func(st ast.Stmt) {
			switch st := st.(type) {
			case *ast.AssignStmt:
				if len(loops) > 0 {
					c.overwritten(f, st, loops[len(loops)-1])
				}
			case *ast.GenericForStmt:
				c.loopedOver(f, st)
			case *ast.NumberForStmt:
				for _, e := range []ast.Expr{st.Init, st.Limit, st.Step} {
					if e == nil {
						continue
					}
					if v := c.value(f, e); !v.numeric() {
						c.misused(f, e, v, "a loop counts with numbers, not with", "")
					}
				}
			}
		},
		Expr: func(e ast.Expr) {
			switch e := e.(type) {
			case *ast.ArithmeticOpExpr:
				c.operands(f, "arithmetic with", e.Lhs, e.Rhs)
			case *ast.UnaryMinusOpExpr:
				c.operands(f, "arithmetic with", e.Expr)
			case *ast.StringConcatOpExpr:
				c.joined(f, e.Lhs, e.Rhs)
			case *ast.RelationalOpExpr:
				if e.Operator != "==" && e.Operator != "~=" {
					c.compared(f, e)
				}
			case *ast.UnaryLenOpExpr:
				if v := c.value(f, e.Expr); v.is(nothing, boolean, number, function, thread, object) {
					c.misused(f, e.Expr, v, "there is no length of", "")
				}
			case *ast.AttrGetExpr:
				c.indexed(f, e.Object, member(e), false)
				c.indexedBy(f, e)
				c.keyed(f, e)
			case *ast.FuncCallExpr:
				if e.Func == nil {
					c.indexed(f, e.Receiver, e.Method, true)
					c.method(f, e)
				} else if v := c.value(f, e.Func); v.is(nothing, boolean, number, str, table, thread, object) {
					c.misused(f, e.Func, v, "a call of", "")
				}
			}
		},
	})
}

// overwritten reports h = h - 1 for a view that a loop gives, where nothing else is assigned to it.
func (c *checker) overwritten(f *file, st *ast.AssignStmt, loop ast.PositionHolder) {
	if len(st.Lhs) != 1 || len(st.Rhs) != 1 {
		return
	}
	v := f.Chunk.Bindings.Variable(st.Lhs[0])
	sum, ok := st.Rhs[0].(*ast.ArithmeticOpExpr)
	if !ok || v == nil || v.Kind != syntax.LoopVariable || v.Node != loop || f.metatables {
		return
	}
	m := f.names.Yielded(v)
	if m.Kind != alias.View || !f.holds(m) {
		return
	}
	n := 0
	for _, use := range v.Uses {
		if use.Assigned {
			n++
		}
	}
	s := c.schema(m.Name, false)
	if n == 1 && s != nil && len(s.Fields()) > 0 && (f.Chunk.Bindings.Variable(sum.Lhs) == v || f.Chunk.Bindings.Variable(sum.Rhs) == v) {
		c.add("E203", f, st.Line(), fmt.Sprintf("arithmetic with %s, a view of %s", v.Name, m.Name), fmt.Sprintf("use one of its fields, such as %s.%s", v.Name, s.Fields()[0].Name))
	}
}

// misused reports an expression with a value that does not have the operation.
func (c *checker) misused(f *file, e ast.Expr, v value, what, fix string) {
	name := ""
	if s := text(e); !strings.Contains(s, "…") && s != "world" {
		name = s + ", "
	}
	if fix == "" {
		fix = v.advice
	}
	if fix == "" {
		fix = "this fails whenever it runs; use another value, or test for this one first"
	}
	c.add("E203", f, e.Line(), fmt.Sprintf("%s %s%s", what, name, v.what), fix)
}

// operands reports operands of arithmetic that are no numbers.
func (c *checker) operands(f *file, what string, list ...ast.Expr) {
	for _, e := range list {
		if v := c.value(f, e); !v.numeric() && !c.overloaded(f, list) {
			c.misused(f, e, v, what, "")
			return
		}
	}
}

// joined reports operands of .. that are neither strings nor numbers.
func (c *checker) joined(f *file, list ...ast.Expr) {
	for _, e := range list {
		if v := c.value(f, e); !v.is(unknown, number, str) && !c.overloaded(f, list) {
			fix := "write tostring(" + text(e) + ")"
			if strings.Contains(fix, "…") {
				fix = "write tostring(…)"
			}
			if v.advice != "" {
				fix = ""
			}
			c.misused(f, e, v, ".. does not join", fix)
			return
		}
	}
}

// compared reports comparisons of what has no order, and of a number with a string.
func (c *checker) compared(f *file, e *ast.RelationalOpExpr) {
	a, b := c.value(f, e.Lhs), c.value(f, e.Rhs)
	for i, v := range []value{a, b} {
		if v.is(nothing, boolean, function, thread, object) {
			c.misused(f, []ast.Expr{e.Lhs, e.Rhs}[i], v, fmt.Sprintf("%s cannot compare", e.Operator), "")
			return
		}
	}
	if a.sort == number && b.is(str, table) || b.sort == number && a.is(str, table) {
		c.add("E203", f, e.Line(), fmt.Sprintf("%s cannot compare %s with %s", e.Operator, a.what, b.what), "")
	}
}

// loopedOver reports a for … in over something that is no iterator.
func (c *checker) loopedOver(f *file, st *ast.GenericForStmt) {
	v := c.value(f, st.Exprs[0])
	name := strings.Trim(text(st.Exprs[0]), "…")
	switch {
	case !v.is(nothing, boolean, number, str, table, object):
		return
	case v.sort == table && name != "" && !strings.Contains(name, "…"):
		v.advice = fmt.Sprintf("write for key, value in pairs(%s), or ipairs(%s) for a list", name, name)
	case v.sort == table:
		v.advice = "write pairs(…), or ipairs(…) for a list"
	case v.meaning.Kind == alias.World:
		v.advice = `write for e, pos in world:each("Position") do`
	case v.meaning.Kind == alias.View:
		v.advice = "ecs.fields(view) is a table of its fields"
	case v.sort == number && v.what == "a number":
		v.advice = "to count, write for i = 1, n do"
	}
	c.misused(f, st.Exprs[0], v, "for … in cannot walk", "")
}

// indexed reports a field or a method of something that has none.
func (c *checker) indexed(f *file, e ast.Expr, key string, method bool) {
	v := c.value(f, e)
	fix := ""
	switch {
	case v.meaning.Kind == alias.Query && v.sort == object:
	case !v.is(nothing, boolean, number, function, thread):
		return
	case v.what == entity.what:
		name := text(e)
		if strings.Contains(name, "…") {
			name = "e"
		}
		_, component := c.World.LookupComponent(key)
		switch {
		case method && surface.WorldObject.Has(nil, key) == nil:
			fix = fmt.Sprintf("write world:%s(%s)", key, name)
		case method:
			fix = api.OfEntity(key, name)
		case component:
			fix = fmt.Sprintf("write world:get(%s, %q)", name, key)
		}
	}
	what := "a field of"
	if method {
		what = "a method of"
	}
	c.misused(f, e, v, what, fix)
}

// indexedBy reports a view or an event that is indexed by something else than a name.
func (c *checker) indexedBy(f *file, e *ast.AttrGetExpr) {
	v := c.value(f, e.Object)
	if v.sort != object || !slices.Contains([]alias.Kind{alias.View, alias.Event, alias.World, alias.Commands, alias.Resources, alias.Layers, alias.Layer, alias.States}, v.meaning.Kind) {
		return
	}
	if k := c.value(f, e.Key); !k.is(unknown, str) {
		c.misused(f, e.Object, v, fmt.Sprintf("there is no [%s] in", k.shown()), "")
	}
}

// method reports a method that something lacks, or that is no function.
func (c *checker) method(f *file, call *ast.FuncCallExpr) {
	v := c.value(f, call.Receiver)
	switch {
	case v.sort == str:
		if hint := c.Lacks("string", call.Method); hint != "" && !c.replaced("string", call.Method) {
			c.add("E203", f, call.Line(), fmt.Sprintf("a string has no method %q", call.Method), hint)
		}
	case v.sort == table:
		t, _ := call.Receiver.(*ast.TableExpr)
		if w := f.Chunk.Bindings.Variable(call.Receiver); t == nil && w != nil && !f.keyed[w] && f.members[w][call.Method] == nil && f.names.Constructor(call.Receiver) != nil {
			fix := ""
			if c.Lacks("table", call.Method) == "" {
				fix = fmt.Sprintf("write table.%s(%s, …)", call.Method, text(call.Receiver))
			}
			c.add("E203", f, call.Line(), fmt.Sprintf("the table %s has no method %q", text(call.Receiver), call.Method), fix)
		}
	case v.sort == object && (v.meaning.Kind == alias.View || v.meaning.Kind == alias.Event):
		c.misused(f, call.Receiver, v, fmt.Sprintf("there is no method %q of", call.Method), "")
	case v.sort == object && v.meaning.Kind == alias.World && slices.Contains([]string{"dt", "time", "frame", "commands", "resources", "layers", "states"}, call.Method):
		c.add("E203", f, call.Line(), fmt.Sprintf("world.%s is no function", call.Method), fmt.Sprintf("write world.%s", call.Method))
	}
}
