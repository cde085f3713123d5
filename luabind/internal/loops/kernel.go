package loops

import (
	"slices"
	"strconv"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/surface"
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// A loop that may become a kernel gets a call in front of it:
//
//	do
//	  local done, sum2 = RUN(1, sum, dt, world, "Position", "Velocity")
//	  if done ~= nil then sum = sum2 end
//	  if not done then for e, pos, vel in world:each("Position", "Velocity") do … end end
//	end
//
// RUN gives nil when there is no kernel for the values at hand, true when the
// kernel did the whole loop, and false when it left the rest to the loop, which
// then begins where the kernel stopped.

// hiddenRun is the name of the function that runs kernels.
const hiddenRun = "\x00kernel"

// prepare finds out whether a nest may become a kernel.
func (n *nest) prepare() {
	l := n.root
	if len(n.loops) > 1 {
		for _, l := range n.loops {
			l.NoKernel = &Reason{n.loops[1].Line, "has a query loop within another"}
		}
		return
	}
	source := kernel.Source{Line: l.Line, World: l.World, Entity: l.stmt.Names[0], Body: rewriter{&nest{}}.block(l.stmt.Stmts)}
	for _, v := range l.Views {
		source.Views = append(source.Views, v.Name)
	}
	t, reason := kernel.Prepare(source)
	if reason != nil {
		l.NoKernel = &Reason{reason.Line, reason.Text}
		return
	}
	for i := range t.Inputs {
		v, _ := n.lookup(t.Inputs[i].Name)
		t.Inputs[i].Global = v == nil
		l.guess = append(l.guess, guess(t.Inputs[i], v))
	}
	l.Kernel, l.terms = t, n.terms(l)
}

// call puts the call of the kernel in front of a loop.
func (p *Program) call(n *nest, interpreted ast.Stmt) ast.Stmt {
	l := n.root
	p.kernels = append(p.kernels, l)
	r := rewriter{n}
	args := []ast.Expr{at(&ast.NumberExpr{Value: strconv.Itoa(len(p.kernels))}, l.stmt)}
	done := "\x00done"
	names, targets, values := []string{done}, []ast.Expr(nil), []ast.Expr(nil)
	for i, in := range l.Kernel.Inputs {
		if in.Global {
			args = append(args, at(&ast.NilExpr{}, l.stmt))
		} else {
			args = append(args, r.ident(in.Name, l.stmt))
		}
		if in.Assigned {
			out := "\x00out" + strconv.Itoa(i)
			names = append(names, out)
			targets, values = append(targets, r.ident(in.Name, l.stmt)), append(values, r.ident(out, l.stmt))
		}
	}
	args = append(append(args, r.ident(l.World, l.stmt)), r.exprs(l.Args)...)
	run := at(&ast.FuncCallExpr{Func: r.ident(hiddenRun, l.stmt), Args: args}, l.stmt)
	stmts := []ast.Stmt{at(&ast.LocalAssignStmt{Names: names, Exprs: []ast.Expr{run}}, l.stmt)}
	if len(targets) > 0 {
		ran := at(&ast.RelationalOpExpr{Operator: "~=", Lhs: r.ident(done, l.stmt), Rhs: at(&ast.NilExpr{}, l.stmt)}, l.stmt)
		stmts = append(stmts, at(&ast.IfStmt{Condition: ran, Then: []ast.Stmt{at(&ast.AssignStmt{Lhs: targets, Rhs: values}, l.stmt)}}, l.stmt))
	}
	rest := at(&ast.UnaryNotOpExpr{Expr: r.ident(done, l.stmt)}, l.stmt)
	stmts = append(stmts, at(&ast.IfStmt{Condition: rest, Then: []ast.Stmt{interpreted}}, l.stmt))
	return at(&ast.DoBlockStmt{Stmts: stmts}, l.stmt)
}

// site is a loop with its kernels, in one environment.
type site struct {
	template *kernel.Template
	variants []variant
	walk     surface.Walk
	values   []lua.LValue
	kinds    []kernel.Kind
}

// variant is a kernel for certain layouts and types; without one, where there can
// be none.
type variant struct {
	query  *ecs.Query
	kinds  []kernel.Kind
	kernel kernel.Code
	p      *kernel.Program
}

// mostVariants bounds the kernels of one loop: beyond it is interpreted.
const mostVariants = 16

// runner makes the hidden function that runs kernels.
func (p *Program) runner(state *sandbox.State, env *sandbox.Env, library *lua.LTable) lua.LGFunction {
	functions := map[lua.LValue]string{}
	for k, v := library.Next(lua.LNil); k != lua.LNil; k, v = library.Next(k) {
		if name, ok := k.(lua.LString); ok {
			if fn, ok := v.(*lua.LFunction); ok && fn.IsG {
				functions[fn] = string(name)
			}
		}
	}
	sites := make([]site, len(p.kernels))
	for i, l := range p.kernels {
		n := len(l.Kernel.Inputs)
		sites[i] = site{template: l.Kernel, values: make([]lua.LValue, n), kinds: make([]kernel.Kind, n)}
	}
	return func(L *lua.LState) int {
		if p.Compile == nil || !p.Compile() {
			L.Push(lua.LNil)
			return 1
		}
		s := &sites[int(L.Get(1).(lua.LNumber))-1]
		for i, in := range s.template.Inputs {
			v := L.Get(2 + i)
			if in.Global {
				v = env.Table.RawGetString(in.Name)
			}
			if in.Member != "" {
				v = member(v, in.Member)
			}
			s.values[i], s.kinds[i] = v, kindOf(v, in, functions)
		}
		for range len(s.values) + 1 {
			L.Remove(1)
		}
		return s.run(L, state, p)
	}
}

// member is NAME.MEMBER of a table, or of the world; nil of anything else.
func member(v lua.LValue, name string) lua.LValue {
	switch v := v.(type) {
	case *lua.LTable:
		return v.RawGetString(name)
	case *lua.LUserData:
		if w := surface.WorldOf(v); w != nil {
			switch name {
			case "dt":
				return surface.Number(w.ECS().DT())
			case "time":
				return surface.Number(w.ECS().Time())
			case "frame":
				return surface.Number(float64(w.ECS().Frame()))
			}
		}
	}
	return lua.LNil
}

func kindOf(v lua.LValue, in kernel.Input, functions map[lua.LValue]string) kernel.Kind {
	if in.Assigned && !in.Read {
		return kernel.Kind{InputKind: kernel.NilInput} // what it was does not matter
	}
	switch v := v.(type) {
	case lua.LNumber:
		return kernel.Kind{InputKind: kernel.NumberInput}
	case lua.LBool:
		return kernel.Kind{InputKind: kernel.BoolInput}
	case *lua.LNilType:
		return kernel.Kind{InputKind: kernel.NilInput}
	case *lua.LFunction:
		if name := functions[v]; name != "" {
			return kernel.Kind{InputKind: kernel.FuncInput, Func: name}
		}
	}
	return kernel.Kind{InputKind: kernel.OtherInput}
}

// run runs the loop whose world and arguments are on the stack.
func (s *site) run(L *lua.LState, state *sandbox.State, p *Program) int {
	if !s.walk.Open(L) {
		L.Push(lua.LNil)
		return 1
	}
	v := s.variant(state, p)
	if v == nil || v.kernel == nil {
		L.Push(lua.LNil)
		return 1
	}
	for i, place := range v.p.Inputs {
		if !place.Used {
			continue
		}
		switch x := s.values[i].(type) {
		case lua.LNumber:
			v.kernel.SetNumber(place.Reg, float64(x))
		case lua.LBool:
			v.kernel.SetBool(place.Reg, bool(x))
		}
	}
	s.walk.Begin()
	done := v.kernel.Run(&s.walk.Cursor) == kernel.Finished
	if !done {
		s.walk.HandOver()
	}
	L.Push(lua.LBool(done))
	n := 1
	for i, in := range s.template.Inputs {
		if in.Assigned {
			L.Push(v.output(i, s.values[i]))
			n++
		}
	}
	clear(s.values)
	return n
}

// output is the value of an assigned variable after the kernel.
func (v *variant) output(input int, before lua.LValue) lua.LValue {
	for _, out := range v.p.Outputs {
		switch {
		case out.Input != input:
		case out.Mark >= 0 && !v.kernel.Bool(out.Mark):
			return before
		case out.Type == kernel.Bool:
			return lua.LBool(v.kernel.Bool(out.Reg))
		default:
			return surface.Number(v.kernel.Number(out.Reg))
		}
	}
	return before
}

// variant finds or makes the kernel for the values at hand; nil: there are too
// many.
func (s *site) variant(state *sandbox.State, program *Program) *variant {
	q := s.walk.Query()
	for i := range s.variants {
		if v := &s.variants[i]; v.query == q && slices.Equal(v.kinds, s.kinds) {
			return v
		}
	}
	if len(s.variants) >= mostVariants {
		return nil
	}
	v := variant{query: q, kinds: slices.Clone(s.kinds)}
	p, reason := s.template.Check(s.kinds, func(view int) *ecs.Schema {
		_, schema := s.walk.View(view)
		return schema
	})
	if reason == nil {
		v.p = p
		if program.Machine != nil {
			v.kernel = program.Machine(p, q)
		}
		if v.kernel == nil {
			v.kernel = p.Closures(state.Budget())
		}
		program.made++
	}
	s.variants = append(s.variants, v)
	return &s.variants[len(s.variants)-1]
}

// Kernels returns how many kernels were made so far.
func (p *Program) Kernels() int {
	if p == nil {
		return 0
	}
	return p.made
}
