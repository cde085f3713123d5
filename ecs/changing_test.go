package ecs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// Whatever changes which entities live, in which rows, or with which targets, does so between beginChange and endChange
// (goroutines.go). This test reads the source: a function that makes such a change calls beginChange, or is in this list with
// what calls it in between.
func TestWhateverChangesStructureMarksTheWorld(t *testing.T) {
	marked := map[string]string{
		"push": "migrate", "dropRow": "migrate and kill", "swapRemove": "migrate and kill", "unlinkColumns": "migrate and kill",
		"truncate": "clearTable and migrateTable", "link": "relate", "resize": "reserve, place, push and Shrink",
		"restore": "Restore", "restoreRows": "Restore", "restoreSlots": "Restore",
		"begin": "a turn, which World.system marks", "takeBack": "a turn, which World.system marks", "giveUp": "a turn, which World.system marks",
		"loadSlots": "nobody: the world is new", "table": "nobody: the world is new", "tables": "nobody: the world is new",
		"release": "nobody: the handle was reserved and is not alive",
	}
	seen, changes := map[string]bool{}, map[string]bool{"settle": true, "reuse": true, "releaseSlot": true, "link": true, "unlink": true, "push": true, "swapRemove": true, "dropRow": true}
	names, err := filepath.Glob("*.go")
	ok(t, err)
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		ok(t, err)
		for _, d := range file.Decls {
			f, isFunc := d.(*ast.FuncDecl)
			if !isFunc || f.Body == nil {
				continue
			}
			begins, what := false, ""
			field := func(x ast.Expr) {
				if s, ok := x.(*ast.SelectorExpr); ok && (s.Sel.Name == "entities" || s.Sel.Name == "living") {
					what = s.Sel.Name
				}
			}
			ast.Inspect(f.Body, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr:
					if s, ok := n.Fun.(*ast.SelectorExpr); ok {
						begins = begins || s.Sel.Name == "beginChange"
						if changes[s.Sel.Name] {
							what = s.Sel.Name
						}
					}
				case *ast.AssignStmt:
					for _, to := range n.Lhs {
						field(to)
					}
				case *ast.IncDecStmt:
					field(n.X)
				}
				return true
			})
			name := f.Name.Name
			if what == "" || begins {
				continue
			}
			if marked[name] == "" {
				t.Errorf("%s changes structure (%s) and does not call beginChange", name, what)
			}
			seen[name] = true
		}
	}
	for name := range marked {
		if seen[name] {
			continue
		}
		t.Errorf("%s is in the list and changes nothing", name)
	}
}
