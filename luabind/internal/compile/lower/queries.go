package lower

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/yuin/gopher-lua/ast"
)

// The queries that a body asks about: those of inner loops over world:each, of world:count and of world:first. The names
// or the query object in the arguments become an *ecs.Query of the Program; a relation with a target at their end becomes
// a narrowing, which only closures know.

// A narrowing limits an inner loop to the sources of one target. The zero value limits nothing.
type narrowing struct {
	relation ecs.RelationID
	target   *ir.Expr // nil: nothing is limited
}

// walkOf returns what the arguments of world:each, count or first ask for.
func (c *lowerer) walkOf(call *ast.FuncCallExpr) (*ecs.Query, narrowing) {
	args, at := call.Args, narrowing{}
	if n := len(args); n > 2 {
		_, name := args[n-1].(*ast.StringExpr)
		relation, ok := args[n-2].(*ast.StringExpr)
		if ok && !name && c.isRelation(relation.Value) {
			at = c.narrowing(call, relation, args[n-1])
			args = args[:n-2]
		}
	}
	q := c.query(call, args)
	f := q.Filter()
	if len(f.Changed)+len(f.Added) > 0 {
		refuse(call, "the query within asks for changes")
	}
	if f.Where != nil {
		refuse(call, "the query within has a combination of conditions")
	}
	return q, at
}

// narrowing lowers the relation and the target at the end of the arguments.
func (c *lowerer) narrowing(call *ast.FuncCallExpr, relation *ast.StringExpr, target ast.Expr) narrowing {
	id, ok := c.context.World.LookupRelation(relation.Value)
	if !ok {
		refuseWith(call, DeclareIt, "there is no relation %q", relation.Value)
	}
	return narrowing{id, c.keep(c.handle(target))}
}

// innerEach adds a query to the Program, and returns the ir.Each that walks it, without its body.
func (c *lowerer) innerEach(sub ir.Subquery, at narrowing) (s *ir.Stmt, index int) {
	index = len(c.p.Queries)
	if at.target != nil {
		sub.Narrowed, sub.Relation = true, at.relation
	}
	c.p.Queries = append(c.p.Queries, sub)
	return &ir.Stmt{Op: ir.Each, I: index, A: at.target}, index
}

// query returns the query that some arguments name: names of components, or a query object.
func (c *lowerer) query(call *ast.FuncCallExpr, args []ast.Expr) *ecs.Query {
	if len(args) == 1 {
		if q := c.queryObject(args[0]); q != nil {
			return q
		}
	}
	f := ecs.Filter{Inherited: true}
	for i, arg := range args {
		name := c.declared(arg)
		id, ok := c.context.World.LookupComponent(name)
		if !ok {
			refuseWith(arg, DeclareIt, "there is no component %q", name)
		}
		if slices.Contains(f.Required, id) || i > ir.MaxViews {
			refuse(arg, "component %q is listed twice", name)
		}
		f.Required = append(f.Required, id)
	}
	return c.queryWith(call, f)
}

// queryWith returns the query of the world with a filter.
func (c *lowerer) queryWith(call *ast.FuncCallExpr, f ecs.Filter) *ecs.Query {
	q, err := c.context.World.Query(f)
	if err != nil || len(q.Terms()) == 0 && len(f.Tagged) == 0 {
		refuseWith(call, QueryInLocal, "the query is not known")
	}
	return q
}

// queryMade returns the query of ecs.query{ … } in the body. Each evaluation pays for the tables.
func (c *lowerer) queryMade(e *ast.FuncCallExpr, t *ast.TableExpr) *ecs.Query {
	f := ecs.Filter{Inherited: true}
	bytes := c.constructorBytes(t, 1)
	for _, part := range t.Fields {
		if part.Key == nil {
			f.Required = append(f.Required, c.component(part.Value, true))
			continue
		}
		key, _ := part.Key.(*ast.StringExpr)
		list, ok := part.Value.(*ast.TableExpr)
		if _, on := part.Value.(*ast.TrueExpr); on && key != nil && key.Value == "prefabs" {
			f.Prefabs = true
			continue
		}
		if key == nil || !ok {
			refuseWith(e, QueryInLocal, "the query is not known")
		}
		bytes += c.constructorBytes(list, 1)
		for _, item := range list.Fields {
			if item.Key != nil {
				refuseWith(e, QueryInLocal, "the query is not known")
			}
			switch key.Value {
			case "optional":
				f.Optional = append(f.Optional, c.component(item.Value, true))
			case "without":
				f.Without = append(f.Without, c.component(item.Value, true))
			case "any":
				f.Any = append(f.Any, c.component(item.Value, true))
			case "tagged":
				f.Tagged = append(f.Tagged, ecs.TagID(c.tag(item.Value)))
			case "untagged":
				f.Untagged = append(f.Untagged, ecs.TagID(c.tag(item.Value)))
			default:
				refuseWith(e, QueryInLocal, "the query is not known")
			}
		}
	}
	c.allocates(bytes, e)
	return c.queryWith(e, f)
}

