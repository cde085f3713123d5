package packing

import (
	"math"
	mathbits "math/bits"
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
)

// Finding pairs. A block is a list of segments: the statements of some rows, in the order in which they are to run. Two
// segments that are alike, of two rows or of one, can become one statement on vectors if the second can move up to the
// first: no segment between them, and neither of both, writes what the other reads or writes. Each segment is paired with
// the one that saves most, or written alone. The instructions themselves are in write.go and vector.go.

// A set is a set of operands, a bit for each. All sets of a packer have the same length.
type set []uint64

// add puts an operand into the set.
func (s set) add(at operand) { s[at/64] |= 1 << (at % 64) }

func (s set) has(at operand) bool { return s[at/64]&(1<<(at%64)) != 0 }

// meets reports whether two sets have an operand in common.
func (s set) meets(t set) bool {
	for i := range s {
		if s[i]&t[i] != 0 {
			return true
		}
	}
	return false
}

// An access is what a segment reads and writes, with the statements in it.
type access struct{ reads, writes set }

// conflicts reports whether two segments cannot change places.
func (a access) conflicts(b access) bool {
	return a.writes.meets(b.writes) || a.writes.meets(b.reads) || a.reads.meets(b.writes)
}

// join adds what another segment reads and writes. It changes the sets in place.
func (a access) join(b access) {
	for i := range a.reads {
		a.reads[i] |= b.reads[i]
		a.writes[i] |= b.writes[i]
	}
}

// access finds out what a segment reads and writes. It refuses statements that are not packed.
func (p *packer) access(x segment) access {
	n := (len(p.fields) + 63) / 64
	sets := make(set, 2*n)
	a := access{sets[:n], sets[n:]}
	p.e.Spend(n)
	abi.Walk([]*ir.Stmt{x.Stmt}, func(s *ir.Stmt) {
		switch s.Op {
		case ir.Set:
			a.writes.add(p.reg(s.A.Type, s.I, x.row))
			if s.Mark >= 0 {
				a.writes.add(p.reg(ir.Bool, s.Mark, x.row))
			}
		case ir.Store:
			a.writes.add(p.operandOf(s.I, s.Field, x.row))
		case ir.If, ir.Block:
		default:
			abi.Refuse("a statement of one row is not packed (%d)", s.Op)
		}
	}, func(e *ir.Expr) {
		p.e.Spend(1)
		switch e.Op {
		case ir.Reg:
			a.reads.add(p.reg(e.Type, e.I, x.row))
		case ir.Load:
			a.reads.add(p.field(e, x.row))
		default: // packable lets nothing through that reads something else
		}
	})
	return a
}

// block writes segments, and pairs those that are alike. top says that they are at the top of a row: then fields are loaded
// before the first segment that needs them, and stored after the last. Segments under a condition find their fields loaded.
func (p *packer) block(segments []segment, top bool) {
	done := make([]bool, len(segments))
	does := make([]access, len(segments))
	for i, x := range segments {
		does[i] = p.access(x)
		if top {
			for _, s := range p.slotsOf(does[i]) {
				s.uses++
			}
		}
	}
	for i, x := range segments {
		if done[i] {
			continue
		}
		done[i] = true
		other, gain, swap := -1, 0, false
		between := access{make(set, len(does[i].reads)), make(set, len(does[i].reads))} // of those that j would have to pass
		for j := i + 1; j < len(segments); j++ {
			if done[j] {
				continue
			}
			p.e.Spend(1 + len(between.reads)/4)
			free := !does[i].conflicts(does[j]) && !between.conflicts(does[j])
			between.join(does[j])
			if !free {
				continue
			}
			if g := p.gain(x, segments[j]); g > gain {
				other, gain, swap = j, g, false
			}
			if g := p.gain(segments[j], x); g > gain {
				other, gain, swap = j, g, true
			}
		}
		written := []int{i}
		if other != -1 {
			done[other] = true
			written = append(written, other)
		}
		deferring := top && p.Cold && other != -1 && p.canDefer(segments, does, done, i, other)
		if top && !deferring {
			p.ensure(segments, does, written)
		}
		switch {
		case deferring && swap:
			p.deferPair(segments[other], x)
		case deferring:
			p.deferPair(x, segments[other])
		case other == -1:
			p.writeAlone(x)
		case swap:
			p.pair(segments[other], x)
		default:
			p.pair(x, segments[other])
		}
		if top {
			for _, w := range written {
				for _, s := range p.slotsOf(does[w]) {
					s.uses--
					if s.uses == 0 {
						p.flush(s)
					}
				}
			}
		}
	}
}

