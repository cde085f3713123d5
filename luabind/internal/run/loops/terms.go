package loops

import (
	"fmt"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/lower"
	"github.com/yuin/gopher-lua/ast"
)

// The terms of a query as the source of a loop shows them: explain.go uses them where no query is known yet.

// terms are the names in the arguments of world:each, or in ecs.query{…}, by the key of their list; "" for the
// required components.
type terms struct {
	lists   map[string][]string
	ordered bool // there is an order
	prefabs bool // prefabs are asked for, too
}

// query returns the query that the terms describe. line is for the reason if a name is not declared.
func (t *terms) query(w *ecs.World, line int) (*ecs.Query, *Reason) {
	f := ecs.Filter{Inherited: true, Prefabs: t.prefabs}
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

// ordered returns the arguments of world:each without the table with an order at their end, and whether there is one.
func (l *Loop) ordered() (args []ast.Expr, is bool) {
	n := len(l.Args)
	if n < 2 {
		return l.Args, false
	}
	if _, is = l.Args[n-1].(*ast.TableExpr); is {
		return l.Args[:n-1], true
	}
	return l.Args, false
}

// Ordered reports whether the loop walks in an order, as far as the source shows.
func (l *Loop) Ordered() bool {
	if l.Events != "" || l.Cells != "" {
		return false
	}
	if _, is := l.ordered(); is {
		return true
	}
	t := l.termsOf()
	return t != nil && t.ordered
}

// narrowed reports whether the arguments of world:each end, as far as the source shows, with a relation and its
// target.
func (l *Loop) narrowed() bool {
	args, _ := l.ordered()
	n := len(args)
	if n < 3 {
		return false
	}
	_, relation := args[n-2].(*ast.StringExpr)
	_, name := args[n-1].(*ast.StringExpr)
	return relation && !name
}

// termsOf returns the terms of the loop's query; nil if they are not known.
func (l *Loop) termsOf() *terms {
	args, _ := l.ordered()
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
	return &terms{lists: map[string][]string{"": out}}
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
	out := &terms{lists: map[string][]string{}}
	for _, f := range t.Fields {
		if key, ok := f.Key.(*ast.StringExpr); ok && key.Value == "order" {
			out.ordered = true
			continue
		}
		if key, ok := f.Key.(*ast.StringExpr); ok && key.Value == "prefabs" {
			_, out.prefabs = f.Value.(*ast.TrueExpr)
			continue
		}
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
