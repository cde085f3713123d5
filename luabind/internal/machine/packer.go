package machine

import (
	"maps"
	"math"
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/abi"
)

// A form says which numbers of the rows of a batch lie side by side in vectors of
// two.
type form struct {
	rows int
	// across: a number of one row and the same one of the next. Otherwise it is
	// fields that lie side by side in memory, and what is computed alike from such.
	across bool
	// flat: the fields of a component in the order of memory, whether the second one
	// belongs to the next row or not. Otherwise a pair is of one row.
	flat bool
	// window is how many rows are looked at at a time for statements that are alike.
	window int
	// seldom: what stands under conditions is left out as long as none of the rows of
	// the batch meets one.
	cold bool
}

// forms are those that code may have.
var forms = []form{
	{rows: 4, window: 1},
	{rows: 4, window: 2},
	{rows: 4, window: 2, flat: true},
	{rows: 4, window: 1, cold: true},
	{rows: 4, window: 2, cold: true},
	{rows: 4, window: 2, across: true},
	{rows: 8, window: 1},
	{rows: 8, window: 2},
	{rows: 8, window: 2, flat: true},
	{rows: 8, window: 1, cold: true},
	{rows: 8, window: 2, cold: true},
	{rows: 8, window: 2, across: true},
}

// doubled is the form of twice as many rows.
func (f form) doubled() form {
	f.rows *= 2
	return f
}

// tripCost is what a batch costs beside its rows.
const batchCost = 8

// mostDoubled is the cost of a row beyond which eight of them at a time are no
// quicker than four, and only take longer to compile. Loops within the rows of a
// form across are the same code for however many.
const mostDoubled = 24

// A packer writes a batch in which two numbers are worked out at once wherever that
// pays: statements that are alike become one. What is left is written number by
// number. Rows store at the end of the batch, or when a pair of fields is not
// touched any more.
//
// Nothing in a packed batch calls: the compiler loses the halves of vectors over
// calls in loops. Nothing but fuel can end one, and then all its rows are as they
// were.
type packer struct {
	*emitter
	form
	fields  []home // by operand
	regs    []home // by operand
	single  []int  // by operand: locals of registers that are in no vector, 0: none yet
	known   []bool // by operand
	slots   []*slot
	carried []bool        // by operand: registers that go on from row to row, outputs and their marks; always the first row's
	changes []bool        // by operand of the first row: registers that the body assigns
	steady  map[int]bool  // registers of numbers that are the same for all rows, now
	others  map[other]int // locals with fields of the row that a query within has come to, twice
	hoisted map[string]int

	uniforms map[*ir.Expr]bool // what uniform has found of operations

	mask    int // local of the condition under which pairs are assigned, -1
	branch  int // ifs around that are branches
	put     []deferred
	guard   int // local: whether one of them is to be done, 0: there are none
	touched []touch
	rowMark []int // by row: local of the views that it stored in branches, -1
	fuelWas int   // local: before the batch
	outputs []int // locals that keep the outputs
	cost    int   // roughly, in instructions
}

// An operand is a place for a value in a batch: a field or a register of one of its rows.
// They are counted row by row, the fields of a row before its registers.
type operand int

func (p *packer) fieldOperand(row, cell int) operand { return operand(row*p.width() + cell) }

// register is a register whatever the row: that of the first.
func (p *packer) register(typ ir.Type, i int) operand {
	if typ == ir.Bool {
		i += p.p.Numbers
	}
	return operand(len(p.cells) + i)
}

// width is how many operands a row has.
func (p *packer) width() int { return len(p.cells) + p.p.Numbers + p.p.Bools }

// inRow is an operand of the first row, for another row.
func (p *packer) inRow(at operand, row int) operand { return at + operand(row*p.width()) }

// A slot is a local with one number, or two.
type slot struct {
	local  int
	raw    int // of f32: what goes to memory
	n      int
	typ    ecs.FieldType
	view   int // -1: it is no field
	at     [2]uint32
	mask   bool // of conditions: all bits or none
	loaded bool
	dirty  bool
	uses   int // segments to come that touch it
}

// A home is where in a slot a value is.
type home struct {
	*slot
	lane int
}

