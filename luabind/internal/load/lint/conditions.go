package lint

import (
	"fmt"
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/host/alias"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Conditions that are always true: a field is never nil, and the entity in a field without one is ecs.none, which is
// a number. And entities that are printed: they, too, are numbers.

func (c *checker) conditions(f *file) {
	nothing := func(e ast.Expr) bool {
		_, ok := e.(*ast.NilExpr)
		return ok
	}
	f.Chunk.Visit(syntax.Visitor{
		Stmt: func(st ast.Stmt) {
			switch st := st.(type) {
			case *ast.IfStmt:
				c.condition(f, st.Condition)
			case *ast.WhileStmt:
				c.condition(f, st.Condition)
			case *ast.RepeatStmt:
				c.condition(f, st.Condition)
			}
		},
		Expr: func(e ast.Expr) {
			switch e := e.(type) {
			case *ast.LogicalOpExpr:
				c.chosen(f, e)
			case *ast.UnaryNotOpExpr:
				c.condition(f, e.Expr)
			case *ast.RelationalOpExpr:
				if e.Operator != "==" && e.Operator != "~=" {
					return
				}
				if nothing(e.Rhs) {
					c.never(f, e.Lhs)
				} else if nothing(e.Lhs) {
					c.never(f, e.Rhs)
				}
			}
		},
	})
}

// chosen reports the left side of and or or. The x of "a and x or b" is none: it is the value if a is true, and that it is
// always true is what the idiom needs.
func (c *checker) chosen(f *file, e *ast.LogicalOpExpr) {
	if e.Operator == "or" {
		left, isLogical := e.Lhs.(*ast.LogicalOpExpr)
		for isLogical && left.Operator == "or" { // a and x or b and y or z
			left, isLogical = left.Rhs.(*ast.LogicalOpExpr)
		}
		if isLogical {
			return
		}
		if x, ok := c.field(f, e.Lhs); ok && (x.kind == ecs.String || x.kind.Numeric()) { // the or gives a value, not a boolean
			kind, nothing := "a number", "0"
			if x.kind == ecs.String {
				kind, nothing = "a string", `""`
			}
			of := text(e.Lhs)
			c.add("W502", f, e.Lhs.Line(), fmt.Sprintf("%s is %s and never nil, so the right side of this or is never taken", x, kind), fmt.Sprintf("remove the or, or write %s ~= %s and %s or …", of, nothing, of))
			return
		}
	}
	c.condition(f, e.Lhs)
}

// condition reports the fields that decide whether an expression is true. The left side of and and or, and the
// operand of not, are visited by themselves.
func (c *checker) condition(f *file, e ast.Expr) {
	switch e := e.(type) {
	case *ast.LogicalOpExpr:
		c.condition(f, e.Rhs)
	default:
		if x, ok := c.field(f, e); ok && x.kind != ecs.Bool {
			c.never(f, e)
		}
	}
}

// never reports an expression that is compared with nil, or used as a condition, and is never nil.
func (c *checker) never(f *file, e ast.Expr) {
	x, ok := c.field(f, e)
	of := text(e)
	if of == "…" {
		of = x.String()
	}
	switch {
	case !ok:
	case x.kind == ecs.EntityField:
		c.add("W501", f, e.Line(), fmt.Sprintf("%s is an entity and never nil: without one it is ecs.none, which counts as true", x), fmt.Sprintf("write %s ~= ecs.none", of))
	case x.kind.Len() > 0:
		c.add("W502", f, e.Line(), fmt.Sprintf("%s is an array and never nil, so this is always the same", x), "ask for one of its items")
	case x.kind == ecs.TableField:
		c.add("W502", f, e.Line(), fmt.Sprintf("%s is a table and never nil, so this is always the same", x), fmt.Sprintf("ask whether it is empty: next(%s) ~= nil", of))
	case x.kind == ecs.String:
		c.add("W502", f, e.Line(), fmt.Sprintf("%s is a string and never nil, so this is always the same", x), fmt.Sprintf(`compare it: %s ~= ""`, of))
	case x.kind == ecs.Bool:
		c.add("W502", f, e.Line(), fmt.Sprintf("%s is a boolean and never nil, so this is always the same", x), fmt.Sprintf("write %s, or not %s", of, of))
	default:
		c.add("W502", f, e.Line(), fmt.Sprintf("%s is a number and never nil, and 0 counts as true, so this is always the same", x), fmt.Sprintf("compare it: %s > 0", of))
	}
}

// text writes an identifier, or a member of one, as the source does.
func text(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.IdentExpr:
		return e.Value
	case *ast.AttrGetExpr:
		if key, ok := e.Key.(*ast.StringExpr); ok {
			if _, call := e.Object.(*ast.FuncCallExpr); !call {
				return text(e.Object) + "." + key.Value
			}
			return "…." + key.Value
		}
		switch e.Key.(type) {
		case *ast.NumberExpr:
			return text(e.Object) + "[" + e.Key.(*ast.NumberExpr).Value + "]"
		case *ast.IdentExpr:
			return text(e.Object) + "[" + text(e.Key) + "]"
		}
	}
	return "…"
}

