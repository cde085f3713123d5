package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/host/alias"
	"github.com/yuin/gopher-lua/ast"
)

// Two systems that write the same field in an order that only their places fix: they are in one stage, and no after
// orders them. Then the order is that of the config. It is the same in each run, but moving a line, or moving a system into a
// mod, changes it.

func (c *checker) writes() {
	writers := map[string][]int{} // field -> the systems that write it, in running order
	var fields []string
	for i, s := range c.Systems {
		if s.Off {
			continue
		}
		for _, f := range c.files {
			if f.Path != s.File {
				continue
			}
			for _, name := range c.written(f, s) {
				if writers[name] == nil {
					fields = append(fields, name)
				}
				writers[name] = append(writers[name], i)
			}
		}
	}
	type pair struct{ a, b int }
	var pairs []pair
	shared := map[pair][]string{}
	for _, name := range fields {
		last := map[any]int{} // the last writer of each stage
		for _, b := range writers[name] {
			stage := c.Systems[b].Stage
			if a, ok := last[stage]; ok && !c.follows(b, a, nil) && !c.follows(a, b, nil) {
				p := pair{a, b}
				if shared[p] == nil {
					pairs = append(pairs, p)
				}
				shared[p] = append(shared[p], name)
			}
			last[stage] = b
		}
	}
	for _, p := range pairs {
		a, b := c.Systems[p.a], c.Systems[p.b]
		c.found = append(c.found, Warning{
			Code: "W401", System: b.Name,
			Message: fmt.Sprintf("systems %q and %q both write %s, and %q runs first only because it comes first in the config", a.Name, b.Name, listed(shared[p]), a.Name),
			Fix:     fmt.Sprintf("write after: [%s] for %q, so that it stays so when lines move", a.Name, b.Name),
		})
	}
}

// follows reports whether system b runs after system a by what the config says.
func (c *checker) follows(b, a int, seen []int) bool {
	for _, name := range c.Systems[b].After {
		i := slices.IndexFunc(c.Systems, func(s System) bool { return s.Name == name })
		if i < 0 || slices.Contains(seen, i) {
			continue
		}
		if i == a || c.follows(i, a, append(seen, b)) {
			return true
		}
	}
	return false
}

// written returns the fields that a system writes, as far as its file shows: through views, and by set. Each is
// named once, in the order of the source.
func (c *checker) written(f *file, s System) []string {
	var out []string
	add := func(name string) {
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	f.each(f.of(s), func(st ast.Stmt) {
		assign, ok := st.(*ast.AssignStmt)
		if !ok {
			return
		}
		for _, to := range assign.Lhs {
			for { // a path into a table field writes that field
				get, ok := to.(*ast.AttrGetExpr)
				if !ok {
					break
				}
				if x, ok := c.field(f, to); ok && f.names.Of(get.Object).Kind == alias.View {
					add(x.String())
					break
				}
				to = get.Object
			}
		}
	}, func(e ast.Expr) {
		call, ok := e.(*ast.FuncCallExpr)
		if !ok || call.Method != "set" || len(call.Args) < 3 {
			return
		}
		switch f.names.Of(call.Receiver).Kind {
		case alias.World, alias.Commands:
		default: // another object's set
			return
		}
		owner, ok := f.names.Text(call.Args[1])
		table, isTable := call.Args[2].(*ast.TableExpr)
		if !ok || !isTable {
			return
		}
		for _, field := range table.Fields {
			if key, ok := field.Key.(*ast.StringExpr); ok {
				add(owner.Value + "." + key.Value)
			}
		}
	})
	return out
}

// listed writes up to four names.
func listed(names []string) string {
	const most = 4
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	if n := len(names) - 1; n > 0 {
		return strings.Join(names[:n], ", ") + " and " + names[n]
	}
	return names[0]
}
