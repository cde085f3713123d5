package loops

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/lower"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Guesses: what the inputs of a loop that has not begun will probably be. They are read from the source: from the values with which
// variables are declared. explain.go compiles a loop for them.

// in returns what the source shows of an input as a kind, for a world. line is for the reason if a name is not declared.
func (g guessed) in(w *ecs.World, line int) (lower.Kind, *Reason) {
	k := g.Kind
	if g.terms != nil {
		q, reason := g.terms.query(w, line)
		if reason != nil {
			return k, reason
		}
		k.Query = q
	}
	if id, ok := w.LookupComponent(g.view); ok && g.view != "" {
		k = lower.Kind{InputKind: lower.ViewInput, Component: id}
	}
	if g.resource != "" {
		k = kindOfResource(w, g.resource)
	}
	return k, nil
}

// A guessed is what the source shows of an input.
type guessed struct {
	lower.Kind
	terms    *terms // of a query: its terms
	resource string // of the value of a resource: the name of the resource
	view     string // of a view: the name of its component
	listed   bool   // a table whose constructor has elements
}

// kindOfResource returns the kind of the value of a resource.
func kindOfResource(w *ecs.World, name string) lower.Kind {
	id, ok := w.LookupResource(name)
	if !ok {
		return lower.Kind{InputKind: lower.OtherInput}
	}
	fields := w.Resource(id).Schema().Fields()
	if len(fields) != 1 || fields[0].Name != "value" {
		return lower.Kind{InputKind: lower.OtherInput}
	}
	if fields[0].Type.Len() > 0 {
		return lower.Kind{InputKind: lower.OtherInput}
	}
	switch fields[0].Type {
	case ecs.Bool:
		return lower.Kind{InputKind: lower.BoolInput}
	case ecs.String:
		return lower.Kind{InputKind: lower.TextInput}
	case ecs.TableField:
		return lower.Kind{InputKind: lower.OtherInput}
	}
	return lower.Kind{InputKind: lower.NumberInput}
}

// kind returns a guess without details.
func kind(k lower.InputKind) guessed { return guessed{Kind: lower.Kind{InputKind: k}} }

// guessOf returns what an input will probably be, judged by the value with which its variable is declared.
func (l *Loop) guessOf(in lower.Input) guessed {
	v := l.origin(in.Variable)
	isWorld := v == l.origin(l.world)
	switch {
	case in.Member == "" && isWorld:
		return kind(lower.WorldInput)
	case in.Assigned && !in.Read && in.Member == "":
		return kind(lower.NilInput)
	case isWorld:
		return kind(lower.OtherInput)
	case v.IsGlobal("math"):
		return mathKind(in.Member)
	case in.Member == "" && (v.IsGlobal("ipairs") || v.IsGlobal("pairs") || v.IsGlobal("next")):
		return guessed{Kind: lower.Kind{InputKind: lower.FuncInput, Name: v.Name}}
	case v.IsGlobal("bit") && in.Member != "":
		return bitKind(in.Member)
	case v.IsGlobal("table") && in.Member != "":
		return listKind(in.Member)
	case v.IsGlobal("string") && in.Member != "":
		return stringKind(in.Member)
	case in.Member == "" && v.Kind == syntax.Global && slices.Contains(lower.Invoked()[""], v.Name):
		return guessed{Kind: lower.Kind{InputKind: lower.FuncInput, Name: v.Name}}
	case v.Value == nil:
		if in.Named {
			return kind(lower.OtherInput)
		}
		return kind(lower.NumberInput)
	}
	if in.Member == "" {
		g := l.kindOfExpr(v.Value)
		if t, ok := v.Value.(*ast.TableExpr); ok && len(t.Fields) == 0 {
			g.Type, g.Empty = in.Puts, in.Looked && in.Filled
		}
		return g
	}
	switch l.kindOfExpr(v.Value).InputKind {
	case lower.WorldInput, lower.ResourcesInput, lower.CommandsInput, lower.LayersInput, lower.LayerInput:
		return kind(lower.OtherInput) // members of these are no values by themselves
	}
	switch value := v.Value.(type) {
	case *ast.TableExpr:
		for _, f := range value.Fields {
			if key, ok := f.Key.(*ast.StringExpr); ok && key.Value == in.Member {
				return l.kindOfExpr(f.Value)
			}
		}
		return kind(lower.NilInput)
	case *ast.FuncCallExpr: // local ecs = require("ecs")
		if in.Member == "random" {
			return mathKind(in.Member)
		}
		if in.Member == "name" || in.Member == "query" || in.Member == "normal" {
			return guessed{Kind: lower.Kind{InputKind: lower.FuncInput, Name: "ecs." + in.Member}}
		}
	}
	return kind(lower.NumberInput)
}

