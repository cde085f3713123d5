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
	stepLine     = gotoLine << 3
	pathLines    = targetLine | argumentLine | stepLine
)

// path marks the reads that an expression consists of, from the last one to the first.
func (l *layout) path(e ast.Expr, mark int) {
	for {
		read, ok := e.(*ast.AttrGetExpr)
		if !ok {
			return
		}
		read.SetLine(read.Line()&^(targetLine|argumentLine) | mark)
		l.paths = append(l.paths, read)
		e = read.Object
	}
}

// step marks a read whose result an expression reads from, and does nothing else with. What it looks for there must be found without a
// call, which could change what is read.
func (l *layout) step(e ast.Expr) {
	var from ast.Expr
	switch e := e.(type) {
	case *ast.AttrGetExpr:
		if callsNothing(e.Key) {
			from = e.Object
		}
	case *ast.UnaryLenOpExpr:
		from = e.Expr
	}
	if read, ok := from.(*ast.AttrGetExpr); ok {
		read.SetLine(read.Line() | stepLine)
		l.paths = append(l.paths, read)
	}
}

// callsNothing reports whether an expression consists of names, constants, reads and arithmetic.
func callsNothing(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.IdentExpr, *ast.StringExpr, *ast.NumberExpr, *ast.TrueExpr, *ast.FalseExpr:
		return true
	case *ast.ArithmeticOpExpr:
		return callsNothing(e.Lhs) && callsNothing(e.Rhs)
	case *ast.UnaryMinusOpExpr:
		return callsNothing(e.Expr)
	case *ast.UnaryLenOpExpr:
		return callsNothing(e.Expr)
	case *ast.AttrGetExpr:
		return callsNothing(e.Object) && callsNothing(e.Key)
	}
	return false
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
		if line&argumentLine != 0 {
			out[pc] = interp.Argument
		} else if line&targetLine != 0 {
			out[pc] = interp.Target
		}
		if line&stepLine != 0 {
			out[pc] |= interp.Step
		}
	}
	return out
}

// WritesPath reports whether the metamethod that runs on L was called for a read on the way to something that is written.
func (s *State) WritesPath(L *lua.LState) bool {
	f := reader(L)
	if f == nil {
		return false
	}
	path := pathsIn(f.Fn.Proto)[f.Pc-1]
	if path&^interp.Step != interp.Argument {
		return path.Writes(nil)
	}
	a := instruction(f.Fn.Proto.Code[f.Pc-1]).a()
	return a > 0 && path.Writes(frameRegister(L, f, a-1))
}

// StepsPath reports whether the metamethod that runs on L was called for a read whose result is only read from: see [interp.Step].
func (s *State) StepsPath(L *lua.LState) bool {
	f := reader(L)
	return f != nil && pathsIn(f.Fn.Proto)[f.Pc-1]&interp.Step != 0
}

// reader returns the frame whose instruction has called the metamethod that runs on L, nil if that was Go code.
func reader(L *lua.LState) *callFrame {
	f := topFrame(L)
	if f == nil || f.Parent == nil || f.Parent.Fn.IsG {
		return nil
	}
	return f.Parent
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
	if arrayOf(L.Get(1)) != nil {
		argError(L, 1, "an array has a fixed length and order of its own; assign to its items, as in a[1] = 2")
	}
	t = argTable(L, 1)
	refuseFrozen(L, t)
	return t, nil
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

// A List is the first argument of a function that changes a list: a table, or a copy of one in storage or of an array, which Store gives back.
type List struct {
	table *lua.LTable
	from  Stored
	array Array
}

// ListAt returns argument 1 as a list; anything else than a table is an error.
func (s *State) ListAt(L *lua.LState) List {
	if a := arrayOf(L.Get(1)); a != nil {
		return List{table: s.ArrayTable(L, L.Get(1)), array: a}
	}
	t, from := argList(L)
	return List{table: t, from: from}
}

// Table returns the list as a table.
func (l List) Table() *lua.LTable { return l.table }

// Len returns the number of items.
func (l List) Len() int { return interp.Length(l.table) }

// Swap exchanges two items.
func (l List) Swap(i, j int) {
	a, b := item(l.table, i), item(l.table, j)
	l.table.RawSetInt(i, b)
	l.table.RawSetInt(j, a)
}

// Store gives a list in storage back.
func (l List) Store(L *lua.LState) {
	if l.array != nil {
		l.array.Put(L, l.table)
		return
	}
	store(L, l.table, l.from)
}
