package luabind

import (
	"fmt"
	"log/slog"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
)

// Differences between machine code and closures. The watch of package machine compares the two while loops run.
// What it finds comes in through the Runner of the loop (see loopRunner), and goes out as a [ScriptError] to
// Options.Report, or to the log.

// A Difference is a wrong result of the machine code of a loop. It is a bug in the compiler, not in the script. The
// effects of that call of the code were undone, and the loop continues as closures, so the run is not affected.
// [Options].Report gets a [*ScriptError] for it, which is an [ErrBug] and in which errors.As finds the Difference;
// without Report the error is logged. [Failures] has the first one.
type Difference struct {
	Entity    ecs.Entity // the entity of the row; None when the difference is not in a row of an entity
	Row       int        // row in the entity's table, counted from 0; of a loop over events the number of the event, from 0; -1 if neither
	Component string     // the component that has the field; "" when the difference is not in a field
	Field     string
	What      string // what differs when it is not a field, such as `the variable "sum"`

	MachineCode, Closures string   // both values as text; that of the closures is right
	Before                []string // the fields of the entity before the loop changed it, as "Position.x = 3"
}

// Error returns one line: what differs, in which row, and both values.
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

// differs reports a difference that was found in the loop at that file and line, while a turn of the running system
// runs. The world is as it was before the rows that differ. The run continues: nothing is returned, but [Failures]
// counts the bug.
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

// fieldsOf lists all fields of an entity with their values, as "Position.x = 3", in the order of the columns of its
// table. It is empty for a dead entity.
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
