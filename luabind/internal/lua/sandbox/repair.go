package sandbox

import (
	"fmt"
	"math"
	"strconv"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Names that no source can contain. Those that are not locals become upvalues of a chunk when it is loaded
// (Env.Load), so calling one costs no more than calling a captured local.
const (
	hiddenConcat = "\x00concat"
	hiddenLen    = "\x00len"
	hiddenPow    = "\x00pow"
	hiddenBreak  = "\x00break"
	hiddenTemp   = "\x00t"
	hiddenObject = hiddenTemp + "o" // the table of a target of an assignment of several values
	hiddenRest   = "\x00rest"
)

// repairer rewrites what gopher-lua compiles to something else than Lua 5.1
// does. Every rewrite keeps the lines.
//
//   - a, b = b, a evaluates all of the right before it assigns (assign);
//   - a = f() and b gives a the value of f() when that is false,
//     a = (f(a)) hands a to f, and a = (...) leaves later variables alone (throughTemp);
//   - a .. b calls a function that knows the longest string allowed;
//   - #t + 1 raises when the list is full, where t[#t+1] = v would overwrite;
//   - { 1, x = f() } has one list item: all values of f() would be added to the list;
//   - a ^ b is a function's, with the same bits on every processor (power.go);
//   - local f = function() … f … end does not see itself, local function does;
//   - break out of a block whose locals were captured closes them: it becomes a
//     goto, and goto is repaired in the compiled function (layout.go);
//   - a loop whose body begins with a jump gets an instruction before it (jump.go);
//   - the list behind in of a generic for gives three values (forlist.go);
//   - numbers are read by Lua's rules: 010 is ten, 1e400 is infinite;
//   - 0 and -0 are two constants, and constant arithmetic gives no -0 (zero.go).
type repairer struct {
	file   *syntax.Chunk
	loops  []*loop
	breaks int
	err    error

	constants constants
}

// loop is a loop that the walk is inside of, with the blocks between its body and the current place.
type loop struct {
	inner []*inner
	label string // set when a break became a goto
}

type inner struct {
	stmts         []ast.Stmt
	known, closes bool // does it make functions? found out once
}

func (b *inner) makesFunctions() bool {
	if !b.known {
		b.known, b.closes = true, makesFunctions(b.stmts)
	}
	return b.closes
}

// makesFunctions reports whether a function is created anywhere in stmts.
func makesFunctions(stmts []ast.Stmt) bool {
	return syntax.Search(stmts, func(n ast.PositionHolder) syntax.Step {
		switch n.(type) {
		case *ast.FunctionExpr, *ast.FuncDefStmt:
			return syntax.Found
		}
		return syntax.Deeper
	})
}

func (r *repairer) block(b *[]ast.Stmt) {
	var out []ast.Stmt
	for i, st := range *b {
		out = r.stmt(out, st)
		if _, ok := st.(*ast.LabelStmt); ok && startsWithJump((*b)[i+1:]) {
			out = append(out, pause(st)) // a goto back may lead here
		}
	}
	*b = out
}

// function repairs the body of a function, from which an outer loop cannot be left.
func (r *repairer) function(b *[]ast.Stmt) {
	saved := r.loops
	r.loops = nil
	r.block(b)
	r.loops = saved
}

func (r *repairer) loop(out []ast.Stmt, st ast.Stmt, body *[]ast.Stmt) []ast.Stmt {
	l := &loop{}
	r.loops = append(r.loops, l)
	r.block(body)
	r.loops = r.loops[:len(r.loops)-1]
	if startsWithJump(*body) {
		*body = append([]ast.Stmt{pause(st)}, *body...)
	}
	out = append(out, st)
	if l.label != "" {
		out = append(out, syntax.At(&ast.LabelStmt{Name: l.label}, st))
	}
	return out
}

// nested repairs a block inside of the body of a loop.
func (r *repairer) nested(b *[]ast.Stmt) {
	if len(r.loops) == 0 {
		r.block(b)
		return
	}
	l := r.loops[len(r.loops)-1]
	l.inner = append(l.inner, &inner{stmts: *b})
	r.block(b)
	l.inner = l.inner[:len(l.inner)-1]
}

func (r *repairer) stmt(out []ast.Stmt, st ast.Stmt) []ast.Stmt {
	switch st := st.(type) {
	case *ast.WhileStmt:
		if mayJump(st.Condition) { // the loop jumps back to it
			leave := syntax.At(&ast.IfStmt{
				Condition: syntax.At(&ast.UnaryNotOpExpr{Expr: st.Condition}, st),
				Then:      []ast.Stmt{syntax.At(&ast.BreakStmt{}, st)},
			}, st)
			st.Stmts = append([]ast.Stmt{leave}, st.Stmts...)
			st.Condition = syntax.At(&ast.TrueExpr{}, st)
		}
		r.expr(&st.Condition)
		return r.loop(out, st, &st.Stmts)
	case *ast.RepeatStmt:
		out = r.loop(out, st, &st.Stmts)
		r.expr(&st.Condition)
		return out
	case *ast.NumberForStmt:
		r.expr(&st.Init)
		r.expr(&st.Limit)
		if st.Step != nil {
			r.expr(&st.Step)
		}
		return r.loop(out, st, &st.Stmts)
	case *ast.GenericForStmt:
		for i := range st.Exprs {
			r.expr(&st.Exprs[i])
		}
		if before := adjustList(st); before != nil {
			return append(out, syntax.At(&ast.DoBlockStmt{Stmts: r.loop([]ast.Stmt{before}, st, &st.Stmts)}, st))
		}
		return r.loop(out, st, &st.Stmts)
	case *ast.DoBlockStmt:
		r.nested(&st.Stmts)
	case *ast.IfStmt:
		r.expr(&st.Condition)
		r.nested(&st.Then)
		r.nested(&st.Else)
	case *ast.FuncDefStmt:
		syntax.Parts(st, r.expr, r.function)
	case *ast.BreakStmt:
		return append(out, r.leave(st))
	case *ast.AssignStmt:
		syntax.Parts(st, r.expr, r.function)
		if len(st.Lhs) > 1 || throughTemp(st) {
			return append(out, assign(st))
		}
	case *ast.LocalAssignStmt:
		holdsItself := r.file.HoldsItself(st)
		syntax.Parts(st, r.expr, r.function)
		if holdsItself { // with two names it is no local function
			st.Names = append(st.Names, hiddenRest)
		}
	default:
		syntax.Parts(st, r.expr, r.function)
	}
	return append(out, st)
}

// leave returns a break unchanged, or a goto to the end of the loop if a block in between creates functions, which
// may have captured its locals.
func (r *repairer) leave(st *ast.BreakStmt) ast.Stmt {
	if len(r.loops) == 0 {
		return st // an error, reported by the compiler
	}
	l := r.loops[len(r.loops)-1]
	for _, b := range l.inner {
		if b.makesFunctions() {
			if l.label == "" {
				r.breaks++
				l.label = hiddenBreak + strconv.Itoa(r.breaks)
			}
			return syntax.At(&ast.GotoStmt{Label: l.label}, st)
		}
	}
	return st
}

func (r *repairer) expr(slot *ast.Expr) {
	syntax.Children(*slot, r.expr, r.function)
	switch e := (*slot).(type) {
	case *ast.StringConcatOpExpr:
		*slot = concat(e)
	case *ast.ArithmeticOpExpr:
		if l, ok := e.Lhs.(*ast.UnaryLenOpExpr); ok && e.Operator == "+" {
			e.Lhs = call(hiddenLen, l, l.Expr)
		}
		if e.Operator == "^" {
			*slot = powered(e)
			if m, ok := (*slot).(*ast.UnaryMinusOpExpr); ok {
				r.constants.minus(slot, m)
			}
			if *slot != e {
				break
			}
		}
		r.constants.arithmetic(e)
	case *ast.TableExpr:
		if n := len(e.Fields); n > 0 && e.Fields[n-1].Key != nil {
			single(e.Fields[n-1].Value)
		}
	case *ast.UnaryMinusOpExpr:
		r.constants.minus(slot, e)
	case *ast.NumberExpr:
		r.number(slot, e)
	}
}

// concat makes one call of a .. b .. c. The right side is repaired already, so its call is extended if there is
// one. Long chains stay nested, because a function has a limited number of registers.
func concat(e *ast.StringConcatOpExpr) ast.Expr {
	const most = 50
	args := []ast.Expr{single(e.Lhs)}
	if c, ok := e.Rhs.(*ast.FuncCallExpr); ok && isConcat(c) && len(c.Args) < most {
		args = append(args, c.Args...)
	} else {
		args = append(args, single(e.Rhs))
	}
	return call(hiddenConcat, e, args...)
}

func isConcat(c *ast.FuncCallExpr) bool {
	id, ok := c.Func.(*ast.IdentExpr)
	return ok && id.Value == hiddenConcat
}

// call returns a call of a hidden function that yields exactly one value and is not a tail call, which would lose
// the line.
func call(name string, like ast.PositionHolder, args ...ast.Expr) *ast.FuncCallExpr {
	return syntax.At(&ast.FuncCallExpr{
		Func:      syntax.At(&ast.IdentExpr{Value: name}, like),
		Args:      args,
		AdjustRet: true,
	}, like)
}

// single limits an operand to one value. As an operand it has one value in any case, but not as the last argument
// of a call.
func single(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.FuncCallExpr:
		e.AdjustRet = true
	case *ast.Comma3Expr:
		e.AdjustRet = true
	}
	return e
}

