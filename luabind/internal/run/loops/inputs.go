package loops

import (
	"fmt"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	lua "github.com/yuin/gopher-lua"
)

// Inputs and outputs of a kernel: begin reads them from Lua values, resources and the world into registers, end
// writes them back. Both run once for each time that a kernel runs.

// begin sets the inputs of the kernel. It returns false, and sets v.left, if a value is one that the kernel is not
// for.
func (v *variant) begin(s *site) bool {
	v.holed = -1
	world := v.context.World
	for i, place := range v.p.Inputs {
		if !place.Used {
			continue
		}
		switch o := v.p.Origins[i]; o.From {
		case ir.FromDT:
			v.kernel.SetNumber(place.Reg, world.DT())
		case ir.FromTime:
			v.kernel.SetNumber(place.Reg, world.Time())
		case ir.FromFrame:
			v.kernel.SetNumber(place.Reg, float64(world.Frame()))
		case ir.FromState:
			v.kernel.SetText(place.Reg, world.State(o.State))
		case ir.FromCount:
			n := world.Len()
			if o.Query != nil {
				n = o.Query.Count()
			}
			v.kernel.SetNumber(place.Reg, float64(n))
		case ir.FromWidth:
			v.kernel.SetNumber(place.Reg, float64(widthOf(s.values[o.Input].(*lua.LTable))))
		case ir.FromLength:
			t := s.values[o.Input].(*lua.LTable)
			if (v.writes || v.writer != nil) && interp.IsSparse(t) { // they become items of the list when the loop reaches them
				v.left = refusal{fmt.Sprintf("the table %s has keys behind the end of its list, and its length is used", s.linked.named(o.Input)), "use two tables"}
				return false
			}
			v.kernel.SetNumber(place.Reg, float64(interp.Length(t)))
		case ir.FromResource:
			if !v.setRow(place, v.rows[i]) {
				v.left = refusal{fmt.Sprintf("the resource %q holds %s, and a Lua number is exact up to 2^53 either way", world.ResourceNames()[o.Resource], v.rows[i].Get(0)), "keep it in a resource of type f64, or below 2^53"}
				return false
			}
		default:
			switch x := s.values[o.Input].(type) {
			case lua.LNumber:
				v.kernel.SetNumber(place.Reg, float64(x))
			case lua.LBool:
				v.kernel.SetBool(place.Reg, bool(x))
			case lua.LString:
				v.kernel.SetText(place.Reg, string(x))
			case *lua.LUserData:
				e, _, _ := surface.ViewOf(x)
				v.kernel.SetNumber(place.Reg, float64(e))
			}
		}
	}
	return v.beginTables(s)
}

// setRow sets the register of an input from a resource. It returns false if a number cannot hold the value exactly.
func (v *variant) setRow(place ir.Place, row ecs.Row) bool {
	switch x := row.Get(0); place.Type {
	case ir.Bool:
		v.kernel.SetBool(place.Reg, x.Bool())
	case ir.Text:
		v.kernel.SetText(place.Reg, x.Str())
	default:
		if x.Kind() == ecs.EntityValue {
			v.kernel.SetNumber(place.Reg, float64(x.Entity()))
			return true
		}
		n, ok := x.Exact()
		if !ok {
			return false
		}
		v.kernel.SetNumber(place.Reg, n)
	}
	return true
}

// end writes back what the kernel has assigned: resources, members, upvalues, and elements of tables. Local
// variables are not among it: RUN returns these. how is how the kernel has ended.
func (v *variant) end(s *site, how kernel.Ending, budget *sandbox.Budget) {
	for _, out := range v.p.Outputs {
		o := v.p.Origins[out.Input]
		switch {
		case o.From == ir.FromLength: // the table itself has the new length
		case o.From == ir.FromResource:
			v.writeRow(out.Place, v.rows[out.Input])
		case s.template.Inputs[o.Input].Member != "":
			if out.Mark < 0 || v.kernel.Bool(out.Mark) {
				of, member, x := s.values[s.bases[o.Input]].(*lua.LTable), s.template.Inputs[o.Input].Member, boxed(v.result(s, out))
				budget.Allocate(interp.GrowthBytes(of, lua.LString(member), x))
				of.RawSetString(member, x)
			}
		case s.sources[o.Input].cell != nil:
			s.sources[o.Input].cell.up.SetValue(boxed(v.output(s, o.Input, interp.Of(s.values[o.Input]))))
		}
	}
	v.endTables(s)
	v.endSinks()
}

// result returns the value of an output as a Lua value.
func (v *variant) result(s *site, out ir.Output) interp.Value {
	switch {
	case !out.View:
		return v.register(out.Place)
	}
	e, _ := ecs.EntityFromNumber(v.kernel.Number(out.Reg))
	return interp.Value{Ref: s.world().View(e, out.Component)}
}

// register returns the value of a register as a Lua value.
func (v *variant) register(p ir.Place) interp.Value {
	switch p.Type {
	case ir.Bool:
		return interp.Bool(v.kernel.Bool(p.Reg))
	case ir.Text:
		return interp.Value{Ref: lua.LString(v.kernel.Text(p.Reg))}
	}
	return interp.Number(v.kernel.Number(p.Reg))
}

// boxed returns a value as one of gopher-lua.
func boxed(v interp.Value) lua.LValue {
	if v.IsNumber() {
		return surface.Number(v.Num)
	}
	return v.Ref
}

// writeRow writes the value of a register to a resource. The kernel has checked that it fits.
func (v *variant) writeRow(p ir.Place, row ecs.Row) {
	var x ecs.Value
	switch p.Type {
	case ir.Bool:
		x = ecs.Boolean(v.kernel.Bool(p.Reg))
	case ir.Text:
		x = ecs.Text(v.kernel.Text(p.Reg))
	default:
		n := v.kernel.Number(p.Reg)
		x = ecs.Number(n)
		if row.Schema().Fields()[0].Type == ecs.EntityField {
			e, _ := ecs.EntityFromNumber(n)
			x = ecs.EntityOf(e)
		}
	}
	if err := row.Set(0, x); err != nil {
		panic("loops: a resource that fits does not: " + err.Error())
	}
}