// A segment is a statement for a row of the batch.
type segment struct {
	*ir.Stmt
	row int
}

// A term is an expression for a row of the batch.
type term struct {
	*ir.Expr
	row int
}

func (t term) a() term { return term{t.A, t.row} }
func (t term) b() term { return term{t.B, t.row} }
func (t term) c() term { return term{t.C, t.row} }

// packed is the batch that does rows by vectors; false when none is quicker than
// row by row. Which form is the best shows with four rows: more of them cost as much each,
// but for what a batch costs by itself.
func (e *emitter) packed() (batch, bool) {
	if !e.packable() {
		return batch{}, false
	}
	defer e.apart(mostPacking)()
	best, found := float64(e.plainCost()), form{}
	if e.anyway {
		best = math.Inf(1)
	}
	for i, f := range e.forms {
		if f.rows == 8 && slices.ContainsFunc(e.forms[:i], func(g form) bool { return g.doubled() == f }) {
			continue
		}
		cost, ok := e.try(f)
		if !ok {
			continue
		}
		each := cost / float64(f.rows)
		twice := (f.across || each <= mostDoubled) && slices.Contains(e.forms, f.doubled())
		if twice {
			f = f.doubled()
			each -= batchCost / float64(f.rows)
		}
		if each < best {
			best, found = each, f
		}
	}
	if found.rows == 0 {
		return batch{}, false
	}
	e.packs = true
	return batch{found.rows, func() {
		defer e.apart(2 * mostPacking)() // the form that was tried may have half the rows
		e.pack(found)
	}}, true
}

// try tells what a batch of a form costs, and leaves nothing behind.
func (e *emitter) try(f form) (cost float64, ok bool) {
	// The function itself: who refuses may be writing elsewhere for a while.
	function, ahead := *e.Function, e.ahead
	words, wordLocals := e.words, maps.Clone(e.wordLocals)
	defer func() {
		e.words, e.wordLocals = words, wordLocals
		*e.Function, e.ahead = function, ahead
		e.leaf, e.row = nil, 0
		switch r := recover().(type) {
		case nil:
		case abi.Refusal:
			ok = false
		default:
			panic(r)
		}
	}()
	return float64(e.pack(f)), true
}

// packable reports whether a body is made of what can be packed at all.
func (e *emitter) packable() bool {
	ok := e.direct == 0 && e.ring == 0 && e.p.Texts == 0
	for _, ref := range e.p.Refs {
		ok = ok && ref.Query >= 0 && !ref.Optional
	}
	abi.Walk(e.p.Body, func(s *ir.Stmt) {
		switch s.Op {
		case ir.Set, ir.If, ir.Count, ir.Each:
		case ir.Block:
			// A jump would have been met.
		case ir.Store:
			ok = ok && (s.Field.Type == ecs.F64 || s.Field.Type == ecs.F32 || s.Field.Type == ecs.Bool)
		default:
			ok = false
		}
	}, func(x *ir.Expr) {
		switch x.Op {
		case ir.Const, ir.Reg, ir.Load, ir.Entity, ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Neg, ir.Less, ir.LessEqual,
			ir.Equal, ir.Not, ir.And, ir.Or, ir.Select, ir.Min, ir.Max:
		case ir.Call:
			ok = ok && vectorCalls[x.Func] != nil
		default:
			ok = false
		}
	})
	return ok
}

// pack writes a batch and returns what it costs.
func (e *emitter) pack(f form) int {
	p := &packer{emitter: e, form: f, mask: -1, steady: map[int]bool{}, hoisted: map[string]int{}, others: map[other]int{}, uniforms: map[*ir.Expr]bool{}}
	n := p.width()
	p.changes = make([]bool, n)
	n *= f.rows
	p.fields, p.regs, p.single, p.known, p.carried = make([]home, n), make([]home, n), make([]int, n), make([]bool, n), make([]bool, n)
	for range f.rows {
		p.rowMark = append(p.rowMark, -1)
	}
	p.registers()
	p.layOut()
	e.leaf = p.leaf
	start := len(e.Encoder)
	body := flat(e.p.Body)
	if f.window > 1 && !p.independent(body) {
		abi.Refuse("rows go on from one another")
	}
	if f.across {
		p.wide(body)
	} else {
		if e.p.Exact {
			abi.Refuse("a loop within a row is not packed")
		}
		for row := 0; row < f.rows; row += f.window {
			var segments []segment
			for _, s := range body {
				for i := range f.window {
					segments = append(segments, segment{s, row + i})
				}
			}
			p.block(segments, true)
			p.fold()
		}
	}
	for _, s := range p.slots {
		p.flush(s)
	}
	if f.cold {
		p.coldPart()
	} else {
		p.marks()
	}
	code := e.Encoder
	e.Encoder = nil
	p.clearMarks()
	e.Encoder = slices.Insert(code, start, e.Encoder...)
	e.leaf, e.row = nil, 0
	return p.cost + batchCost
}

