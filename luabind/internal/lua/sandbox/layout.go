package sandbox

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// gotoLine marks the instructions of a goto. Until the compiled function is repaired, their line is gotoLine plus
// the number of the goto. Sources have fewer lines.
const gotoLine = 1 << 24

// jump is a goto: where it is, and how many registers hold locals at its label.
type jump struct {
	line, active int
}

// A layout predicts what the compiler will do with the locals of a tree: it gives each local the next register.
// This yields the names of locals for error messages, and the number of live locals at the label of each goto.
// [syntax.Visit] says where locals begin and end; the order is that of the compiler.
type layout struct {
	main    *function
	vararg  bool            // the file itself uses "..."
	hidden  map[string]bool // the hidden names of the tree: is it that of a local?
	fn      *openFunction
	jumps   []jump
	maxLine int                // the last line seen in the block at hand
	active  int                // locals and blocks around the place, of all functions
	work    int                // what the compiler will spend on looking names up
	paths   []*ast.AttrGetExpr // reads whose lines are marked, see path.go

	constants []loadedConstant
	err       *Error
}

// maxLookups limits the work of the compiler, which searches all locals around a name for each use: about a
// second.
const maxLookups = 500_000_000

// An openFunction is a function that the walk is inside of.
type openFunction struct {
	info   *function
	parent *openFunction
	active []int // indexes into info.locals
	block  *openBlock
}

// An openBlock is a scope that the walk is inside of.
type openBlock struct {
	syntax.Scope
	parent  *openBlock
	base    int            // active locals when it began
	before  int            // the last line before it
	labels  map[string]int // active locals at the label
	pending []pendingGoto
}

type pendingGoto struct {
	label string
	index int // in layout.jumps
}

// layOut walks a repaired tree and returns its layout. It changes the lines of goto statements, see gotoLine.
func layOut(stmts []ast.Stmt) *layout {
	l := &layout{hidden: map[string]bool{}}
	syntax.Visit(stmts, syntax.Visitor{
		Enter: l.enter, Leave: l.leave, Stmt: l.stmt,
		Declare: func(d syntax.Declaration) {
			l.declare(d.Name)
			l.vararg = l.vararg || d.Kind == syntax.Arg && d.Node == nil
			if isHidden(d.Name) {
				l.hidden[d.Name] = true
			}
		},
		Expr: func(e ast.Expr) { l.see(e); l.argument(e); l.step(e) },
		Ident: func(id *ast.IdentExpr, _ bool, _ ast.Expr) {
			if _, known := l.hidden[id.Value]; !known && isHidden(id.Value) {
				l.hidden[id.Value] = false
			}
			if l.work += l.active; l.work > maxLookups {
				l.fail(id.Line(), "too many locals in scope of too much code; split the file")
			}
		},
	})
	return l
}

