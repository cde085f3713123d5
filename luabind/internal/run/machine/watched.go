package machine

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/memory"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/watch"
)

// Watch implements [kernel.Watched]. Package watch says which calls it compares, and how.
func (k *Kernel) Watch(report func(*kernel.Difference)) {
	if k.instruments == nil {
		k.watch.Begin(report, 0)
		return
	}
	k.watch.Begin(report, k.instruments.WatchEvery)
	if m := k.instruments.Miscompiled; m != nil && k.watch.On() {
		k.wrong = func(row, done int) { k.miscompile(m, row, done) }
	}
}

// watchedCode is a Kernel as package watch sees it.
type watchedCode struct{ *Kernel }

func (k watchedCode) Call(b watch.Rows) (status, done int) {
	if b.Cursor == nil {
		return k.rows(0, b.N)
	}
	return k.some(b.First, b.N, b.Mask)
}

func (k watchedCode) Column(view int) *ecs.Column { return k.current.column[view] }

func (k watchedCode) ForgetCopies() { k.forgetCopies() }

func (k watchedCode) CarryOut() { k.carryOut() }

func (k watchedCode) Home(at uint32) (p unsafe.Pointer, text, ok bool) {
	if p, text, ok = k.home(at); ok {
		return p, text, ok
	}
	if _, _, _, other := k.frame.LoggedRow(at); other {
		return nil, false, false
	}
	return k.homeOfBlock(*(*uint32)(k.memory.At(at + abi.LogAddress)))
}

// miscompile changes what a call has computed, as wrong code would.
func (k *Kernel) miscompile(m *memory.Miscompiled, row, done int) {
	if m.View < 0 {
		for _, out := range k.program.Outputs {
			if out.Type == ir.Number {
				k.SetNumber(out.Reg, m.Wrong(k.Number(out.Reg)))
			}
		}
		return
	}
	for _, t := range k.program.Stores {
		if t.View != m.View || t.Field.Name != m.Field {
			continue
		}
		w := k.unit.Views[m.View]
		for i := row; i < row+done; i++ {
			p := (*float64)(k.memory.At(k.current.base[w] + uint32(i)*k.unit.Walkers[w].Stride + uint32(t.Field.Offset)))
			*p = m.Wrong(*p)
		}
	}
}
