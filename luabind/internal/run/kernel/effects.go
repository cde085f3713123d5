package kernel

import (
	"fmt"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
)

// Effects: events, commands and assignments to Lua tables that rows record. Both back ends perform them here, so
// they have the same order, limits and positions. Closures record the effects of a row and apply them when it is
// done; machine code records them in its own memory, and its host calls Room and Call.

// mostQueued is the largest number of commands that a turn may queue. Interpreted code has the same limit.
const mostQueued = 10_000_000

// MostEffects is the largest number of effects of one row. A row with more is left to the interpreter.
const MostEffects = 1 << 20

// An Arg is one argument of an effect. N holds a number, an entity or a boolean (0 or 1); S holds a string; T holds a table. One is used.
type Arg struct {
	N float64
	S string
	T *ecs.Data
}

// String returns the parts of an argument that messages show.
func (a Arg) String() string {
	if a.T != nil {
		return ecs.TableOf(a.T).String()
	}
	return fmt.Sprintf("{%v %s}", a.N, a.S)
}

// An Effects performs the calls of ir.Effect: it sends events, queues commands and writes to Lua tables. The order
// of use is: Begin; for each row Args and Record, and then Apply, or DropTo if the row is restored; End. Everything
// that could raise an error is checked when a call is recorded, so Apply never fails. It keeps its memory from one
// run to the next.
type Effects struct {
	world    *ecs.World
	queue    *ecs.Commands
	tables   TableWriter
	print    func(line string) // nil if the Program has no ir.Print
	list     []recorded
	args     []Arg
	sends    []int            // by event: the number of recorded calls of Send
	commands int              // how many commands the recorded calls queue
	payer    Payer            // nil: allocations are not counted
	bytes    int64            // what the recorded calls allocate at most
	strings  int64            // what the strings of the row allocate
	spawns   int              // how many entities the recorded calls spawn
	pending  []pendingChange  // the recorded calls that change structure
	relates  bool             // one of them relates entities
	spreads  bool             // one of them may change what is seen of other entities, too
	fields   []ecs.FieldValue // memory for the result of values
	targets  []ecs.Target     // memory for the targets in spawn
}

// A recorded is one call that waits for Apply.
type recorded struct {
	effect *ir.Effect
	from   int // index of its first argument in Effects.args
}

// A TableWriter performs the effects on Lua tables. Package loops implements it, because kernels know nothing of
// Lua.
type TableWriter interface {
	// SetElement performs an ir.TableSet. Its key is not NaN.
	SetElement(e *ir.Effect, args []Arg)
}

// A PricedWriter is a TableWriter whose tables cost something when they grow.
type PricedWriter interface {
	TableWriter
	// ElementBytes returns the greatest price of the growth of the table, if SetElement is called with these arguments.
	// SetElement pays what it is in the end.
	ElementBytes(e *ir.Effect, args []Arg) int64
}

// A Payer counts the bytes of the Lua values that a turn makes. It is the budget of the turn.
type Payer interface {
	Allocate(n int64) bool
	AllocationsLeft() int64
}

// PayTo sets what counts the bytes that effects allocate.
func (x *Effects) PayTo(p Payer) { x.payer = p }

// PrintTo sets what prints a line.
func (x *Effects) PrintTo(print func(line string)) { x.print = print }

// Takes counts n bytes for the row that runs, when it is done. It returns false if the limit does not allow them; then
// the row has to be left to the interpreter.
func (x *Effects) Takes(n int64) bool {
	if x.payer == nil {
		return true
	}
	x.strings += n
	return x.bytes+x.strings <= x.payer.AllocationsLeft()
}

// pay counts bytes for which there is room.
func (x *Effects) pay(n int64) {
	if n > 0 && x.payer != nil {
		x.payer.Allocate(n)
	}
}

// MadeRow counts the bytes of a call of Send whose event the caller has sent itself.
func (x *Effects) MadeRow(e *ir.Effect) { x.pay(e.Bytes) }

// Begin sets the world, and the writer of Lua tables, which may be nil if the Program has no ir.TableSet. The
// effects count as those of the running system.
func (x *Effects) Begin(w *ecs.World, tables TableWriter) {
	x.world, x.queue, x.tables = w, w.Commands(), tables
}

