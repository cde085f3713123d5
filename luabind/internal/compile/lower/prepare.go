package lower

import (
	"fmt"
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// The first step of lowering, when a file is compiled: [Prepare] finds out which variables from around it a loop
// uses, and refuses what no kernel supports whatever the types are. It walks the body, and the functions that the
// body calls.

// Prepare walks the body of a loop and lists its inputs. If the loop cannot be lowered whatever the kinds of its
// inputs are, it returns a reason instead. It walks again for each exit that it finds.
func Prepare(s Source) (t *Template, reason *Reason) {
	left, functions, varied, passed, copies := exits{}, map[member]*Function{}, map[Place]bool{}, map[Place]*Reason{}, newSpreads(s.Names)
	s.Names = copies
	for {
		n := len(varied)
		t, at, reason := prepare(s, left, functions, varied, passed, copies)
		if len(varied) > n {
			continue
		}
		if reason == nil || !left.add(at, reason) {
			return t, reason
		}
	}
}

// prepare is one attempt of Prepare, for a body of which the statements left are exits. functions are the answers
// of the Source so far. varied are places that are no constants, because the body assigns there; if the attempt adds
// some, its result does not count. at is the statement that may be made an exit to avoid the reason.
func prepare(s Source, left exits, functions map[member]*Function, varied map[Place]bool, passed map[Place]*Reason, copies *spreads) (t *Template, at ast.Stmt, reason *Reason) {
	t = &Template{
		Source: s, functions: functions, entered: map[*Function]bool{}, counts: map[*Function]int{}, exits: left,
		own: map[*syntax.Variable]bool{}, assigned: map[*syntax.Variable]bool{}, tested: map[*syntax.Variable]bool{}, cleared: map[*syntax.Variable]bool{}, sites: map[*ast.ReturnStmt]int{},
		constants: map[Place]*Constant{}, classes: map[Place][]*Class{}, methods: map[classMethod]*Function{}, closures: map[*ast.FunctionExpr]*Function{}, calls: map[*ast.FuncCallExpr][]*Function{}, joins: map[*ast.FuncCallExpr]*Function{},
		iterators: map[*ast.GenericForStmt]*ast.FuncCallExpr{}, giving: map[*ast.ReturnStmt]bool{}, walks: map[*ast.GenericForStmt]walkedList{}, givenCalls: map[*ast.FuncCallExpr]*ast.FuncCallExpr{}, callables: map[*ast.FuncCallExpr]*Function{},
		spreads: copies, spread: map[callTo]*Function{}, passed: passed,
	}
	p := &preparer{t: t, position: &position{}, knowledge: &knowledge{varied: varied, passed: passed, values: map[*syntax.Variable]known{}, refusedAsks: map[Ask]bool{}, origins: map[*Constant]Place{}}}
	defer func() {
		if at = p.exit; reason != nil {
			t = nil
		}
		if r := recover(); r != nil {
			if _, ok := r.(variation); !ok {
				panic(r)
			}
		}
	}()
	defer caught(&reason)
	p.declare(s.Variables)
	p.block(s.Body)
	for i := range t.Inputs {
		if in := &t.Inputs[i]; in.Assigned && in.object && !t.getsView(in.Variable) {
			panic(&Reason{File: in.In, Line: in.At, Text: fmt.Sprintf("assigns %q, and uses members of it", in.Name()), Advice: membersApart})
		}
		if in := t.Inputs[i]; in.Assigned && t.functions[member{in.Variable, in.Member}] != nil {
			panic(&Reason{File: in.File, Line: in.Line, Text: fmt.Sprintf("%q is assigned and called", in.Text())})
		}
	}
	return t, nil, nil
}

// A preparer walks one body: that of the loop, or of a function that it calls. Like a lowerer, it panics with a
// [Reason] where it refuses something.
type preparer struct {
	t     *Template
	fn    *Function   // the function whose body it walks; nil for the loop itself
	stack []*Function // the functions that are being walked, outermost first

	*position  // shared by the preparers of all bodies
	*knowledge // likewise
}

// A knowledge is what the preparers of one attempt have found out about values: see known.go.
type knowledge struct {
	values      map[*syntax.Variable]known // locals of the loop, and parameters in the current call
	origins     map[*Constant]Place        // the place at which a constant, or the one that it is a part of, was found
	varied      map[Place]bool
	passed      map[Place]*Reason // of those: why, if a call of an unknown function gets them
	refusedAsks map[Ask]bool
	walks       int // how many bodies of functions were walked
}

// declare adds variables that belong to the loop, or to a function that it calls.
func (p *preparer) declare(list []*syntax.Variable) {
	for _, v := range list {
		p.t.own[v] = true
	}
}

// free returns the variable that an identifier is bound to, if it is declared outside the loop; nil if it belongs to
// the loop. A parameter or a local that is only another name for a variable declared outside the loop counts as that one.
func (p *preparer) free(id *ast.IdentExpr) *syntax.Variable {
	v := p.t.Names.Of(id)
	if !p.t.own[v] {
		return v
	}
	if pl := p.values[v].place; pl.Path == "" {
		return pl.Variable
	}
	return nil
}

// block walks the statements of a block, up to the first exit.
func (p *preparer) block(stmts []ast.Stmt) {
	before := *p.position
	for len(stmts) > 0 {
		st := stmts[0]
		if stmts = stmts[1:]; p.t.exits[st] != nil {
			p.pass(st)
			stmts = behind(stmts)
			continue
		}
		p.stmt(st)
		p.pass(st)
	}
	*p.position = before
}

// exited reports whether a block has an exit among its statements, so that no kernel reaches its end.
func (x exits) exited(block []ast.Stmt) bool {
	i := slices.IndexFunc(block, func(st ast.Stmt) bool { return x[st] != nil })
	return i >= 0 && (len(behind(block[i:])) == 0 || x.exited(behind(block[i:])))
}

// input returns the input that is a variable, or a member of the table in it. The first use adds the input.
func (p *preparer) input(v *syntax.Variable, member string, at ast.PositionHolder) *Input {
	for i := range p.t.Inputs {
		if in := &p.t.Inputs[i]; in.Variable == v && in.Member == member {
			return in
		}
	}
	if len(p.t.Inputs) == mostInputs {
		refuseWith(at, SplitLoop, "the loop uses too many variables from around itself")
	}
	p.t.Inputs = append(p.t.Inputs, Input{Variable: v, Member: member, File: p.file(), Line: at.Line()})
	return &p.t.Inputs[len(p.t.Inputs)-1]
}

// file returns the file of the function that is walked; "" for the file of the loop.
func (p *preparer) file() string {
	if p.fn == nil {
		return ""
	}
	return p.fn.File
}

// stmt walks one statement.
func (p *preparer) stmt(st ast.Stmt) {
	before := p.position.enter(st)
	p.declare(p.t.Names.Declared(st))
	switch st := st.(type) {
	case *ast.IfStmt:
		p.tests(st.Condition)
		p.expr(st.Condition)
		p.rare = true
		p.block(st.Then)
		p.block(st.Else)
	case *ast.RepeatStmt:
		p.block(st.Stmts)
		if !p.t.exits.exited(st.Stmts) {
			p.tests(st.Condition)
			p.expr(st.Condition)
		}
	case *ast.AssignStmt:
		for i, lhs := range st.Lhs {
			p.target(lhs)
			if i < len(st.Rhs) {
				p.puts(lhs, st.Rhs[i])
			}
			v := p.t.Names.Variable(lhs)
			if v == nil {
				continue
			}
			if p.free(lhs.(*ast.IdentExpr)) != nil && (i >= len(st.Rhs) || mayBeNil(st.Rhs[i]) || p.maybeNilName(st.Rhs[i]) || p.chosen(st.Rhs[i])) {
				p.input(v, "", lhs).Read = true // the variable may be nil at the end; then its value before has to be known
			}
			if i >= len(st.Rhs) {
				p.t.cleared[v] = true
			} else if _, isNil := st.Rhs[i].(*ast.NilExpr); isNil {
				p.t.cleared[v] = true
			}
		}
		p.exprs(st.Rhs)
	case *ast.GenericForStmt:
		p.generic(st)
	case *ast.ReturnStmt:
		if p.t.giving[st] {
			p.operand(st.Exprs[0])
			p.exprs(st.Exprs[1:])
		} else {
			p.exprs(st.Exprs)
		}
		if p.fn == nil {
			p.t.sites[st] = len(p.t.Returns)
			p.t.Returns = append(p.t.Returns, p.t.values(st.Exprs))
		}
	case *ast.FuncDefStmt:
		refuseWith(st, makeBefore, "makes a function")
	case *ast.LocalAssignStmt:
		p.locals(st)
	default:
		if st, ok := st.(*ast.WhileStmt); ok {
			p.tests(st.Condition)
		}
		syntax.Parts(st, func(e *ast.Expr) { p.expr(*e) }, func(b *[]ast.Stmt) { p.block(*b) })
	}
	*p.position = before
}

// locals walks a declaration of locals.
func (p *preparer) locals(st *ast.LocalAssignStmt) {
	for _, e := range st.Exprs {
		p.operand(e)
	}
	for i, v := range p.t.Names.Declared(st) {
		k := known{}
		if i < len(st.Exprs) {
			k = p.value(st.Exprs[i])
		}
		p.keep(v, k)
	}
}

// generic walks an inner loop: over a query, over near entities, or over a list.
func (p *preparer) generic(st *ast.GenericForStmt) {
	if list, ok := walked(st); ok {
		p.walk(st, list)
		return
	}
	if list, ok := p.walksResult(st); ok {
		if fn := st.Exprs[0].(*ast.FuncCallExpr).Func; fn != nil {
			p.parts(fn)
		}
		p.walk(st, list)
		return
	}
	if made, f, ok := p.iterates(st); ok {
		p.iterate(st, made, f)
		return
	}
	if call, ok := isGmatch(st); ok {
		p.matches(st, call)
		return
	}
	if p.mayIterate(st) {
		return
	}
	call, ok := st.Exprs[0].(*ast.FuncCallExpr)
	if !ok || len(st.Exprs) != 1 || call.Func != nil || !slices.Contains(walkers, call.Method) {
		refuseWith(st, numericFor, "has a for … in over something else than world:each, world:near, world:sources or a list")
	}
	p.method(call)
	p.block(st.Stmts)
}
