package ir

import (
	"strings"
	"testing"
)

// lists is a Program that adds to lists at the keys of one table, and reads those of another one.
func lists() *Program {
	p := sample()
	p.Tables = append(p.Tables, Table{Input: 0, Joined: true})
	p.Keyed = []Keyed{
		{Input: 1, Key: Number, Rows: true, Stored: true, Makes: true, Members: []Member{{Kind: ListLength, Stored: true}}},
		{Input: 0, Key: Number, Rows: true, Members: []Member{{Kind: ListLength}, {Kind: ListStart}}},
	}
	add := &Effect{Op: ListAppend, Index: 3, Key: Number, Value: &TableItem{Type: Text}}
	p.Effects = append(p.Effects, add)
	start := &Expr{Op: Lookup, I: 1, A: number(7), Member: 1}
	p.Body = append(
		p.Body, &Stmt{Op: PutRow, A: number(1), Members: []int{0}, Args: []*Expr{number(0)}},
		&Stmt{Op: Emit, I: -1, Effect: add, Args: []*Expr{number(1), {Op: Const, Type: Text, S: "s"}}},
		&Stmt{Op: PutKey, A: number(1), B: number(1)},
		&Stmt{Op: Set, I: 4, Mark: -1, A: &Expr{Op: Element, I: 2, A: start, Member: -1}},
	)
	return p
}

func TestVerifyLists(t *testing.T) {
	if err := lists().Verify(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		spoil func(p *Program)
		want  string
	}{
		{func(p *Program) { p.Effects[3].Keyed = 2 }, "no keyed table 2 of 2"},
		{func(p *Program) { p.Effects[3].Keyed = 1 }, "gets elements, and has no lists"},
		{func(p *Program) { p.Effects[3].Key = Text }, "gets elements, and has no lists"},
		{func(p *Program) { p.Effects[3].Value = &TableItem{Kind: ItemNil} }, "nothing is added to a list"},
		{func(p *Program) { p.Effects[3].Value = nil }, "nothing is added to a list"},
		{func(p *Program) { p.Body[len(p.Body)-3].Args[1] = number(1) }, "a number stands where a text has to be"},
		{func(p *Program) { p.Keyed[0].Members[0].Kind = View }, "not plain, not stored or twice there"},
		{func(p *Program) { p.Tables[2].Joined = false }, "elements of lists are read that nothing copies, or that change"},
		{func(p *Program) { p.Tables[2].Stored = true }, "elements of lists are read that nothing copies, or that change"},
		{func(p *Program) { p.Tables[2].Input = 1 }, "elements of lists are read that nothing copies, or that change"},
		{func(p *Program) { p.Keyed[1].Members[0].Stored = true }, "elements of lists are read that nothing copies, or that change"},
		{func(p *Program) { p.Keyed[1].Members[0].Kind = Plain }, "elements of lists are read that nothing copies, or that change"},
		{func(p *Program) {
			p.Outputs[0].Records = []Record{{{Name: "n", Place: Place{Type: Any}, Mark: -1}}}
		}, "a member of the output 1 is of type any"},
		{func(p *Program) { p.Outputs[0].Records = []Record{{{Name: "n", Place: Place{Reg: 9}, Mark: -1}}} }, "no number register 9"},
		{func(p *Program) { p.Outputs[0].Records = []Record{{{Name: "n", Mark: 9}}} }, "no bool register 9"},
	} {
		p := lists()
		c.spoil(p)
		if err := p.Verify(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}
