package loops

import (
	"fmt"
	"strconv"

	"github.com/yuin/gopher-lua/ast"
)

// Names no source can contain.
func (l *Loop) generator() string { return fmt.Sprintf("\x00loop%d", l.number) }

func (f *Field) local() string {
	return fmt.Sprintf("\x00loop%d.%d.%s", f.view.loop.number, f.view.Index, f.Name)
}

func (f *Field) setter() string { return "\x00set" + f.local()[1:] }

// rewrite makes the form of a nest that works on fields, with the loop as it was
// written behind else. It numbers the loops.
func (p *Program) rewrite(n *nest) ast.Stmt {
	for i, l := range n.loops {
		o := opener{layout: l.layout()}
		if i == 0 {
			o.guards = n.guards
		}
		p.openers = append(p.openers, o)
		l.number = len(p.openers)
	}
	r := rewriter{nest: n}
	root := n.root
	ready := r.ident(root.generator(), root.stmt)
	for _, inner := range n.loops[1:] { // once the outer loop runs there is no way back
		ready = at(&ast.LogicalOpExpr{Operator: "and", Lhs: ready, Rhs: r.open(inner)}, root.stmt)
	}
	return at(&ast.DoBlockStmt{Stmts: []ast.Stmt{
		r.locals(root),
		at(&ast.IfStmt{Condition: ready, Then: []ast.Stmt{r.loop(root)}, Else: []ast.Stmt{root.stmt}}, root.stmt),
	}}, root.stmt)
}

// rewriter copies a nest. The copy shares no node with the original, as the
// passes that follow change nodes.
type rewriter struct {
	*nest
	copies *copies // nil: any number
}

// copies bounds the nodes that are copied for kernels.
type copies struct {
	loop int // nodes that may still be copied for the loop at hand, with the functions it calls
	file int // likewise, for all loops of the file
}

// tooLarge is what a rewriter panics with when there are more nodes than it may copy.
type tooLarge struct{ at ast.PositionHolder }

// count counts nodes, and names that are declared.
func (r rewriter) count(at ast.PositionHolder, n int) {
	if r.copies == nil {
		return
	}
	r.copies.loop -= n
	r.copies.file -= n
	if min(r.copies.loop, r.copies.file) < 0 {
		panic(tooLarge{at})
	}
}

func (r rewriter) ident(name string, like ast.PositionHolder) ast.Expr {
	return at(&ast.IdentExpr{Value: name}, like)
}

// open is the call that begins a loop: its number, the world, what the guards
// look at, the arguments of each.
func (r rewriter) open(l *Loop) ast.Expr {
	args := []ast.Expr{at(&ast.NumberExpr{Value: strconv.Itoa(l.number)}, l.stmt), r.ident(l.World, l.stmt)}
	if l == r.root {
		for _, g := range r.guards {
			if g.global {
				args = append(args, at(&ast.NilExpr{}, l.stmt))
			} else {
				args = append(args, r.ident(g.name, l.stmt))
			}
		}
	}
	args = append(args, r.exprs(l.Args)...)
	return at(&ast.FuncCallExpr{Func: r.ident(hiddenOpen, l.stmt), Args: args}, l.stmt)
}

// locals declares the generator and the setters of a loop.
func (r rewriter) locals(l *Loop) ast.Stmt {
	names := []string{l.generator()}
	for _, v := range l.Views {
		for _, f := range v.Fields {
			if f.Written {
				names = append(names, f.setter())
			}
		}
	}
	return at(&ast.LocalAssignStmt{Names: names, Exprs: []ast.Expr{r.open(l)}}, l.stmt)
}

func (r rewriter) loop(l *Loop) ast.Stmt {
	names := []string{l.stmt.Names[0]}
	for _, v := range l.Views {
		for _, f := range v.Fields {
			if f.Read {
				names = append(names, f.local())
			}
		}
	}
	for _, v := range l.Views {
		if v.Tested {
			names = append(names, v.Name)
		}
	}
	return at(&ast.GenericForStmt{
		Names: names,
		Exprs: []ast.Expr{r.ident(l.generator(), l.stmt)},
		Stmts: r.block(l.stmt.Stmts),
	}, l.stmt)
}

