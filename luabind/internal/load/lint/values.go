package lint

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/host/alias"
	"github.com/ecsrun/ecsrun/luabind/internal/host/api"
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
	case *ast.TrueExpr, *ast.FalseExpr, *ast.RelationalOpExpr, *ast.UnaryNotOpExpr:
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
		return plain(number)
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
		if c.value(f, e.Lhs).is(str, number) && c.value(f, e.Rhs).is(str, number, unknown) {
			return plain(str)
		}
	case *ast.LogicalOpExpr:
		a, b := c.value(f, e.Lhs), c.value(f, e.Rhs)
		if a.sort == b.sort && a.what == b.what {
			a.text, a.number = nil, nil
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
	if m.Entry && !f.Own {
		return value{}
	}
	v := value{sort: object, meaning: m}
	switch m.Kind {
	case alias.Unclear, alias.Other:
		return c.property(f, e)
	case alias.World:
		v.what = "the world"
		if !c.surelyWorld(f, e) {
			return value{}
		}
	case alias.Commands:
		v.what = "world.commands"
	case alias.Resources:
		v.what = "world.resources"
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

// surelyWorld reports whether something that is taken for the world because of its name is it: a local of that name may hold anything, and so may a
// parameter to which the calls give something else.
func (c *checker) surelyWorld(f *file, e ast.Expr) bool {
	v := f.Chunk.Bindings.Variable(e)
	switch {
	case v == nil:
		return true
	case v.Assigned:
		return false
	case v.Kind != syntax.Parameter:
		return v.Value != nil && f.names.Of(v.Value).Kind == alias.World && c.surelyWorld(f, v.Value)
	}
	fn := v.Node.(*ast.FunctionExpr)
	if f.names.Entry(fn) != "" {
		return v.Index == 0 && f.methods[fn] == ""
	}
	calls, _ := f.names.Calls(v)
	for _, call := range calls {
		if v.Index >= len(call.Args) || c.value(f, call.Args[v.Index]).meaning.Kind != alias.World {
			return false
		}
	}
	return true
}

// property returns a property of the world, or a resource.
func (c *checker) property(f *file, e ast.Expr) value {
	get, ok := e.(*ast.AttrGetExpr)
	if !ok {
		return value{}
	}
	switch m := f.names.Of(get.Object); {
	case m.Entry && !f.Own:
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
	case m.Entry && !f.Own:
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

// variable returns what is known of a variable.
func (c *checker) variable(f *file, v *syntax.Variable) (out value) {
	if v == nil || v.Assigned {
		return value{}
	}
	if known, ok := c.values[v]; ok {
		return known
	}
	c.values[v] = value{} // while it is looked up
	out = c.settled(f, v, c.unsettled(f, v))
	c.values[v] = out
	return out
}

// unsettled returns what a variable gets where it is declared.
func (c *checker) unsettled(f *file, v *syntax.Variable) value {
	if len(v.Uses) > 0 {
		if x := c.known(f, v.Uses[0].Ident); x.sort != unknown {
			return x
		}
	}
	switch v.Kind {
	case syntax.LoopVariable:
		if _, numeric := v.Node.(*ast.NumberForStmt); numeric {
			return plain(number)
		}
	case syntax.Parameter:
		return c.parameter(f, v)
	case syntax.Local, syntax.LocalFunction:
		if st, ok := v.Node.(*ast.LocalAssignStmt); ok && len(st.Exprs) > 0 && v.Index >= len(st.Exprs) {
			if call, ok := st.Exprs[len(st.Exprs)-1].(*ast.FuncCallExpr); ok { // the call gives several variables their values
				return c.result(f, call, v.Index-len(st.Exprs)+1)
			}
		} else if v.Value != nil {
			return c.value(f, v.Value)
		}
	case syntax.Global, syntax.Self, syntax.Arg:
	}
	return value{}
}

// settled returns the value of a variable if nothing in the file makes it doubtful where the variable is used: a test of it, or what may give a
// table a metatable.
func (c *checker) settled(f *file, v *syntax.Variable, x value) value {
	if x.sort == nothing && f.tested[v] || f.typed[v] || x.sort == table && f.escapes[v] {
		return value{}
	}
	return x
}

// parameter returns what is known of a parameter: dt, or what all calls of a local function give.
func (c *checker) parameter(f *file, v *syntax.Variable) value {
	fn := v.Node.(*ast.FunctionExpr)
	if f.names.Entry(fn) == "update" && v.Index == 1 && f.Own && f.methods[fn] == "" {
		return plain(number) // dt
	}
	calls, ok := f.names.Calls(v)
	if !ok {
		return value{}
	}
	var all value
	for i, call := range calls {
		x := plain(nothing)
		if v.Index < len(call.Args) {
			x = c.value(f, call.Args[v.Index])
		} else if several(call.Args) {
			return value{}
		}
		if x.sort == unknown || x.sort == table || i > 0 && (x.sort != all.sort || x.what != all.what) { // a table may have any metatable
			return value{}
		}
		if i > 0 {
			x.text, x.number = nil, nil
		}
		all = x
	}
	return all
}

// several reports whether a list of expressions may have more values than it has expressions, or fewer.
func several(list []ast.Expr) bool {
	if len(list) == 0 {
		return false
	}
	switch list[len(list)-1].(type) {
	case *ast.FuncCallExpr, *ast.Comma3Expr:
		return true
	}
	return false
}

// result returns what is known of result i of a call.
func (c *checker) result(f *file, call *ast.FuncCallExpr, i int) value {
	if name, _ := c.libraryCall(f, call); name != "" {
		if i == 0 {
			return plain(signatures[name].gives)
		}
		return value{}
	}
	if fn := f.names.Function(call.Func); fn != nil && i == 0 {
		return c.returns(f, fn)
	}
	if i == 0 {
		if v := c.known(f, call); v.sort != unknown {
			return v
		}
	}
	_, fn, of := c.callee(f, call)
	if fn == nil {
		return value{}
	}
	if i >= len(of.Returns) {
		if fn.Name == "first" {
			return value{}
		}
		return plain(nothing)
	}
	word, _, _ := strings.Cut(of.Returns[i], " ")
	switch {
	case word == "boolean":
		return plain(boolean)
	case word == "integer" || word == "number":
		return plain(number)
	case word == "string":
		return plain(str)
	case i > 0 && fn.Name == "first": // views
		return value{}
	case word == "ecs.Entity" || word == "ecs.Entity?":
		return entity
	case strings.HasSuffix(word, "[]") || word == "table":
		return plain(table)
	case strings.HasPrefix(word, "fun("):
		v := plain(function)
		v.advice = fmt.Sprintf("walk it: for … in %s(…) do", called(call))
		return v
	}
	return value{}
}

// text2 writes the name of the method that a call calls.
func called(call *ast.FuncCallExpr) string {
	if call.Method != "" {
		return text(call.Receiver) + ":" + call.Method
	}
	return text(call.Func)
}

// callee returns the object, the function and its text if a call calls one of the functions of this program in the way that it is meant.
func (c *checker) callee(f *file, call *ast.FuncCallExpr) (prefix string, fn *api.Function, of api.Text) {
	on, name := call.Receiver, call.Method
	if get, ok := call.Func.(*ast.AttrGetExpr); ok {
		on, name = get.Object, member(get)
	}
	if on == nil || name == "" {
		return "", nil, api.Text{}
	}
	v := c.value(f, on)
	if v.sort != object {
		return "", nil, api.Text{}
	}
	for _, o := range api.Objects {
		kind := map[string]alias.Kind{"ecs.": alias.Module, "ecs.log.": alias.Log, "world:": alias.World, "world.commands:": alias.Commands}[o.Prefix]
		if v.meaning.Kind == kind && strings.HasSuffix(o.Prefix, ":") == (call.Method != "") {
			return o.Prefix, api.Find(o.Functions, name), o.Texts[name]
		}
	}
	return "", nil, api.Text{}
}

// returns returns what is known of what a function of the file gives: it has no return with a value, or one at its end.
func (c *checker) returns(f *file, fn *ast.FunctionExpr) value {
	if known, ok := c.given[fn]; ok {
		return known
	}
	c.given[fn] = value{} // of a function that calls itself
	c.given[fn] = c.returned(f, fn)
	return c.given[fn]
}

func (c *checker) returned(f *file, fn *ast.FunctionExpr) value {
	var found []*ast.ReturnStmt
	syntax.Search(fn.Stmts, func(n ast.PositionHolder) syntax.Step {
		switch n := n.(type) {
		case *ast.FunctionExpr, *ast.FuncDefStmt:
			return syntax.Past
		case *ast.ReturnStmt:
			found = append(found, n)
		}
		return syntax.Deeper
	})
	values := 0
	for _, st := range found {
		values += len(st.Exprs)
	}
	switch {
	case values == 0:
		return plain(nothing)
	case len(found) != 1 || values != 1 || ast.Stmt(found[0]) != fn.Stmts[len(fn.Stmts)-1]:
		return value{}
	}
	switch e := found[0].Exprs[0].(type) {
	case *ast.IdentExpr, *ast.FuncCallExpr, *ast.Comma3Expr: // a parameter, or several values
		return value{}
	default:
		v := c.value(f, e)
		v.text, v.number = nil, nil
		return v
	}
}
