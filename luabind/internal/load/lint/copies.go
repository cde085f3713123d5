package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/host/alias"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Tables of fields that are changed and never stored: a local of one is a copy, so the change is lost.

// A kept copy is a variable that holds a copy of a table in a field, with what the file does with it.
type keptCopy struct {
	path    string // of the table: bag.items
	changes []change
	read    int  // the last line that reads it
	stored  bool // it is stored, passed on or returned
}

// A change is an assignment to something in a copy, or a call of table.insert or table.remove.
type change struct {
	line int
	text string // as it would be written with the path
}

func (c *checker) copies(f *file) {
	kept := map[*syntax.Variable]*keptCopy{}
	for _, v := range f.Chunk.Bindings.Locals {
		if path := c.tableOf(f, v); path != "" && !v.Assigned {
			kept[v] = &keptCopy{path: path}
		}
	}
	if len(kept) == 0 {
		return
	}
	changes := map[*ast.IdentExpr]bool{} // identifiers that begin a path that is changed
	plain := map[*ast.IdentExpr]bool{}   // and those that are read
	note := func(to ast.Expr, line int, in map[*ast.IdentExpr]bool, write func(path string) string) {
		path := ""
		for {
			get, ok := to.(*ast.AttrGetExpr)
			if !ok {
				break
			}
			key := "[…]"
			if name := member(get); name != "" {
				key = "." + name
			}
			path, to = key+path, get.Object
		}
		id, ok := to.(*ast.IdentExpr)
		if k := kept[f.Chunk.Bindings.Variable(to)]; ok && k != nil && !changes[id] {
			in[id] = true
			if write != nil {
				k.changes = append(k.changes, change{line, write(k.path + path)})
			}
		}
	}
	f.Chunk.Visit(syntax.Visitor{
		Stmt: func(st ast.Stmt) {
			if assign, ok := st.(*ast.AssignStmt); ok {
				for _, to := range assign.Lhs {
					if _, ok := to.(*ast.AttrGetExpr); ok {
						note(to, st.Line(), changes, func(path string) string { return path + " = …" })
					}
				}
			}
		},
		Expr: func(e ast.Expr) {
			switch e := e.(type) {
			case *ast.AttrGetExpr:
				note(e, e.Line(), plain, nil)
			case *ast.UnaryLenOpExpr:
				note(e.Expr, e.Line(), plain, nil)
			case *ast.FuncCallExpr:
				name, args := c.libraryCall(f, e)
				switch name {
				case "table.insert", "table.remove":
					note(args[0], e.Line(), changes, func(path string) string { return fmt.Sprintf("%s(%s, …)", name, path) })
				case "ipairs", "pairs", "next", "unpack", "table.concat", "tostring", "table.sort":
					note(args[0], e.Line(), plain, nil)
				}
			}
		},
	})
	for _, v := range f.Chunk.Bindings.Locals {
		k := kept[v]
		if k == nil || len(k.changes) == 0 {
			continue
		}
		for _, use := range v.Uses {
			switch {
			case changes[use.Ident]:
			case plain[use.Ident]:
				k.read = max(k.read, use.Ident.Line())
			default:
				k.stored = true
			}
		}
		last := k.changes[len(k.changes)-1].line
		if !k.stored && k.read <= last {
			one := k.changes[0]
			of, fix := k.path, "write "+one.text+", which changes the stored table"
			if strings.Contains(of, "…") {
				of, fix = "a table in a field", "begin the path with the view, or store the copy"
			}
			c.add("W304", f, one.line, fmt.Sprintf("%q is a copy of %s, and nothing stores it, so this change is lost", v.Name, of), fix)
		}
	}
}

// tableOf returns the path of the table of which a variable holds a copy, "" if it holds no such table.
func (c *checker) tableOf(f *file, v *syntax.Variable) string {
	e := v.Value
	if loop, ok := v.Node.(*ast.GenericForStmt); ok && v.Index == 1 && v.Kind == syntax.LoopVariable {
		if call, ok := loop.Exprs[0].(*ast.FuncCallExpr); ok {
			if name, args := c.libraryCall(f, call); slices.Contains([]string{"ipairs", "pairs"}, name) && len(args) > 0 && c.inTableField(f, args[0]) {
				return text(args[0]) + "[" + loop.Names[0] + "]"
			}
		}
		return ""
	}
	if e == nil || !c.inTableField(f, e) {
		return ""
	}
	return text(e)
}

// inTableField reports whether an expression is a table field of a view, a resource that is a table, or something in one of these.
func (c *checker) inTableField(f *file, e ast.Expr) bool {
	for {
		get, ok := e.(*ast.AttrGetExpr)
		if !ok {
			return false
		}
		switch m := f.names.Of(get.Object); {
		case !f.holds(m):
			return false
		case m.Kind == alias.View:
			s := c.schemaOf(f, get.Object)
			return s != nil && s.Index(member(get)) >= 0 && s.Fields()[s.Index(member(get))].Type == ecs.TableField
		case m.Kind == alias.Resources:
			return c.property(f, get).sort == table
		}
		e = get.Object
	}
}