// upvalues returns the hidden names that are not locals, sorted. None of them is the name of a local elsewhere in
// the file.
func (l *layout) upvalues() (names []string) {
	for name, declared := range l.hidden {
		if !declared {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func (l *layout) enter(s syntax.Scope) {
	if s.Function {
		info := &function{name: syntax.SourceName(s.Name), main: s.Node == nil}
		if l.fn == nil {
			l.main = info
		} else {
			info.line = s.Node.Line()
			l.fn.info.kids = append(l.fn.info.kids, info)
		}
		l.fn = &openFunction{info: info, parent: l.fn}
	}
	l.active++
	l.fn.block = &openBlock{Scope: s, parent: l.fn.block, base: len(l.fn.active), before: l.maxLine, labels: map[string]int{}}
	l.maxLine = 0 // a pass may have put lines here that stand further up, too
	switch s.Node.(type) {
	case *ast.NumberForStmt:
		l.declare("(for index)")
		l.declare("(for limit)")
		l.declare("(for step)")
	case *ast.GenericForStmt:
		l.declare("(for generator)")
		l.declare("(for state)")
		l.declare("(for control)")
	}
}

// leave ends a block: its locals end at the last line seen, its gotos find their
// labels or wait for one of the block around.
func (l *layout) leave(s syntax.Scope) {
	b := l.fn.block
	for _, i := range l.fn.active[b.base:] {
		l.fn.info.locals[i].last, l.fn.info.locals[i].until = l.maxLine, len(l.fn.info.locals)
	}
	l.maxLine = max(l.maxLine, b.before)
	l.active -= 1 + len(l.fn.active) - b.base
	l.fn.active = l.fn.active[:b.base]
	l.fn.block = b.parent
	for _, g := range b.pending {
		if n, ok := b.labels[g.label]; ok {
			l.jumps[g.index].active = n
		} else if b.parent != nil {
			b.parent.pending = append(b.parent.pending, g)
		} else {
			l.fail(l.jumps[g.index].line, "no label %q to go to", g.label)
		}
	}
	if s.Function {
		l.fn = l.fn.parent
		if s.Node != nil {
			l.maxLine = max(l.maxLine, s.Node.LastLine())
		}
	}
}

func (l *layout) fail(line int, format string, args ...any) {
	if l.err == nil {
		l.err = &Error{Pos: Pos{Line: line}, Message: fmt.Sprintf(format, args...)}
	}
}

func (l *layout) declare(name string) {
	l.active++
	reg := len(l.fn.active)
	l.fn.active = append(l.fn.active, len(l.fn.info.locals))
	l.fn.info.locals = append(l.fn.info.locals, local{name: name, reg: reg})
}

func (l *layout) see(n ast.PositionHolder) {
	l.maxLine = max(l.maxLine, n.Line()&^pathLines)
}

func (l *layout) stmt(st ast.Stmt) {
	l.see(st)
	switch st := st.(type) {
	case *ast.AssignStmt:
		for _, target := range st.Lhs {
			if t, ok := target.(*ast.AttrGetExpr); ok {
				l.path(t.Object, targetLine)
			}
		}
	case *ast.LocalAssignStmt:
		if strings.HasPrefix(st.Names[0], hiddenObject) {
			l.path(st.Exprs[0], targetLine)
		}
	case *ast.FuncDefStmt:
		if t, ok := st.Name.Func.(*ast.AttrGetExpr); ok {
			l.path(t.Object, targetLine)
		}
	case *ast.LabelStmt:
		n := len(l.fn.active)
		if b := l.fn.block; b.endsWith(st) && b.parent != nil {
			n = b.base // a label at the end of a block is out of its locals' scope
		}
		l.fn.block.labels[st.Name] = n
		l.work += len(l.jumps) + len(l.fn.block.labels) // the compiler looks at all of them
	case *ast.GotoStmt:
		index := len(l.jumps)
		l.jumps = append(l.jumps, jump{line: st.Line()})
		l.fn.block.pending = append(l.fn.block.pending, pendingGoto{label: st.Label, index: index})
		st.SetLine(gotoLine + index)
	}
}

// endsWith reports whether a label is at the end of a block, followed only by labels. The body of a repeat does
// not end there, because its condition follows.
func (b *openBlock) endsWith(label *ast.LabelStmt) bool {
	if _, ok := b.Node.(*ast.RepeatStmt); ok {
		return false
	}
	for i := len(b.Stmts) - 1; i >= 0; i-- {
		l, ok := b.Stmts[i].(*ast.LabelStmt)
		if !ok || l == label {
			return ok
		}
	}
	return false
}

// attach combines the result of the walk with the compiled function, and repairs its gotos. gopher-lua closes
// every captured variable of the function at a goto, so a counter that a closure shares with its function would no
// longer be shared. If a function differs from what the walk has predicted, its errors have no names of variables;
// tests verify that there is no such function.
func (l *layout) attach(p *lua.FunctionProto, fn *function, out map[*lua.FunctionProto]*function, paths map[*lua.FunctionProto]interp.Paths) {
	countLists(p)
	l.putConstants(p)
	if len(p.DbgUpvalues) > 255 {
		l.fail(p.LineDefined, "a function uses more than 255 variables of the functions around it; keep some in a table")
	}
	if marked := pathsOf(p); marked != nil {
		paths[p] = marked
	}
	for pc, line := range p.DbgSourcePositions {
		if line < gotoLine {
			continue
		}
		j := l.jumps[line-gotoLine]
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
		l.attach(kid, info, out, paths)
	}
}