func (r rewriter) block(stmts []ast.Stmt) []ast.Stmt {
	var out []ast.Stmt
	for _, st := range stmts {
		out = append(out, r.stmt(st))
	}
	return out
}

func (r rewriter) stmt(st ast.Stmt) ast.Stmt {
	r.count(st, 1)
	switch st := st.(type) {
	case *ast.LocalAssignStmt:
		r.count(st, len(st.Names))
		return at(&ast.LocalAssignStmt{Names: append([]string(nil), st.Names...), Exprs: r.exprs(st.Exprs)}, st)
	case *ast.AssignStmt:
		return r.assign(st)
	case *ast.FuncCallStmt:
		return at(&ast.FuncCallStmt{Expr: r.expr(st.Expr)}, st)
	case *ast.DoBlockStmt:
		return at(&ast.DoBlockStmt{Stmts: r.block(st.Stmts)}, st)
	case *ast.WhileStmt:
		return at(&ast.WhileStmt{Condition: r.expr(st.Condition), Stmts: r.block(st.Stmts)}, st)
	case *ast.RepeatStmt:
		return at(&ast.RepeatStmt{Condition: r.expr(st.Condition), Stmts: r.block(st.Stmts)}, st)
	case *ast.IfStmt:
		return at(&ast.IfStmt{Condition: r.expr(st.Condition), Then: r.block(st.Then), Else: r.block(st.Else)}, st)
	case *ast.NumberForStmt:
		c := at(&ast.NumberForStmt{Name: st.Name, Init: r.expr(st.Init), Limit: r.expr(st.Limit), Stmts: r.block(st.Stmts)}, st)
		if st.Step != nil {
			c.Step = r.expr(st.Step)
		}
		return c
	case *ast.GenericForStmt:
		l := r.nested[st]
		if l == nil {
			return at(&ast.GenericForStmt{Names: append([]string(nil), st.Names...), Exprs: r.exprs(st.Exprs), Stmts: r.block(st.Stmts)}, st)
		}
		return at(&ast.DoBlockStmt{Stmts: []ast.Stmt{r.locals(l), r.loop(l)}}, st)
	case *ast.ReturnStmt:
		return at(&ast.ReturnStmt{Exprs: r.exprs(st.Exprs)}, st)
	case *ast.BreakStmt:
		return at(&ast.BreakStmt{}, st)
	case *ast.LabelStmt:
		return at(&ast.LabelStmt{Name: st.Name}, st)
	case *ast.GotoStmt:
		return at(&ast.GotoStmt{Label: st.Label}, st)
	case *ast.FuncDefStmt:
		return st // kernels refuse it, and the interpreter's form has none
	}
	panic(fmt.Sprintf("loops: a %T in a simple loop", st))
}

// store assigns a value to what the source writes as a field of a view: the
// setter is called, and what it gives back kept if somebody reads it.
func (r rewriter) store(f *Field, value ast.Expr, like ast.Expr) ast.Stmt {
	call := at(&ast.FuncCallExpr{Func: r.ident(f.setter(), like), Args: []ast.Expr{single(value)}}, like)
	if !f.Read {
		return at(&ast.FuncCallStmt{Expr: call}, like)
	}
	return at(&ast.AssignStmt{Lhs: []ast.Expr{r.ident(f.local(), like)}, Rhs: []ast.Expr{call}}, like)
}

// assign copies an assignment. One of several targets evaluates all of the right
// before it stores from right to left, as every assignment of several does.
func (r rewriter) assign(st *ast.AssignStmt) ast.Stmt {
	stores := false
	for _, lhs := range st.Lhs {
		if get, ok := lhs.(*ast.AttrGetExpr); ok && r.fields[get] != nil {
			stores = true
		}
	}
	switch {
	case !stores:
		return at(&ast.AssignStmt{Lhs: r.exprs(st.Lhs), Rhs: r.exprs(st.Rhs)}, st)
	case len(st.Lhs) == 1 && len(st.Rhs) == 1:
		return r.store(r.fields[st.Lhs[0].(*ast.AttrGetExpr)], r.expr(st.Rhs[0]), st.Lhs[0])
	}
	names := make([]string, len(st.Lhs))
	for i := range names {
		names[i] = "\x00value" + strconv.Itoa(i)
	}
	out := []ast.Stmt{at(&ast.LocalAssignStmt{Names: names, Exprs: r.exprs(st.Rhs)}, st)}
	for i := len(names) - 1; i >= 0; i-- {
		value := r.ident(names[i], st.Lhs[i])
		if get, ok := st.Lhs[i].(*ast.AttrGetExpr); ok && r.fields[get] != nil {
			out = append(out, r.store(r.fields[get], value, get))
		} else {
			out = append(out, at(&ast.AssignStmt{Lhs: []ast.Expr{r.expr(st.Lhs[i])}, Rhs: []ast.Expr{value}}, st.Lhs[i]))
		}
	}
	return at(&ast.DoBlockStmt{Stmts: out}, st)
}