// origin returns the variable for which another one is only another name: that of local w = world, if neither is
// assigned.
func (l *Loop) origin(v *syntax.Variable) *syntax.Variable {
	for v != nil && v.Kind == syntax.Local && !v.Assigned {
		of := l.names.Variable(v.Value)
		if of == nil || of.Assigned {
			break
		}
		v = of
	}
	return v
}

// kindOfExpr returns what the value of an expression will probably be. An unknown value is assumed to be a number.
func (l *Loop) kindOfExpr(e ast.Expr) guessed {
	switch e := e.(type) {
	case *ast.TrueExpr, *ast.FalseExpr, *ast.UnaryNotOpExpr, *ast.RelationalOpExpr:
		return kind(lower.BoolInput)
	case *ast.NilExpr:
		return kind(lower.NilInput)
	case *ast.StringExpr:
		return guessed{Kind: lower.Kind{InputKind: lower.TextInput, Name: e.Value}}
	case *ast.StringConcatOpExpr:
		return kind(lower.TextInput)
	case *ast.FunctionExpr:
		return kind(lower.OtherInput)
	case *ast.TableExpr:
		g := kind(lower.TableInput)
		g.listed = len(e.Fields) > 0
		for _, f := range e.Fields {
			if _, ok := f.Value.(*ast.TableExpr); ok {
				g.Rows = true
			}
		}
		return g
	case *ast.FuncCallExpr:
		if name, ok := viewIn(e); ok && l.names.Variable(e.Receiver) != nil && l.origin(l.names.Variable(e.Receiver)) == l.origin(l.world) {
			return guessed{view: name}
		}
		if t := queried(e); t != nil {
			g := kind(lower.QueryInput)
			g.terms = t
			return g
		}
		if v := l.names.Variable(e.Func); v != nil && v.IsGlobal("require") {
			return kind(lower.OtherInput)
		}
	case *ast.AttrGetExpr:
		key := keyOf(e)
		if name, world := l.layerIn(e); name != "" && l.origin(world) == l.origin(l.world) {
			return guessed{Kind: lower.Kind{InputKind: lower.LayerInput, Name: name}}
		}
		if v := l.names.Variable(e.Object); v != nil {
			switch v = l.origin(v); {
			case v.IsGlobal("math"):
				return mathKind(key)
			case v.IsGlobal("bit"):
				return bitKind(key)
			case v.IsGlobal("table"):
				return listKind(key)
			case v.IsGlobal("string"):
				return stringKind(key)
			case key == "resources" && v == l.origin(l.world):
				return kind(lower.ResourcesInput)
			case key == "commands" && v == l.origin(l.world):
				return kind(lower.CommandsInput)
			case key == "layers" && v == l.origin(l.world):
				return kind(lower.LayersInput)
			case key == "random":
				return mathKind(key)
			}
		} else if of, ok := e.Object.(*ast.AttrGetExpr); ok && key != "" && keyOf(of) == "states" {
			if v := l.names.Variable(of.Object); v != nil && l.origin(v) == l.origin(l.world) {
				return kind(lower.TextInput)
			}
		} else if of, ok := e.Object.(*ast.AttrGetExpr); ok && key != "" && keyOf(of) == "resources" {
			if v := l.names.Variable(of.Object); v != nil && l.origin(v) == l.origin(l.world) {
				return guessed{resource: key}
			}
		}
	}
	return kind(lower.NumberInput)
}

// viewIn returns the component of which an expression looks up a view: WORLD:get(ENTITY, "NAME").
func viewIn(e *ast.FuncCallExpr) (component string, ok bool) {
	if e.Func != nil || e.Method != "get" || len(e.Args) != 2 {
		return "", false
	}
	name, ok := e.Args[1].(*ast.StringExpr)
	if !ok {
		return "", false
	}
	return name.Value, true
}

// mathKind returns what a member of math is; "" stands for math itself.
func mathKind(name string) guessed {
	if name == "pi" || name == "huge" {
		return kind(lower.NumberInput)
	}
	if name == "" {
		return kind(lower.TableInput)
	}
	return guessed{Kind: lower.Kind{InputKind: lower.FuncInput, Name: name}}
}

// bitKind returns what a member of the library bit is.
func bitKind(name string) guessed {
	return guessed{Kind: lower.Kind{InputKind: lower.FuncInput, Name: "bit." + name}}
}

// listKind returns what a member of Lua's table library is.
func listKind(name string) guessed {
	return guessed{Kind: lower.Kind{InputKind: lower.FuncInput, Name: "table." + name}}
}

// stringKind returns what a member of Lua's string library is.
func stringKind(name string) guessed {
	return guessed{Kind: lower.Kind{InputKind: lower.FuncInput, Name: "string." + name}}
}

// keyOf returns the key of an index expression if it is a constant string; "" otherwise.
func keyOf(get *ast.AttrGetExpr) string {
	if key, ok := get.Key.(*ast.StringExpr); ok {
		return key.Value
	}
	return ""
}
