package kernel

import (
	"fmt"
	"slices"

	"github.com/yuin/gopher-lua/ast"
)

// A Source is a query loop as it is written. [Prepare] changes the syntax in it, and in what Function returns.
type Source struct {
	Line   int
	World  string   // the variable in front of :each
	Events bool     // it walks events, not entities
	Entity string   // the first variable of the loop
	Views  []string // the others
	Body   []ast.Stmt

	// Function returns what a variable from around the loop holds when that is always the same function of the file; nil otherwise.
	Function func(name string) *Function
}

// A Function is a function of a file that may become a part of the loop.
type Function struct {
	Line   int
	Params []string
	Vararg bool
	Body   []ast.Stmt
	// Same reports whether a free name of the body means what it means at the loop.
	Same func(name string) bool
	// Hidden reports whether a free name of the body is a local around the function that another one hides from the loop.
	Hidden func(name string) bool
}

// A Template is a loop that may become a kernel.
type Template struct {
	Source
	Inputs  []Input
	Returns []int // by return statement of the loop: how many values

	functions map[string]*Function
	entered   map[string]bool // functions that have been looked at
	counts    map[string]int  // how many values they return
	names     int             // given to locals
	assigned  map[string]bool // variables that are assigned somewhere, by name: see names.go
	cleared   map[string]bool // … nil, by name or for want of a value
	sites     map[*ast.ReturnStmt]int
}

// Prepare looks at a loop and lists what it uses. The reason, when there is one,
// holds whatever the types are.
func Prepare(s Source) (t *Template, reason *Reason) {
	defer caught(&reason)
	t = &Template{Source: s, functions: map[string]*Function{}, entered: map[string]bool{}, counts: map[string]int{}, assigned: map[string]bool{}, cleared: map[string]bool{}, sites: map[*ast.ReturnStmt]int{}}
	variables := t.rename(append([]string{s.Entity}, s.Views...), s.Body)
	t.Entity, t.Views = variables[0], variables[1:]
	p := &preparer{t: t}
	p.block(s.Body)
	for i := range t.Inputs {
		if in := &t.Inputs[i]; in.Assigned && in.Object {
			panic(&Reason{in.line, fmt.Sprintf("%q is assigned and has members", in.Name)})
		}
	}
	return t, nil
}

// preparer walks a body whose locals have been renamed.
type preparer struct {
	t     *Template
	fn    *Function // the function the place is in, nil in the loop itself
	stack []string  // functions around the place
}

func (p *preparer) block(stmts []ast.Stmt) {
	for _, st := range stmts {
		p.stmt(st)
	}
}

// sees refuses a free name of a function that means something else at the loop.
func (p *preparer) sees(name, otherwise string, at ast.PositionHolder) {
	switch {
	case p.fn == nil || p.fn.Same(name):
	case p.fn.Hidden(name):
		refuse(at, "uses %q, which another variable of that name hides from the loop: rename one of them", name)
	default:
		refuse(at, "uses %q, which the loop does not see: %s", name, otherwise)
	}
}

// input finds or adds an input.
func (p *preparer) input(name, member string, at ast.PositionHolder) *Input {
	p.sees(name, "move it up, or pass it as an argument", at)
	for i := range p.t.Inputs {
		if in := &p.t.Inputs[i]; in.Name == name && in.Member == member {
			return in
		}
	}
	if len(p.t.Inputs) == mostInputs {
		refuse(at, "the loop uses too many variables from around itself")
	}
	p.t.Inputs = append(p.t.Inputs, Input{Name: name, Member: member, line: at.Line()})
	return &p.t.Inputs[len(p.t.Inputs)-1]
}

func (p *preparer) stmt(st ast.Stmt) {
	switch st := st.(type) {
	case *ast.LocalAssignStmt:
		p.exprs(st.Exprs)
	case *ast.AssignStmt:
		for i, lhs := range st.Lhs {
			p.target(lhs)
			id, ok := lhs.(*ast.IdentExpr)
			if !ok {
				continue
			}
			if i >= len(st.Rhs) {
				p.t.cleared[id.Value] = true
			} else if _, isNil := st.Rhs[i].(*ast.NilExpr); isNil {
				p.t.cleared[id.Value] = true
			}
		}
		p.exprs(st.Rhs)
	case *ast.FuncCallStmt:
		p.expr(st.Expr)
	case *ast.DoBlockStmt:
		p.block(st.Stmts)
	case *ast.WhileStmt:
		p.expr(st.Condition)
		p.block(st.Stmts)
	case *ast.RepeatStmt:
		p.block(st.Stmts)
		p.expr(st.Condition)
	case *ast.IfStmt:
		p.expr(st.Condition)
		p.block(st.Then)
		p.block(st.Else)
	case *ast.NumberForStmt:
		p.exprs([]ast.Expr{st.Init, st.Limit})
		if st.Step != nil {
			p.expr(st.Step)
		}
		p.block(st.Stmts)
	case *ast.GenericForStmt:
		p.generic(st)
	case *ast.BreakStmt, *ast.LabelStmt, *ast.GotoStmt:
	case *ast.ReturnStmt:
		p.exprs(st.Exprs)
		if p.fn == nil {
			p.t.sites[st] = len(p.t.Returns)
			p.t.Returns = append(p.t.Returns, p.t.values(st.Exprs))
		}
	default:
		refuse(st, "makes a function")
	}
}

