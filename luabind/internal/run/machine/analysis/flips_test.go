package analysis

import (
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
)

// plainAsking is what asksFlipped has to find, in the simplest way: a loop is looked at twice, so that a turn sees what the one before
// has flipped.
type plainAsking struct {
	flipped map[uint32]bool
	found   bool
}

func (a *plainAsking) body(list []*ir.Stmt) {
	for _, s := range list {
		a.exprs(s)
		switch s.Op {
		case ir.If:
			before := maps.Clone(a.flipped)
			a.body(s.Body)
			then := a.flipped
			a.flipped = before
			a.body(s.Else)
			maps.Copy(a.flipped, then)
		case ir.While, ir.Count:
			for range 2 {
				a.body(s.Body)
				a.exprs(s)
			}
		default:
			a.body(s.Body)
		}
	}
}

func (a *plainAsking) exprs(s *ir.Stmt) {
	abi.WalkOwn(s, func(x *ir.Expr) {
		switch {
		case abi.FlipsTag(x):
			a.flipped[x.ID] = true
		case x.Op == ir.Tagged:
			a.found = a.found || a.flipped[x.ID]
		}
	})
}

// askingBody is a random body that flips tags and asks for them.
func askingBody(rng *rand.Rand, depth int) (out []*ir.Stmt) {
	expr := func() *ir.Expr {
		x := &ir.Expr{Op: []ir.Op{ir.Tag, ir.Untag, ir.Tagged, ir.Tagged, ir.Alive}[rng.IntN(5)], Type: ir.Bool, A: &ir.Expr{Op: ir.Entity}}
		x.ID = uint32(rng.IntN(4))
		return x
	}
	for range 1 + rng.IntN(3) {
		s := &ir.Stmt{Op: ir.Do, A: expr(), Mark: -1}
		if depth > 0 {
			switch rng.IntN(5) {
			case 0:
				s.Op, s.Body, s.Else = ir.If, askingBody(rng, depth-1), askingBody(rng, depth-1)
			case 1:
				s.Op, s.Body, s.Price = ir.While, askingBody(rng, depth-1), 1
			case 2:
				s.Op, s.Body, s.Price = ir.Count, askingBody(rng, depth-1), 1
				s.B, s.C = &ir.Expr{Op: ir.Const, N: 3}, &ir.Expr{Op: ir.Const, N: 1}
			case 3:
				s.Op, s.A, s.Body = ir.Block, nil, askingBody(rng, depth-1)
			}
		}
		out = append(out, s)
	}
	return out
}

func TestAskingForFlippedTags(t *testing.T) {
	seen := map[[2]bool]int{}
	for seed := range uint64(4000) {
		rng := rand.New(rand.NewPCG(seed, 1))
		p := &ir.Program{Body: askingBody(rng, rng.IntN(4))}
		plain := &plainAsking{flipped: map[uint32]bool{}}
		plain.body(p.Body)
		wantLate := plain.found
		plain.found = false
		plain.body(p.Body)
		if asks, late := AsksFlipped(p); asks != plain.found || late != wantLate {
			t.Fatalf("seed %d: asks %v, late %v; want %v, %v", seed, asks, late, plain.found, wantLate)
		}
		seen[[2]bool{plain.found, wantLate}]++
	}
	if len(seen) < 3 {
		t.Errorf("the bodies are all alike: %v", seen)
	}
}

// Each level of loops within each other used to double the work: at this depth the test would not end.
func TestAskingInDeepLoops(t *testing.T) {
	tag := &ir.Expr{Op: ir.Tag, Type: ir.Bool, A: &ir.Expr{Op: ir.Entity}, ID: 1}
	asked := &ir.Expr{Op: ir.Tagged, Type: ir.Bool, A: &ir.Expr{Op: ir.Entity}, ID: 1}
	body := []*ir.Stmt{{Op: ir.Do, A: asked}, {Op: ir.Do, A: tag}}
	for range 900 {
		body = []*ir.Stmt{{Op: ir.While, A: asked, Body: body, Price: 1}}
	}
	if asks, late := AsksFlipped(&ir.Program{Body: body}); !asks || !late {
		t.Errorf("asks %v, late %v", asks, late)
	}
}
