package luabind

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/config/suggest"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// Expressions over values that their caller gives. They see no world, so evaluating one changes nothing.

// An Operand is a name that an [Expression] may use.
type Operand struct {
	Name   string
	Fields []string // its value is a Lua table with these fields, or nil; nil: its value is a plain one
}

// An Expression is a compiled Lua expression, such as Position.x > 10. It has a Lua state of its own, and belongs to one goroutine
// at a time.
type Expression struct {
	state    *sandbox.State
	surface  *surface.Surface
	env      *sandbox.Env
	fn       *lua.LFunction
	operands []Operand
	tables   []*lua.LTable
	used     []bool
	place    []int // of each operand that is used, in args
	args     []lua.LValue
}

// mostOperands is how many locals Lua allows, less some for the expression itself.
const mostOperands = 150

// expressionSteps is how many instructions one evaluation may take.
const expressionSteps = 10_000

// An apart is the Host of the module ecs of expressions: they declare nothing, draw nothing, and write no log.
type apart struct{}

// World implements [surface.Host].
func (apart) World() *ecs.World { return nil }

// Random implements [surface.Host].
func (apart) Random() *ecs.Random { return nil }

// Log implements [surface.Host].
func (apart) Log(sandbox.Pos, slog.Level, string, []slog.Attr) {}

// NewExpression compiles an expression. It may use the operands, the module ecs, and the libraries of Lua but for random numbers. The error names
// what is no operand, or no field of one, with a suggestion.
func NewExpression(text string, operands []Operand) (*Expression, error) {
	state := sandbox.New(sandbox.Options{})
	x := &Expression{state: state, surface: surface.New(state), env: state.NewEnv(sandbox.EnvOptions{}), operands: operands, used: make([]bool, len(operands)), place: make([]int, len(operands)), tables: make([]*lua.LTable, len(operands))}
	x.env.Set("ecs", x.surface.Module(apart{}, x.env, x.surface.GuardRandom(apart{}, x.env)))
	var wrong error
	chunk, err := sandbox.Compile("expression", "return "+text, func(file *syntax.Chunk) error {
		ret, ok := file.Stmts[0].(*ast.ReturnStmt)
		if len(file.Stmts) != 1 || !ok || len(ret.Exprs) != 1 {
			return errors.New("one expression expected")
		}
		wrong = x.fields(file)
		return nil
	})
	if se := (*sandbox.Error)(nil); errors.As(err, &se) {
		err = errors.New(strings.Replace(se.Message, "end of file", "end", 1)) // an expression is no file
	}
	if err == nil {
		err = wrong
	}
	if err != nil {
		return nil, fmt.Errorf("expression %q: %w", cut(text), err)
	}
	known := x.env.Names()
	for _, g := range chunk.Globals() {
		if i := x.find(g.Name); i >= 0 {
			x.used[i] = true
		} else if !slices.Contains(known, g.Name) {
			return nil, fmt.Errorf("expression %q: unknown name %q%s", cut(text), cut(g.Name), near(g.Name, x.names()))
		}
	}
	var locals []string // globals could not be nil
	for i, o := range operands {
		if !x.used[i] {
			continue
		}
		x.place[i] = len(locals)
		locals = append(locals, o.Name)
		if o.Fields != nil {
			x.tables[i] = state.NewTable()
		}
	}
	if len(locals) > mostOperands {
		return nil, fmt.Errorf("expression %q: it uses %d values; %d is the most", cut(text), len(locals), mostOperands)
	}
	if len(locals) > 0 {
		if chunk, err = sandbox.Compile("expression", "local "+strings.Join(locals, ",")+" = ... return "+text); err != nil {
			return nil, fmt.Errorf("expression %q: %w", cut(text), err)
		}
	}
	x.args = make([]lua.LValue, len(locals))
	for i := range x.args {
		x.args[i] = lua.LNil
	}
	x.fn = x.env.Load(chunk, nil)
	return x, nil
}

func (x *Expression) find(name string) int {
	return slices.IndexFunc(x.operands, func(o Operand) bool { return o.Name == name })
}

func (x *Expression) names() (names []string) {
	for _, o := range x.operands {
		names = append(names, o.Name)
	}
	return names
}

// fields returns an error for a field that an operand does not have.
func (x *Expression) fields(file *syntax.Chunk) (wrong error) {
	file.Visit(syntax.Visitor{Expr: func(e ast.Expr) {
		get, ok := e.(*ast.AttrGetExpr)
		if !ok || wrong != nil {
			return
		}
		v := file.Bindings.Variable(get.Object)
		key, ok := get.Key.(*ast.StringExpr)
		for _, o := range x.operands {
			if ok && v != nil && o.Fields != nil && v.IsGlobal(o.Name) && !slices.Contains(o.Fields, key.Value) {
				wrong = fmt.Errorf("%s has no field %q%s", o.Name, cut(key.Value), near(key.Value, o.Fields))
			}
		}
	}})
	return wrong
}

// near ends a message about a name with the one that is probably meant.
func near(name string, known []string) string {
	if near, ok := suggest.Closest(name, known); ok {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}

// Uses reports whether the expression uses an operand, so that its value has to be set.
func (x *Expression) Uses(operand int) bool { return x.used[operand] }

// Set sets the value of an operand that the expression uses: one value for each of its fields, or its plain value; no values set it
// to nil.
func (x *Expression) Set(operand int, values ...ecs.Value) {
	t, at := x.tables[operand], x.place[operand]
	switch {
	case len(values) == 0:
		x.args[at] = lua.LNil
		return
	case t == nil:
		x.args[at] = x.surface.Lua(values[0])
		return
	}
	for i, name := range x.operands[operand].Fields {
		t.RawSetString(name, x.surface.Lua(values[i]))
	}
	x.args[at] = t
}

// Holds evaluates the expression, and reports whether the result is neither nil nor false. The error is that of the code, or an
// [ErrLimit].
func (x *Expression) Holds() (bool, error) {
	b := x.state.Budget()
	b.LimitAllocations(1 << 20)
	b.Reset(expressionSteps)
	out, err := x.state.CallResults(x.fn, 1, x.args...)
	if err != nil {
		if se := (*sandbox.Error)(nil); errors.As(err, &se) {
			err = &caused{se.Message, []error{err}}
		}
		return false, err
	}
	return lua.LVAsBool(out[0]), nil
}
