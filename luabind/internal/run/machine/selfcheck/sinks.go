package selfcheck

import (
	"fmt"
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
)

// sinks are the effects on Lua tables of a turn, and the lines that it prints. It is a [kernel.TableWriter] that only keeps them.
type sinks struct {
	effects []*ir.Effect
	args    []kernel.Arg
	lines   []string
}

// SetElement implements [kernel.TableWriter].
func (s *sinks) SetElement(e *ir.Effect, args []kernel.Arg) {
	s.effects, s.args = append(s.effects, e), append(s.args, args...)
}

// Append implements [kernel.TableWriter].
func (s *sinks) Append(e *ir.Effect, args []kernel.Arg) { s.SetElement(e, args) }

func (s *sinks) clear() { s.effects, s.args, s.lines = s.effects[:0], s.args[:0], s.lines[:0] }

func (s *sinks) prints(k kernel.Kernel) {
	if p, ok := k.(interface{ SetPrinter(print func(line string)) }); ok {
		p.SetPrinter(func(line string) { s.lines = append(s.lines, line) })
	}
}

// compareSinks looks at what was stored in Lua tables, and at what was printed.
func (d *selfTest) compareSinks() error {
	a, b := &d.want.sinks, &d.got.sinks
	same := func(x, y kernel.Arg) bool { return equal(x.N, y.N) && x.S == y.S }
	index := func(x, y *ir.Effect) bool { return x.Index == y.Index }
	if !slices.EqualFunc(a.effects, b.effects, index) || !slices.EqualFunc(a.args, b.args, same) {
		return fmt.Errorf("it stores %v in tables, not %v", b.args, a.args)
	}
	if !slices.Equal(a.lines, b.lines) {
		return fmt.Errorf("it prints %q, not %q", b.lines, a.lines)
	}
	return nil
}
