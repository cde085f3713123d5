package sandbox

import (
	"fmt"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// A GlobalUse is one place where a chunk reads or writes a name that is no local.
type GlobalUse struct {
	Name  string
	Line  int
	Write bool
}

// gotoLine marks the instructions of a goto: instead of its line they carry
// gotoLine plus its number, until the compiled function is repaired. A source of
// 1 MB has fewer lines.
const gotoLine = 1 << 24

// jump is a goto: where it is, and how many registers hold locals at its label.
type jump struct {
	line, active int
}

// scoper walks the repaired syntax in the order gopher-lua compiles it, and keeps
// count of registers as gopher-lua does: each local takes the next one. From
// that come the names of locals for error texts, the free names, and the number
// of locals alive at the label of each goto.
type scoper struct {
	fn      *fnScope
	globals []GlobalUse
	hidden  map[string]bool // hidden names bound to no local
	jumps   []jump
	maxLine int
	inScope map[string]int // how many active locals have the name
	active  int            // locals and blocks around the place, of all functions
	work    int            // what the compiler will spend on looking names up
	err     *Error
}

// maxLookups bounds the steps of the compiler, which looks each name up in all
// locals around it: a second's worth.
const maxLookups = 500_000_000

type fnScope struct {
	info   *function
	parent *fnScope
	active []int // indexes into info.locals
	block  *blockScope
}

type blockScope struct {
	parent  *blockScope
	base    int            // active locals when it began
	before  int            // the last line before it
	labels  map[string]int // active locals at the label
	pending []pendingGoto
}

type pendingGoto struct {
	label string
	index int // in scoper.jumps
}

func (s *scoper) function(name string, line int, params []string, vararg, main bool, body []ast.Stmt) *function {
	info := &function{name: name, main: main, line: line}
	s.fn = &fnScope{info: info, parent: s.fn}
	s.open()
	for _, p := range params {
		s.declare(p)
	}
	if vararg {
		s.declare("arg") // lua.CompatVarArg
	}
	s.stmts(body, false)
	s.close()
	s.fn = s.fn.parent
	return info
}

func (s *scoper) open() {
	s.active++
	s.fn.block = &blockScope{parent: s.fn.block, base: len(s.fn.active), before: s.maxLine, labels: map[string]int{}}
	s.maxLine = 0 // a pass may have put lines here that stand further up, too
}

// close ends a block: its locals end at the last line seen, its gotos find their
// labels or wait for one of the block around.
func (s *scoper) close() {
	b := s.fn.block
	for _, i := range s.fn.active[b.base:] {
		s.fn.info.locals[i].last, s.fn.info.locals[i].until = s.maxLine, len(s.fn.info.locals)
		s.inScope[s.fn.info.locals[i].name]--
	}
	s.maxLine = max(s.maxLine, b.before)
	s.active -= 1 + len(s.fn.active) - b.base
	s.fn.active = s.fn.active[:b.base]
	s.fn.block = b.parent
	for _, g := range b.pending {
		if n, ok := b.labels[g.label]; ok {
			s.jumps[g.index].active = n
		} else if b.parent != nil {
			b.parent.pending = append(b.parent.pending, g)
		} else {
			s.fail(s.jumps[g.index].line, "no label %q to go to", g.label)
		}
	}
}

func (s *scoper) fail(line int, format string, args ...any) {
	if s.err == nil {
		s.err = &Error{Pos: Pos{Line: line}, Message: fmt.Sprintf(format, args...)}
	}
}

func (s *scoper) declare(name string) {
	s.inScope[name]++
	s.active++
	reg := len(s.fn.active)
	s.fn.active = append(s.fn.active, len(s.fn.info.locals))
	s.fn.info.locals = append(s.fn.info.locals, local{name: name, reg: reg})
}

func (s *scoper) see(n ast.PositionHolder) {
	s.maxLine = max(s.maxLine, n.Line())
}

func (s *scoper) ident(e *ast.IdentExpr, write bool) {
	if s.work += s.active; s.work > maxLookups {
		s.fail(e.Line(), "too many locals in scope of too much code; split the file")
	}
	switch {
	case s.inScope[e.Value] > 0:
	case isHidden(e.Value):
		s.hidden[e.Value] = true
	default:
		s.globals = append(s.globals, GlobalUse{Name: e.Value, Line: e.Line(), Write: write})
	}
}

func (s *scoper) expr(slot *ast.Expr) { s.named(*slot, "") }

// named walks an expression; a function among them gets that name.
func (s *scoper) named(e ast.Expr, name string) {
	s.see(e)
	switch e := e.(type) {
	case *ast.IdentExpr:
		s.ident(e, false)
	case *ast.FunctionExpr:
		s.closure(e, name, false)
	case *ast.TableExpr:
		for _, f := range e.Fields {
			key := ""
			if f.Key != nil {
				s.expr(&f.Key)
				if k, ok := f.Key.(*ast.StringExpr); ok {
					key = k.Value
				}
			}
			s.named(f.Value, key)
		}
	default:
		children(e, s.expr, nil)
	}
}

func (s *scoper) closure(e *ast.FunctionExpr, name string, method bool) {
	params := e.ParList.Names
	if method {
		params = append([]string{"self"}, params...)
	}
	outer := s.fn.info
	info := s.function(name, e.Line(), params, e.ParList.HasVargs, false, e.Stmts)
	outer.kids = append(outer.kids, info)
	s.maxLine = max(s.maxLine, e.LastLine())
}

func (s *scoper) block(stmts []ast.Stmt) {
	s.open()
	s.stmts(stmts, false)
	s.close()
}

func (s *scoper) stmts(stmts []ast.Stmt, untilFollows bool) {
	for i, st := range stmts {
		s.see(st)
		last := !untilFollows
		for _, after := range stmts[i+1:] {
			if _, ok := after.(*ast.LabelStmt); !ok {
				last = false
				break
			}
		}
		s.stmt(st, last)
	}
}

func (s *scoper) stmt(st ast.Stmt, last bool) {
	switch st := st.(type) {
	case *ast.LocalAssignStmt:
		if len(st.Names) == 1 && len(st.Exprs) == 1 {
			if fn, ok := st.Exprs[0].(*ast.FunctionExpr); ok {
				s.declare(st.Names[0])
				s.named(fn, st.Names[0])
				return
			}
		}
		for i, e := range st.Exprs {
			name := ""
			if i < len(st.Names) {
				name = st.Names[i]
			}
			s.named(e, name)
		}
		for _, n := range st.Names {
			s.declare(n)
		}
	case *ast.AssignStmt:
		for i := range st.Lhs {
			if id, ok := st.Lhs[i].(*ast.IdentExpr); ok {
				s.see(id)
				s.ident(id, true)
				continue
			}
			s.expr(&st.Lhs[i])
		}
		for i, e := range st.Rhs {
			name := ""
			if i < len(st.Lhs) {
				name = lastName(st.Lhs[i])
			}
			s.named(e, name)
		}
	case *ast.FuncDefStmt:
		if st.Name.Func == nil {
			s.expr(&st.Name.Receiver)
			s.closure(st.Func, st.Name.Method, true)
			break
		}
		if id, ok := st.Name.Func.(*ast.IdentExpr); ok {
			s.ident(id, true)
		} else {
			s.expr(&st.Name.Func)
		}
		s.closure(st.Func, lastName(st.Name.Func), false)
	case *ast.DoBlockStmt:
		s.block(st.Stmts)
	case *ast.WhileStmt:
		s.expr(&st.Condition)
		s.block(st.Stmts)
	case *ast.RepeatStmt:
		s.open()
		s.stmts(st.Stmts, true)
		s.expr(&st.Condition)
		s.close()
	case *ast.IfStmt:
		s.expr(&st.Condition)
		s.block(st.Then)
		s.block(st.Else)
	case *ast.NumberForStmt:
		s.open()
		s.declare("(for index)")
		s.expr(&st.Init)
		s.declare("(for limit)")
		s.expr(&st.Limit)
		s.declare("(for step)")
		if st.Step != nil {
			s.expr(&st.Step)
		}
		s.declare(st.Name)
		s.stmts(st.Stmts, false)
		s.close()
	case *ast.GenericForStmt:
		s.open()
		s.declare("(for generator)")
		s.declare("(for state)")
		s.declare("(for control)")
		for i := range st.Exprs {
			s.expr(&st.Exprs[i])
		}
		for _, n := range st.Names {
			s.declare(n)
		}
		s.stmts(st.Stmts, false)
		s.close()
	case *ast.LabelStmt:
		n := len(s.fn.active)
		if last && s.fn.block.parent != nil {
			n = s.fn.block.base // a label at the end of a block is out of its locals' scope
		}
		s.fn.block.labels[st.Name] = n
	case *ast.GotoStmt:
		index := len(s.jumps)
		s.jumps = append(s.jumps, jump{line: st.Line()})
		s.fn.block.pending = append(s.fn.block.pending, pendingGoto{label: st.Label, index: index})
		st.SetLine(gotoLine + index)
	default:
		parts(st, s.expr, nil)
	}
}

func lastName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.IdentExpr:
		return e.Value
	case *ast.AttrGetExpr:
		if k, ok := e.Key.(*ast.StringExpr); ok {
			return k.Value
		}
	}
	return ""
}

// attach joins what the walk found with the compiled function, and repairs its
// gotos: gopher-lua closes every captured variable of the function at a goto,
// so that a counter a closure shares with its function stops being shared. A
// function that turned out otherwise than the walk found it goes without names
// in its errors; the tests hold that there is none.
func (s *scoper) attach(p *lua.FunctionProto, fn *function, out map[*lua.FunctionProto]*function) {
	for pc, line := range p.DbgSourcePositions {
		if line < gotoLine {
			continue
		}
		j := s.jumps[line-gotoLine]
		p.DbgSourcePositions[pc] = j.line
		if instruction(p.Code[pc]).op() == lua.OP_CLOSE {
			setA(p, pc, j.active)
		}
	}
	same := fn != nil && len(p.DbgLocals) == len(fn.locals) && len(p.FunctionPrototypes) == len(fn.kids)
	for i := 0; same && i < len(fn.locals); i++ {
		same = fn.locals[i].name == p.DbgLocals[i].Name
		fn.locals[i].startPc = p.DbgLocals[i].StartPc
	}
	if same {
		out[p] = fn
	}
	for i, kid := range p.FunctionPrototypes {
		var info *function
		if same {
			info = fn.kids[i]
		}
		s.attach(kid, info, out)
	}
}