// End clears the arguments of earlier calls, so that the garbage collector can free their strings.
func (x *Effects) End() {
	clear(x.args[:cap(x.args)])
	clear(x.fields[:cap(x.fields)])
}

// Room returns how many more commands can be queued, and how many more entities can be spawned, before a call would
// raise an error. Recorded calls count as done.
func (x *Effects) Room() (commands, entities int) {
	return mostQueued - x.queue.Len() - x.commands, ecs.Raw.Room(x.world) - x.spawns
}

// Args returns memory for the n arguments of the next Record. The caller fills it. It is valid until the next call
// of Args.
func (x *Effects) Args(n int) []Arg {
	from := len(x.args)
	for range n {
		x.args = append(x.args, Arg{})
	}
	return x.args[from:]
}

// Record keeps a call for Apply. Its n arguments are those of the last call of Args. It returns the entity of a
// spawn, which exists once the call is applied, and false if the call would raise an error; then the row has to be
// left to the interpreter.
func (x *Effects) Record(e *ir.Effect, n int) (ecs.Entity, bool) {
	from := len(x.args) - n
	if !fits(e, x.args[from:]) || len(x.list) >= MostEffects {
		return ecs.None, false
	}
	if x.payer != nil {
		bytes := e.Bytes
		if priced, ok := x.tables.(PricedWriter); ok && e.Op == ir.TableSet {
			bytes += priced.ElementBytes(e, x.args[from:])
		}
		if x.bytes += bytes; x.bytes+x.strings > x.payer.AllocationsLeft() {
			return ecs.None, false
		}
	}
	spawned := ecs.None
	switch e.Op {
	case ir.Made, ir.TableSet, ir.Print:
	case ir.Send:
		for int(e.Event) >= len(x.sends) {
			x.sends = append(x.sends, 0)
		}
		if ecs.Raw.ReserveEvents(x.world, e.Event, x.sends[e.Event]+1) != nil {
			return ecs.None, false
		}
		x.sends[e.Event]++
	default:
		if e.Now && !x.settleable(e, x.args[from:]) {
			return ecs.None, false
		}
		if e.Prefab != "" && x.world.LookupPrefab(e.Prefab) == ecs.None {
			return ecs.None, false
		}
		room, entities := x.Room()
		if room <= 0 || e.Op == ir.QueueSpawn && entities <= 0 {
			return ecs.None, false
		}
		x.commands += commands(e)
		if e.Op == ir.QueueSpawn {
			spawned = ecs.Raw.Upcoming(x.world, x.spawns)
			x.spawns++
		}
		if e.Now {
			x.change(e, x.args[from:], spawned)
		}
	}
	x.list = append(x.list, recorded{e, from})
	return spawned, true
}

// An EffectsMark is a position in what is recorded. The zero value is the beginning.
type EffectsMark struct {
	list, args, commands, spawns, pending int
	relates, spreads                      bool
	bytes, strings                        int64
}

// Mark returns the current position, for DropTo.
func (x *Effects) Mark() EffectsMark {
	return EffectsMark{len(x.list), len(x.args), x.commands, x.spawns, len(x.pending), x.relates, x.spreads, x.bytes, x.strings}
}

// DropTo forgets everything that was recorded after a mark.
func (x *Effects) DropTo(m EffectsMark) {
	for _, r := range x.list[m.list:] {
		if r.effect.Op == ir.Send {
			x.sends[r.effect.Event]--
		}
	}
	x.list, x.args, x.commands, x.spawns = x.list[:m.list], x.args[:m.args], m.commands, m.spawns
	x.pending, x.relates, x.spreads = x.pending[:m.pending], m.relates, m.spreads
	x.bytes, x.strings = m.bytes, m.strings
}

// Len returns how many calls are recorded.
func (x *Effects) Len() int { return len(x.list) }

// Pending reports whether there is something to Apply: recorded calls, or bytes that Takes has counted.
func (x *Effects) Pending() bool { return len(x.list) > 0 || x.strings > 0 }

// At returns the i-th recorded call and its arguments, which are valid until the next call of Args.
func (x *Effects) At(i int) (e *ir.Effect, args []Arg) {
	to := len(x.args)
	if i+1 < len(x.list) {
		to = x.list[i+1].from
	}
	return x.list[i].effect, x.args[x.list[i].from:to]
}

