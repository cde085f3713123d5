package packing

import (
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/wasm"
)

// What stands under a condition is seldom done, in most scripts: at the borders, at
// the end of a life. A packed batch then only looks whether one of its rows meets
// such a condition. If so, what was put off is done at the end of the batch, by
// conditions that are worked out again, from fields that are loaded again.

// putOff is a pair of ifs that were put off.
type deferred struct{ a, b segment }

// canPutOff reports whether two ifs that are alike can wait: nothing that is still
// to be written has to do with what they read or write.
func (p *packer) canPutOff(segments []segment, does []access, done []bool, i, j int) bool {
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

// chain reports whether a statement is an if, with others in its else or nothing,
// that stores fields.
func chain(s *ir.Stmt) bool {
	return s.Op == ir.If && (len(s.Else) == 0 || len(s.Else) == 1 && chain(s.Else[0]))
}

// putOff writes the conditions of two ifs, and leaves the rest for later.
func (p *packer) deferred(a, b segment) {
	p.put = append(p.put, deferred{a, b})
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

// seldomPart does what was put off.
func (p *packer) coldPart() {
	if len(p.put) == 0 || len(p.touched) > 0 {
		abi.Refuse("nothing can be put off")
	}
	for _, l := range p.rowMark {
		if l >= 0 {
			abi.Refuse("some of what is done under conditions cannot be put off")
		}
	}
	before := p.cost
	p.Get(p.guard)
	p.Vector(wasm.I8x16Bitmask)
	p.Then(wasm.Void)
	for _, s := range p.slots {
		s.loaded = s.view < 0
	}
	for _, put := range p.put {
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
