package machine

import (
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
)

// plainAsking is what asksFlipped has to find, in the simplest way: a loop is looked at twice, so that a turn sees what the one before
// has flipped.
type plainAsking struct {
	flipped map[uint32]bool
	found   bool
}

func (a *plainAsking) body(list []*kernel.Stmt) {
	for _, s := range list {
		a.exprs(s)
		switch s.Op {
		case kernel.If:
			before := maps.Clone(a.flipped)
			a.body(s.Body)
			then := a.flipped
			a.flipped = before
			a.body(s.Else)
			maps.Copy(a.flipped, then)
		case kernel.While, kernel.Count:
			for range 2 {
				a.body(s.Body)
				a.exprs(s)
			}
		default:
			a.body(s.Body)
		}
	}
}

func (a *plainAsking) exprs(s *kernel.Stmt) {
	walkOwn(s, func(x *kernel.Expr) {
		switch {
		case flips(x):
			a.flipped[x.ID] = true
		case x.Op == kernel.Tagged:
			a.found = a.found || a.flipped[x.ID]
		}
	})
}

// askingBody is a random body that flips tags and asks for them.
func askingBody(rng *rand.Rand, depth int) (out []*kernel.Stmt) {
	expr := func() *kernel.Expr {
		x := &kernel.Expr{Op: []kernel.Op{kernel.Tag, kernel.Untag, kernel.Tagged, kernel.Tagged, kernel.Alive}[rng.IntN(5)], Type: kernel.Bool, A: &kernel.Expr{Op: kernel.Entity}}
		x.ID = uint32(rng.IntN(4))
		return x
	}
	for range 1 + rng.IntN(3) {
		s := &kernel.Stmt{Op: kernel.Do, A: expr(), Mark: -1}
		if depth > 0 {
			switch rng.IntN(5) {
			case 0:
				s.Op, s.Body, s.Else = kernel.If, askingBody(rng, depth-1), askingBody(rng, depth-1)
			case 1:
				s.Op, s.Body, s.Price = kernel.While, askingBody(rng, depth-1), 1
			case 2:
				s.Op, s.Body, s.Price = kernel.Count, askingBody(rng, depth-1), 1
				s.B, s.C = &kernel.Expr{Op: kernel.Const, N: 3}, &kernel.Expr{Op: kernel.Const, N: 1}
			case 3:
				s.Op, s.A, s.Body = kernel.Block, nil, askingBody(rng, depth-1)
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
		p := &kernel.Program{Body: askingBody(rng, rng.IntN(4))}
		plain := &plainAsking{flipped: map[uint32]bool{}}
		plain.body(p.Body)
		wantLate := plain.found
		plain.found = false
		plain.body(p.Body)
		if asks, late := asksFlipped(p); asks != plain.found || late != wantLate {
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
	tag := &kernel.Expr{Op: kernel.Tag, Type: kernel.Bool, A: &kernel.Expr{Op: kernel.Entity}, ID: 1}
	asked := &kernel.Expr{Op: kernel.Tagged, Type: kernel.Bool, A: &kernel.Expr{Op: kernel.Entity}, ID: 1}
	body := []*kernel.Stmt{{Op: kernel.Do, A: asked}, {Op: kernel.Do, A: tag}}
	for range 900 {
		body = []*kernel.Stmt{{Op: kernel.While, A: asked, Body: body, Price: 1}}
	}
	if asks, late := asksFlipped(&kernel.Program{Body: body}); !asks || !late {
		t.Errorf("asks %v, late %v", asks, late)
	}
}
