package abi

import (
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
)

// A row may be as long as the ring, or the log, has room for.
func TestNeedsRoomAtTheBorder(t *testing.T) {
	emits := func(n, args int) *ir.Program {
		p := &ir.Program{}
		for range n {
			p.Body = append(p.Body, &ir.Stmt{Op: ir.Emit, Args: make([]*ir.Expr, args), Effect: &ir.Effect{}})
		}
		return p
	}
	const room = RingSize/2 - MostRecord
	stores := func(n int) *ir.Program {
		p := &ir.Program{Views: 1}
		for range n {
			p.Body = append(p.Body, &ir.Stmt{Op: ir.Store, I: 1})
		}
		return p
	}
	for name, c := range map[string]struct {
		p    *ir.Program
		want bool
	}{
		"effects":               {emits(room/64, 7), false},
		"an effect too many":    {emits(room/64+1, 7), true},
		"stores":                {stores(room / (LogRecord / 2)), false},
		"a store too many":      {stores(room/(LogRecord/2) + 1), true},
		"a store in a loop":     {&ir.Program{Views: 1, Body: []*ir.Stmt{{Op: ir.Count, Price: 1, Body: []*ir.Stmt{{Op: ir.Store, I: 1}}}}}, true},
		"an own field in it":    {&ir.Program{Views: 1, Body: []*ir.Stmt{{Op: ir.Count, Price: 1, Body: []*ir.Stmt{{Op: ir.Store, I: 0}}}}}, false},
		"an element in a loop":  {&ir.Program{Body: []*ir.Stmt{{Op: ir.Count, Price: 1, Body: []*ir.Stmt{{Op: ir.Put}}}}}, true},
		"a flip in a condition": {&ir.Program{Body: []*ir.Stmt{{Op: ir.While, Price: 1, Body: []*ir.Stmt{{Op: ir.If, A: &ir.Expr{Op: ir.Tag}}}}}}, true},
		"a flip in no loop":     {&ir.Program{Body: []*ir.Stmt{{Op: ir.If, A: &ir.Expr{Op: ir.Untag}}}}, false},
		"who is near":           {&ir.Program{Body: []*ir.Stmt{{Op: ir.Near}}}, true},
	} {
		if got := NeedsRoom(c.p); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
