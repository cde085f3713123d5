package loops

import (
	"fmt"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/without"
)

// Connects the watch of machine code with the loop: a difference gets the name of the variable, and goes to the
// Runner.

// watch makes machine code of a loop compare itself with closures while it runs. Differences go to Runner.Differs,
// with names of variables from the source.
func (r *Runner) watch(s *site, code kernel.Kernel, of *ir.Program) {
	w, ok := code.(kernel.Watched)
	if !ok || r.Differs == nil || r.Library.off.Has(without.Watch) {
		return
	}
	line, template, world := r.kernels[s.number].Line, s.template, s.context().World
	w.Watch(func(d *kernel.Difference) {
		if d.Input >= 0 {
			name := ""
			switch o := of.Origins[d.Input]; o.From {
			case ir.FromVariable:
				name = fmt.Sprintf("the variable %q", template.Inputs[o.Input].Name())
				if m := template.Inputs[o.Input].Member; m != "" {
					name = fmt.Sprintf("the variable %q", template.Inputs[o.Input].Name()+"."+m)
				}
			case ir.FromResource:
				name = fmt.Sprintf("the resource %q", world.ResourceNames()[o.Resource])
			default: // no other input is assigned
				name = "a value from around the loop"
			}
			if d.What == "" {
				d.What = name
			} else {
				d.What += ": " + name
			}
		}
		r.Differs(line, d)
	})
}