func (r rewriter) exprs(list []ast.Expr) []ast.Expr {
	out := make([]ast.Expr, len(list))
	for i, e := range list {
		out[i] = r.expr(e)
	}
	return out
}

func (r rewriter) expr(e ast.Expr) ast.Expr {
	r.count(e, 1)
	switch e := e.(type) {
	case *ast.TrueExpr:
		return at(&ast.TrueExpr{}, e)
	case *ast.FalseExpr:
		return at(&ast.FalseExpr{}, e)
	case *ast.NilExpr:
		return at(&ast.NilExpr{}, e)
	case *ast.NumberExpr:
		return at(&ast.NumberExpr{Value: e.Value}, e)
	case *ast.StringExpr:
		return at(&ast.StringExpr{Value: e.Value}, e)
	case *ast.IdentExpr:
		return r.ident(e.Value, e)
	case *ast.AttrGetExpr:
		if f := r.fields[e]; f != nil {
			return r.ident(f.local(), e)
		}
		return at(&ast.AttrGetExpr{Object: r.expr(e.Object), Key: r.expr(e.Key)}, e)
	case *ast.FuncCallExpr:
		c := at(&ast.FuncCallExpr{Method: e.Method, Args: r.exprs(e.Args), AdjustRet: e.AdjustRet}, e)
		if e.Func != nil {
			c.Func = r.expr(e.Func)
		} else {
			c.Receiver = r.expr(e.Receiver)
		}
		return c
	case *ast.TableExpr:
		t := at(&ast.TableExpr{}, e)
		for _, f := range e.Fields {
			field := &ast.Field{Value: r.expr(f.Value)}
			if f.Key != nil {
				field.Key = r.expr(f.Key)
			}
			t.Fields = append(t.Fields, field)
		}
		return t
	case *ast.LogicalOpExpr:
		return at(&ast.LogicalOpExpr{Operator: e.Operator, Lhs: r.expr(e.Lhs), Rhs: r.expr(e.Rhs)}, e)
	case *ast.RelationalOpExpr:
		return at(&ast.RelationalOpExpr{Operator: e.Operator, Lhs: r.expr(e.Lhs), Rhs: r.expr(e.Rhs)}, e)
	case *ast.StringConcatOpExpr:
		return at(&ast.StringConcatOpExpr{Lhs: r.expr(e.Lhs), Rhs: r.expr(e.Rhs)}, e)
	case *ast.ArithmeticOpExpr:
		return at(&ast.ArithmeticOpExpr{Operator: e.Operator, Lhs: r.expr(e.Lhs), Rhs: r.expr(e.Rhs)}, e)
	case *ast.UnaryMinusOpExpr:
		return at(&ast.UnaryMinusOpExpr{Expr: r.expr(e.Expr)}, e)
	case *ast.UnaryNotOpExpr:
		return at(&ast.UnaryNotOpExpr{Expr: r.expr(e.Expr)}, e)
	case *ast.UnaryLenOpExpr:
		return at(&ast.UnaryLenOpExpr{Expr: r.expr(e.Expr)}, e)
	case *ast.FunctionExpr, *ast.Comma3Expr:
		return e
	}
	panic(fmt.Sprintf("loops: a %T in a simple loop", e))
}

// single cuts a call to one value.
func single(e ast.Expr) ast.Expr {
	if c, ok := e.(*ast.FuncCallExpr); ok {
		c.AdjustRet = true
	}
	return e
}

// at gives a made node the place of the one it stands for.
func at[T ast.PositionHolder](n T, like ast.PositionHolder) T {
	n.SetLine(like.Line())
	n.SetLastLine(like.LastLine())
	return n
}
