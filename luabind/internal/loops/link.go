package loops

import (
	"fmt"
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/lower"
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/syntax"
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// Functions that only values show: those of required files (util.clamp, or local clamp = util.clamp), and those in tables of the file. When a loop begins, the variables
// that it calls hold some functions. A linked template is the loop with the bodies of these functions, for as long as the variables hold them. What the functions use
// from around themselves, their upvalues, are inputs of that template.

// linked is a template of a loop for certain functions. The first one of a site is that of the loop itself, with the functions that its own source shows.
type linked struct {
	template *lower.Template
	reason   *lower.Reason // why there is no template with these functions
	sources  []source      // by input of the template: where the variable is; of a member where the table is
	bases    []int         // by input: the one whose member it is, or itself
	outputs  []int         // by variable that RUN gives back: the input
	calls    []linkedCall
	open     []opening
}

// A source is where the value of a variable is when a loop begins.
type source struct {
	arg     int          // argument of RUN, without upvalue and env
	upvalue *lua.Upvalue // of a function that is a part of the loop
	env     *lua.LTable  // of a global: the environment that holds it
	name    string       // of a global
}

// A linkedCall is a function that a linked template takes for known.
type linkedCall struct {
	source
	variable *syntax.Variable // of the loop's own file, nil of another one
	member   string           // of the table there, "": the variable itself
	fn       *lua.LFunction
}

// An opening is a call of which the template does not know the function.
type opening struct {
	source
	member string
}

func (f source) value(args []lua.LValue) lua.LValue {
	switch {
	case f.upvalue != nil:
		return f.upvalue.Value()
	case f.env != nil:
		return f.env.RawGetString(f.name)
	}
	if f.arg < 0 {
		return nil
	}
	return args[f.arg]
}

// memberOf returns a member of a table, or of the tables that it takes members from; nil of Lua for what is no table.
func memberOf(v lua.LValue, name string) lua.LValue {
	for range mostBases {
		t, ok := v.(*lua.LTable)
		if !ok {
			break
		}
		if x := t.RawGetString(name); x != lua.LNil {
			return x
		}
		meta, ok := t.Metatable.(*lua.LTable)
		if !ok {
			break
		}
		v = meta.RawGetString("__index")
	}
	return lua.LNil
}

// mostBases bounds how many tables a member is looked up in.
const mostBases = 8

func called(from source, member string, args []lua.LValue) lua.LValue {
	v := from.value(args)
	if member != "" && v != nil {
		return memberOf(v, member)
	}
	return v
}

// holds reports whether a template is the one for what the variables hold now. args are those of RUN, nil for a value that is not known.
func (k *linked) holds(args []lua.LValue, library *Library) bool {
	for i := range k.calls {
		if c := &k.calls[i]; called(c.source, c.member, args) != c.fn {
			return false
		}
	}
	for i := range k.open {
		if fn, ok := called(k.open[i].source, k.open[i].member, args).(*lua.LFunction); ok && !fn.IsG {
			if expr, _ := library.function(fn); expr != nil {
				return false
			}
		}
	}
	return true
}

// own returns the template of a loop itself. env is the environment of its file.
func (l *Loop) own(env *sandbox.Env) *linked {
	k := &linked{template: l.Template}
	arg := 0
	for _, in := range l.Template.Inputs {
		from := source{arg: arg}
		if in.Member == "" {
			arg++
		}
		if in.Global() && env != nil {
			from = source{env: env.Table, name: in.Name()}
		}
		k.sources = append(k.sources, from)
	}
	k.finish()
	return k
}

// finish fills in what follows from the template and its sources.
func (k *linked) finish() {
	inputs := k.template.Inputs
	for i, in := range inputs {
		base := slices.IndexFunc(inputs, func(o lower.Input) bool { return o.Variable == in.Variable && o.Member == "" })
		k.bases = append(k.bases, base)
		k.sources[i] = k.sources[base]
		if in.Called {
			k.open = append(k.open, opening{k.sources[base], in.Member})
		}
		if in.Assigned && in.Member == "" && k.sources[i].upvalue == nil && k.sources[i].env == nil {
			k.outputs = append(k.outputs, i)
		}
	}
}

// link makes a template of a loop with the functions that its variables hold now.
func (l *Loop) link(base *linked, args []lua.LValue, library *Library) *linked {
	n := &linker{
		loop: l, base: base, args: args, library: library, k: &linked{}, left: mostCopied,
		from: map[*syntax.Variable]source{}, origin: map[*syntax.Variable]*syntax.Variable{}, own: map[*syntax.Variable]*syntax.Variable{}, upvalues: map[*lua.Upvalue]*syntax.Variable{},
		globals: map[source]*syntax.Variable{}, made: map[*lua.LFunction]*lower.Function{},
	}
	for i, in := range base.template.Inputs {
		n.from[in.Variable] = base.sources[i]
	}
	s := base.template.Source
	s.Function, s.Member, s.Names = n.function, n.member, n
	k := n.k
	k.template, k.reason = lower.Prepare(s)
	if k.reason == nil {
		k.reason = n.refused()
	}
	if k.reason != nil {
		k.template = base.template
	}
	for _, in := range k.template.Inputs {
		k.sources = append(k.sources, n.from[in.Variable])
	}
	k.finish()
	if k.reason != nil { // what the loop calls is known, and no kernel can run it
		k.open = slices.DeleteFunc(k.open, func(o opening) bool {
			return slices.ContainsFunc(k.calls, func(c linkedCall) bool { return c.source == o.source && c.member == o.member })
		})
	}
	return k
}

// A linker finds the functions of one linked template.
type linker struct {
	loop    *Loop
	base    *linked
	args    []lua.LValue
	library *Library
	k       *linked
	left    int // nodes that may still be copied

	from     map[*syntax.Variable]source
	origin   map[*syntax.Variable]*syntax.Variable // by variable that stands for an upvalue: the variable in the syntax of its file
	own      map[*syntax.Variable]*syntax.Variable // those of origin that are of the file of the loop
	upvalues map[*lua.Upvalue]*syntax.Variable
	globals  map[source]*syntax.Variable
	made     map[*lua.LFunction]*lower.Function
	names    []*syntax.Bindings // of the files of these functions
}

// Of implements [lower.Names].
func (n *linker) Of(id *ast.IdentExpr) *syntax.Variable {
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
	list := n.loop.names.Declared(at)
	for i := 0; list == nil && i < len(n.names); i++ {
		list = n.names[i].Declared(at)
	}
	return list
}

// function is that of [lower.Source].
func (n *linker) function(v *syntax.Variable) *lower.Function {
	if f := n.base.template.Function(v); f != nil {
		return f
	}
	if of := n.origin[v]; of != nil && !of.Assigned { // it holds this function for ever
		return n.instance(n.value(v, ""))
	}
	return n.guarded(v, "")
}

// member is that of [lower.Source].
func (n *linker) member(v *syntax.Variable, name string) *lower.Function { return n.guarded(v, name) }

func (n *linker) value(v *syntax.Variable, member string) lua.LValue {
	from, ok := n.from[v]
	if !ok {
		return nil
	}
	return called(from, member, n.args)
}

// guarded returns the function that a variable or a member holds now.
func (n *linker) guarded(v *syntax.Variable, member string) *lower.Function {
	x := n.value(v, member)
	f := n.instance(x)
	if f != nil {
		call := linkedCall{source: n.from[v], member: member, fn: x.(*lua.LFunction)}
		if n.origin[v] == nil {
			call.variable = v
		}
		n.k.calls = append(n.k.calls, call)
	}
	return f
}

// instance returns a function as a part of the loop, with variables of its own; nil for what is no function of a known file.
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
	n.made[fn] = f
	names := of.tree.Bindings
	if !slices.Contains(n.names, names) {
		n.names = append(n.names, names)
	}
	f.Params, f.Body = names.Instance(expr, func(v *syntax.Variable) *syntax.Variable { return n.around(fn, v, of) })
	syntax.Search(f.Body, func(ast.PositionHolder) syntax.Step {
		n.left--
		return syntax.Deeper
	})
	return f
}

