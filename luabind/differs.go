package luabind

import (
	"fmt"
	"log/slog"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
)

// A Difference is a wrong result of the machine code of a loop: a bug in the
// compiler, not in the script. The effects of that call of the code were undone, and
// the loop goes on as closures. errors.As finds a Difference in a [ScriptError] that
// is an [ErrBug]. [Options].Report gets this error; without Report it is logged.
// [Failures] has the first one.
type Difference struct {
	Entity    ecs.Entity // whose row it is; None when it is not of one
	Row       int        // of the entity's table, counted from 0; -1 when it is not of one
	Component string     // whose field it is; "" of anything else
	Field     string
	What      string // of anything else: what differs, as `the variable "sum"`

	MachineCode, Closures string   // both values; the latter is right
	Before                []string // fields of the entity before the loop came to it, as "Position.x = 3"
}

// Error says what differs.
func (d *Difference) Error() string {
	what := d.What
	if d.Component != "" {
		what = d.Component + "." + d.Field
	}
	where := ""
	switch {
	case d.Entity != ecs.None && d.Row >= 0:
		where = fmt.Sprintf(" of entity %s (row %d)", d.Entity, d.Row)
	case d.Entity != ecs.None:
		where = fmt.Sprintf(" of entity %s", d.Entity)
	case d.Row >= 0:
		where = fmt.Sprintf(" of event %d", d.Row+1)
	}
	return fmt.Sprintf("machine code is wrong: %s%s: %s by machine code, %s by closures", what, where, d.MachineCode, d.Closures)
}

// differs reports a difference that was found in a loop of the running system.
func (r *Runtime) differs(file string, line int, found *kernel.Difference) {
	d := &Difference{
		Entity: found.Entity, Row: found.Row, Component: found.Component, Field: found.Field, What: found.What,
		MachineCode: found.Code, Closures: found.Closures, Before: r.fieldsOf(found.Entity),
	}
	err := &ScriptError{File: file, Line: line, Frame: r.world.Frame(), Message: d.Error(), Excerpt: r.scripts.Excerpt(file, line), Err: &caused{d.Error(), []error{d, ErrBug}}}
	if r.running != nil {
		err.System = r.running.Name
	}
	if r.failures.Bugs++; r.failures.FirstBug == nil {
		r.failures.FirstBug = err
	}
	if r.options.Report != nil {
		r.options.Report(err)
		return
	}
	r.options.Log.LogAttrs(r.ctx, slog.LevelError, err.Error(), slog.String("then", "the loop runs as closures"))
}

// fieldsOf lists the fields of an entity; none of one that is dead.
func (r *Runtime) fieldsOf(e ecs.Entity) (list []string) {
	if !r.world.Alive(e) {
		return nil
	}
	table, row := r.world.TableOf(e)
	for _, id := range table.Components() {
		at := table.Column(id).Row(row)
		for i, f := range at.Schema().Fields() {
			list = append(list, fmt.Sprintf("%s.%s = %s", r.world.ComponentNames()[id], f.Name, at.Get(i)))
		}
	}
	return list
}
