package loops

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/lower"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// The call of RUN that is put in front of each loop that may be compiled:
//
//	do
//	  local last
//	  repeat
//	    local done, rest, sum2, r1 = RUN(1, last, sum, dt, world, "Position", "Velocity")
//	    if done ~= nil then sum = sum2 end
//	    if done == 2 then return r1 end
//	    if not done then for e, pos, vel in rest or world:each("Position", "Velocity") do … end end
//	    last = rest
//	  until not rest
//	end
//
// RUN returns as done: nil if there is no kernel for the current values; true if the walk is over; a number if the
// kernel has come to a return statement of the loop: one more than how many values are returned; false if rows are left to the loop as it is written. These
// are the row at which the kernel has stopped, or all remaining rows. Then rest is the generator of the loop, and
// RUN is called again after the loop, with that generator. If the loop had one row, and its body has not left the
// loop, the kernel goes on.

// hiddenRun is the name of the Go function RUN. No source can contain it.
const hiddenRun = "\x00kernel"

// Bounds of what is copied for kernels, and so of the time that is spent on it. The largest body that lowering
// accepts is a third of the first number.
const (
	mostCopied       = 20_000    // nodes of a loop, including those of the functions it calls
	mostCopiedOfFile = 1_000_000 // nodes of all loops of a file
)

// prepare finds out whether a loop may be compiled, together with the loops in its body. It sets Template or
// Reason. copies is what the file may still copy.
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
				refuse(&Reason{Line: r.at.Line(), Text: "the body is too large, with the functions that become a part of it", Advice: lower.SplitLoop})
			}
		default:
			panic(r)
		}
	}()
	source := lower.Source{
		Line: l.Line, Names: l.names, Variables: l.names.Declared(l.stmt), World: l.world, Events: l.Events != "" || l.Cells != "", Body: copies.cloner(l.names).Block(l.stmt.Stmts),
		Function: func(v *syntax.Variable) *lower.Function { return l.function(v, copies) },
	}
	t, reason := lower.Prepare(source)
	if reason != nil {
		refuse(reason)
		return
	}
	if t.HasExits() {
		l.spare(t)
	}
	for _, in := range t.Inputs {
		if in.Global() && in.Assigned && in.Member == "" {
			refuse(&Reason{Line: l.Line, Text: "assigns the global " + strconv.Quote(in.Name()), Advice: lower.LocalOfFile})
			return
		}
		if r := l.viewAround(in); r != nil {
			refuse(r)
			return
		}
		l.guess = append(l.guess, l.guessOf(in))
	}
	l.Template, l.terms = t, l.termsOf()
}

// spare adds inputs for the variables declared outside the loop that only stand after exits, in the loop or in functions of the
// file that it calls. When all functions that the loop calls are known, a linked template may need them.
func (l *Loop) spare(t *lower.Template) {
	seen := map[*syntax.Variable]bool{}
	var visit func(stmts []ast.Stmt)
	visit = func(stmts []ast.Stmt) {
		syntax.Search(stmts, func(n ast.PositionHolder) syntax.Step {
			id, ok := n.(*ast.IdentExpr)
			if !ok {
				return syntax.Deeper
			}
			v := l.names.Of(id)
			if v == nil || seen[v] || v.Kind == syntax.Global {
				return syntax.Deeper
			}
			seen[v] = true
			if l.names.Visible(l.stmt, v.InTree()) == v {
				t.AddSpare(v, id.Line())
			}
			if fn, ok := v.Value.(*ast.FunctionExpr); ok && !v.Assigned && !l.isIn(fn) {
				visit(fn.Stmts)
			}
			return syntax.Deeper
		})
	}
	visit(l.stmt.Stmts)
}

// viewAround refuses an input that is a field of a view, or of an event, of an outer loop; it returns nil for any
// other input. A kernel of this loop alone cannot have it: a kernel takes numbers, booleans, strings and Lua tables
// from around its loop. A kernel of the outer loop contains this loop, and needs no input for the field.
func (l *Loop) viewAround(in lower.Input) *Reason {
	if in.Member == "" {
		return nil
	}
	v := l.origin(in.Variable)
	for around := l.Outer; around != nil; around = around.Outer {
		if !slices.Contains(l.names.Declared(around.stmt), v) {
			continue
		}
		if in.Assigned {
			return &Reason{Line: in.Line, Text: fmt.Sprintf("assigns %s.%s, a field of the loop around it, which is interpreted", in.Name(), in.Member), Advice: lower.AssignAfter}
		}
		return &Reason{Line: in.Line, Text: fmt.Sprintf("uses %s.%s, a field of the loop around it, which is interpreted", in.Name(), in.Member), Advice: lower.KeepBefore}
	}
	return nil
}

