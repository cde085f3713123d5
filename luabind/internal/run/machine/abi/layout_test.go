package abi

import (
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
)

// The parts of a frame follow one another, numbers at multiples of 8.
func TestLayoutOfFrames(t *testing.T) {
	for _, c := range []struct {
		p    ir.Program
		want Layout
	}{
		{ir.Program{}, Layout{160, 160, 160, 160, 672, 800, 1056, 1056, 1088, 1120}},
		{ir.Program{Numbers: 3, Bools: 1}, Layout{160, 184, 188, 192, 704, 832, 1088, 1088, 1120, 1152}},
		{ir.Program{Numbers: 1, Bools: 2, Texts: 3}, Layout{160, 168, 176, 192, 704, 832, 1088, 1088, 1120, 1152}},
		{ir.Program{Body: []*ir.Stmt{{Op: ir.Near}, {Op: ir.Near}}}, Layout{160, 160, 160, 160, 672, 800, 1056, 1056 + 2*GridViewSize, 1088 + 2*GridViewSize, 1120 + 2*GridViewSize}},
	} {
		if got := LayoutOf(&c.p); got != c.want {
			t.Errorf("%+v: %+v, want %+v", c.p, got, c.want)
		}
	}
}
