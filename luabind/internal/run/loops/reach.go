package loops

import (
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/lower"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// Tables that a path in the source names, such as M.state in
//
//	M.state.count[kind] = (M.state.count[kind] or 0) + 1
//
// A template can change the tables that variables hold, and those that are members of these. So when the loop is linked, the path becomes a variable
// of its own, as if the script had local s = M.state in front of the loop and s in place of the path. That is the same if nothing in the loop changes
// what is at the path, and if each table on the way is a plain one, without a metatable.

// A path leads from a variable to a table that is a member of the table in it, or of a member.
type path struct {
	from  source
	names []string
}

// value returns the table at the path; nil of Lua if there is none, or a table on the way has a metatable.
func (p *path) value(args []lua.LValue) lua.LValue {
	v := p.from.value(args)
	for _, name := range p.names {
		t, ok := v.(*lua.LTable)
		if !ok || !unmarked(t) {
			return lua.LNil
		}
		v = t.RawGetString(name)
	}
	if t, ok := v.(*lua.LTable); ok && unmarked(t) {
		return t
	}
	return lua.LNil
}

// crosses reports whether a table is on the way to the one at the path.
func (p *path) crosses(t *lua.LTable, args []lua.LValue) bool {
	v := p.from.value(args)
	for _, name := range p.names {
		on, ok := v.(*lua.LTable)
		if !ok {
			return false
		}
		if on == t {
			return true
		}
		v = on.RawGetString(name)
	}
	return false
}

// crossed makes no table of each path that a table is on the way of in which rows may assign at computed keys, and reports whether there is one.
func (k *linked) crossed(args []lua.LValue, values []lua.LValue, kinds []lower.Kind) (found bool) {
	for i, from := range k.sources {
		if from.path == nil || k.template.Inputs[i].Member != "" {
			continue
		}
		for j, v := range values {
			t, ok := v.(*lua.LTable)
			if in := &k.template.Inputs[j]; ok && (in.Filled || in.Looked) && from.path.crosses(t, args) {
				values[i], kinds[i], found = lua.LNil, lower.Kind{InputKind: lower.NilInput}, true
			}
		}
	}
	return found
}

// A pathVariable is a path of the loop that becomes a variable.
type pathVariable struct {
	variable *syntax.Variable // where the path begins
	names    []string
	stands   *syntax.Variable // the variable for the path
}

// reaches finds the paths that become variables, and makes these.
func (n *linker) reaches(body []ast.Stmt) (list []*pathVariable) {
	for _, ask := range n.base.template.Asks {
		if ask.Purpose != lower.ToReach {
			continue
		}
		v, names := ask.Variable, strings.Split(ask.Path, lower.PathSeparator)
		from, ok := n.from[v]
		if !ok || v.Kind == syntax.Global || from.env != nil {
			continue
		}
		r := &pathVariable{variable: v, names: names}
		to := &path{from, names}
		if to.value(n.args) == lua.LNil || !r.stays(body, n.loop.names) {
			continue
		}
		r.stands = &syntax.Variable{Declaration: syntax.Declaration{Name: v.Name + "." + strings.Join(names, "."), Kind: syntax.Local}, ID: v.ID}
		n.from[r.stands] = source{arg: -1, path: to}
		list = append(list, r)
	}
	return list
}

// stays reports whether some statements use the variable of a path only to reach members of the table in it, and assign nothing on the path.
func (r *pathVariable) stays(body []ast.Stmt, names lower.Names) bool {
	ok := true
	var expr func(e *ast.Expr)
	var block func(b *[]ast.Stmt)
	expr = func(e *ast.Expr) {
		switch e := (*e).(type) {
		case *ast.IdentExpr:
			ok = ok && names.Of(e) != r.variable // it is used as a whole
			return
		case *ast.AttrGetExpr:
			if id, isIdent := e.Object.(*ast.IdentExpr); isIdent && names.Of(id) == r.variable {
				if _, isName := e.Key.(*ast.StringExpr); isName {
					return
				}
			}
		}
		syntax.Children(*e, expr, block)
	}
	block = func(b *[]ast.Stmt) {
		for _, st := range *b {
			if assign, isAssign := st.(*ast.AssignStmt); isAssign {
				for _, lhs := range assign.Lhs {
					ok = ok && !r.on(lhs, names)
				}
			}
			syntax.Parts(st, expr, block)
		}
	}
	block(&body)
	return ok
}

// on reports whether an expression is the path, or a part of it from its beginning.
func (r *pathVariable) on(e ast.Expr, names lower.Names) bool {
	var keys []string
	for {
		get, ok := e.(*ast.AttrGetExpr)
		if !ok {
			break
		}
		key, ok := get.Key.(*ast.StringExpr)
		if !ok {
			return false
		}
		keys = append(keys, key.Value)
		e = get.Object
	}
	id, ok := e.(*ast.IdentExpr)
	if !ok || names.Of(id) != r.variable || len(keys) > len(r.names) {
		return false
	}
	slices.Reverse(keys)
	return slices.Equal(keys, r.names[:len(keys)])
}

// is reports whether an expression is the path.
func (r *pathVariable) is(e ast.Expr, names lower.Names) bool {
	get, ok := e.(*ast.AttrGetExpr)
	for n := 1; ok && n < len(r.names); n++ {
		get, ok = get.Object.(*ast.AttrGetExpr)
	}
	if !ok {
		return false
	}
	_, begins := get.Object.(*ast.IdentExpr)
	return begins && r.on(e, names)
}

// reaching returns a copy of some statements in which variables stand for paths.
func (n *linker) reaching(body []ast.Stmt) []ast.Stmt {
	c := &syntax.Cloner{
		Expr: func(e ast.Expr) ast.Expr {
			for _, r := range n.paths {
				if r.is(e, n) {
					id := syntax.At(&ast.IdentExpr{Value: r.stands.Name}, e)
					n.idents[id] = r.stands
					return id
				}
			}
			return nil
		},
		Copied: func(copied, original ast.PositionHolder) {
			if id, ok := original.(*ast.IdentExpr); ok {
				n.idents[copied.(*ast.IdentExpr)] = n.Of(id)
			}
			if declared := n.Declared(original); declared != nil {
				n.declared[copied] = declared
			}
		},
	}
	return c.Block(body)
}

// reachingIn returns a function of the file of the loop, with variables in place of paths.
func (n *linker) reachingIn(f *lower.Function) *lower.Function {
	if len(n.paths) == 0 {
		return f
	}
	out := *f
	out.Body = n.reaching(f.Body)
	return &out
}

// keepsPaths reports whether the functions that a template has inlined leave what is at the paths of the loop as it is, as far as their source
// shows: none uses the variable of a path as a whole, and none assigns a member with a name of a path.
func (n *linker) keepsPaths() bool {
	names := map[string]bool{}
	for _, r := range n.paths {
		for _, name := range r.names {
			names[name] = true
		}
	}
	keeps := func(body []ast.Stmt) bool {
		return !syntax.Search(body, func(at ast.PositionHolder) syntax.Step {
			if st, ok := at.(*ast.AssignStmt); ok && slices.ContainsFunc(st.Lhs, func(e ast.Expr) bool {
				get, ok := e.(*ast.AttrGetExpr)
				if !ok {
					return false
				}
				key, ok := get.Key.(*ast.StringExpr)
				return ok && names[key.Value]
			}) {
				return syntax.Found
			}
			return syntax.Deeper
		})
	}
	for _, f := range n.inlined {
		if !keeps(f.Body) || slices.ContainsFunc(n.paths, func(r *pathVariable) bool { return !r.stays(f.Body, n) }) {
			return false
		}
	}
	return true
}
