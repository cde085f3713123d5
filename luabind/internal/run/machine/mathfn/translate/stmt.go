package translate

import (
	"go/ast"
	"go/token"
	"go/types"
)

// A frame is a function being translated into fun: the function itself, or one inlined.
type frame struct {
	inlined bool
	last    ast.Stmt // of an inlined function whose only return is its last statement: the values stay on the stack
	results []int    // else they go here
	exit    int      // and a branch leads out of this block
	named   []int    // the variables of named results
}

func (f *fun) frame() *frame { return &f.frames[len(f.frames)-1] }

func (f *fun) block(list []ast.Stmt) {
	for _, s := range list {
		f.stmt(s)
	}
}

func (f *fun) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.BlockStmt:
		f.block(s.List)
	case *ast.DeclStmt:
		f.declare(s)
	case *ast.AssignStmt:
		f.assign(s)
	case *ast.IncDecStmt:
		op := token.ADD
		if s.Tok == token.DEC {
			op = token.SUB
		}
		f.expr(s.X)
		f.opN(opI64Const, 1)
		f.arithmetic(s, op, f.typeOf(s.X))
		f.store(s.X)
	case *ast.IfStmt:
		if s.Init != nil {
			f.stmt(s.Init)
		}
		f.expr(s.Cond)
		f.open(opIf)
		f.block(s.Body.List)
		if s.Else != nil {
			f.op(opElse)
			f.stmt(s.Else)
		}
		f.end()
	case *ast.SwitchStmt:
		f.choose(s)
	case *ast.ForStmt:
		f.loop(s)
	case *ast.ReturnStmt:
		f.leave(s)
	default:
		fail(s, "a statement %T", s)
	}
}

func (f *fun) declare(s *ast.DeclStmt) {
	d := s.Decl.(*ast.GenDecl)
	if d.Tok == token.CONST {
		return
	}
	for _, spec := range d.Specs {
		v, ok := spec.(*ast.ValueSpec)
		if !ok || len(v.Values) > 0 {
			fail(s, "a declaration with values; use :=")
		}
		for _, id := range v.Names {
			for _, k := range flat(s, f.t.info.Defs[id].Type()) {
				f.zero(k)
			}
			f.store(id)
		}
	}
}

func (f *fun) assign(s *ast.AssignStmt) {
	if op, ok := assignOps[s.Tok]; ok {
		f.binary(s, op, s.Lhs[0], s.Rhs[0], f.typeOf(s.Lhs[0]))
		f.store(s.Lhs[0])
		return
	}
	for _, e := range s.Rhs {
		f.expr(e)
	}
	for i := len(s.Lhs) - 1; i >= 0; i-- {
		if id, ok := s.Lhs[i].(*ast.Ident); ok && id.Name == "_" {
			fail(s, "a blank; name it and use it")
		}
		f.store(s.Lhs[i])
	}
}

var assignOps = map[token.Token]token.Token{
	token.ADD_ASSIGN: token.ADD, token.SUB_ASSIGN: token.SUB, token.AND_ASSIGN: token.AND, token.OR_ASSIGN: token.OR,
	token.SHL_ASSIGN: token.SHL, token.SHR_ASSIGN: token.SHR, token.REM_ASSIGN: token.REM, token.AND_NOT_ASSIGN: token.AND_NOT,
}

// store pops values into a variable or a field of one. A variable met for the first time gets its locals.
func (f *fun) store(e ast.Expr) {
	switch e := e.(type) {
	case *ast.Ident:
		if obj := f.t.info.Defs[e]; obj != nil {
			f.vars[obj] = f.locals(flat(e, obj.Type()))
			f.set(f.vars[obj]...)
			return
		}
		f.set(f.variable(e)...)
	case *ast.SelectorExpr:
		f.set(f.field(e)...)
	default:
		fail(e, "an assignment to %T", e)
	}
}

// variable is where a local variable lives.
func (f *fun) variable(id *ast.Ident) []int {
	v, ok := f.vars[f.t.info.Uses[id]]
	if !ok {
		fail(id, "%s is no local variable", id.Name)
	}
	return v
}

// choose is a switch: a chain of ifs.
func (f *fun) choose(s *ast.SwitchStmt) {
	if s.Init != nil {
		f.stmt(s.Init)
	}
	var tag []int
	if s.Tag != nil {
		f.expr(s.Tag)
		tag = f.locals(flat(s, f.typeOf(s.Tag)))
		f.set(tag...)
	}
	var other []ast.Stmt
	ifs := 0
	for _, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		if c.List == nil {
			other = c.Body
			continue
		}
		for i, e := range c.List {
			if tag != nil {
				f.get(tag...)
				f.expr(e)
				f.compare(s, token.EQL, f.typeOf(s.Tag))
			} else {
				f.expr(e)
			}
			if i > 0 {
				f.op(opI32Or)
			}
		}
		f.open(opIf)
		f.block(c.Body)
		f.op(opElse)
		ifs++
	}
	f.block(other)
	for range ifs {
		f.end()
	}
}

func (f *fun) loop(s *ast.ForStmt) {
	if s.Init != nil {
		f.stmt(s.Init)
	}
	out := f.open(opBlock)
	top := f.open(opLoop)
	if s.Cond != nil {
		f.expr(s.Cond)
		f.op(opI32Eqz)
		f.branch(opBrIf, out)
	}
	f.block(s.Body.List)
	if s.Post != nil {
		f.stmt(s.Post)
	}
	f.branch(opBr, top)
	f.end()
	f.end()
}

func (f *fun) leave(s *ast.ReturnStmt) {
	fr := f.frame()
	if s.Results == nil {
		f.get(fr.named...)
	}
	for _, e := range s.Results {
		f.expr(e)
	}
	switch {
	case !fr.inlined:
		f.op(opReturn)
	case fr.last != s:
		f.set(fr.results...)
		f.branch(opBr, fr.exit)
	}
}

// named gives named results their locals, zeroed.
func (f *fun) named(at ast.Node, sig *types.Signature) {
	for i := range sig.Results().Len() {
		r := sig.Results().At(i)
		if r.Name() == "" {
			return
		}
		kinds := flat(at, r.Type())
		f.vars[r] = f.locals(kinds)
		for j, k := range kinds {
			f.zero(k)
			f.set(f.vars[r][j])
		}
		f.frame().named = append(f.frame().named, f.vars[r]...)
	}
}
