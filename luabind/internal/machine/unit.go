package machine

import (
	"fmt"

	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/wasm"
)

// A refusal says why there is no machine code for a Program. It is an error, and the value of the panic that ends the generation of code.
type refusal string

func (r refusal) Error() string { return "machine code: " + string(r) }

func refuse(format string, args ...any) { panic(refusal(fmt.Sprintf(format, args...))) }

// A unit is the machine code of a Program.
type unit struct {
	code        []byte
	layout      layout
	constants   []float64
	walkers     []walker
	views       [mostViews]int
	entities    int
	marks       int
	others      []int // views by the bits of a mark, from bit 0 on
	always      []int // views that each row stores
	guards      bool  // rows that fail the tests of the body are done first
	packed      bool  // rows are done by vectors where there are enough
	sparse      bool  // the mask in the frame says which rows
	words       []word
	emits       []*ir.Stmt
	returns     []*ir.Stmt
	nears       []*ir.Stmt
	neighbour   uint32 // bytes of one
	effects     bool
	logs        bool // stores are logged
	strings     []string
	fuelChecks  []fuelCheck // none: rows are not to be shared out
	nanoseconds float64     // of a row, guessed
	cost        int         // of compiling it, about
	steps       int         // that were spent, packing aside
}

// emitAs writes the module of a Program. It may pack batches in some forms; anyway says
// that one is to be taken even if it is slower than row by row, or takes long to compile. sparse says that
// conditions look at rows, and so a call is for some of up to 64.
func emitAs(p *ir.Program, strides []uint32, pages uint32, forms []form, anyway, sparse bool) (*unit, error) {
	u, err := emitWith(p, strides, pages, forms, anyway, sparse)
	if !anyway && len(forms) > 0 && (err != nil || u.packed && u.cost > mostPackedCost) {
		u, err = emitWith(p, strides, pages, nil, false, sparse)
	}
	if err == nil && !anyway && u.cost > mostCost {
		return nil, refusal("it takes too long to compile")
	}
	return u, err
}

// emitWith is emitAs for one choice of forms, whatever the code costs.
func emitWith(p *ir.Program, strides []uint32, pages uint32, forms []form, anyway, sparse bool) (u *unit, err error) {
	defer refused(&err)
	if !p.Exact && canFail(p) {
		exact := *p
		exact.Exact = true
		p = &exact
	}
	e := &emitter{
		steps: mostSteps,
		m:     &wasm.Module{Pages: pages, Imports: hostFunctions}, p: p, layout: layoutOf(p), strides: strides,
		Function: &wasm.Function{Params: []byte{wasm.I32, wasm.I32}, Results: []byte{wasm.I32}},
		entities: -1, marks: -1, held: map[uint64]int{}, targets: map[int]wasm.Label{}, forms: forms, anyway: anyway, sparse: sparse,
	}
	e.living = map[int]int{}
	e.wordLocals, e.refFar = map[word]int{}, make([]uint32, len(p.Refs))
	e.check()
	e.survey()
	e.run()
	e.m.Functions, e.m.Exports = []*wasm.Function{e.Function}, []string{"run"}
	u = &unit{
		code: e.m.Bytes(), layout: e.layout, constants: e.constants, walkers: e.walkers,
		views: e.views, entities: e.entities, marks: e.marks, packed: e.packs, guards: e.guards, sparse: sparse,
		words: e.words, emits: e.emits, returns: e.returns, nears: e.nears, neighbour: e.neighbour.size, effects: e.ring != 0, logs: e.log != 0, strings: e.strings,
		cost: e.cost(),
	}
	if fuelChecks, ok := e.independent(); ok && !sparse {
		u.fuelChecks, u.nanoseconds = fuelChecks, e.nanoseconds(p.Body)
	}
	u.steps = mostSteps - e.steps
	always := uint64(0)
	for _, t := range p.Stores {
		if t.Always && always&(1<<t.View) == 0 {
			always |= 1 << t.View
			u.always = append(u.always, t.View)
		}
	}
	for i := range p.Views {
		if e.others&(1<<i) != 0 {
			u.others = append(u.others, i)
		}
	}
	return u, nil
}

// canFail reports whether a row may have to be put back.
func canFail(p *ir.Program) bool {
	found := p.Random || p.Optional != 0 || len(p.Refs) > 0 || len(p.Tables) > 0 || len(p.Effects) > 0
	walk(p.Body, func(*ir.Stmt) {}, func(x *ir.Expr) { found = found || flips(x) })
	return found
}
