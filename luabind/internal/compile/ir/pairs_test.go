package ir

import (
	"strings"
	"testing"
)

// pairs is a Program that uses values at two keys: numbers at a number and a string, and booleans at two numbers.
func pairs() *Program {
	p := sample()
	p.Keyed = []Keyed{
		{Input: 1, Key: Number, Rows: true, Stored: true},
		{Input: 1, Key: Number, Stored: true, Pairs: true, Second: Text},
		{Input: 1, Key: Number, Type: Bool, Pairs: true, Second: Number},
		{Input: 0, Key: Text, Rows: true},
		{Input: 0, Key: Number, Pairs: true, Of: 3, Second: Number},
	}
	text := func() *Expr { return &Expr{Op: Const, Type: Text, S: "s"} }
	p.Body = append(
		p.Body,
		&Stmt{Op: PutKey, I: 1, Member: -1, A: &Expr{Op: Pair, A: number(1), B: text()}, B: &Expr{Op: Lookup, I: 1, Member: -1, A: &Expr{Op: Pair, A: number(1), B: text()}}},
		&Stmt{Op: Do, A: &Expr{Op: HasKey, Type: Bool, I: 2, Member: -1, A: &Expr{Op: Pair, A: number(1), B: number(2)}}},
		&Stmt{Op: Do, A: &Expr{Op: Lookup, I: 4, Member: -1, A: &Expr{Op: Pair, A: text(), B: number(2)}}},
	)
	return p
}

func TestVerifyPairs(t *testing.T) {
	if err := pairs().Verify(); err != nil {
		t.Fatal(err)
	}
	stmt := func(p *Program, last int) *Stmt { return p.Body[len(p.Body)-last] }
	const noPair = "a keyed table of pairs is looked up by something else than a pair"
	const noRows = "the pairs of a keyed table are in no table of tables"
	const otherKeys = "a keyed table of pairs has tables, or other keys"
	for i, c := range []struct {
		spoil func(p *Program)
		want  string
	}{
		{func(p *Program) { p.Keyed[1].Of = 1 }, "no keyed table before the one with its pairs 1 of 1"},
		{func(p *Program) { p.Keyed[1].Of = 3 }, "no keyed table before the one with its pairs 3 of 1"},
		{func(p *Program) { p.Keyed[1].Of = -1 }, "no keyed table before the one with its pairs -1 of 1"},
		{func(p *Program) { p.Keyed[2].Of = 1 }, noRows},
		{func(p *Program) { p.Keyed[4].Of = 0 }, noRows},
		{func(p *Program) { p.Keyed[4].Input = 1 }, noRows},
		{func(p *Program) { p.Keyed[3].Rows = false }, noRows},
		{func(p *Program) { p.Keyed[4].Key = Text }, otherKeys},
		{func(p *Program) { p.Keyed[2].Second = Bool }, otherKeys},
		{func(p *Program) { p.Keyed[2].Second = Any }, otherKeys},
		{func(p *Program) { p.Keyed[4].Rows = true }, otherKeys},
		{func(p *Program) { p.Keyed[4].Members = []Member{{Name: "n"}} }, "a keyed table has members, and its values are no tables"},
		{func(p *Program) { p.Keyed[1].Stored = false }, "values of keyed table 1 are assigned"},
		{func(p *Program) { stmt(p, 3).A = number(1) }, noPair},
		{func(p *Program) { stmt(p, 3).A = nil }, noPair},
		{func(p *Program) { stmt(p, 3).A.Type = Text }, noPair},
		{func(p *Program) { stmt(p, 3).A.C = number(1) }, noPair},
		{func(p *Program) { stmt(p, 3).A.Op = Add }, noPair},
		{func(p *Program) { stmt(p, 3).A.A = nil }, "an operand is missing"},
		{func(p *Program) { stmt(p, 3).A.B = nil }, "an operand is missing"},
		{func(p *Program) { stmt(p, 3).A.A = truth() }, "a bool stands where a number has to be"},
		{func(p *Program) { stmt(p, 3).A.B = number(1) }, "a number stands where a text has to be"},
		{func(p *Program) { stmt(p, 3).A.B = stmt(p, 2).A.A }, "a pair stands where no table is looked up by pairs"},
		{func(p *Program) { stmt(p, 3).B.A = number(1) }, noPair},
		{func(p *Program) { stmt(p, 3).B.B = number(1) }, "or has several operands"},
		{func(p *Program) { stmt(p, 3).B.C = number(1) }, "or has several operands"},
		{func(p *Program) { stmt(p, 3).B.Type = Bool }, "the operation lookup gives a number, not a bool"},
		{func(p *Program) { stmt(p, 3).B = truth() }, "a bool stands where a number has to be"},
		{func(p *Program) { stmt(p, 3).Member = 0 }, "keyed table 1 is used with the member 0"},
		{func(p *Program) { stmt(p, 2).A.A = number(1) }, noPair},
		{func(p *Program) { stmt(p, 2).A.A.A = stmt(p, 3).A.B }, "a text stands where a number has to be"},
		{func(p *Program) { stmt(p, 2).A.A.B = stmt(p, 3).A.B }, "a text stands where a number has to be"},
		{func(p *Program) { stmt(p, 2).A.Member = 0 }, "keyed table 2 is used with the member 0"},
		{func(p *Program) { stmt(p, 1).A.A.A = number(1) }, "a number stands where a text has to be"},
		{func(p *Program) { stmt(p, 1).A = stmt(p, 1).A.A }, "a pair stands where no table is looked up by pairs"},
	} {
		p := pairs()
		c.spoil(p)
		if err := p.Verify(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("case %d: got %v, want %q", i, err, c.want)
		}
	}
}
