package loops

import (
	"fmt"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
	"github.com/yuin/gopher-lua/ast"
)

// Explain says why a loop is interpreted when its system is compiled, before it
// has run; nil: it is compiled. A variable whose value the source does not show is
// taken for a number, a parameter for instance.
func (l *Loop) Explain(w *ecs.World) *Reason {
	switch {
	case l.Reason != nil:
		return l.Reason
	case l.NoKernel != nil:
		return l.NoKernel
	case l.Kernel == nil:
		return &Reason{l.Line, "the file has too many loops"}
	case l.terms == nil:
		return &Reason{l.Line, "the query is not made in a local beside the function, so it is not known before the loop begins"}
	}
	for _, name := range l.terms {
		if _, ok := w.LookupComponent(name); !ok {
			return &Reason{l.Line, fmt.Sprintf("there is no component %q", name)}
		}
	}
	_, reason := l.Kernel.Check(l.guess, func(view int) *ecs.Schema {
		if view >= len(l.terms) {
			return nil
		}
		id, _ := w.LookupComponent(l.terms[view])
		info, ok := w.ComponentInfo(id)
		if !ok {
			return nil
		}
		return info.Schema
	})
	if reason != nil {
		return &Reason{reason.Line, reason.Text}
	}
	return nil
}

// terms are the components that the arguments of each ask for.
func (n *nest) terms(l *Loop) []string {
	if len(l.Args) == 1 {
		if id, ok := l.Args[0].(*ast.IdentExpr); ok {
			if v, _ := n.lookup(id.Value); v != nil {
				return queried(v.value)
			}
		}
	}
	var out []string
	for _, arg := range l.Args {
		name, ok := arg.(*ast.StringExpr)
		if !ok {
			return nil
		}
		out = append(out, name.Value)
	}
	return out
}

// queried is the list part of NAME.query{…}; nil for anything else.
func queried(e ast.Expr) (out []string) {
	call, ok := e.(*ast.FuncCallExpr)
	if !ok || len(call.Args) != 1 {
		return nil
	}
	fn, ok := call.Func.(*ast.AttrGetExpr)
	t, isTable := call.Args[0].(*ast.TableExpr)
	if !ok || !isTable || keyOf(fn) != "query" {
		return nil
	}
	for _, f := range t.Fields {
		if name, ok := f.Value.(*ast.StringExpr); ok && f.Key == nil {
			out = append(out, name.Value)
		}
	}
	return out
}

// guess is what an input seems to be, by what its variable begins with.
func guess(in kernel.Input, v *variable) kernel.Kind {
	switch {
	case in.Assigned && !in.Read:
		return kernel.Kind{InputKind: kernel.NilInput}
	case v == nil && in.Name == "math":
		return mathKind(in.Member)
	case v == nil || v.value == nil:
		return kernel.Kind{}
	}
	value := v.value
	if in.Member != "" {
		if t, ok := value.(*ast.TableExpr); ok {
			for _, f := range t.Fields {
				if key, ok := f.Key.(*ast.StringExpr); ok && key.Value == in.Member {
					return kindOfExpr(f.Value)
				}
			}
			return kernel.Kind{}
		}
		if id, ok := value.(*ast.IdentExpr); ok && id.Value == "math" {
			return mathKind(in.Member)
		}
		return kernel.Kind{}
	}
	return kindOfExpr(value)
}

func kindOfExpr(e ast.Expr) kernel.Kind {
	switch e := e.(type) {
	case *ast.TrueExpr, *ast.FalseExpr, *ast.UnaryNotOpExpr, *ast.RelationalOpExpr:
		return kernel.Kind{InputKind: kernel.BoolInput}
	case *ast.NilExpr:
		return kernel.Kind{InputKind: kernel.NilInput}
	case *ast.StringExpr, *ast.TableExpr, *ast.FunctionExpr, *ast.StringConcatOpExpr:
		return kernel.Kind{InputKind: kernel.OtherInput}
	case *ast.AttrGetExpr:
		if id, ok := e.Object.(*ast.IdentExpr); ok && id.Value == "math" {
			return mathKind(keyOf(e))
		}
	}
	return kernel.Kind{}
}

func mathKind(name string) kernel.Kind {
	if name == "pi" || name == "huge" {
		return kernel.Kind{}
	}
	return kernel.Kind{InputKind: kernel.FuncInput, Func: name}
}
