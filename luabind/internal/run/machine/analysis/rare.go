package analysis

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
)

// Rare branches. What stands under a condition may be expensive: calls, effects, looks at other entities. Most rows do not come
// to it, so a form of code may leave it out, with ir.Leave in its place, and hand the rows that come there to another form
// that has the whole body.

// A Cutter says what a form of code does. Body makes its body.
type Cutter struct {
	Stmt  func(*ir.Stmt) bool // it does a statement, apart from the expressions and the statements in it
	Expr  func(*ir.Expr) bool // it computes an expression, apart from its operands
	Drops func(*ir.Stmt) bool // it need not do a statement, because only what it leaves out uses the effect
}

// Body returns the body for the form, and whether rows may leave it. ok is false if each row comes to what the form does not
// do.
func (c Cutter) Body(body []*ir.Stmt) (out []*ir.Stmt, leaving, ok bool) {
	out, _ = c.block(body)
	if Leaves(out) {
		return nil, false, false
	}
	return out, MayLeave(out), true
}

// MayLeave reports whether rows may leave in some statements.
func MayLeave(body []*ir.Stmt) (may bool) {
	abi.Walk(body, func(s *ir.Stmt) { may = may || s.Op == ir.Leave }, func(*ir.Expr) {})
	return may
}

// block cuts statements. Nothing follows one that is left out; without a jump, nothing that stands before it is of use.
func (c Cutter) block(body []*ir.Stmt) (out []*ir.Stmt, cut bool) {
	for _, s := range body {
		if c.Drops(s) {
			cut = true
			continue
		}
		made, ok := c.statement(s)
		if !ok {
			if !slices.ContainsFunc(out, mayEnd) {
				out = nil
			}
			return append(out, &ir.Stmt{Op: ir.Leave}), true
		}
		cut = cut || made != s
		out = append(out, made)
	}
	return out, cut
}

// statement cuts a statement; ok is false if all of it is left out. It returns the statement itself if nothing is.
func (c Cutter) statement(s *ir.Stmt) (made *ir.Stmt, ok bool) {
	if !c.Stmt(s) {
		return nil, false
	}
	test := s.A
	for !c.computes(test) {
		// Of "if a and b" the form may compute a: rows for which it holds are left.
		if s.Op != ir.If || test.Op != ir.And {
			return nil, false
		}
		test = test.A
	}
	if !c.computes(s.B) || !c.computes(s.C) || slices.ContainsFunc(s.Args, func(x *ir.Expr) bool { return !c.computes(x) }) {
		return nil, false
	}
	then, cut := c.block(s.Body)
	other, cutElse := c.block(s.Else)
	if test != s.A {
		then, cut = []*ir.Stmt{{Op: ir.Leave}}, true
	}
	if !cut && !cutElse {
		return s, true
	}
	if s.Op != ir.If && s.Op != ir.Block && Leaves(then) { // a loop
		return nil, false
	}
	out := *s
	out.A, out.Body, out.Else = test, then, other
	return &out, true
}

// computes reports whether the form computes an expression. There may be none.
func (c Cutter) computes(x *ir.Expr) bool {
	return x == nil || c.Expr(x) && c.computes(x.A) && c.computes(x.B) && c.computes(x.C)
}

// Stores reports whether a body does more than to test and to count.
func Stores(body []*ir.Stmt) (does bool) {
	abi.Walk(body, func(s *ir.Stmt) { does = does || s.Op == ir.Store }, func(*ir.Expr) {})
	return does
}

// Leaves reports whether each row that reaches some statements is left there.
func Leaves(body []*ir.Stmt) bool {
	for _, s := range body {
		switch {
		case s.Op == ir.Leave, s.Op == ir.Block && Leaves(s.Body), s.Op == ir.If && Leaves(s.Body) && Leaves(s.Else):
			return true
		case mayEnd(s):
			return false
		}
	}
	return false
}

// mayEnd reports whether a statement may end the row, or lead past what follows it.
func mayEnd(s *ir.Stmt) bool {
	return s.Op == ir.Jump || s.Op == ir.Return || s.Op == ir.Break || slices.ContainsFunc(s.Body, mayEnd) || slices.ContainsFunc(s.Else, mayEnd)
}