// Apply performs the recorded calls in their order, and forgets them.
func (x *Effects) Apply() {
	x.pay(x.strings)
	for i := range x.list {
		x.Call(x.At(i))
	}
	x.DropTo(EffectsMark{})
}

// Call performs a call at once. The caller has checked that the arguments fit ([Fits]) and that there is room
// ([Effects.Room]): an error here is a bug, and panics. It returns the entity of a spawn or the one the call is
// about, otherwise None.
func (x *Effects) Call(e *ir.Effect, args []Arg) ecs.Entity {
	x.pay(e.Bytes)
	if e.Op == ir.Made {
		return ecs.None
	}
	if e.Op == ir.Send {
		row := ecs.Raw.Row(ecs.Raw.AppendEvent(x.world, e.Event))
		for i, f := range e.Fields {
			write(unsafe.Add(row, f.Field.Offset), f.Field.Type, args[i])
		}
		return ecs.None
	}
	if e.Op == ir.TableSet {
		x.tables.SetElement(e, args)
		return ecs.None
	}
	if e.Op == ir.Print {
		x.print(args[0].S)
		return ecs.None
	}
	to := ecs.None
	if e.ForEntity() {
		to, args = entityOf(args[0].N), args[1:]
	}
	if e.Now {
		return x.settle(e, to, args)
	}
	q, err := x.queue, error(nil)
	q.At(e.Place)
	switch e.Op {
	case ir.QueueSend:
		err = q.Send(e.Event, x.values(e, args, 0)...)
	case ir.QueueSpawn:
		to, err = x.spawn(e, args)
	case ir.QueueDespawn:
		q.Despawn(to)
	case ir.QueueAdd:
		err = q.Add(to, e.Components...)
	case ir.QueueRemove:
		err = q.Remove(to, e.Components...)
	case ir.QueueSet:
		err = q.Set(to, e.Components[0], x.values(e, args, 0)...)
	case ir.QueueTag:
		for _, id := range e.Tags {
			q.Tag(to, id)
		}
	case ir.QueueUntag:
		for _, id := range e.Tags {
			q.Untag(to, id)
		}
	case ir.QueueRelate:
		for i, id := range e.Relations {
			err = q.Relate(to, id, entityOf(args[i].N))
		}
	case ir.QueueUnrelate:
		for _, id := range e.Relations {
			err = q.Unrelate(to, id)
		}
	default:
		panic("kernel: an effect of unknown operation")
	}
	if err != nil {
		panic("kernel: a checked effect failed: " + err.Error())
	}
	return to
}

// spawn queues the commands that make an entity: spawn it with its relations, set its fields, add its tags.
func (x *Effects) spawn(e *ir.Effect, args []Arg) (ecs.Entity, error) {
	x.targets = x.targets[:0]
	for i, id := range e.Relations {
		x.targets = append(x.targets, ecs.Target{Relation: id, Entity: entityOf(args[len(e.Fields)+i].N)})
	}
	var to ecs.Entity
	var err error
	if e.Prefab != "" {
		to, err = x.queue.Instance(x.world.LookupPrefab(e.Prefab), x.targets, e.Components...)
	} else {
		to, err = x.queue.SpawnRelated(x.targets, e.Components...)
	}
	x.queue.Join(true)
	defer x.queue.Join(false)
	for i, id := range e.Components {
		if fields := x.values(e, args, i); len(fields) > 0 && err == nil {
			err = x.queue.Set(to, id, fields...)
		}
	}
	for _, id := range e.Tags {
		x.queue.Tag(to, id)
	}
	return to, err
}

// values returns the fields of one component, or of the event, that the arguments give values to. The result is
// valid until the next call.
func (x *Effects) values(e *ir.Effect, args []Arg, component int) []ecs.FieldValue {
	x.fields = x.fields[:0]
	for i, f := range e.Fields {
		if f.Component == component || e.Op == ir.QueueSend {
			x.fields = append(x.fields, ecs.FieldValue{Index: f.Index, Value: value(f.Field.Type, args[i])})
		}
	}
	return x.fields
}
