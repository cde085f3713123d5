package loops

import (
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Finding the loops of a file, in its syntax tree.

// Find lists the query loops of a file, and the loops over events and cells, by line, with their templates or the reasons why they have
// none. It does not change the tree.
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

// A finder walks a file and collects its loops.
type finder struct {
	names  *syntax.Bindings
	loops  []*Loop // in the order of the source
	around *Loop   // the innermost loop around the current place
	last   bool    // nothing of the function follows the statements at the current place
}

// block walks statements. The pointers to them are kept, because Pass replaces the loops.
func (f *finder) block(b *[]ast.Stmt) {
	last := f.last
	defer func() { f.last = last }()
	for i := range *b {
		slot, inside := &(*b)[i], f.block
		f.last = last && endsWith((*b)[i:])
		if st, ok := (*slot).(*ast.GenericForStmt); ok {
			if l := f.loop(st); l != nil {
				l.slot, l.Outer, l.last = slot, f.around, f.last
				f.loops = append(f.loops, l)
				inside = func(body *[]ast.Stmt) {
					f.around = l
					f.block(body)
					f.around = l.Outer
				}
			}
		}
		switch (*slot).(type) {
		case *ast.IfStmt, *ast.DoBlockStmt:
		case *ast.FuncDefStmt:
			inside = f.body
		default:
			f.last = false
		}
		syntax.Parts(*slot, f.expr, inside)
	}
}

// body walks the statements of a function.
func (f *finder) body(b *[]ast.Stmt) {
	last := f.last
	f.last = true
	f.block(b)
	f.last = last
}

// endsWith reports whether nothing is done after the first of some statements.
func endsWith(rest []ast.Stmt) bool {
	if len(rest) == 1 {
		return true
	}
	back, ok := rest[1].(*ast.ReturnStmt)
	return ok && len(back.Exprs) == 0
}

// expr walks an expression, for the functions in it: only they contain statements.
func (f *finder) expr(e *ast.Expr) { syntax.Children(*e, f.expr, f.body) }

// loop returns the loop over entities, events or cells that a for … in is; nil if it is another kind of loop.
func (f *finder) loop(st *ast.GenericForStmt) *Loop {
	call := eachCall(st)
	l := &Loop{Line: st.Line(), names: f.names, stmt: st}
	if l.walksCells(st) {
		call = st.Exprs[0].(*ast.FuncCallExpr)
		l.Cells = call.Method
	} else if call == nil {
		if call = eventCall(st); call == nil {
			return nil
		}
		l.Events = call.Method
	}
	l.Args = call.Args
	if l.world = f.names.Variable(call.Receiver); l.world != nil {
		l.World = l.world.Name
		if l.noWorld() {
			return nil
		}
	}
	if l.Cells != "" {
		l.layer = call.Receiver
		_, l.world = l.layerIn(l.layer)
	}
	return l
}

// noWorld reports whether the method that a loop calls is one of the script's own, as in "for v in queue:each() do". Functions
// are given the world as a parameter with a name, so the self of a method is none, and neither is a table that is made here or what a file calls
// for while it is loaded.
func (l *Loop) noWorld() bool { return l.madeHere(l.world) }

// madeHere reports whether a variable holds something of the script's own.
func (l *Loop) madeHere(v *syntax.Variable) bool {
	v = l.origin(v)
	if v.Kind == syntax.Self {
		return true
	}
	if v.Kind != syntax.Local || v.Assigned {
		return false
	}
	switch value := v.Value.(type) {
	case *ast.TableExpr:
		return true
	case *ast.FuncCallExpr:
		of := l.names.Variable(value.Func)
		return v.Function.Node == nil || of != nil && of.IsGlobal("setmetatable")
	}
	return false
}

// eachCall returns the call of each that a loop runs over; nil if it is not a query loop.
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
