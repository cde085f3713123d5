package machine

import (
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/wasm"
)

// emitAs writes the module of a Program. It may pack batches in some forms; anyway says
// that one is to be taken even if it is slower than row by row, or takes long to compile. sparse says that
// conditions look at rows, and so a call is for some of up to 64.
func emitAs(p *ir.Program, strides []uint32, pages uint32, forms []form, anyway, sparse bool) (*abi.Unit, error) {
	u, err := emitWith(p, strides, pages, forms, anyway, sparse)
	if !anyway && len(forms) > 0 && (err != nil || u.Packed && u.Cost > mostPackedCost) {
		u, err = emitWith(p, strides, pages, nil, false, sparse)
	}
	if err == nil && !anyway && u.Cost > mostCost {
		return nil, abi.Refusal("it takes too long to compile")
	}
	return u, err
}

// emitWith is emitAs for one choice of forms, whatever the code costs.
func emitWith(p *ir.Program, strides []uint32, pages uint32, forms []form, anyway, sparse bool) (u *abi.Unit, err error) {
	defer abi.Refused(&err)
	if !p.Exact && canFail(p) {
		exact := *p
		exact.Exact = true
		p = &exact
	}
	e := &emitter{
		steps: mostSteps,
		m:     &wasm.Module{Pages: pages, Imports: abi.HostFunctions}, p: p, Layout: abi.LayoutOf(p), strides: strides,
		Function: &wasm.Function{Params: []byte{wasm.I32, wasm.I32}, Results: []byte{wasm.I32}},
		entities: -1, marks: -1, held: map[uint64]int{}, targets: map[int]wasm.Label{}, forms: forms, anyway: anyway, sparse: sparse,
	}
	e.living = map[int]int{}
	e.wordLocals, e.refFar = map[abi.Word]int{}, make([]uint32, len(p.Refs))
	e.check()
	e.survey()
	e.run()
	e.m.Functions, e.m.Exports = []*wasm.Function{e.Function}, []string{"run"}
	u = &abi.Unit{
		Code: e.m.Bytes(), Layout: e.Layout, Constants: e.constants, Walkers: e.walkers,
		Views: e.views, Entities: e.entities, Marks: e.marks, Packed: e.packs, Guards: e.guards, Sparse: sparse,
		Words: e.words, Emits: e.emits, Returns: e.returns, Nears: e.nears, Neighbour: e.neighbour.size, Effects: e.ring != 0, Logs: e.log != 0, Strings: e.strings,
		Cost: e.cost(),
	}
	if fuelChecks, ok := e.independent(); ok && !sparse {
		u.FuelChecks, u.Nanoseconds = fuelChecks, e.nanoseconds(p.Body)
	}
	u.Steps = mostSteps - e.steps
	always := uint64(0)
	for _, t := range p.Stores {
		if t.Always && always&(1<<t.View) == 0 {
			always |= 1 << t.View
			u.Always = append(u.Always, t.View)
		}
	}
	for i := range p.Views {
		if e.others&(1<<i) != 0 {
			u.Others = append(u.Others, i)
		}
	}
	return u, nil
}

// canFail reports whether a row may have to be put back.
func canFail(p *ir.Program) bool {
	found := p.Random || p.Optional != 0 || len(p.Refs) > 0 || len(p.Tables) > 0 || len(p.Effects) > 0
	abi.Walk(p.Body, func(*ir.Stmt) {}, func(x *ir.Expr) { found = found || abi.FlipsTag(x) })
	return found
}