// slotsOf returns the slots of the fields that a segment reads or writes, in the order of their locals.
func (p *packer) slotsOf(a access) (out []*slot) {
	for i := range a.reads {
		for bits := a.reads[i] | a.writes[i]; bits != 0; bits &= bits - 1 {
			if s := p.fields[64*i+mathbits.TrailingZeros64(bits)].slot; s != nil && !slices.Contains(out, s) {
				out = append(out, s)
			}
		}
	}
	slices.SortFunc(out, func(a, b *slot) int { return a.local - b.local })
	return out
}

// ensure loads the slots that the segments to be written need. A slot that they only store, and store as a whole, is not
// loaded.
func (p *packer) ensure(segments []segment, does []access, written []int) {
	for _, w := range written {
		for _, s := range p.slotsOf(does[w]) {
			whole := segments[w].Op == ir.Store && (s.n == 1 || len(written) == 2)
			for _, v := range written {
				for i, bits := range does[v].reads {
					for ; bits != 0; bits &= bits - 1 {
						whole = whole && p.fields[64*i+mathbits.TrailingZeros64(bits)].slot != s
					}
				}
			}
			if whole {
				s.loaded = true
			} else {
				p.load(s)
			}
		}
	}
}

// beside reports whether two locations are the two lanes of one slot, in order.
func beside(a, b location) bool {
	return a.slot != nil && a.slot == b.slot && a.lane == 0 && b.lane == 1
}

// never is the gain of a pair that is not possible. It is so small that no sum of gains makes up for it.
const never = -1 << 20

// gain estimates how many instructions it saves to write two segments as one; never if that is not possible. a takes the
// first lanes.
func (p *packer) gain(a, b segment) int {
	if a.Op != b.Op {
		return never
	}
	switch a.Op {
	case ir.Store:
		if !beside(p.fields[p.operandOf(a.I, a.Field, a.row)], p.fields[p.operandOf(b.I, b.Field, b.row)]) {
			return never
		}
		return 1 + p.gainOf(term{a.A, a.row}, term{b.A, b.row})
	case ir.Set:
		x, y := p.reg(a.A.Type, a.I, a.row), p.reg(b.A.Type, b.I, b.row)
		if a.Mark >= 0 || b.Mark >= 0 || x == y || p.vars.carried[x] || p.vars.carried[y] {
			return never
		}
		if fresh := !p.vars.known[x] && !p.vars.known[y]; !fresh && !beside(p.vars.locations[x], p.vars.locations[y]) {
			return never
		}
		return p.gainOf(term{a.A, a.row}, term{b.A, b.row})
	case ir.If:
		g := p.gainOf(term{a.A, a.row}, term{b.A, b.row})
		g = max(never, g+p.gainOfBodies(a, b, a.Body, b.Body))
		g = max(never, g+p.gainOfBodies(a, b, a.Else, b.Else))
		if g < never/2 {
			return never
		}
		return g + 1
	default: // pair writes no others
		return never
	}
}

// gainOfBodies is the gain of the statements under two conditions, which are paired in their order; never if there are not
// as many.
func (p *packer) gainOfBodies(a, b segment, x, y []*ir.Stmt) int {
	x, y = flat(x), flat(y)
	if len(x) != len(y) {
		return never
	}
	g := 0
	for i := range x {
		g = max(never, g+p.gain(segment{x[i], a.row}, segment{y[i], b.row}))
	}
	return g
}

