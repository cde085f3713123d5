package machine

import "github.com/ecsrun/ecsrun/luabind/internal/kernel"

// wide writes a body for all rows of a trip, two of them to a vector: each
// statement for all rows before the next one, so that where one vector waits for a
// division or a square root, others are at work.
func (p *packer) wide(body []*kernel.Stmt) {
	if p.p.Exact {
		p.get(p.fuel)
		p.i64(p.p.Price * int64(p.rows))
		p.op(opI64Add)
		p.fuelWas = p.local(i64)
		p.set(p.fuelWas)
		p.outputs = p.save()
	}
	for _, s := range p.slots {
		p.load(s) // what is not needed the compiler leaves out
	}
	p.wideBody(body)
}

func (p *packer) wideBody(body []*kernel.Stmt) {
	for _, s := range body {
		switch {
		case s.Op == kernel.Count:
			p.wideCount(s)
		case p.meetsCarried(s):
			if p.branch > 0 {
				refuse("a loop of all rows adds up")
			}
			for row := range p.rows {
				p.alone1(piece{s, row})
			}
		default:
			for row := 0; row < p.rows; row += 2 {
				p.pair(piece{s, row}, piece{s, row + 1})
			}
		}
	}
}

// meetsCarried reports whether a statement has to do with a register that goes on
// from row to row.
func (p *packer) meetsCarried(s *kernel.Stmt) (meets bool) {
	walk([]*kernel.Stmt{s}, func(s *kernel.Stmt) {
		if s.Op == kernel.Set {
			meets = meets || p.carried[register(s.A.Type, s.I)]
		}
	}, func(x *kernel.Expr) {
		if x.Op == kernel.Reg {
			meets = meets || p.carried[register(x.Type, x.I)]
		}
	})
	return meets
}

// wideCount is a counting loop that turns equally often for all rows.
func (p *packer) wideCount(s *kernel.Stmt) {
	assigned := false
	walk(s.Body, func(in *kernel.Stmt) {
		assigned = assigned || in.Op == kernel.Set && in.A.Type == kernel.Number && in.I == s.I || in.Op == kernel.Count && in.I == s.I
	}, func(*kernel.Expr) {})
	if assigned || !p.level(s.A) || !p.level(s.B) || !p.level(s.C) {
		refuse("rows turn a loop differently often")
	}
	before := p.cost
	out := p.block2()
	p.branch++
	p.steady[s.I] = true
	p.count(s, out, func(x int) {
		p.burnAll(s.Price)
		p.get(x)
		p.set(p.numbers[s.I])
		p.wideBody(flat(s.Body))
	})
	delete(p.steady, s.I)
	p.branch--
	p.end()
	p.cost = before + turns(s)*(4+p.cost-before)
}

func (p *packer) block2() label { return p.emitter.block() }

// level reports whether an expression has the same value for all rows of a trip.
func (p *packer) level(x *kernel.Expr) bool {
	switch {
	case x == nil, x.Op == kernel.Const:
		return true
	case x.Op == kernel.Reg:
		return p.unvarying(x)
	case x.Op == kernel.Load, x.Op == kernel.Entity:
		return false
	}
	return p.level(x.A) && p.level(x.B) && p.level(x.C)
}

// burnAll pays for a turn of all rows. Where the fuel does not suffice, the rows
// are left to be done one by one.
func (p *packer) burnAll(price int64) {
	p.get(p.fuel)
	p.i64(price * int64(p.rows))
	p.op(opI64Sub)
	p.tee(p.fuel)
	p.i64(0)
	p.op(opI64LtS)
	p.then(void)
	p.restore(p.outputs)
	p.get(p.fuelWas)
	p.set(p.fuel)
	p.jump(p.giveUp)
	p.end()
}
