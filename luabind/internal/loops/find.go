package loops

import (
	"github.com/ecsrun/ecsrun/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Find lists the query loops of a file, by line. It changes nothing.
func Find(file *syntax.Chunk) []*Loop {
	f := &finder{names: file.Bindings}
	f.block(&file.Stmts)
	left, found := &copies{file: mostCopiedOfFile}, 0
	for _, l := range f.loops {
		if found >= mostLoops || left.file < 0 {
			l.leave(tooManyLoops(l))
			continue
		}
		l.prepare(left)
		if l.Template != nil {
			found++
		}
	}
	return f.loops
}

// finder walks a file and notes every query loop.
type finder struct {
	names  *syntax.Bindings
	loops  []*Loop // in the order of the source
	around *Loop   // the innermost one around the place that is looked at
}

func (f *finder) block(b *[]ast.Stmt) {
	for i := range *b {
		slot, inside := &(*b)[i], f.block
		if st, ok := (*slot).(*ast.GenericForStmt); ok {
			if l := f.loop(st); l != nil {
				l.slot, l.Outer = slot, f.around
				f.loops = append(f.loops, l)
				inside = func(body *[]ast.Stmt) {
					f.around = l
					f.block(body)
					f.around = l.Outer
				}
			}
		}
		syntax.Parts(*slot, f.expr, inside)
	}
}

// expr looks for functions: only they hold statements.
func (f *finder) expr(e *ast.Expr) { syntax.Children(*e, f.expr, f.block) }

// loop is the query loop or event loop that a for … in is; nil if it is another.
func (f *finder) loop(st *ast.GenericForStmt) *Loop {
	call := eachCall(st)
	l := &Loop{Line: st.Line(), names: f.names, stmt: st}
	if call == nil {
		if call = eventCall(st); call == nil {
			return nil
		}
		l.Events = call.Method
	}
	l.Args = call.Args
	if l.world = f.names.Variable(call.Receiver); l.world != nil {
		l.World = l.world.Name
	}
	return l
}

// eachCall is the call of each that a loop runs over, nil if it is no query loop.
func eachCall(st *ast.GenericForStmt) *ast.FuncCallExpr {
	if len(st.Exprs) != 1 {
		return nil
	}
	call, ok := st.Exprs[0].(*ast.FuncCallExpr)
	if !ok || call.Func != nil || call.Method != "each" {
		return nil
	}
	return call
}
