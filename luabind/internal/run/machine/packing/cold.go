package packing

import (
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// The cold path. In most scripts, what stands under a condition rarely happens: something leaves the screen, or dies. In a
// form with Cold, a batch computes the conditions, and only tests whether one of them holds in one of its rows. If so, the
// deferred statements run at the end of the batch. They compute their conditions again, from fields that are loaded again.

// A deferred is a pair of ifs that are left to the cold path.
type deferred struct{ a, b segment }

// canDefer reports whether the ifs i and j, which are alike, can be moved to the end of the batch: no segment that is still
// to be written reads or writes what they do, and they read no register that is carried from row to row.
func (p *packer) canDefer(segments []segment, does []access, done []bool, i, j int) bool {
	if !chain(segments[i].Stmt) || !chain(segments[j].Stmt) {
		return false
	}
	for k := range segments {
		if !done[k] && (does[k].conflicts(does[i]) || does[k].conflicts(does[j])) {
			return false
		}
	}
	for at, carried := range p.vars.carried {
		if carried && (does[i].reads.has(operand(at)) || does[j].reads.has(operand(at))) {
			return false
		}
	}
	return true
}

// chain reports whether a statement is an if without else, or whose else is again a chain.
func chain(s *ir.Stmt) bool {
	return s.Op == ir.If && (len(s.Else) == 0 || len(s.Else) == 1 && chain(s.Else[0]))
}

// deferPair writes the conditions of two ifs and collects them in guard. The rest is left to coldPath.
func (p *packer) deferPair(a, b segment) {
	p.deferred = append(p.deferred, deferred{a, b})
	for x, y := a.Stmt, b.Stmt; ; x, y = x.Else[0], y.Else[0] {
		p.need(term{x.A, a.row}, term{y.A, b.row})
		p.vectorOf(term{x.A, a.row}, term{y.A, b.row}, false)
		if p.guard == 0 {
			p.guard = p.Local(wasm.V128)
		} else {
			p.Get(p.guard)
			p.Vector(wasm.V128Or)
			p.cost++
		}
		p.Set(p.guard)
		if len(x.Else) == 0 {
			return
		}
	}
}

// need loads the fields that terms read.
func (p *packer) need(terms ...term) {
	for _, t := range terms {
		abi.Walk([]*ir.Stmt{{A: t.Expr}}, func(*ir.Stmt) {}, func(x *ir.Expr) {
			if x.Op == ir.Load {
				p.load(p.fields[p.field(x, t.row)].slot)
			}
		})
	}
}

// coldPart writes the cold path: the deferred ifs, and what they store, if a condition holds in one of the rows. Its cost
// counts an eighth.
func (p *packer) coldPart() {
	if len(p.deferred) == 0 || len(p.touched) > 0 {
		abi.Refuse("nothing can be deferred")
	}
	for _, l := range p.rowMark {
		if l >= 0 {
			abi.Refuse("some of the statements under conditions cannot be deferred")
		}
	}
	before := p.cost
	p.Get(p.guard)
	p.Vector(wasm.I8x16Bitmask)
	p.Then(wasm.Void)
	for _, s := range p.slots {
		s.loaded = s.view < 0
	}
	for _, put := range p.deferred {
		segments := []segment{put.a, put.b}
		p.ensure(segments, []access{p.access(put.a), p.access(put.b)}, []int{0, 1})
		p.pair(put.a, put.b)
		p.fold()
	}
	for _, s := range p.slots {
		p.flush(s)
	}
	p.marks()
	p.End()
	p.cost = before + 4 + (p.cost-before)/8
}
