package machine

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
)

// Plain code: it computes with numbers and reads and stores fields of its rows, and every row ends. A run of it needs none of
// what other runs prepare and settle: words, strings, tables, random numbers, effects, marks and logs. In a small world that
// preparation would take longer than the rows.

// plain reports whether code is plain.
func plain(p *ir.Program, u *abi.Unit, beyond []ecs.ComponentID) bool {
	return len(u.FuelChecks) == 1 && !u.Effects && len(u.Calls) == 0 && !u.Logs && !u.Sparse && u.Marks < 0 && len(u.Words)+len(u.Nears)+len(u.Strings)+len(beyond) == 0 &&
		!p.Random && p.Texts+len(p.Tables)+len(p.Layers)+len(p.Keyed) == 0
}

// runPlain is Run for plain code.
func (k *Kernel) runPlain(c *ecs.Cursor) kernel.Ending {
	k.current.table, k.current.from, k.current.to, k.current.done = nil, 0, 0, 0
	k.exits.begin()
	k.frame.Begin()
	k.sharing.begin()
	k.watch.BeginRun()
	k.seal(c)
	how := k.walk(c)
	k.flush()
	k.watch.EndRun(k.frame.Fuel.End())
	k.current.table, k.closing = nil, false
	clear(k.current.column[:len(k.program.Components)])
	k.leaveBlocks()
	return how
}
