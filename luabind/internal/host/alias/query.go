package alias

import "github.com/yuin/gopher-lua/ast"

// What a query asks for, as far as the source shows it: the arguments of world:each and its kin, or the table of
// ecs.query.

// An Ask is what a query asks for. The names are where they are written.
type Ask struct {
	Line                                        int // of the names, or of ecs.query
	All, Optional, Without, Any, Changed, Added []*ast.StringExpr
	Tagged, Untagged                            []*ast.StringExpr
	Unknown                                     []*ast.StringExpr // keys that ecs.query does not have

	// Whole says that the source shows everything that is asked for. Listed says so of the components of which the
	// query gives views.
	Whole, Listed bool
}

// Queries are the functions of world that take the names of components, or a query object.
var Queries = []string{"each", "count", "first", "pick"}

// Asked returns what the arguments of world:each and its kin ask for; nil if the source does not show it.
func (a *Names) Asked(args []ast.Expr) *Ask {
	if len(args) == 0 {
		return &Ask{Whole: true, Listed: true}
	}
	if table, ok := a.IsQuery(a.value(args[0])); ok {
		q := a.Table(table)
		if q != nil && len(args) > 1 { // a relation and its target
			q.Whole = false
		}
		return q
	}
	q := &Ask{Line: args[0].Line(), Whole: true, Listed: true}
	for i, arg := range args {
		name, ok := a.Text(arg)
		if !ok {
			if i == 0 {
				return nil
			}
			q.Whole = false // the target of the relation before it, or a computed name
			break
		}
		q.All = append(q.All, name)
	}
	return q
}

// value returns the first value of a local that is never assigned again, and any other expression as it is.
func (a *Names) value(e ast.Expr) ast.Expr {
	for {
		v := a.names.Variable(e)
		if v == nil || v.Assigned || v.Value == nil {
			return e
		}
		e = v.Value
	}
}

// IsQuery reports whether an expression is a call of ecs.query, and returns its table; nil if it is not written
// there.
func (a *Names) IsQuery(e ast.Expr) (table *ast.TableExpr, ok bool) {
	call, ok := e.(*ast.FuncCallExpr)
	if !ok || call.Method != "" || len(call.Args) != 1 {
		return nil, false
	}
	get, ok := call.Func.(*ast.AttrGetExpr)
	if !ok {
		return nil, false
	}
	if name, ok := get.Key.(*ast.StringExpr); !ok || name.Value != "query" || a.Of(get.Object).Kind != Module {
		return nil, false
	}
	table, _ = a.value(call.Args[0]).(*ast.TableExpr)
	return table, true
}

// Table returns what the table of ecs.query asks for; nil for no table.
func (a *Names) Table(t *ast.TableExpr) *Ask {
	if t == nil {
		return nil
	}
	q := &Ask{Line: t.Line(), Whole: true, Listed: true}
	lists := map[string]*[]*ast.StringExpr{
		"optional": &q.Optional, "without": &q.Without, "any": &q.Any, "changed": &q.Changed, "added": &q.Added, "tagged": &q.Tagged, "untagged": &q.Untagged,
	}
	for _, f := range t.Fields {
		if f.Key == nil {
			if !a.collect(&q.All, f.Value) {
				q.Whole, q.Listed = false, false
			}
			continue
		}
		key, ok := f.Key.(*ast.StringExpr)
		list, isTable := f.Value.(*ast.TableExpr)
		switch {
		case !ok:
			q.Whole, q.Listed = false, false
		case key.Value == "prefabs": // no names
		case lists[key.Value] == nil:
			q.Unknown = append(q.Unknown, key)
			q.Whole = false
		case !isTable:
			q.Whole = false
			q.Listed = q.Listed && key.Value != "optional"
		default:
			for _, item := range list.Fields {
				if item.Key != nil || !a.collect(lists[key.Value], item.Value) {
					q.Whole = false
					q.Listed = q.Listed && key.Value != "optional"
				}
			}
		}
	}
	return q
}

// collect appends the constant that e is, and reports whether it is one.
func (a *Names) collect(to *[]*ast.StringExpr, e ast.Expr) bool {
	name, ok := a.Text(e)
	if ok {
		*to = append(*to, name)
	}
	return ok
}
