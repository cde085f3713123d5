package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
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
	var chains []string
	loose, shared := map[string][][2]int{}, map[string][]string{} // by chain: its pairs without an order, and the fields with these
	for _, name := range fields {
		last := map[string]int{} // the last writer of each stage
		var pairs [][2]int
		for _, b := range writers[name] {
			stage := placeOf(&c.Systems[b])
			if a, ok := last[stage]; ok && !c.follows(b, a, nil) && !c.follows(a, b, nil) && !apart(c.Systems[a].In, c.Systems[b].In) {
				pairs = append(pairs, [2]int{a, b})
			}
			last[stage] = b
		}
		chain := fmt.Sprint(pairs)
		if shared[chain] == nil && pairs != nil {
			chains, loose[chain] = append(chains, chain), pairs
		}
		shared[chain] = append(shared[chain], name)
	}
	for _, chain := range chains {
		c.found = append(c.found, c.unordered(loose[chain], listed(shared[chain])))
	}
}

// unordered returns the warning about systems that write the same fields. pairs have those of which one runs right after the other
// without an order of the config.
func (c *checker) unordered(pairs [][2]int, fields string) Warning {
	var systems, fixes []string
	for _, p := range pairs {
		for _, i := range p {
			if name := fmt.Sprintf("%q", c.Systems[i].Name); !slices.Contains(systems, name) {
				systems = append(systems, name)
			}
		}
		fixes = append(fixes, fmt.Sprintf("after: [%s] for %q", c.Systems[p[0]].Name, c.Systems[p[1]].Name))
	}
	out := Warning{Code: "W401", System: c.Systems[pairs[len(pairs)-1][1]].Name, Fix: fmt.Sprintf("write %s, so that it stays so when lines move", and(fixes))}
	if len(pairs) == 1 {
		out.Message = fmt.Sprintf("systems %s both write %s, and %s runs first only because it comes first in the config", and(systems), fields, systems[0])
	} else {
		out.Message = fmt.Sprintf("systems %s all write %s, and run in this order only because the config has them in it", and(systems), fields)
	}
	return out
}

// placeOf returns what says when in a frame a system runs: its stage, and at a change of a state its value.
func placeOf(s *System) string {
	if s.Stage == ecs.Enter || s.Stage == ecs.Leave {
		return s.Stage.String() + " " + strings.Join(s.In, " ")
	}
	return s.Stage.String()
}

// apart reports whether two systems never run in one frame, because they run while different values of one state hold.
func apart(a, b []string) bool {
	for _, x := range a {
		state, _, _ := strings.Cut(x, ".")
		for _, y := range b {
			if other, _, _ := strings.Cut(y, "."); other != state || x == y {
				return false
			}
		}
	}
	return len(a) > 0 && len(b) > 0
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
	return and(names)
}

// and writes names with commas, and "and" before the last one.
func and(names []string) string {
	if n := len(names) - 1; n > 0 {
		return strings.Join(names[:n], ", ") + " and " + names[n]
	}
	return names[0]
}