// gainOf estimates how many instructions it saves to compute two values as one vector; never if that is not possible.
func (p *packer) gainOf(a, b term) int {
	if a.Type != b.Type {
		return never
	}
	p.e.Spend(1)
	if p.uniform(a.Expr) && p.uniform(b.Expr) {
		return 0
	}
	if a.Op != b.Op || a.Op == ir.Call && a.Func != b.Func {
		return p.gainOfGather(a, b)
	}
	switch a.Op {
	case ir.Load:
		x, y := p.fields[p.field(a.Expr, a.row)], p.fields[p.field(b.Expr, b.row)]
		if beside(x, y) && (a.Type == ir.Number || x.mask) {
			return 1
		}
		return p.gainOfGather(a, b)
	case ir.Reg:
		if beside(p.vars.locations[p.reg(a.Type, a.I, a.row)], p.vars.locations[p.reg(b.Type, b.I, b.row)]) {
			return 1
		}
		return p.gainOfGather(a, b)
	case ir.Entity, ir.Const:
		return p.gainOfGather(a, b)
	case ir.Equal:
		if a.A.Type == ir.Text {
			return never
		}
	case ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Neg, ir.Less, ir.LessEqual, ir.Not, ir.And, ir.Or, ir.Select, ir.Call,
		ir.Min, ir.Max:
	default: // vectorOf writes no others
		return p.gainOfGather(a, b)
	}
	g := opCost(a.Expr)
	for _, pair := range [...][2]*ir.Expr{{a.A, b.A}, {a.B, b.B}, {a.C, b.C}} {
		if pair[0] != nil && pair[1] != nil {
			g = max(never, g+p.gainOf(term{pair[0], a.row}, term{pair[1], b.row}))
		}
	}
	if g >= mostOfGather {
		return g
	}
	return max(g, p.gainOfGather(a, b), p.gainOfReduce(a, b))
}

// reduceCost is what it costs to change the lanes of two vectors: see reduce.
const reduceCost = 5

// gainOfReduce estimates the gain of reduce; never if it cannot be. The operands are of one row, so they are not reduced
// themselves.
func (p *packer) gainOfReduce(a, b term) int {
	if a.Type != ir.Number || a.Op != ir.Add && a.Op != ir.Sub && a.Op != ir.Mul || a.row == b.row || a.A.Op != a.B.Op || p.same(a, b) {
		return never
	}
	return max(never, p.gainOf(a.a(), a.b())+p.gainOf(b.a(), b.b())+opCost(a.Expr)-reduceCost)
}

// reduces reports whether reduce is what gains most, which is g.
func (p *packer) reduces(a, b term, g int) bool {
	if f := p.gainOfReduce(a, b); f <= never/2 || f != g {
		return false
	}
	direct := opCost(a.Expr) + p.gainOf(a.a(), b.a()) + p.gainOf(a.b(), b.b())
	return direct < mostOfGather
}

// mostOfGather is the largest result of gainOfGather.
const mostOfGather = -1

// gainOfGather is the gain, below 0, of computing two values one by one and putting them into a vector. Conditions are not
// gathered.
func (p *packer) gainOfGather(a, b term) int {
	switch {
	case a.Type != ir.Number:
		return never
	case p.same(a, b):
		return mostOfGather
	}
	return -3
}

// same reports whether two terms have the same value, because they are the same expression of the same things.
func (p *packer) same(a, b term) bool {
	if a.Expr == nil { // two operations that are the same have as many operands
		return b.Expr == nil
	}
	p.e.Spend(1)
	if a.Op != b.Op || a.Type != b.Type || math.Float64bits(a.N) != math.Float64bits(b.N) || a.S != b.S || a.Func != b.Func {
		return false
	}
	switch a.Op {
	case ir.Load:
		return p.field(a.Expr, a.row) == p.field(b.Expr, b.row)
	case ir.Reg:
		return a.I == b.I && (a.row == b.row || !p.vars.changes[p.register(a.Type, a.I)])
	case ir.Entity:
		return a.row == b.row
	case ir.Const, ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Neg, ir.Less, ir.LessEqual, ir.Equal, ir.Not, ir.And, ir.Or,
		ir.Select, ir.Call, ir.Min, ir.Max:
	default:
		return false
	}
	return p.same(a.a(), b.a()) && p.same(a.b(), b.b()) && p.same(a.c(), b.c())
}
