package sandbox

import (
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// A script that writes bag.items[2].count = 3 reads bag.items and bag.items[2] first. These two reads are on the way to something that is
// written; the same reads in local n = bag.items[2].count are not. Only the syntax tells them apart, because bytecode does not say whether a
// register is a local variable. So the lines of such expressions are marked while they are compiled, and the marks become the Paths of the
// compiled function. See interp.Path for what they mean.

// Lines are below gotoLine; a bit above it marks the line of a read.
const (
	targetLine   = gotoLine << 1
	argumentLine = gotoLine << 2
	pathLines    = targetLine | argumentLine
)

// path marks the reads that an expression consists of, from the last one to the first.
func (l *layout) path(e ast.Expr, mark int) {
	for {
		read, ok := e.(*ast.AttrGetExpr)
		if !ok {
			return
		}
		read.SetLine(read.Line()&^pathLines | mark)
		l.paths = append(l.paths, read)
		e = read.Object
	}
}

// argument marks the first argument of a call. A method has its object as the first argument, so it is left out.
func (l *layout) argument(e ast.Expr) {
	if call, ok := e.(*ast.FuncCallExpr); ok && call.Func != nil && len(call.Args) > 0 {
		l.path(call.Args[0], argumentLine)
	}
}

// restorePaths gives the tree its lines back.
func (l *layout) restorePaths() {
	for _, read := range l.paths {
		read.SetLine(read.Line() &^ pathLines)
	}
}

// pathsOf returns the marked reads of a compiled function, and gives it the lines that were marked. It returns nil for none.
func pathsOf(p *lua.FunctionProto) (out interp.Paths) {
	for pc, line := range p.DbgSourcePositions {
		if line&pathLines == 0 {
			continue
		}
		p.DbgSourcePositions[pc] = line &^ pathLines
		switch instruction(p.Code[pc]).op() {
		case lua.OP_GETTABLE, lua.OP_GETTABLEKS:
		default:
			continue
		}
		if out == nil {
			out = interp.Paths{}
		}
		out[pc] = interp.Target
		if line&argumentLine != 0 {
			out[pc] = interp.Argument
		}
	}
	return out
}

// WritesPath reports whether the metamethod that runs on L was called for a read on the way to something that is written.
func (s *State) WritesPath(L *lua.LState) bool {
	f := topFrame(L)
	if f == nil || f.Parent == nil || f.Parent.Fn.IsG {
		return false
	}
	f = f.Parent
	path := pathsIn(f.Fn.Proto)[f.Pc-1]
	if path != interp.Argument {
		return path.Writes(nil)
	}
	a := instruction(f.Fn.Proto.Code[f.Pc-1]).a()
	return a > 0 && path.Writes(frameRegister(L, f, a-1))
}

// A Stored is the Value of a userdata that stands for a table in storage. Functions that change their first argument take it in place of
// the table.
type Stored interface {
	// Copy returns the table as it is now.
	Copy(L *lua.LState) *lua.LTable
	// Append adds an item to the list that the table is, without a copy of it. It returns false where that is not possible.
	Append(L *lua.LState, v lua.LValue) bool
	// RemoveLast removes the last item and returns it, without a copy of the list. It returns false where that is not possible.
	RemoveLast(L *lua.LState) (lua.LValue, bool)
	// Store writes a table to where the copy comes from. It raises what cannot be stored.
	Store(L *lua.LState, t *lua.LTable)
}

// argList is argTable for a function that changes the table. If the table comes from storage, the function must give it back with
// store.
func argList(L *lua.LState) (t *lua.LTable, from Stored) {
	if from := argStored(L); from != nil {
		return from.Copy(L), from
	}
	return argTable(L, 1), nil
}

// argStored is the first argument if it comes from storage, nil otherwise.
func argStored(L *lua.LState) Stored {
	if ud, ok := L.Get(1).(*lua.LUserData); ok {
		if from, ok := ud.Value.(Stored); ok {
			return from
		}
	}
	return nil
}

// store writes a table that argList returned back to storage, if it comes from there.
func store(L *lua.LState, t *lua.LTable, from Stored) {
	if from != nil {
		from.Store(L, t)
	}
}