// around returns the variable that stands for one from around a function of a file: all functions that share the variable get the same.
func (n *linker) around(fn *lua.LFunction, v *syntax.Variable, of *known) *syntax.Variable {
	if v.Kind == syntax.Global {
		from := source{env: fn.Env, name: v.Name}
		if n.globals[from] == nil {
			n.globals[from] = n.variable(v, from)
		}
		return n.globals[from]
	}
	i := slices.Index(fn.Proto.DbgUpvalues, fmt.Sprintf("%s\x00%d", v.Name, v.ID)) // see syntax.Bindings.Rename
	if i < 0 {
		i = slices.Index(fn.Proto.DbgUpvalues, v.Name)
	}
	if i < 0 || i >= len(fn.Upvalues) || !fn.Upvalues[i].IsClosed() {
		return n.variable(v, source{arg: -1}) // what it holds is not known
	}
	up := fn.Upvalues[i]
	if n.upvalues[up] == nil {
		n.upvalues[up] = n.variable(v, source{upvalue: up})
		n.origin[n.upvalues[up]] = v
		if of.file == n.loop.file {
			n.own[n.upvalues[up]] = v
		}
	}
	return n.upvalues[up]
}

func (n *linker) variable(v *syntax.Variable, from source) *syntax.Variable {
	own := &syntax.Variable{Declaration: syntax.Declaration{Name: v.Name, Kind: v.Kind}, ID: v.ID}
	n.from[own] = from
	return own
}

