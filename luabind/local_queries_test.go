package luabind

import (
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
)

// localQueries are queries that rows make. In front of the loop, some entities have changed.
var localQueries = []string{
	`"P"`,
	`"P", "Q"`,
	`"P", optional = { "R" }`,
	`"P", without = { "R" }`,
	`"P", any = { "Q", "R" }`,
	`"P", tagged = { "red" }`,
	`"P", untagged = { "red" }`,
	`"P", tagged = { "red" }, without = { "R" }`,
	`"P", changed = { "P" }`,
	`"P", changed = { "P" }, tagged = { "red" }`,
	`"P", added = { "P" }`,
	`"P", added = { "Q" }, changed = { "P" }`,
	`"P", changed = {}`,
	`"P", tagged = {}`,
	`"P", nope = { "Q" }`,
	`"P", changed = { "Nope" }`,
	`"P", without = { "Nope" }`,
	`"P", tagged = { "Nope" }`,
	`"P", tagged = { name = "red" }`,
	`"P", changed = "P"`,
	`"P", [1] = "Q"`,
	`"P", "P"`,
	`changed = { "P" }`,
	`[LIST[1]] = { "Q" }, "P"`,
	`"P", without = LIST`,
}

// A query that a row makes finds the entities that it finds in the interpreter, or fails with the same error.
func TestLocalQueries(t *testing.T) {
	t.Parallel()
	compiled := 0
	for i, query := range localQueries {
		uses := []string{
			`for f, o in world:each(ecs.query{ QUERY }) do sum = sum + o.x end`,
			`local found = ecs.query{ QUERY } for f, o in world:each(found) do sum = sum + o.x if o.x > 90 then break end end`,
			`last = world:count(ecs.query{ QUERY }) sum = sum + last`,
		}
		use := uses[i%len(uses)]
		body := `for e, p in world:each("P") do if p.x < 20 then p.u = p.u - 1 end end local LIST = { "without" }
			for e, row, r in world:each("P", "R") do if row.x > 120 then ` + strings.ReplaceAll(use, "QUERY", query) + ` end end`
		sameCompiled(t, exitSource(body, exitPatterns["none"], exitCalls[0]), body, func(_ Impl, did loops.Tally) bool {
			compiled += min(1, did.Machine+did.Closures-600) // those of the loop in front
			return true
		})
	}
	if compiled < 20 {
		t.Errorf("%d loops are compiled", compiled)
	}
}
