package loops

import (
	"fmt"
	"slices"

	"github.com/yuin/gopher-lua/ast"
)

const (
	mostNodes  = 400 // statements and expressions of a nest
	mostFields = 40  // new locals of a nest, setters included
	mostGuards = 40
)

// A nest is a query loop with the query loops in its body, being looked at.
type nest struct {
	*scopes
	slot   *ast.Stmt // where the outermost loop stands
	base   int       // variables from here on belong to the nest
	sees   *variable // the innermost variable around it
	outer  *nest     // the loop that is not simple around this one
	world  *variable
	root   *Loop
	inside *Loop // the innermost loop around the place being looked at
	loops  []*Loop
	reason *Reason // the first thing that is not simple
	nodes  int

	guards   []guard
	assigned map[*variable]int // free variables the nest assigns, with the line
	fixed    map[*variable]int // those it relies on not to, with the line
	free     []*variable

	fields map[*ast.AttrGetExpr]*Field // what is written view.name
	nested map[*ast.GenericForStmt]*Loop
}

// refuse notes why the nest is not simple. The first reason counts.
func (n *nest) refuse(at ast.PositionHolder, format string, args ...any) {
	if n.reason == nil {
		n.reason = &Reason{Line: at.Line(), Text: fmt.Sprintf(format, args...)}
	}
}

// count notes that there is one node more; false when there are so many that the others are not looked at.
func (n *nest) count(at ast.PositionHolder) bool {
	if n.nodes++; n.nodes >= mostNodes {
		n.refuse(at, "the body is too large")
		return false
	}
	return true
}

// loop looks at a query loop, the outermost or one within.
func (n *nest) loop(st *ast.GenericForStmt, call *ast.FuncCallExpr, outer *Loop) *Loop {
	l := &Loop{Line: st.Line(), Args: call.Args, Outer: outer, stmt: st}
	n.loops = append(n.loops, l)
	if outer == nil {
		n.assigned, n.fixed = map[*variable]int{}, map[*variable]int{}
		n.fields, n.nested = map[*ast.AttrGetExpr]*Field{}, map[*ast.GenericForStmt]*Loop{}
	} else {
		outer.Inner = append(outer.Inner, l)
		n.nested[st] = l
	}
	n.receiver(l, call)
	for _, arg := range call.Args {
		switch arg := arg.(type) {
		case *ast.StringExpr:
		case *ast.IdentExpr:
			if v := n.freeVariable(arg); v != nil {
				n.fix(v, arg)
			}
		default:
			n.refuse(arg, "an argument of each is neither a name in quotes nor a local")
		}
	}
	n.within(func() {
		for i, name := range st.Names {
			v := n.declare(name)
			if i > 0 {
				v.view = &View{Name: name, Index: i - 1, loop: l}
				l.Views = append(l.Views, v.view)
			}
		}
		saved := n.inside
		n.inside = l
		n.block(st.Stmts)
		n.inside = saved
	})
	return l
}

// receiver looks at what stands in front of :each. It is the same variable in
// the whole nest.
func (n *nest) receiver(l *Loop, call *ast.FuncCallExpr) {
	id, ok := call.Receiver.(*ast.IdentExpr)
	if !ok {
		n.refuse(call, "each is not called on a local")
		return
	}
	l.World = id.Value
	v, i := n.lookup(id.Value)
	switch {
	case v == nil:
		n.refuse(call, "%q is not a local", id.Value)
	case v.view != nil || v.maker || i >= n.base || n.world != nil && n.world != v:
		n.refuse(call, "each is called on another world than in the loop around it")
	default:
		n.world = v
		n.fix(v, call)
	}
}

// fix notes that the nest relies on a free variable to stay as it is.
func (n *nest) fix(v *variable, at ast.PositionHolder) {
	if n.fixed[v] == 0 {
		n.fixed[v] = at.Line()
	}
}

// use notes a free variable.
func (n *nest) use(v *variable) {
	if !slices.Contains(n.free, v) {
		n.free = append(n.free, v)
		n.root0().Free = append(n.root0().Free, v.name)
	}
}

// root0 is the outermost loop, also while it is still being made.
func (n *nest) root0() *Loop { return n.loops[0] }

// freeVariable is the variable from around the nest that an identifier names;
// nil, with a reason, for any other.
func (n *nest) freeVariable(id *ast.IdentExpr) *variable {
	v, i := n.lookup(id.Value)
	switch {
	case v == nil:
		n.refuse(id, "uses the global %q", id.Value)
	case v.view != nil:
		n.refuse(id, "the view %q is used as a value", id.Value)
	case i >= n.base:
		n.refuse(id, "%q is a variable of the loop, so what it holds is not known when the loop begins", id.Value)
	case v.maker:
		n.refuse(id, "uses the function %q inside itself", id.Value)
	default:
		n.use(v)
		return v
	}
	return nil
}

// viewOf is the view an expression names, nil if it names none.
func (n *nest) viewOf(e ast.Expr) *View {
	id, ok := e.(*ast.IdentExpr)
	if !ok {
		return nil
	}
	v, _ := n.lookup(id.Value)
	if v == nil {
		return nil
	}
	return v.view
}

// isWorld reports whether an expression is the world of the nest.
func (n *nest) isWorld(e ast.Expr) bool {
	id, ok := e.(*ast.IdentExpr)
	if !ok {
		return false
	}
	v, _ := n.lookup(id.Value)
	return v != nil && v == n.world
}

// isPart reports whether an expression is world.NAME.
func (n *nest) isPart(e ast.Expr, name string) bool {
	get, ok := e.(*ast.AttrGetExpr)
	return ok && n.isWorld(get.Object) && keyOf(get) == name
}

// keyOf is the constant name of an index, "" if it is none.
func keyOf(get *ast.AttrGetExpr) string {
	if key, ok := get.Key.(*ast.StringExpr); ok {
		return key.Value
	}
	return ""
}

// check is what can be said only when the whole nest has been seen.
func (n *nest) check() {
	at := func(line int) ast.PositionHolder {
		p := &ast.Node{}
		p.SetLine(line)
		return p
	}
	for _, v := range n.free {
		if line := n.assigned[v]; line > 0 && n.fixed[v] > 0 {
			n.refuse(at(line), "assigns %q, which the loop relies on", v.name)
		}
	}
	locals, written := 0, []*Field(nil)
	for _, l := range n.loops {
		locals++
		for _, v := range l.Views {
			if v.Tested {
				locals++
			}
			for _, f := range v.Fields {
				if f.Read {
					locals++
				}
				if f.Written {
					locals++
					written = append(written, f)
				}
			}
		}
	}
	if locals > mostFields || len(n.guards) > mostGuards {
		n.refuse(at(n.root.Line), "the loop uses too many fields and variables")
	}
	for _, w := range written {
		for _, l := range n.loops {
			for _, v := range l.Views {
				if v.loop != w.view.loop && (v.loop.around(w.view.loop) || w.view.loop.around(v.loop)) &&
					slices.ContainsFunc(v.Fields, func(f *Field) bool { return f.Name == w.Name }) {
					n.refuse(at(max(l.Line, w.view.loop.Line)), "%s.%s is written, and %s.%s may be the same", w.view.Name, w.Name, v.Name, w.Name)
				}
			}
		}
	}
}
