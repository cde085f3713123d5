package lint

import (
	"fmt"
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/host/alias"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Queries that no entity can match: they contradict themselves, or ask for what nothing gives.

func (c *checker) matches(u *usage) {
	for _, f := range c.files {
		f.Chunk.Visit(syntax.Visitor{Expr: func(e ast.Expr) {
			call, ok := e.(*ast.FuncCallExpr)
			if !ok {
				return
			}
			if table, ok := f.names.IsQuery(call); ok && table != nil {
				if why := contradiction(f.names.Table(table)); why != "" {
					c.add("W205", f, call.Line(), "no entity can match this query: it asks for "+why, "remove one of the two conditions")
				}
			}
		}})
	}
	for _, s := range c.Systems {
		if s.Off || s.File == "" {
			continue
		}
		for _, f := range c.files {
			if f.Path == s.File {
				c.idle(f, s, u)
			}
		}
	}
}

// contradiction returns what a query asks for and excludes; "" if there is nothing.
func contradiction(q *alias.Ask) string {
	for _, name := range q.All {
		if oneOf(q.Without, name.Value) {
			return fmt.Sprintf("%q, and to be without it", name.Value)
		}
	}
	for _, name := range q.Tagged {
		if oneOf(q.Untagged, name.Value) {
			return fmt.Sprintf("the tag %q, and to be without it", name.Value)
		}
	}
	if len(q.Any) > 0 && !slices.ContainsFunc(q.Any, func(s *ast.StringExpr) bool { return !oneOf(q.Without, s.Value) }) && q.Whole {
		return fmt.Sprintf("any of some components, %q among them, and to be without all of them", q.Any[0].Value)
	}
	return ""
}

// idle reports a system all of whose loops are over queries that cannot match.
func (c *checker) idle(f *file, s System, u *usage) {
	why, dead, alive := "", 0, 0
	f.each(f.of(s), nil, func(e ast.Expr) {
		call, ok := e.(*ast.FuncCallExpr)
		if !ok || call.Method == "" || f.names.Of(call.Receiver).Kind != alias.World {
			return
		}
		switch call.Method {
		case "each", "first", "pick":
			reason := c.unmatched(f.names.Asked(call.Args), u)
			if reason == "" {
				alive++
			} else {
				dead++
				why = reason
			}
		case "read", "peek", "drain", "removed", "spawn", "spawn_many", "stop", "count", "send":
			alive++ // it does something besides
		}
	})
	if dead > 0 && alive == 0 {
		c.found = append(c.found, Warning{
			Code: "W206", System: s.Name,
			Message: fmt.Sprintf("system %q can never match an entity: it asks for %s", s.Name, why), Fix: "give an entity what it asks for, or remove the system",
		})
	}
}

// unmatched returns why no entity can match a query; "" if one may.
func (c *checker) unmatched(q *alias.Ask, u *usage) string {
	if q == nil {
		return ""
	}
	if why := contradiction(q); why != "" {
		return why
	}
	for _, name := range slices.Concat(q.All, q.Tagged) {
		_, component := c.World.LookupComponent(name.Value)
		_, tag := c.World.LookupTag(name.Value)
		if (component || tag) && u.never(name.Value) {
			return fmt.Sprintf("%q, which no entity ever has", name.Value)
		}
	}
	return ""
}