// generic looks at a loop over a query or over neighbours.
func (p *preparer) generic(st *ast.GenericForStmt) {
	call, ok := st.Exprs[0].(*ast.FuncCallExpr)
	if !ok || len(st.Exprs) != 1 || call.Func != nil || call.Method != "each" && call.Method != "near" {
		refuse(st, "has a for … in over something else than world:each or world:near")
	}
	p.method(call)
	p.block(st.Stmts)
}

// target looks at what is assigned.
func (p *preparer) target(lhs ast.Expr) {
	switch lhs := lhs.(type) {
	case *ast.IdentExpr:
		p.t.assigned[lhs.Value] = true
		if !isLocal(lhs.Value) {
			p.input(lhs.Value, "", lhs).Assigned = true
		}
	case *ast.AttrGetExpr:
		if id, ok := lhs.Object.(*ast.IdentExpr); ok && keyOf(lhs) != "" && !isLocal(id.Value) {
			p.input(id.Value, "", id).Object = true
			p.input(id.Value, keyOf(lhs), lhs).Assigned = true
			return
		}
		if sum, ok := lhs.Key.(*ast.ArithmeticOpExpr); ok {
			if _, ok := sum.Lhs.(*ast.UnaryLenOpExpr); ok {
				refuse(lhs, "appends to a table")
			}
		}
		p.get(lhs)
	}
}

func (p *preparer) exprs(list []ast.Expr) {
	for _, e := range list {
		p.expr(e)
	}
}

func (p *preparer) expr(e ast.Expr) {
	switch e := e.(type) {
	case *ast.TrueExpr, *ast.FalseExpr, *ast.NilExpr, *ast.NumberExpr, *ast.StringExpr:
	case *ast.IdentExpr:
		switch {
		case isLocal(e.Value):
		case p.function(e.Value, e) != nil:
			refuse(e, "uses the function %q as a value", e.Value)
		default:
			p.input(e.Value, "", e).Read = true
		}
	case *ast.AttrGetExpr:
		p.get(e)
	case *ast.FuncCallExpr:
		p.call(e)
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

// get looks at OBJECT.NAME or OBJECT[KEY].
func (p *preparer) get(e *ast.AttrGetExpr) {
	key := keyOf(e)
	if key == "" {
		p.expr(e.Key)
	}
	switch object := e.Object.(type) {
	case *ast.IdentExpr:
		if isLocal(object.Value) {
			return
		}
		p.input(object.Value, "", object).Object = true
		if key != "" {
			p.input(object.Value, key, e).Read = true
		}
	case *ast.AttrGetExpr:
		p.get(object)
	case *ast.FuncCallExpr:
		p.call(object)
	default:
		refuse(e, "indexes something else than a variable or what a call gives")
	}
}

// call looks at a call.
func (p *preparer) call(e *ast.FuncCallExpr) {
	switch fn := e.Func.(type) {
	case nil:
		p.method(e)
		return
	case *ast.AttrGetExpr:
		p.get(fn)
	case *ast.IdentExpr:
		if isLocal(fn.Value) {
			break
		}
		if f := p.function(fn.Value, fn); f != nil {
			p.enter(fn, f)
			break
		}
		p.input(fn.Value, "", fn).Read = true
	default:
		refuse(e, "calls %s", callee(e))
	}
	p.exprs(e.Args)
}

// function is the function of the file that a free name stands for, nil when it
// is none.
func (p *preparer) function(name string, at ast.PositionHolder) *Function {
	f, ok := p.t.functions[name]
	if !ok && p.t.Function != nil {
		if f = p.t.Function(name); f != nil {
			f.Params = p.t.rename(f.Params, f.Body)
		}
		p.t.functions[name] = f
	}
	if f != nil {
		p.sees(name, "move it up", at)
	}
	return f
}

// enter looks at the body of a function that is called.
func (p *preparer) enter(name *ast.IdentExpr, f *Function) {
	switch {
	case slices.Contains(p.stack, name.Value):
		refuse(name, "the function %q calls itself", name.Value)
	case f.Vararg:
		refuse(name, "the function %q takes ...", name.Value)
	case len(p.stack) >= mostCalls:
		refuse(name, "calls go too deep")
	}
	if p.t.entered[name.Value] {
		return
	}
	p.t.entered[name.Value] = true
	inner := &preparer{t: p.t, fn: f, stack: append(slices.Clone(p.stack), name.Value)}
	inner.block(f.Body)
}

const (
	mostCalls  = 8  // within each other
	mostInputs = 80 // of a loop: each takes a register of the interpreter when the loop begins
)