// refused says why the loop cannot be lowered with its functions, though each of them could.
func (n *linker) refused() *lower.Reason {
	inputs := n.k.template.Inputs
	for _, in := range inputs {
		if in.Global() && in.Assigned && in.Member == "" {
			return &lower.Reason{Line: in.Line, Text: fmt.Sprintf("assigns the global %q", in.Name()), Advice: lower.LocalOfFile}
		}
		if in.Assigned {
			for _, c := range n.k.calls {
				if n.assigns(in, c) {
					return &lower.Reason{Line: in.Line, Text: fmt.Sprintf("%q is assigned and called", in.Text())}
				}
			}
		}
		of := n.own[in.Variable]
		if of == nil || in.Member != "" {
			continue
		}
		for _, other := range inputs { // one variable of the file may reach the loop in two ways: as an argument, and as an upvalue
			if other.Member == "" && !other.Global() && n.origin[other.Variable] == nil && other.Variable.ID == of.ID && other.Name() == of.Name && (in.Assigned || other.Assigned) {
				return &lower.Reason{Line: in.Line, Text: fmt.Sprintf("calls a function of a table that uses the variable %q, which is assigned", in.Name()), Advice: lower.CallByName}
			}
		}
	}
	return nil
}

// assigns reports whether an input that is assigned may be what holds a function that is called. Tables are not told apart.
func (n *linker) assigns(in lower.Input, c linkedCall) bool {
	if in.Member != "" || c.member != "" {
		return in.Member == c.member
	}
	if of := n.own[in.Variable]; of != nil && c.variable != nil {
		return of.ID == c.variable.ID
	}
	return n.from[in.Variable] == c.source
}

// kinds sets what the inputs of a linked template are, and their values, from the arguments of RUN.
func (k *linked) kinds(args []lua.LValue, world *surface.World, names map[lua.LValue]string, values []lua.LValue, kinds []lower.Kind) {
	for i, in := range k.template.Inputs {
		if in.Member == "" {
			values[i] = k.sources[i].value(args)
			kinds[i] = kindOf(values[i], in, world, names)
		}
	}
	for i, in := range k.template.Inputs {
		if in.Member == "" {
			continue
		}
		values[i], kinds[i] = lua.LNil, lower.Kind{InputKind: lower.OtherInput}
		if t, ok := values[k.bases[i]].(*lua.LTable); ok {
			values[i] = t.RawGetString(in.Member)
			kinds[i] = kindOf(values[i], in, world, names)
		}
	}
}
