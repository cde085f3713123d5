package sandbox

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// Functions that need more registers than gopher-lua's compiler has. Lua 5.1 has 250, gopher-lua 200. In such a function only
//
//   - the arguments of calls with many of them go through a table: f(a, b, …) becomes f(spread({ a, b, … }, n));
//   - locals behind the first ones become entries of a table, the holder: local x = 1 becomes holder.x = 1;
//   - parameters behind the first ones become locals, if there are too many for that: function(a, b) becomes function(a, ...) local b = ...
//
// Each block has a holder of its own, made in front of the first variable in it, so that what functions capture is new in each iteration. A
// label begins a new one, because a goto back makes the variables behind it anew.

const (
	hiddenSpread   = "\x00spread"
	hiddenHolder   = "\x00s" // begins the names of holders
	mostArguments  = 60      // of a call in a function that needs too many registers
	mostTemporary  = 40      // variables that get the values of one call in registers
	mostParameters = 100     // of a function whose parameters alone need too many
)

// A spiller rewrites a tree.
type spiller struct {
	scope   *spillScope
	holders int
	keep    int // of the function at hand
	locals  int // of the function at hand that stay in registers
}

// A spillScope is a block with the variables that were declared in it so far: "" for one that is in a register.
type spillScope struct {
	outer  *spillScope
	holder string
	names  map[string]spilled
}

// A spilled is where a variable is; the zero spilled is a register.
type spilled struct{ holder, key string }

// spill rewrites the functions of a file that need too many registers.
func spill(stmts *[]ast.Stmt) {
	s := &spiller{}
	main := &ast.FunctionExpr{ParList: &ast.ParList{HasVargs: true}, Stmts: *stmts}
	if !s.needed(main, false) {
		return
	}
	s.function(main, false)
	*stmts = main.Stmts
}

// needed reports whether some function needs too many registers.
func (s *spiller) needed(fn *ast.FunctionExpr, method bool) bool {
	if registersOf(fn, method, noLimit) > mostRegisters {
		return true
	}
	return syntax.Search(fn.Stmts, func(n ast.PositionHolder) syntax.Step {
		switch n := n.(type) {
		case *ast.FunctionExpr:
			if registersOf(n, false, noLimit) > mostRegisters {
				return syntax.Found
			}
		case *ast.FuncDefStmt:
			if registersOf(n.Func, n.Name.Func == nil, noLimit) > mostRegisters {
				return syntax.Found
			}
		}
		return syntax.Deeper
	})
}

const noLimit = 1 << 30

// function rewrites a function.
func (s *spiller) function(fn *ast.FunctionExpr, method bool) {
	keep, locals := s.keep, s.locals
	s.keep, s.locals = noLimit, 0
	if registersOf(fn, method, noLimit) > mostRegisters {
		spreadCalls(&fn.Stmts)
		if names := fn.ParList.Names; registersOf(fn, method, 0) > mostRegisters && len(names) > mostParameters && !fn.ParList.HasVargs && !slices.Contains(names, "arg") {
			rest := syntax.At(&ast.LocalAssignStmt{Names: names[mostParameters:], Exprs: []ast.Expr{syntax.At(&ast.Comma3Expr{}, fn)}}, fn)
			fn.ParList = &ast.ParList{Names: names[:mostParameters], HasVargs: true}
			fn.Stmts = append([]ast.Stmt{rest}, fn.Stmts...)
		}
		for _, s.keep = range []int{noLimit, 150, 120, 90, 60, 30, 10, 0} {
			if registersOf(fn, method, s.keep) <= mostRegisters {
				break
			}
		}
	}
	s.within(func() {
		if method {
			s.declare("self")
		}
		for _, name := range fn.ParList.Names {
			s.declare(name)
		}
		if fn.ParList.HasVargs && s.scope.outer != nil {
			s.declare("arg")
		}
		s.stmts(&fn.Stmts)
	})
	s.keep, s.locals = keep, locals
}

// within calls walk in a new scope.
func (s *spiller) within(walk func()) {
	s.scope = &spillScope{outer: s.scope, names: map[string]spilled{}}
	locals := s.locals
	walk()
	s.locals = locals
	s.scope = s.scope.outer
}

func (s *spiller) declare(name string) { s.scope.names[name] = spilled{} }

func (s *spiller) block(b *[]ast.Stmt) { s.within(func() { s.stmts(b) }) }

func (s *spiller) stmts(b *[]ast.Stmt) {
	out := make([]ast.Stmt, 0, len(*b))
	for _, st := range *b {
		out = s.stmt(out, st)
	}
	*b = out
}