// flat is a body without blocks.
func flat(body []*ir.Stmt) (out []*ir.Stmt) {
	for _, s := range body {
		if s.Op == ir.Block {
			out = append(out, flat(s.Body)...)
		} else {
			out = append(out, s)
		}
	}
	return out
}

// registers finds out which registers live longer than a row, and which never
// change.
func (p *packer) registers() {
	for _, out := range p.p.Outputs {
		p.carried[p.register(out.Type, out.Reg)] = true
		if out.Mark >= 0 {
			p.carried[p.register(ir.Bool, out.Mark)] = true
		}
	}
	abi.Walk(p.p.Body, func(s *ir.Stmt) {
		switch s.Op {
		case ir.Set:
			p.changes[p.register(s.A.Type, s.I)] = true
			if s.Mark >= 0 {
				p.changes[p.register(ir.Bool, s.Mark)] = true
			}
		case ir.Count:
			p.changes[p.register(ir.Number, s.I)] = true
		case ir.Each:
			if entity := p.p.Queries[s.I].Entity; entity >= 0 {
				p.changes[p.register(ir.Number, entity)] = true
			}
		case ir.Store, ir.If, ir.Block:
		default:
			abi.Refuse("a statement is not packed (%d)", s.Op)
		}
	}, func(*ir.Expr) {})
}

// reg is a register of a row.
func (p *packer) reg(typ ir.Type, i, row int) operand {
	at := p.register(typ, i)
	if p.carried[at] {
		return at
	}
	return p.inRow(at, row)
}

// uniform reports whether an expression has the same value for all rows of a call.
func (p *packer) uniform(x *ir.Expr) bool {
	switch {
	case x == nil, x.Op == ir.Const:
		return true
	case x.Op == ir.Reg:
		return !p.changes[p.register(x.Type, x.I)]
	case x.Op == ir.Load, x.Op == ir.Entity:
		return false
	}
	is, known := p.uniforms[x]
	if !known {
		p.spend(1)
		is = p.uniform(x.A) && p.uniform(x.B) && p.uniform(x.C)
		p.uniforms[x] = is
	}
	return is
}

// independent reports whether statements may be taken in an order in which all
// rows do one before they do the next: no two of them meet in a register that goes
// on from row to row.
func (p *packer) independent(body []*ir.Stmt) bool {
	seen := make([]*ir.Stmt, p.width())
	ok := true
	for _, top := range body {
		meet := func(at operand) {
			if p.carried[at] && seen[at] != nil && seen[at] != top {
				ok = false
			}
			seen[at] = top
		}
		abi.Walk([]*ir.Stmt{top}, func(s *ir.Stmt) {
			if s.Op == ir.Set {
				meet(p.register(s.A.Type, s.I))
				if s.Mark >= 0 {
					meet(p.register(ir.Bool, s.Mark))
				}
			}
		}, func(x *ir.Expr) {
			if x.Op == ir.Reg {
				meet(p.register(x.Type, x.I))
			}
		})
	}
	return ok
}

// hoist writes code in front of the loops over rows.
func (p *packer) hoist(key string, typ byte, write func()) int {
	if l, ok := p.hoisted[key]; ok {
		return l
	}
	l := p.Local(typ)
	p.hoisted[key] = l
	body := p.Encoder
	p.Encoder = p.ahead
	write()
	p.Set(l)
	p.ahead = p.Encoder
	p.Encoder = body
	return l
}
