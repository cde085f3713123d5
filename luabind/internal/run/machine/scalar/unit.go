package scalar

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/analysis"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/pcg"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// The way through an emitter: New, then perhaps a batch of package packing, then Unit.

// New begins the function of a Program: it panics with an [abi.Refusal] if there is no code for the Program, finds what the
// body uses, and writes the code in front of the row loops. strides has the bytes of a row, by view of the query loop;
// pages is the size of the memory. sparse says that a call is for some of its rows, those of masks.
func New(p *ir.Program, strides []uint32, pages uint32, sparse bool) *Emitter {
	e := &Emitter{
		Function: &wasm.Function{Params: []byte{wasm.I32, wasm.I32}, Results: []byte{wasm.I32}},
		m:        &wasm.Module{Pages: pages, Imports: abi.Imports(p)}, p: p, layout: abi.LayoutOf(p), steps: mostSteps,
		consts: constants{held: map[uint64]int{}},
		own:    ownRows{strides: strides, entities: -1, marks: -1},
		beyond: beyond{mirrors: abi.Mirrors(p), wordLocals: map[abi.Word]int{}, lastEntries: map[int]lastEntry{}, searches: map[int]int{}, refFar: make([]uint32, len(p.Refs))},
		grids:  grids{living: map[int]int{}},
		loop:   rowLoop{sparse: sparse, oneCore: oneCore(p, sparse)},
		iter:   iteration{targets: map[int]wasm.Label{}},
		regs:   registers{anys: map[int]anyLocals{}},
	}
	e.out.asks = abi.CallsOnTexts(p)
	if len(e.beyond.mirrors) > 0 && e.loop.oneCore == "" {
		e.loop.oneCore = "it uses a component with strings or tables"
	}
	e.random = pcg.New(e.Function, e.layout.Random)
	e.check()
	e.survey()
	e.begin()
	return e
}

// oneCore is [analysis.OneCore] for a query that may look at rows.
func oneCore(p *ir.Program, sparse bool) string {
	if sparse && p.Events == nil {
		return "its query selects rows by tag or by change"
	}
	return analysis.OneCore(p)
}

// Unit ends the function and returns the code of the Program. packed is a batch that does rows as long as there are enough
// of them; nil for none. It must be called once.
func (e *Emitter) Unit(packed *Batch) *abi.Unit {
	e.rowLoops(e.batches(packed))
	e.m.Functions = append([]*wasm.Function{e.Function}, e.m.Functions...)
	e.m.Exports = append([]string{"run"}, make([]string, len(e.m.Functions)-1)...)
	u := &abi.Unit{
		Code: e.m.Bytes(), Layout: e.layout, Constants: e.consts.constants, Walkers: e.own.walkers,
		Views: e.own.views, Entities: e.own.entities, Marks: e.own.marks, Packed: e.loop.packs, FastPath: e.loop.fastPath, Sparse: e.loop.sparse, Prepaid: e.loop.prepaid, NotesFuel: !e.evenRows(),
		Words: e.beyond.words, Emits: e.out.emits, Returns: e.out.returns, Nears: e.grids.nears, Calls: e.out.calls, Effects: e.out.ring != 0, Logs: e.out.log != 0, Strings: e.consts.strings,
		Cost: e.cost(),
	}
	if e.grids.cache != nil {
		u.Neighbour = e.grids.cache.RecordSize()
	}
	if u.OneCore = e.loop.oneCore; u.OneCore == "" {
		u.Draws, _ = analysis.Draws(e.p)
		u.Nanoseconds, u.Fills = analysis.Nanoseconds(e.p, e.p.Body), e.grids.cache != nil
		u.FuelChecks, _ = analysis.KnownFuel(e.p, e.out.ring != 0, e.own.direct != 0)
	}
	u.StoresBeyond = slices.ContainsFunc(e.p.Refs, func(ref ir.Ref) bool { return ref.Stored })
	u.Moves = slices.ContainsFunc(e.p.Layers, func(l ir.Layer) bool { return l.Places == ir.PlaceOf })
	for view := range e.p.Views {
		if abi.InMirror(e.p, e.beyond.mirrors, view) {
			u.InMirror |= 1 << view
		}
	}
	for _, s := range e.out.sources {
		u.Sources = append(u.Sources, s.J)
	}
	u.Steps = mostSteps - e.steps
	always := uint64(0)
	for _, t := range e.p.Stores {
		if t.Always && always&(1<<t.View) == 0 {
			always |= 1 << t.View
			u.Always = append(u.Always, t.View)
		}
	}
	for i := range e.p.Views {
		if e.own.others&(1<<i) != 0 {
			u.Others = append(u.Others, i)
		}
	}
	return u
}