func (s *spiller) stmt(out []ast.Stmt, st ast.Stmt) []ast.Stmt {
	switch st := st.(type) {
	case *ast.LabelStmt:
		s.scope.holder = ""
	case *ast.LocalAssignStmt:
		return s.local(out, st)
	case *ast.NumberForStmt:
		s.expr(&st.Init)
		s.expr(&st.Limit)
		if st.Step != nil {
			s.expr(&st.Step)
		}
		s.loop([]string{st.Name}, &st.Stmts)
	case *ast.GenericForStmt:
		for i := range st.Exprs {
			s.expr(&st.Exprs[i])
		}
		s.loop(st.Names, &st.Stmts)
	case *ast.RepeatStmt:
		s.within(func() {
			s.stmts(&st.Stmts)
			s.expr(&st.Condition)
		})
	case *ast.FuncDefStmt:
		if st.Name.Func != nil {
			s.expr(&st.Name.Func)
		} else {
			s.expr(&st.Name.Receiver)
		}
		s.function(st.Func, st.Name.Func == nil)
	default:
		syntax.Parts(st, s.expr, s.block)
	}
	return append(out, st)
}

func (s *spiller) loop(names []string, body *[]ast.Stmt) {
	s.within(func() {
		for _, name := range names {
			s.declare(name)
		}
		s.stmts(body)
	})
}

func (s *spiller) expr(slot *ast.Expr) {
	switch e := (*slot).(type) {
	case *ast.IdentExpr:
		for scope := s.scope; scope != nil; scope = scope.outer {
			if at, known := scope.names[e.Value]; known {
				if at.holder != "" {
					*slot = at.entry(e)
				}
				return
			}
		}
	case *ast.FunctionExpr:
		s.function(e, false)
	default:
		syntax.Children(e, s.expr, nil)
	}
}

// entry returns the expression for a spilled variable.
func (at spilled) entry(like ast.PositionHolder) ast.Expr {
	return syntax.At(&ast.AttrGetExpr{
		Object: syntax.At(&ast.IdentExpr{Value: at.holder}, like),
		Key:    syntax.At(&ast.StringExpr{Value: at.key}, like),
	}, like)
}

// local rewrites the declaration of variables.
func (s *spiller) local(out []ast.Stmt, st *ast.LocalAssignStmt) []ast.Stmt {
	fn, _ := first(st.Exprs).(*ast.FunctionExpr)
	seesItself := fn != nil && len(st.Names) == 1 && len(st.Exprs) == 1
	spills := spills(st, s.locals, s.keep)
	if spills && s.scope.holder == "" {
		s.holders++
		s.scope.holder = hiddenHolder + strconv.Itoa(s.holders)
		s.declare(s.scope.holder)
		out = append(out, syntax.At(&ast.LocalAssignStmt{Names: []string{s.scope.holder}, Exprs: []ast.Expr{syntax.At(&ast.TableExpr{}, st)}}, st))
	}
	if seesItself {
		s.name(st.Names[0], spills)
	}
	for i := range st.Exprs {
		s.expr(&st.Exprs[i])
	}
	if !seesItself {
		for _, name := range st.Names {
			s.name(name, spills)
		}
	}
	if !spills {
		s.locals += len(st.Names)
		return append(out, st)
	}
	return s.assign(out, st)
}

func first(exprs []ast.Expr) ast.Expr {
	if len(exprs) == 0 {
		return nil
	}
	return exprs[0]
}

// name declares a variable.
func (s *spiller) name(name string, spills bool) {
	if !spills {
		s.declare(name)
		return
	}
	s.holders++
	s.scope.names[name] = spilled{s.scope.holder, name + "\x00" + strconv.Itoa(s.holders)}
}