// calculated reports arithmetic with entities.
func (c *checker) calculated(f *file) {
	f.Chunk.Visit(syntax.Visitor{Expr: func(e ast.Expr) {
		switch e := e.(type) {
		case *ast.ArithmeticOpExpr:
			c.operand(f, e.Lhs)
			c.operand(f, e.Rhs)
		case *ast.UnaryMinusOpExpr:
			c.operand(f, e.Expr)
		}
	}})
}

// operand reports an operand that is an entity.
func (c *checker) operand(f *file, e ast.Expr) {
	if c.isEntity(f, e) {
		c.add("W504", f, e.Line(), fmt.Sprintf("%q is an entity, whose number says nothing", text(e)), "use a field of it, or a number that you count")
	}
}

// isEntity reports whether the source shows that an expression is an entity.
func (c *checker) isEntity(f *file, e ast.Expr) bool {
	x, ok := c.field(f, e)
	return ok && x.kind == ecs.EntityField || f.names.Of(e).Kind == alias.Entity
}

// printed reports entities in the arguments of functions that show a text to somebody.
func (c *checker) printed(f *file) {
	f.Chunk.Visit(syntax.Visitor{Expr: func(e ast.Expr) {
		call, ok := e.(*ast.FuncCallExpr)
		if !ok || !shows(f, call) {
			return
		}
		for _, arg := range call.Args {
			c.shown(f, arg)
		}
	}})
}

// shows reports whether a function shows its arguments to somebody: print, error, world:stop, ecs.log.info.
func shows(f *file, call *ast.FuncCallExpr) bool {
	if call.Method != "" {
		return call.Method == "stop" && f.names.Of(call.Receiver).Kind == alias.World
	}
	if v := f.Chunk.Bindings.Variable(call.Func); v != nil {
		return v.IsGlobal("print") || v.IsGlobal("error")
	}
	get, ok := call.Func.(*ast.AttrGetExpr)
	return ok && f.names.Of(get.Object).Kind == alias.Log
}

// shown reports the entities in a text that is shown.
func (c *checker) shown(f *file, e ast.Expr) {
	if c.isEntity(f, e) {
		c.add("W503", f, e.Line(), fmt.Sprintf("%q is an entity, which shows as a number", text(e)), fmt.Sprintf("write ecs.name(%s)", text(e)))
		return
	}
	switch e := e.(type) {
	case *ast.StringConcatOpExpr:
		c.shown(f, e.Lhs)
		c.shown(f, e.Rhs)
	case *ast.FuncCallExpr:
		get, _ := e.Func.(*ast.AttrGetExpr)
		v := f.Chunk.Bindings.Variable(e.Func)
		switch {
		case v != nil && v.IsGlobal("tostring"), e.Method == "format", get != nil && text(get) == "string.format":
			for _, arg := range e.Args {
				c.shown(f, arg)
			}
		}
	}
}

func oneOf(list []*ast.StringExpr, name string) bool {
	return slices.ContainsFunc(list, func(s *ast.StringExpr) bool { return s.Value == name })
}
