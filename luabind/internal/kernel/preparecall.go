package kernel

import "github.com/yuin/gopher-lua/ast"

// methods are the functions of world and of its commands that a kernel knows: the
// arguments from the first number up to the second are names.
var methods = map[string][2]int{
	"add": {1, 99}, "alive": {}, "despawn": {}, "each": {0, 99}, "get": {1, 2}, "has": {1, 99}, "near": {0, 1}, "relate": {1, 2}, "remove": {1, 99},
	"send": {0, 1}, "set": {1, 2}, "spawn": {}, "tag": {1, 99}, "tagged": {1, 99}, "unrelate": {1, 2}, "untag": {1, 99},
}

// method looks at OBJECT:METHOD(…).
func (p *preparer) method(e *ast.FuncCallExpr) {
	names, ok := methods[e.Method]
	if !ok {
		refuse(e, "calls %s", callee(e))
	}
	switch object := e.Receiver.(type) {
	case *ast.IdentExpr:
		if v := p.free(object); v != nil {
			p.input(v, "", object).Object = true
		}
	case *ast.AttrGetExpr:
		p.get(object)
	default:
		refuse(e, "calls %s", callee(e))
	}
	for i, arg := range e.Args {
		if id, ok := arg.(*ast.IdentExpr); ok && i >= names[0] && i < names[1] {
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
			refuse(t, "makes a table with a key that is no name")
		}
		p.payload(f.Value)
	}
}