// queryObject returns the query object that an expression is: a variable or a member of a table that holds one when the
// loop begins, or one that is made there. It returns nil for other expressions.
func (c *lowerer) queryObject(e ast.Expr) *ecs.Query {
	var s *symbol
	switch e := e.(type) {
	case *ast.IdentExpr:
		s = c.named(e)
	case *ast.AttrGetExpr:
		if s = c.symbols[c.t.Names.Variable(e.Object)]; s == nil || s.kind != inputSymbol && s.kind != tableSymbol {
			return nil
		}
		s = c.get(e)
	case *ast.FuncCallExpr:
		if e.Func == nil || len(e.Args) != 1 {
			return nil
		}
		t, ok := e.Args[0].(*ast.TableExpr)
		if s = c.functionIn(e); s == nil || !ok || s.kind != functionSymbol || s.text != "ecs.query" {
			return nil
		}
		return c.queryMade(e, t)
	default:
		return nil
	}
	if s.kind == querySymbol {
		return s.query
	}
	return nil
}

func (c *lowerer) isRelation(name string) bool {
	id, ok := c.context.World.LookupComponent(name)
	if !ok {
		return false
	}
	info, _ := c.context.World.ComponentInfo(id)
	return info.Relation
}

// counted lowers world:count. Which rows match can change within a loop only where a query looks at tags, or at the sources
// of one target; then they are counted one by one. Otherwise the number is an input: structure is locked in a query loop,
// and in a loop over events only the interpreter changes it, after which the inputs are read again.
func (c *lowerer) counted(call *ast.FuncCallExpr) *ir.Expr {
	if len(call.Args) == 0 {
		return c.given(ir.Origin{From: ir.FromCount}, ir.Number)
	}
	q, at := c.walkOf(call)
	f := q.Filter()
	if at.target == nil && len(f.Tagged)+len(f.Untagged) == 0 {
		return c.given(ir.Origin{From: ir.FromCount, Query: q}, ir.Number)
	}
	n := c.temporary(ir.Number)
	c.set(n.I, -1, &ir.Expr{Op: ir.Const})
	s, _ := c.innerEach(ir.Subquery{Query: q, Entity: -1, First: c.p.Views + len(c.p.Refs)}, at)
	c.iteration(s, func() {
		s.Body = []*ir.Stmt{{Op: ir.Set, I: n.I, Mark: -1, A: &ir.Expr{Op: ir.Add, A: n, B: &ir.Expr{Op: ir.Const, N: 1}}}}
	})
	c.p.Foreign = true
	c.emit(s)
	return n
}

// firstRow lowers world:first: the entity of the first row of a query, which may be none, and its views, which are looked
// up for that entity.
func (c *lowerer) firstRow(call *ast.FuncCallExpr, wanted int) []*symbol {
	if len(call.Args) == 0 {
		refuseWith(call, adviceOnCall(call), "calls %s without arguments", callee(call))
	}
	q, at := c.walkOf(call)
	if c.open(call) && firstValues(c.t.Names, call) != 1+len(q.Terms()) {
		refuseWith(call, oneValue, "passes on all values of %s", callee(call))
	}
	found := c.temporary(ir.Number)
	c.entities[found.I] = true
	c.set(found.I, -1, &ir.Expr{Op: ir.Const})
	sub := ir.Subquery{Query: q, Entity: c.register(ir.Number), First: c.p.Views + len(c.p.Refs)}
	s, _ := c.innerEach(sub, at)
	c.iteration(s, func() {
		s.Body = []*ir.Stmt{{Op: ir.Set, I: found.I, Mark: -1, A: &ir.Expr{Op: ir.Reg, I: sub.Entity}}, {Op: ir.Break}}
	})
	c.p.Foreign = true
	c.emit(s)
	entity := plain(found)
	entity.has = not(&ir.Expr{Op: ir.Equal, Type: ir.Bool, A: found, B: &ir.Expr{Op: ir.Const}})
	out := []*symbol{entity}
	for _, id := range q.Terms() {
		if len(out) >= wanted {
			break
		}
		if info, _ := c.context.World.ComponentInfo(id); info.Relation {
			out = append(out, related(ecs.RelationID(id), found, true))
			continue
		}
		out = append(out, c.look(id, found))
	}
	for len(out) < wanted {
		out = append(out, &symbol{kind: nilSymbol})
	}
	out[len(out)-1].short = c.open(call) // where there is no row, nil is the only value
	return out
}

// firstValues returns the number of values of world:first for a row, as far as the source shows it: the entity, and one for
// each name in the arguments, or in the query that a local holds. Otherwise it returns 1.
func firstValues(names Names, call *ast.FuncCallExpr) int {
	args := call.Args
	if n := len(args); n > 2 {
		if _, name := args[n-1].(*ast.StringExpr); !name {
			args = args[:n-2]
		}
	}
	if len(args) == 1 {
		if v := names.Variable(args[0]); v != nil && !v.Assigned {
			if made, ok := v.Value.(*ast.FuncCallExpr); ok && len(made.Args) == 1 {
				if t, ok := made.Args[0].(*ast.TableExpr); ok {
					return 1 + listed(t)
				}
			}
		}
	}
	for _, arg := range args {
		if _, name := arg.(*ast.StringExpr); !name {
			return 1
		}
	}
	return 1 + len(args)
}

// listed returns the number of components that the table of a query lists: the required and the optional ones.
func listed(t *ast.TableExpr) (n int) {
	for _, f := range t.Fields {
		key, named := f.Key.(*ast.StringExpr)
		switch optional, isTable := f.Value.(*ast.TableExpr); {
		case f.Key == nil:
			n++
		case named && isTable && key.Value == "optional":
			n += len(optional.Fields)
		}
	}
	return n
}
