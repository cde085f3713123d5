package loops

import (
	"strconv"

	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
	"github.com/yuin/gopher-lua/ast"
)

// A loop that may become a kernel gets a call in front of it:
//
//	do
//	  local done, sum2, r1 = RUN(1, sum, dt, world, "Position", "Velocity")
//	  if done ~= nil then sum = sum2 end
//	  if done == 1 then return r1 end
//	  if not done then for e, pos, vel in world:each("Position", "Velocity") do … end end
//	end
//
// RUN gives nil when there is no kernel for the values at hand, true when the
// kernel did the whole loop, a number when it came to that return statement of the
// loop, and false when it left the rest to the loop, which then begins where the
// kernel stopped.

// hiddenRun is the name of the function that runs kernels.
const hiddenRun = "\x00kernel"

// What is copied for kernels is bounded, and with it the time of looking at it. A body of the most statements that a kernel may have is
// a third of the first number.
const (
	mostCopied       = 20_000    // nodes of a loop, with those of the functions it calls
	mostCopiedOfFile = 1_000_000 // of all loops of a file
)

// prepare finds out whether a loop may become a kernel, with the loops in its body. copies is what the file has left.
func (l *Loop) prepare(copies *copies) {
	copies.loop = mostCopied
	refuse := l.leave
	if r := l.plain(); r != nil {
		refuse(r)
		return
	}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case tooLarge:
			if copies.file < 0 {
				refuse(tooManyLoops(l))
			} else {
				refuse(&Reason{r.at.Line(), "the body is too large, with the functions that become a part of it"})
			}
		default:
			panic(r)
		}
	}()
	source := kernel.Source{Line: l.Line, World: l.World, Events: l.Events != "", Entity: l.stmt.Names[0], Views: l.stmt.Names[1:], Body: copier{copies}.block(l.stmt.Stmts), Function: func(name string) *kernel.Function { return l.function(name, copies) }}
	t, reason := kernel.Prepare(source)
	if reason != nil {
		refuse(&Reason{reason.Line, reason.Text})
		return
	}
	for i := range t.Inputs {
		in := &t.Inputs[i]
		v := visible(l.sees, in.Name)
		in.Global = v == nil
		if in.Global && in.Assigned && in.Member == "" {
			refuse(&Reason{l.Line, "assigns the global " + strconv.Quote(in.Name)})
			return
		}
		l.guess = append(l.guess, l.guessOf(*in, v))
	}
	l.Kernel, l.terms = t, l.termsOf()
}

// leave leaves a loop to the interpreter, for a reason.
func (l *Loop) leave(r *Reason) { l.Kernel, l.NoKernel = nil, r }

func tooManyLoops(l *Loop) *Reason { return &Reason{l.Line, "the file has too many loops"} }

// plain says why a loop cannot even begin as a kernel.
func (l *Loop) plain() *Reason {
	at := func(e ast.PositionHolder, text string) *Reason { return &Reason{e.Line(), text} }
	call := l.stmt.Exprs[0].(*ast.FuncCallExpr)
	id, ok := call.Receiver.(*ast.IdentExpr)
	if !ok {
		return at(call, call.Method+" is not called on a local")
	}
	if visible(l.sees, id.Value) == nil {
		return at(call, strconv.Quote(id.Value)+" is not a local")
	}
	for _, arg := range l.Args {
		switch arg := arg.(type) {
		case *ast.StringExpr:
		case *ast.IdentExpr:
			if visible(l.sees, arg.Value) == nil {
				return at(arg, "uses the global "+strconv.Quote(arg.Value))
			}
		default:
			return at(arg, "an argument of "+call.Method+" is neither a name in quotes nor a local")
		}
	}
	return nil
}

// function is what a variable around a loop holds, when that is always the same
// function of the file.
func (l *Loop) function(name string, copies *copies) *kernel.Function {
	v := visible(l.sees, name)
	if v == nil || v.fn == nil || v.assigned {
		return nil
	}
	return &kernel.Function{
		Line: v.fn.Line(), Params: v.fn.ParList.Names, Vararg: v.fn.ParList.HasVargs, Body: copier{copies}.block(v.fn.Stmts),
		Same: func(name string) bool { return visible(v.sees, name) == visible(l.sees, name) },
		Hidden: func(name string) bool {
			return visible(v.sees, name) != nil && visible(v.sees, name) != visible(l.sees, name)
		},
	}
}

// call puts the call of the kernel in front of a loop.
func (p *Program) call(l *Loop) ast.Stmt {
	p.kernels = append(p.kernels, l)
	c := copier{}
	done := "\x00done"
	args := []ast.Expr{at(&ast.NumberExpr{Value: strconv.Itoa(len(p.kernels))}, l.stmt)}
	names, targets, values := []string{done}, []ast.Expr(nil), []ast.Expr(nil)
	for i, in := range l.Kernel.Inputs {
		if in.Member != "" {
			continue
		}
		if in.Global {
			args = append(args, at(&ast.NilExpr{}, l.stmt))
		} else {
			args = append(args, c.ident(in.Name, l.stmt))
		}
		if in.Assigned {
			out := "\x00out" + strconv.Itoa(i)
			names = append(names, out)
			targets, values = append(targets, c.ident(in.Name, l.stmt)), append(values, c.ident(out, l.stmt))
		}
	}
	results := 0
	for _, n := range l.Kernel.Returns {
		results = max(results, n)
	}
	for i := range results {
		names = append(names, "\x00result"+strconv.Itoa(i))
	}
	args = append(append(args, c.ident(l.World, l.stmt)), c.exprs(l.Args)...)
	run := at(&ast.FuncCallExpr{Func: c.ident(hiddenRun, l.stmt), Args: args}, l.stmt)
	stmts := []ast.Stmt{at(&ast.LocalAssignStmt{Names: names, Exprs: []ast.Expr{run}}, l.stmt)}
	is := func(operator string, value ast.Expr, then ast.Stmt) {
		test := at(&ast.RelationalOpExpr{Operator: operator, Lhs: c.ident(done, l.stmt), Rhs: at(value, l.stmt)}, l.stmt)
		stmts = append(stmts, at(&ast.IfStmt{Condition: test, Then: []ast.Stmt{then}}, l.stmt))
	}
	if len(targets) > 0 {
		is("~=", &ast.NilExpr{}, at(&ast.AssignStmt{Lhs: targets, Rhs: values}, l.stmt))
	}
	for i, n := range l.Kernel.Returns {
		back := at(&ast.ReturnStmt{}, l.stmt)
		for j := range n {
			back.Exprs = append(back.Exprs, c.ident("\x00result"+strconv.Itoa(j), l.stmt))
		}
		is("==", &ast.NumberExpr{Value: strconv.Itoa(i + 1)}, back)
	}
	rest := at(&ast.UnaryNotOpExpr{Expr: c.ident(done, l.stmt)}, l.stmt)
	stmts = append(stmts, at(&ast.IfStmt{Condition: rest, Then: []ast.Stmt{*l.slot}}, l.stmt))
	return at(&ast.DoBlockStmt{Stmts: stmts}, l.stmt)
}
