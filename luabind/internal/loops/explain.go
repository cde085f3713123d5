package loops

import (
	"fmt"
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lower"
	"github.com/ecsrun/ecsrun/luabind/internal/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/syntax"
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// Explaining: what a loop becomes, or why it is interpreted, predicted from the source and from the values around
// it. `ecsrun explain` and the log of `ecsrun run` show it. Nothing runs. Where the source does not show a value, guesses stand in
// for it (guessOf).

// A Compiled is what a loop will probably become.
type Compiled struct {
	Program  *ir.Program
	Query    *ecs.Query // nil for a loop over events
	Narrowed bool       // the loop walks the sources of one target

	// Unless lists the known conditions under which the loop, or rows of it, are interpreted all the same.
	Unless []string
}

// Explain returns what a loop becomes when its system is compiled, or why it is interpreted. A variable whose value
// is not known, such as a parameter, is assumed to be a number. functions are the init and update of the systems of
// the file; variables around them have their values already.
func (l *Loop) Explain(world *surface.World, functions []*lua.LFunction, library *Library) (Compiled, *Reason) {
	functions = reached(functions)
	c, reason := l.explain(world, functions, library)
	for around := l.Outer; around != nil; around = around.Outer {
		if larger, why := around.explain(world, functions, library); why == nil {
			c, reason = larger, nil // the loop runs as a part of the outer one
		}
	}
	return c, reason
}

// explain is Explain for the loop by itself, not as a part of an outer loop.
func (l *Loop) explain(world *surface.World, functions []*lua.LFunction, library *Library) (Compiled, *Reason) {
	w := world.ECS()
	switch {
	case l.Reason != nil:
		return Compiled{}, l.Reason
	case l.Events != "":
		context, reason := l.eventContext(w)
		if reason != nil {
			return Compiled{}, reason
		}
		return l.checked(world, context, functions, library)
	case l.terms == nil:
		return Compiled{}, &Reason{Line: l.Line, Text: "the query is not made in a local beside the function, so it is not known before the loop begins", Advice: lower.QueryInLocal}
	}
	q, reason := l.terms.query(w, l.Line)
	if reason != nil {
		return Compiled{}, reason
	}
	return l.checked(world, lower.Context{World: w, Query: q, Narrowed: l.narrowed(), Loose: true}, functions, library)
}

// checked lowers the body of a loop for what its variables will probably hold.
func (l *Loop) checked(world *surface.World, context lower.Context, functions []*lua.LFunction, library *Library) (Compiled, *Reason) {
	k, kinds, values, reason := l.expected(world, functions, library)
	if reason != nil {
		return Compiled{}, reason
	}
	context.Tables = l.shown(k.template, values)
	p, why := k.template.Lower(kinds, context)
	if why != nil {
		return Compiled{}, why
	}
	c := Compiled{Program: p, Query: context.Query, Narrowed: context.Narrowed}
	for _, t := range p.Tables {
		name := k.template.Inputs[t.Input].Name()
		table, ok := values[t.Input].(*lua.LTable)
		if !ok || element(table, 1) == lua.LNil && element(table, 0) == lua.LNil {
			if !l.listed(k.template.Inputs[t.Input]) {
				c.Unless = append(c.Unless, fmt.Sprintf("while the table %q %s", name, mayHold(t)))
			}
			continue
		}
		if why := (&tableInput{}).read(table, t); why != "" {
			return Compiled{}, &Reason{Line: l.Line, Text: fmt.Sprintf("the table %q %s", name, why), Advice: adviceOnTable(t, why)}
		}
	}
	for _, rows := range p.Departures() {
		c.Unless = append(c.Unless, "in "+rows)
	}
	return c, nil
}

// kinds returns the kinds that the inputs of a loop have, judged by the source.
func (l *Loop) kinds(w *ecs.World) ([]lower.Kind, *Reason) {
	kinds := make([]lower.Kind, len(l.guess))
	for i, g := range l.guess {
		k, reason := g.in(w, l.Line)
		if reason != nil {
			return nil, reason
		}
		kinds[i] = k
	}
	return kinds, nil
}

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

// terms are the names in the arguments of world:each, or in ecs.query{…}, by the key of their list; "" for the
// required components.
type terms struct{ lists map[string][]string }

// query returns the query that the terms describe. line is for the reason if a name is not declared.
func (t *terms) query(w *ecs.World, line int) (*ecs.Query, *Reason) {
	f := ecs.Filter{Inherited: true}
	for _, list := range []struct {
		key  string
		into *[]ecs.ComponentID
	}{{"", &f.Required}, {"optional", &f.Optional}, {"without", &f.Without}, {"any", &f.Any}, {"changed", &f.Changed}, {"added", &f.Added}} {
		for _, name := range t.lists[list.key] {
			id, ok := w.LookupComponent(name)
			if !ok {
				return nil, &Reason{Line: line, Text: fmt.Sprintf("there is no component %q", name), Advice: lower.DeclareIt}
			}
			*list.into = append(*list.into, id)
		}
	}
	for _, list := range []struct {
		key  string
		into *[]ecs.TagID
	}{{"tagged", &f.Tagged}, {"untagged", &f.Untagged}} {
		for _, name := range t.lists[list.key] {
			id, ok := w.LookupTag(name)
			if !ok {
				return nil, &Reason{Line: line, Text: fmt.Sprintf("there is no tag %q", name), Advice: lower.DeclareIt}
			}
			*list.into = append(*list.into, id)
		}
	}
	q, err := w.Query(f)
	if err != nil {
		return nil, &Reason{Line: line, Text: "the query is wrong: " + err.Error()}
	}
	return q, nil
}

// narrowed reports whether the arguments of world:each end, as far as the source shows, with a relation and its
// target.
func (l *Loop) narrowed() bool {
	n := len(l.Args)
	if n < 3 {
		return false
	}
	_, relation := l.Args[n-2].(*ast.StringExpr)
	_, name := l.Args[n-1].(*ast.StringExpr)
	return relation && !name
}

// termsOf returns the terms of the loop's query; nil if they are not known.
func (l *Loop) termsOf() *terms {
	args := l.Args
	if l.narrowed() {
		args = args[:len(args)-2]
	}
	if len(args) == 1 {
		switch arg := args[0].(type) {
		case *ast.IdentExpr:
			return queried(l.origin(l.names.Of(arg)).Value)
		case *ast.AttrGetExpr:
			return queried(l.memberOf(arg))
		case *ast.FuncCallExpr:
			return queried(arg)
		}
	}
	var out []string
	for _, arg := range args {
		name, ok := arg.(*ast.StringExpr)
		if !ok {
			return nil
		}
		out = append(out, name.Value)
	}
	return &terms{map[string][]string{"": out}}
}

// memberOf returns the expression that the constructor of a table in a local gives to a member; nil if there is none.
func (l *Loop) memberOf(e *ast.AttrGetExpr) ast.Expr {
	v := l.names.Variable(e.Object)
	if v == nil {
		return nil
	}
	t, ok := l.origin(v).Value.(*ast.TableExpr)
	if !ok || keyOf(e) == "" {
		return nil
	}
	for _, f := range t.Fields {
		if key, ok := f.Key.(*ast.StringExpr); ok && key.Value == keyOf(e) {
			return f.Value
		}
	}
	return nil
}

// queried returns the terms of NAME.query{…}; nil for any other expression.
func queried(e ast.Expr) *terms {
	call, ok := e.(*ast.FuncCallExpr)
	if !ok || len(call.Args) != 1 {
		return nil
	}
	fn, ok := call.Func.(*ast.AttrGetExpr)
	t, isTable := call.Args[0].(*ast.TableExpr)
	if !ok || !isTable || keyOf(fn) != "query" {
		return nil
	}
	out := &terms{map[string][]string{}}
	for _, f := range t.Fields {
		switch value := f.Value.(type) {
		case *ast.StringExpr:
			out.lists[""] = append(out.lists[""], value.Value)
		case *ast.TableExpr:
			key, ok := f.Key.(*ast.StringExpr)
			if !ok {
				return nil
			}
			for _, item := range value.Fields {
				name, ok := item.Value.(*ast.StringExpr)
				if !ok {
					return nil
				}
				out.lists[key.Value] = append(out.lists[key.Value], name.Value)
			}
		default:
			return nil
		}
	}
	return out
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
		return l.kindOfExpr(v.Value)
	}
	switch l.kindOfExpr(v.Value).InputKind {
	case lower.WorldInput, lower.ResourcesInput, lower.CommandsInput:
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
		if in.Member == "name" || in.Member == "query" {
			return guessed{Kind: lower.Kind{InputKind: lower.FuncInput, Name: "ecs." + in.Member}}
		}
	}
	return kind(lower.NumberInput)
}

// origin returns the variable for which another one is only another name: that of local w = world, if neither is
// assigned.
func (l *Loop) origin(v *syntax.Variable) *syntax.Variable {
	for v.Kind == syntax.Local && !v.Assigned {
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
		if v := l.names.Variable(e.Object); v != nil {
			switch v = l.origin(v); {
			case v.IsGlobal("math"):
				return mathKind(key)
			case v.IsGlobal("table"):
				return listKind(key)
			case v.IsGlobal("string"):
				return stringKind(key)
			case key == "resources" && v == l.origin(l.world):
				return kind(lower.ResourcesInput)
			case key == "commands" && v == l.origin(l.world):
				return kind(lower.CommandsInput)
			case key == "random":
				return mathKind(key)
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
