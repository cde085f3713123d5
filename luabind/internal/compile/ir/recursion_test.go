package ir

import (
	"strings"
	"testing"
)

// A Program with a function that calls itself keeps the rules, and one that breaks a rule is refused.
func TestVerifyRecursion(t *testing.T) {
	sample := func() *Program {
		r := &Recursion{Params: []Place{{Used: true, Reg: 0}}, Values: []Place{{Used: true, Reg: 1}}, Locals: []Place{{Used: true, Reg: 0}}}
		again := &Stmt{Op: Again, I: 1, Mark: 1, Args: []*Expr{{Op: Const, N: 1}}, Price: 1, Recursion: r}
		loop := &Stmt{Op: Sources, A: &Expr{Op: Entity}, I: 3, Price: 1, Body: []*Stmt{again}}
		return &Program{Price: 1, Numbers: 4, Body: []*Stmt{{Op: Recurse, I: 1, Recursion: r, Body: []*Stmt{loop}}}}
	}
	if err := sample().Verify(); err != nil {
		t.Fatal(err)
	}
	loop := func(p *Program) *Stmt { return p.Body[0].Body[0] }
	again := func(p *Program) *Stmt { return loop(p).Body[0] }
	for _, c := range []struct {
		spoil func(p *Program)
		want  string
	}{
		{func(p *Program) { p.Body[0].Recursion = nil }, "has no registers"},
		{func(p *Program) { p.Body[0].Recursion.Locals = nil }, "a parameter is not kept"},
		{func(p *Program) { p.Body[0].Recursion.Values[0].Reg = 9 }, "no number register 9"},
		{func(p *Program) { p.Body[0].Recursion.Views = []int{3} }, "no view of another entity"},
		{func(p *Program) { again(p).I = 2 }, "no function 2 around a call"},
		{func(p *Program) { p.Body = loop(p).Body }, "no function 1 around a call"},
		{func(p *Program) { again(p).Args = nil }, "with 0 arguments, not 1"},
		{func(p *Program) { again(p).Args[0] = &Expr{Op: Const, Type: Bool} }, "a bool stands where a number has to be"},
		{func(p *Program) { again(p).Price = 0 }, "has the price 0"},
		{func(p *Program) { again(p).Mark = 0 }, "counts for 0 calls"},
		{func(p *Program) { r := p.Body[0].Recursion; r.Locals = append(r.Locals, r.Values...) }, "a value is kept"},
		{func(p *Program) {
			loop(p).Body[0] = &Stmt{Op: Jump, I: 2}
			p.Body = []*Stmt{{Op: Block, I: 2, Body: p.Body}}
		}, "no block around a jump to label 2"},
	} {
		p := sample()
		c.spoil(p)
		if err := p.Verify(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("want %q, not %v", c.want, err)
		}
	}
	if p := sample(); Recurs(p.Body[0]) || !Recurs(loop(p)) {
		t.Error("a loop around a call of the function around it runs inside itself, and the function itself does not")
	}
}