// leave leaves a loop to the interpreter, with the reason.
func (l *Loop) leave(r *Reason) { l.Template, l.Reason = nil, r }

// tooManyLoops is the reason for loops beyond the limits of a file.
func tooManyLoops(l *Loop) *Reason {
	return &Reason{Line: l.Line, Text: "the file has too many loops", Advice: lower.MoveToModule}
}

// plain returns why the head of a loop keeps it from being compiled; nil if it does not.
func (l *Loop) plain() *Reason {
	at := func(e ast.PositionHolder, text string) *Reason { return &Reason{Line: e.Line(), Text: text} }
	call := l.stmt.Exprs[0].(*ast.FuncCallExpr)
	switch {
	case l.World != "" && l.names.Variable(call.Receiver).Kind == syntax.Global:
		return at(call, strconv.Quote(l.World)+" is not a local")
	case l.world == nil && l.Cells == "":
		return at(call, call.Method+" is not called on a local")
	}
	for _, arg := range l.Args {
		switch arg := arg.(type) {
		case *ast.StringExpr:
		case *ast.IdentExpr:
			if l.names.Of(arg).Kind == syntax.Global {
				return &Reason{Line: arg.Line(), Text: "uses the global " + strconv.Quote(arg.Value), Advice: lower.LocalOfFile}
			}
		case *ast.Comma3Expr:
			return &Reason{Line: arg.Line(), Text: "passes ... to " + call.Method, Advice: lower.PassQuery}
		default:
			if !l.single(arg) {
				return at(arg, "an argument of "+call.Method+" is a call, which may give several values")
			}
		}
	}
	return nil
}

// function returns the function that a variable declared outside the loop always holds; nil if it is not always the same
// function of the file. Nothing has to be checked when the loop begins. What is visible where the function is made
// is also visible at the variable, or only hidden there (see reach).
func (l *Loop) function(v *syntax.Variable, copies *copies) *lower.Function {
	v = l.origin(v)
	fn, ok := v.Value.(*ast.FunctionExpr)
	if !ok || v.Assigned || l.isIn(fn) {
		return nil
	}
	return &lower.Function{Line: fn.Line(), Params: l.names.Function(fn).Params, Vararg: fn.ParList.HasVargs, Body: copies.cloner(l.names).Block(fn.Stmts)}
}

// isIn reports whether the loop stands in a function. Such a function does not become a part of the loop's body: copies of
// one loop share its variables, so those of the inner one would take the place of the outer one's.
func (l *Loop) isIn(fn *ast.FunctionExpr) bool {
	found := false
	syntax.Search(fn.Stmts, func(n ast.PositionHolder) syntax.Step {
		found = found || n == ast.PositionHolder(l.stmt)
		return syntax.Deeper
	})
	return found
}

// A copies counts down the nodes that may still be copied for kernels.
type copies struct {
	loop int // for the current loop, with the functions it calls
	file int // for all loops of the file
}

// A tooLarge is the panic of a cloner that would copy more nodes than it may.
type tooLarge struct{ at ast.PositionHolder }

// count counts n nodes or declared names.
func (c *copies) count(at ast.PositionHolder, n int) {
	c.loop -= n
	c.file -= n
	if min(c.loop, c.file) < 0 {
		panic(tooLarge{at})
	}
}

// cloner returns a Cloner for what becomes a part of a kernel. A copy is needed because later passes change the
// original. Definitions of functions are not copied, because a kernel refuses them.
func (c *copies) cloner(names *syntax.Bindings) *syntax.Cloner {
	return &syntax.Cloner{
		Bindings: names,
		Stmt: func(st ast.Stmt) ast.Stmt {
			c.count(st, 1)
			switch st := st.(type) {
			case *ast.LocalAssignStmt:
				c.count(st, len(st.Names))
			case *ast.FuncDefStmt:
				return st
			}
			return nil
		},
		Expr: func(e ast.Expr) ast.Expr {
			c.count(e, 1)
			return nil
		},
	}
}

// reach makes the variables that a kernel takes from around its loop visible in front of the loop. A variable that
// is used by an inlined function may be hidden there by another one; then it is renamed in the tree. It returns the
// reason if that is not possible.
func (l *Loop) reach() *Reason {
	for _, in := range l.Template.Inputs {
		v := in.Variable
		if in.Global() || l.names.Visible(l.stmt, v.InTree()) == v {
			continue
		}
		if !l.names.Rename(v) {
			return &Reason{Line: l.Line, Text: "uses " + strconv.Quote(v.Name) + ", which another variable of that name hides from the loop: rename one of them"}
		}
	}
	return nil
}

// ident makes an identifier with the position of the loop.
func (l *Loop) ident(name string) ast.Expr { return syntax.At(&ast.IdentExpr{Value: name}, l.stmt) }