// assign makes the statements that give spilled variables their first values.
func (s *spiller) assign(out []ast.Stmt, st *ast.LocalAssignStmt) []ast.Stmt {
	set := func(to []ast.Stmt, i int, value ast.Expr) []ast.Stmt {
		target := s.scope.names[st.Names[i]]
		if i < len(st.Names)-1 {
			for _, later := range st.Names[i+1:] {
				if later == st.Names[i] {
					target.key = hiddenTemp // nobody can read it
				}
			}
		}
		return append(to, syntax.At(&ast.AssignStmt{Lhs: []ast.Expr{target.entry(st)}, Rhs: []ast.Expr{value}}, st))
	}
	n := len(st.Exprs)
	for i := range min(len(st.Names), n) {
		if i == n-1 && len(st.Names) > n && syntax.GivesSeveral(st.Exprs[i]) {
			return append(out, s.several(st, i, set))
		}
		out = set(out, i, single(st.Exprs[i]))
	}
	for i := n; i < len(st.Names); i++ {
		out = set(out, i, syntax.At(&ast.NilExpr{}, st))
	}
	if n > len(st.Names) { // values that nobody gets
		rest := syntax.At(&ast.LocalAssignStmt{Names: []string{hiddenTemp}, Exprs: st.Exprs[len(st.Names):]}, st)
		out = append(out, syntax.At(&ast.DoBlockStmt{Stmts: []ast.Stmt{rest}}, st))
	}
	return out
}

// several gives the variables from one on the values of a call.
func (s *spiller) several(st *ast.LocalAssignStmt, from int, set func([]ast.Stmt, int, ast.Expr) []ast.Stmt) ast.Stmt {
	var names []string
	ident := func(name string) ast.Expr { return syntax.At(&ast.IdentExpr{Value: name}, st) }
	value := func(i int) ast.Expr { return ident(hiddenTemp + strconv.Itoa(i)) }
	e := st.Exprs[from]
	if len(st.Names)-from > mostTemporary {
		names = []string{hiddenTemp}
		e = syntax.At(&ast.TableExpr{Fields: []*ast.Field{{Value: e}}}, st)
		value = func(i int) ast.Expr {
			number := syntax.At(&ast.NumberExpr{Value: strconv.Itoa(i - from + 1)}, st)
			return syntax.At(&ast.AttrGetExpr{Object: ident(hiddenTemp), Key: number}, st)
		}
	} else {
		for i := from; i < len(st.Names); i++ {
			names = append(names, hiddenTemp+strconv.Itoa(i))
		}
	}
	body := []ast.Stmt{syntax.At(&ast.LocalAssignStmt{Names: names, Exprs: []ast.Expr{e}}, st)}
	for i := from; i < len(st.Names); i++ {
		body = set(body, i, value(i))
	}
	return syntax.At(&ast.DoBlockStmt{Stmts: body}, st)
}

// spreadCalls rewrites the calls and returns of a function that have many values.
func spreadCalls(b *[]ast.Stmt) {
	var block func(*[]ast.Stmt)
	var expr func(*ast.Expr)
	nothing := func(*[]ast.Stmt) {}
	expr = func(slot *ast.Expr) {
		if call, ok := (*slot).(*ast.FuncCallExpr); ok {
			call.Args = spreadList(call.Args, call)
		}
		syntax.Children(*slot, expr, nothing)
	}
	block = func(b *[]ast.Stmt) {
		for _, st := range *b {
			switch st := st.(type) {
			case *ast.ReturnStmt:
				st.Exprs = spreadList(st.Exprs, st)
			case *ast.FuncDefStmt:
				syntax.Parts(st, expr, nothing)
				continue
			}
			syntax.Parts(st, expr, block)
		}
	}
	block(b)
}

// spreadList makes one call of a long list.
func spreadList(list []ast.Expr, like ast.PositionHolder) []ast.Expr {
	if len(list) <= mostArguments {
		return list
	}
	items, rest := list, []ast.Expr(nil)
	if last := len(list) - 1; syntax.GivesSeveral(list[last]) {
		items, rest = list[:last], list[last:]
	}
	table := syntax.At(&ast.TableExpr{}, like)
	for _, e := range items {
		table.Fields = append(table.Fields, &ast.Field{Value: e})
	}
	single(items[len(items)-1])
	args := append([]ast.Expr{table, syntax.At(&ast.NumberExpr{Value: strconv.Itoa(len(items))}, like)}, rest...)
	spread := call(hiddenSpread, like, args...)
	spread.AdjustRet = false
	return []ast.Expr{spread}
}

// spread returns the first n items of a list, and its other arguments.
func (s *State) spread(L *lua.LState) int {
	t, n, top := L.Get(1).(*lua.LTable), int(L.Get(2).(lua.LNumber)), L.GetTop()
	for i := 1; i <= n; i++ {
		L.Push(Get(t, lua.LNumber(i)))
	}
	for i := 3; i <= top; i++ {
		L.Push(L.Get(i))
	}
	return n + top - 2
}

func isHolder(name string) bool {
	number, ok := strings.CutPrefix(name, hiddenHolder)
	return ok && number != "" && strings.Trim(number, "0123456789") == ""
}
