package loops

import (
	"fmt"
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/lower"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// A linker makes the template for the functions that variables and tables hold: it finds their syntax, and gives each
// variable of it the place from which its value is taken.

// A linker makes one linked template. It is the Source and the Names of lower.Prepare, and answers with copies of
// the functions that variables hold.
type linker struct {
	loop    *Loop
	base    *linked
	args    []lua.LValue
	library *Library
	k       *linked
	left    int // nodes that may still be copied

	from     map[*syntax.Variable]source
	origin   map[*syntax.Variable]*syntax.Variable // for each variable that stands for an upvalue: the variable in the syntax of its file
	own      map[*syntax.Variable]*syntax.Variable // the part of origin that belongs to the file of the loop
	alone    map[*syntax.Variable]bool             // those of own that are declared once: by the file, and not by a function in it
	upvalues map[*lua.Upvalue]*syntax.Variable
	globals  map[source]*syntax.Variable
	made     map[*lua.LFunction]*lower.Function
	codes    map[*lua.LFunction]*inlined
	asked    map[lower.Ask]*lower.Constant
	names    []*syntax.Bindings                        // bindings of the files of these functions
	paths    []*pathVariable                           // the paths that became variables
	inlined  []*lower.Function                         // all functions that the template may have inlined
	idents   map[*ast.IdentExpr]*syntax.Variable       // of the copy of the body, if paths became variables: see reach.go
	declared map[ast.PositionHolder][]*syntax.Variable // likewise
	homes    map[*syntax.Variable]string               // the file of a local of another file
}

// Of implements [lower.Names].
func (n *linker) Of(id *ast.IdentExpr) *syntax.Variable {
	if v := n.idents[id]; v != nil {
		return v
	}
	v := n.loop.names.Of(id)
	for i := 0; v == nil && i < len(n.names); i++ {
		v = n.names[i].Of(id)
	}
	return v
}

// Variable implements [lower.Names].
func (n *linker) Variable(e ast.Expr) *syntax.Variable {
	if id, ok := e.(*ast.IdentExpr); ok {
		return n.Of(id)
	}
	return nil
}

// Declared implements [lower.Names].
func (n *linker) Declared(at ast.PositionHolder) []*syntax.Variable {
	if list := n.declared[at]; list != nil {
		return list
	}
	list := n.loop.names.Declared(at)
	for i := 0; list == nil && i < len(n.names); i++ {
		list = n.names[i].Declared(at)
	}
	return list
}

// function implements [lower.Source].Function.
func (n *linker) function(v *syntax.Variable) *lower.Function {
	if f := n.base.template.Function(v); f != nil {
		n.inlined = append(n.inlined, f)
		return n.reachingIn(f)
	}
	return n.guarded(v, "")
}

// member implements [lower.Source].Member.
func (n *linker) member(v *syntax.Variable, name string) *lower.Function { return n.guarded(v, name) }

// value returns what a variable, or a member of the table in it, holds now.
func (n *linker) value(v *syntax.Variable, member string) lua.LValue {
	from, ok := n.from[v]
	if !ok {
		return nil
	}
	return called(from, member, n.args)
}

// guarded returns the function that a variable or a member holds now, and notes that the template depends on it.
func (n *linker) guarded(v *syntax.Variable, member string) *lower.Function {
	x := n.value(v, member)
	f := n.instance(x)
	if f != nil {
		call := n.call(n.from[v], x)
		call.member = member
		if n.origin[v] == nil {
			call.variable = v
		}
		n.k.calls = append(n.k.calls, call)
	}
	return f
}

// instance returns a copy of a function, with variables of its own; nil if x is not a function of a known file.
func (n *linker) instance(x lua.LValue) *lower.Function {
	fn, ok := x.(*lua.LFunction)
	if !ok || fn.IsG {
		return nil
	}
	if f := n.made[fn]; f != nil {
		return f
	}
	expr, of := n.library.function(fn)
	if expr == nil || n.left < 0 {
		return nil
	}
	f := &lower.Function{Line: expr.Line(), Vararg: expr.ParList.HasVargs}
	if of.file != n.loop.file {
		f.File = of.file.Code.Name
	}
	n.made[fn], n.codes[fn] = f, &inlined{proto: fn.Proto, env: fn.Env, cells: make([]*cell, len(fn.Upvalues))}
	names := of.tree.Bindings
	if !slices.Contains(n.names, names) {
		n.names = append(n.names, names)
	}
	n.inlined = append(n.inlined, f)
	f.Params, f.Body = names.Instance(expr, func(v *syntax.Variable) *syntax.Variable { return n.around(fn, v, of) })
	syntax.Search(f.Body, func(ast.PositionHolder) syntax.Step {
		n.left--
		return syntax.Deeper
	})
	return f
}

// around returns the variable that stands for a variable around a function of a file. All functions that share the
// variable get the same one.
func (n *linker) around(fn *lua.LFunction, v *syntax.Variable, of *known) *syntax.Variable {
	if v.Kind == syntax.Global {
		from := source{env: fn.Env, name: v.Name}
		if n.globals[from] == nil {
			n.globals[from] = n.variable(v, from)
		}
		return n.globals[from]
	}
	code := n.codes[fn]
	i := slices.Index(fn.Proto.DbgUpvalues, fmt.Sprintf("%s\x00%d", v.Name, v.ID)) // see syntax.Bindings.Rename
	if i < 0 {
		i = slices.Index(fn.Proto.DbgUpvalues, v.Name)
	}
	if i < 0 || i >= len(fn.Upvalues) {
		return n.variable(v, source{arg: -1}) // what it holds is not known
	}
	up := fn.Upvalues[i]
	if n.upvalues[up] == nil {
		n.upvalues[up] = n.variable(v, source{cell: &cell{up: up, proto: fn.Proto, index: i}})
		n.origin[n.upvalues[up]] = v
		if of.file == n.loop.file {
			n.own[n.upvalues[up]] = v
			n.alone[n.upvalues[up]] = v.Function != nil && v.Function.Node == nil && n.base.env != nil && fn.Env == n.base.env && of.loaded[fn.Env] == 1
		} else {
			n.homes[n.upvalues[up]] = of.file.Code.Name
		}
	}
	code.cells[i] = n.from[n.upvalues[up]].cell
	return n.upvalues[up]
}

// variable makes a variable that stands for v, whose value is at from.
func (n *linker) variable(v *syntax.Variable, from source) *syntax.Variable {
	own := &syntax.Variable{Declaration: syntax.Declaration{Name: v.Name, Kind: v.Kind}, ID: v.ID}
	n.from[own] = from
	return own
}

// refused returns why the loop cannot be lowered together with its functions, although each of them could be; nil
// if it can.
func (n *linker) refused() *lower.Reason {
	inputs := n.k.template.Inputs
	for _, in := range inputs {
		if in.Global() && in.Assigned && in.Member == "" {
			return &lower.Reason{File: in.File, Line: in.Line, Text: fmt.Sprintf("assigns the global %q", in.Name()), Advice: lower.LocalOfFile}
		}
		if in.Assigned {
			for _, c := range n.k.calls {
				if n.assigns(in, c) {
					return &lower.Reason{File: in.File, Line: in.Line, Text: fmt.Sprintf("%q is assigned and called", in.Text())}
				}
			}
		}
		of := n.own[in.Variable]
		if of == nil || in.Member != "" {
			continue
		}
		for _, other := range inputs { // a variable of the file may be an input in two ways: as an argument, and as an upvalue
			if other.Member == "" && !other.Global() && n.origin[other.Variable] == nil && other.Variable.ID == of.ID && other.Name() == of.Name && (in.Assigned || other.Assigned) {
				return &lower.Reason{File: in.File, Line: in.Line, Text: fmt.Sprintf("calls a function of a table that uses the variable %q, which is assigned", in.Name()), Advice: lower.CallByName}
			}
		}
	}
	return nil
}

// isUpvalue reports whether an input, as the upvalue of a function, is a variable of the file of the loop, and whether that is sure: a variable
// that is declared in a function may be another one for each call of that.
func (n *linker) isUpvalue(in, v *syntax.Variable) (is, sure bool) {
	of := n.own[in]
	return of != nil && of.ID == v.ID && of.Name == v.Name, n.alone[in]
}

// assigns reports whether an assigned input may be the place of a function that is called. It assumes that members
// of the same name may be in the same table.
func (n *linker) assigns(in lower.Input, c linkedCall) bool {
	if in.Member != "" || c.member != "" {
		return in.Member == c.member
	}
	if of := n.own[in.Variable]; of != nil && c.variable != nil {
		return of.ID == c.variable.ID
	}
	return n.from[in.Variable] == c.source
}