// value makes the argument of RUN for a variable. It is nil for a global, which RUN looks up by itself.
func (l *Loop) value(v *syntax.Variable) ast.Expr {
	if v.Kind == syntax.Global {
		return syntax.At(&ast.NilExpr{}, l.stmt)
	}
	return l.ident(v.InTree())
}

// mostCalled is how many values of a call at the end of a return statement are returned, if the template of the loop does not know the function.
const mostCalled = 3

// counts returns how many values the return statements of the loop give, in ascending order, each once. A template that is linked later may have return
// statements that this one leaves to the interpreter, and functions that give more values.
func (l *Loop) counts() (list []int) {
	syntax.Search(l.stmt.Stmts, func(n ast.PositionHolder) syntax.Step {
		switch n := n.(type) {
		case *ast.FunctionExpr, *ast.FuncDefStmt:
			return syntax.Past
		case *ast.ReturnStmt:
			some := len(n.Exprs)
			list = append(list, some)
			if some > 0 && syntax.GivesSeveral(n.Exprs[some-1]) {
				for i := range mostCalled + 1 {
					list = append(list, some-1+i)
				}
			}
		}
		return syntax.Deeper
	})
	list = append(list, l.Template.Returns...)
	slices.Sort(list)
	return slices.Compact(list)
}

// call returns the statement that replaces a loop: the call of RUN, with the loop after it, as shown at the head
// of this file.
func (f *File) call(l *Loop) ast.Stmt {
	f.kernels = append(f.kernels, l)
	const last, done, rest = "\x00last", "\x00done", "\x00rest"
	args := []ast.Expr{syntax.At(&ast.NumberExpr{Value: strconv.Itoa(len(f.kernels))}, l.stmt), l.ident(last)}
	names, targets, values := []string{done, rest}, []ast.Expr(nil), []ast.Expr(nil)
	for i, in := range l.Template.Inputs {
		if in.Member != "" {
			continue
		}
		args = append(args, l.value(in.Variable))
		if in.Assigned || in.Passed {
			out := "\x00out" + strconv.Itoa(i)
			names = append(names, out)
			targets, values = append(targets, l.value(in.Variable)), append(values, l.ident(out))
		}
	}
	l.returns = l.counts()
	if n := len(l.returns); n > 0 {
		for i := range l.returns[n-1] {
			names = append(names, "\x00result"+strconv.Itoa(i))
		}
	}
	heads := l.heads()
	walked := l.stmt.Exprs[0].(*ast.FuncCallExpr)
	args = append(args, (&syntax.Cloner{}).Expressions(append([]ast.Expr{walked.Receiver}, walked.Args...))...)
	run := syntax.At(&ast.FuncCallExpr{Func: l.ident(hiddenRun), Args: args}, l.stmt)
	stmts := []ast.Stmt{syntax.At(&ast.LocalAssignStmt{Names: names, Exprs: []ast.Expr{run}}, l.stmt)}
	is := func(operator string, value ast.Expr, then ast.Stmt) {
		test := syntax.At(&ast.RelationalOpExpr{Operator: operator, Lhs: l.ident(done), Rhs: syntax.At(value, l.stmt)}, l.stmt)
		stmts = append(stmts, syntax.At(&ast.IfStmt{Condition: test, Then: []ast.Stmt{then}}, l.stmt))
	}
	not := func(name string) ast.Expr { return syntax.At(&ast.UnaryNotOpExpr{Expr: l.ident(name)}, l.stmt) }
	if len(targets) > 0 {
		is("~=", &ast.NilExpr{}, syntax.At(&ast.AssignStmt{Lhs: targets, Rhs: values}, l.stmt))
	}
	for _, n := range l.returns {
		back := syntax.At(&ast.ReturnStmt{}, l.stmt)
		for j := range n {
			back.Exprs = append(back.Exprs, l.ident("\x00result"+strconv.Itoa(j)))
		}
		is("==", &ast.NumberExpr{Value: strconv.Itoa(n + 1)}, back)
	}
	l.stmt.Exprs[0] = syntax.At(&ast.LogicalOpExpr{Operator: "or", Lhs: l.ident(rest), Rhs: l.stmt.Exprs[0]}, l.stmt)
	stmts = append(
		stmts, syntax.At(&ast.IfStmt{Condition: not(done), Then: []ast.Stmt{*l.slot}}, l.stmt),
		syntax.At(&ast.AssignStmt{Lhs: []ast.Expr{l.ident(last)}, Rhs: []ast.Expr{l.ident(rest)}}, l.stmt),
	)
	return syntax.At(&ast.DoBlockStmt{Stmts: append(
		heads, syntax.At(&ast.LocalAssignStmt{Names: []string{last}}, l.stmt), syntax.At(&ast.RepeatStmt{Condition: not(rest), Stmts: stmts}, l.stmt),
	)}, l.stmt)
}
