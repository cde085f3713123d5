package luatypes

import (
	"fmt"
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/host/api"
)

// This file writes the types of the queries that scripts make. Each list of terms is a class of queries. ecs.query has an overload for each, which
// lua-language-server finds by the names in the table ("type.checkTableShape"), and so have the loops.

// termsClass returns the name of a class for some terms.
func termsClass(kind string, q api.Terms) string {
	name := kind + "." + strings.Join(q.Required, ".")
	if len(q.Required) == 0 {
		name = kind
	}
	if len(q.Optional) > 0 {
		name += ".optional." + strings.Join(q.Optional, ".")
	}
	return name
}

// yields reports whether a loop over the query yields more than the entity.
func yields(q api.Terms) bool { return len(q.Required)+len(q.Optional) > 0 }

// views returns the types of what a loop yields behind the entity.
func (d *declared) views(q api.Terms) string {
	var out []string
	for _, name := range q.Required {
		out = append(out, d.class(name))
	}
	for _, name := range q.Optional {
		out = append(out, d.class(name)+"?")
	}
	return strings.Join(out, ", ")
}

// writeQueries writes two classes for each list of terms: of queries, and of tables that make one.
func (d *declared) writeQueries(b *strings.Builder) {
	for _, q := range d.queries {
		if !yields(q) {
			continue
		}
		query, terms := termsClass("ecs.Query", q), termsClass("ecs.QueryTerms", q)
		fmt.Fprintf(b, "---A query whose loops yield %s.\n---@class %s: ecs.Query\n\n", d.views(q), query)
		optional := terms + ".names"
		if len(q.Optional) > 0 {
			fmt.Fprintf(b, "---@class %s\n", optional)
			writeNames(b, q.Optional)
			b.WriteString("\n")
		}
		fmt.Fprintf(b, "---@class %s: ecs.QueryTerms\n", terms)
		writeNames(b, q.Required)
		if len(q.Optional) > 0 {
			fmt.Fprintf(b, "---@field optional %s\n\n", optional)
		} else {
			b.WriteString("---@field optional? nil\n\n")
		}
	}
}

// writeNames writes the fields of a list of names, and that there are no more.
func writeNames(b *strings.Builder, names []string) {
	for i, name := range names {
		fmt.Fprintf(b, "---@field [%d] %q\n", i+1, name)
	}
	fmt.Fprintf(b, "---@field [%d]? nil\n", len(names)+1)
}

// writeMade writes the overloads of ecs.query, and reports whether there are any.
func (d *declared) writeMade(b *strings.Builder) (any bool) {
	for _, q := range d.queries {
		if yields(q) {
			any = true
			fmt.Fprintf(b, "---@overload fun(terms: %s): %s\n", termsClass("ecs.QueryTerms", q), termsClass("ecs.Query", q))
		}
	}
	return any
}

// writeLoops writes the overloads of a function for the queries. parameters are those before the query and behind it, result is what comes before the views.
func (d *declared) writeLoops(b *strings.Builder, before, query, behind, result string) {
	for _, q := range d.queries {
		if yields(q) {
			fmt.Fprintf(b, "---@overload fun(self: ecs.World, %s%s: %s%s): %s, %s\n", before, query, termsClass("ecs.Query", q), behind, result, d.views(q))
		}
	}
}
