package kernel

import (
	"fmt"
	"slices"

	"github.com/yuin/gopher-lua/ast"
)

// A Source is a query loop as it is written.
type Source struct {
	Line   int
	World  string   // the variable in front of :each
	Entity string   // the first variable of the loop
	Views  []string // the others
	Body   []ast.Stmt
}

// A Reason says why a loop is interpreted, and where.
type Reason struct {
	Line int
	Text string
}

func (r *Reason) Error() string { return fmt.Sprintf("%s (line %d)", r.Text, r.Line) }

func refuse(at ast.PositionHolder, format string, args ...any) {
	panic(&Reason{at.Line(), fmt.Sprintf(format, args...)})
}

// caught turns what refuse raised into a value.
func caught(reason **Reason) {
	if r := recover(); r != nil {
		x, ok := r.(*Reason)
		if !ok {
			panic(r)
		}
		*reason = x
	}
}

// An Input is a value from around the loop, read once when it begins: a variable,
// or NAME.MEMBER of one or of the global math.
type Input struct {
	Name   string
	Member string
	Global bool // NAME is no local

	Read     bool
	Assigned bool
	line     int
}

// A Template is a loop that may become a kernel.
type Template struct {
	Source
	Inputs []Input
}

// Prepare looks at a loop and lists what it uses. The reason, when there is one,
// holds whatever the types are.
func Prepare(s Source) (t *Template, reason *Reason) {
	defer caught(&reason)
	t = &Template{Source: s}
	p := &preparer{t: t, locals: append([]string{s.Entity}, s.Views...)}
	p.block(s.Body)
	for i := range t.Inputs {
		in := &t.Inputs[i]
		if in.Assigned && slices.ContainsFunc(t.Inputs, func(o Input) bool { return o.Name == in.Name && o.Member != "" }) {
			panic(&Reason{in.line, fmt.Sprintf("%q is assigned and has members", in.Name)})
		}
	}
	return t, nil
}

// preparer walks a body and knows which names are its own.
type preparer struct {
	t      *Template
	locals []string
}

func (p *preparer) own(name string) bool { return slices.Contains(p.locals, name) }

func (p *preparer) within(fn func()) {
	n := len(p.locals)
	fn()
	p.locals = p.locals[:n]
}

func (p *preparer) block(stmts []ast.Stmt) {
	p.within(func() {
		for _, st := range stmts {
			p.stmt(st)
		}
	})
}

func (p *preparer) input(name, member string, at ast.PositionHolder) *Input {
	for i := range p.t.Inputs {
		if in := &p.t.Inputs[i]; in.Name == name && in.Member == member {
			return in
		}
	}
	p.t.Inputs = append(p.t.Inputs, Input{Name: name, Member: member, line: at.Line()})
	return &p.t.Inputs[len(p.t.Inputs)-1]
}

func (p *preparer) stmt(st ast.Stmt) {
	switch st := st.(type) {
	case *ast.LocalAssignStmt:
		p.exprs(st.Exprs)
		p.locals = append(p.locals, st.Names...)
	case *ast.AssignStmt:
		for _, lhs := range st.Lhs {
			switch lhs := lhs.(type) {
			case *ast.IdentExpr:
				if !p.own(lhs.Value) {
					p.input(lhs.Value, "", lhs).Assigned = true
				}
			case *ast.AttrGetExpr:
				if id, ok := lhs.Object.(*ast.IdentExpr); !ok || !slices.Contains(p.t.Views, id.Value) {
					refuse(lhs, "assigns something else than a local or a field")
				}
			}
		}
		p.exprs(st.Rhs)
	case *ast.FuncCallStmt:
		refuse(st, "calls %s", callee(st.Expr))
	case *ast.DoBlockStmt:
		p.block(st.Stmts)
	case *ast.WhileStmt:
		p.expr(st.Condition)
		p.block(st.Stmts)
	case *ast.RepeatStmt:
		p.within(func() {
			for _, inner := range st.Stmts {
				p.stmt(inner)
			}
			p.expr(st.Condition)
		})
	case *ast.IfStmt:
		p.expr(st.Condition)
		p.block(st.Then)
		p.block(st.Else)
	case *ast.NumberForStmt:
		p.exprs([]ast.Expr{st.Init, st.Limit})
		if st.Step != nil {
			p.expr(st.Step)
		}
		p.within(func() {
			p.locals = append(p.locals, st.Name)
			p.block(st.Stmts)
		})
	case *ast.BreakStmt, *ast.LabelStmt, *ast.GotoStmt:
	case *ast.ReturnStmt:
		refuse(st, "returns from inside the loop; break, and return after it")
	case *ast.GenericForStmt:
		refuse(st, "has a loop over something else than numbers")
	default:
		refuse(st, "makes a function")
	}
}

func (p *preparer) exprs(list []ast.Expr) {
	for _, e := range list {
		p.expr(e)
	}
}

func (p *preparer) expr(e ast.Expr) {
	switch e := e.(type) {
	case *ast.TrueExpr, *ast.FalseExpr, *ast.NilExpr, *ast.NumberExpr:
	case *ast.StringExpr:
		refuse(e, "uses a string")
	case *ast.IdentExpr:
		if !p.own(e.Value) {
			p.input(e.Value, "", e).Read = true
		}
	case *ast.AttrGetExpr:
		id, ok := e.Object.(*ast.IdentExpr)
		key, isName := e.Key.(*ast.StringExpr)
		switch {
		case !ok || !isName:
			refuse(e, "indexes something else than a view or a table of constants by a name")
		case !p.own(id.Value):
			p.input(id.Value, key.Value, e).Read = true
		}
	case *ast.FuncCallExpr:
		switch e.Func.(type) {
		case *ast.AttrGetExpr, *ast.IdentExpr:
			p.expr(e.Func)
		default:
			refuse(e, "calls %s", callee(e))
		}
		p.exprs(e.Args)
	case *ast.LogicalOpExpr:
		p.exprs([]ast.Expr{e.Lhs, e.Rhs})
	case *ast.RelationalOpExpr:
		p.exprs([]ast.Expr{e.Lhs, e.Rhs})
	case *ast.ArithmeticOpExpr:
		p.exprs([]ast.Expr{e.Lhs, e.Rhs})
	case *ast.UnaryMinusOpExpr:
		p.expr(e.Expr)
	case *ast.UnaryNotOpExpr:
		p.expr(e.Expr)
	case *ast.StringConcatOpExpr:
		refuse(e, "joins strings")
	case *ast.UnaryLenOpExpr:
		refuse(e, "takes a length")
	case *ast.TableExpr:
		refuse(e, "makes a table")
	default:
		refuse(e, "makes a function or uses ...")
	}
}

// callee is what a call calls, as the source has it.
func callee(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.FuncCallExpr:
		if e.Func == nil {
			return callee(e.Receiver) + ":" + e.Method
		}
		return callee(e.Func)
	case *ast.IdentExpr:
		return e.Value
	case *ast.AttrGetExpr:
		if key, ok := e.Key.(*ast.StringExpr); ok {
			return callee(e.Object) + "." + key.Value
		}
	}
	return "a function"
}
