package kernel

import (
	"github.com/ecsrun/ecsrun/luabind/internal/api"
	"github.com/yuin/gopher-lua/ast"
)

// called returns the function of world or of its commands that a kernel may call by a name; nil if there is none. What stands in front of the colon
// is known later, and functions of the same name have their names at the same places.
func called(name string) *api.Function {
	for _, list := range [][]api.Function{api.World, api.Commands} {
		if f := api.Find(list, name); f != nil && f.InLoops {
			return f
		}
	}
	return nil
}

// method looks at OBJECT:METHOD(…).
func (p *preparer) method(e *ast.FuncCallExpr) {
	f := called(e.Method)
	if f == nil {
		refuseWith(e, adviceOnCall(e), "calls %s", callee(e))
	}
	switch object := e.Receiver.(type) {
	case *ast.IdentExpr:
		if v := p.free(object); v != nil {
			p.input(v, "", object).Object = true
		}
	case *ast.AttrGetExpr:
		p.get(object)
	default:
		refuseWith(e, adviceOnCall(e), "calls %s", callee(e))
	}
	for i, arg := range e.Args {
		if id, ok := arg.(*ast.IdentExpr); ok && f.Role(i).Name() {
			if v := p.free(id); v != nil {
				p.input(v, "", id).Named = true
				continue
			}
		}
		p.payload(arg)
	}
}

// payload looks at an argument that may be a table made for the call.
func (p *preparer) payload(e ast.Expr) {
	t, ok := e.(*ast.TableExpr)
	if !ok {
		p.expr(e)
		return
	}
	for _, f := range t.Fields {
		if _, ok := f.Key.(*ast.StringExpr); f.Key != nil && !ok {
			refuseWith(t, KeysAsNames, "makes a table with a key that is no name")
		}
		p.payload(f.Value)
	}
}