// throughTemp reports whether an assignment to a variable must go through a temporary, because gopher-lua would
// compute it in place, and wrongly: it leaves the old value when the left side of an and is false, and a call or
// (...) that is limited to one value clears the variables behind it, a call before it reads its arguments.
func throughTemp(st *ast.AssignStmt) bool {
	if _, variable := st.Lhs[0].(*ast.IdentExpr); !variable {
		return false
	}
	switch e := st.Rhs[0].(type) {
	case *ast.LogicalOpExpr:
		return true
	case *ast.FuncCallExpr:
		e.AdjustRet = false // the assignment takes one value anyway
		return len(st.Rhs) > 1
	case *ast.Comma3Expr:
		e.AdjustRet = false
		return len(st.Rhs) > 1
	}
	return false
}

// assign expands a, t[i] = f() into steps: the tables and keys on the left, then everything on the right, then the
// stores from right to left. That is the order of Lua 5.1.
func assign(st *ast.AssignStmt) ast.Stmt {
	var before, after []ast.Stmt
	names := make([]string, len(st.Lhs))
	temp := func(slot *ast.Expr, kind string, i int) {
		name := kind + strconv.Itoa(i)
		before = append(before, syntax.At(&ast.LocalAssignStmt{Names: []string{name}, Exprs: []ast.Expr{single(*slot)}}, st))
		*slot = syntax.At(&ast.IdentExpr{Value: name}, *slot)
	}
	for i, lhs := range st.Lhs {
		names[i] = hiddenTemp + "v" + strconv.Itoa(i)
		if get, ok := lhs.(*ast.AttrGetExpr); ok {
			temp(&get.Object, hiddenObject, i)
			switch get.Key.(type) {
			case *ast.StringExpr, *ast.NumberExpr:
			default:
				temp(&get.Key, hiddenTemp+"k", i)
			}
		}
	}
	for i := len(st.Lhs) - 1; i >= 0; i-- {
		value := syntax.At(&ast.IdentExpr{Value: names[i]}, st.Lhs[i])
		after = append(after, syntax.At(&ast.AssignStmt{Lhs: []ast.Expr{st.Lhs[i]}, Rhs: []ast.Expr{value}}, st.Lhs[i]))
	}
	body := append(before, syntax.At(&ast.LocalAssignStmt{Names: names, Exprs: st.Rhs}, st))
	return syntax.At(&ast.DoBlockStmt{Stmts: append(body, after...)}, st)
}

// number replaces a literal by a text that gopher-lua reads as the number that Lua 5.1 reads.
func (r *repairer) number(slot *ast.Expr, e *ast.NumberExpr) {
	f, ok := syntax.ParseNumber(e.Value)
	switch {
	case !ok:
		if r.err == nil {
			r.err = &Error{Pos: Pos{Line: e.Line()}, Message: fmt.Sprintf("malformed number %q", syntax.CutName(e.Value))}
		}
	case math.IsInf(f, 1):
		*slot = syntax.At(&ast.ArithmeticOpExpr{
			Operator: "/",
			Lhs:      syntax.At(&ast.NumberExpr{Value: "1"}, e),
			Rhs:      syntax.At(&ast.NumberExpr{Value: "0"}, e),
		}, e)
		r.constants[*slot] = f
	case f == math.Trunc(f) && f < 1<<53:
		e.Value = strconv.FormatInt(int64(f), 10)
	default:
		e.Value = strconv.FormatFloat(f, 'g', -1, 64)
	}
}
