package kernel

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
)

// mostQueued is the largest number of commands that a turn may queue. Interpreted code has the
// same limit.
const mostQueued = 10_000_000

// mostEffects is the largest number of effects of one row. A row with more is left to the interpreter.
const mostEffects = 1 << 20

// An Arg is an argument of an effect: N of a number, an entity or a boolean (0 or 1), S of a string.
type Arg struct {
	N float64
	S string
}

// Effects makes the calls of ir.Effect: it sends events and queues commands. Closures record the
// calls of a row, and apply them in order when the row is done. So a row can be restored, and
// what would raise an error is found when a call is recorded. Machine code records calls in its
// own memory, and uses Room and Call.
type Effects struct {
	world    *ecs.World
	queue    *ecs.Commands
	tables   TableWriter
	list     []recorded
	args     []Arg
	sends    []int            // number of recorded events, by event
	commands int              // number of commands that the recorded calls queue
	spawns   int              // number of entities that they spawn
	fields   []ecs.FieldValue // scratch of values
	targets  []ecs.Target     // scratch of spawn
}

type recorded struct {
	effect *ir.Effect
	from   int // index of its first argument in Effects.args
}

// A TableWriter makes the effects on Lua tables.
type TableWriter interface {
	// SetElement makes an ir.TableSet, whose key is no NaN.
	SetElement(e *ir.Effect, args []Arg)
}

// Begin sets the world, and what writes to Lua tables; nil if the Program has no ir.TableSet. The running system makes the calls.
func (x *Effects) Begin(w *ecs.World, tables TableWriter) {
	x.world, x.queue, x.tables = w, w.Commands(), tables
}

// End forgets the arguments of earlier calls, so that the garbage collector can free their strings.
func (x *Effects) End() {
	clear(x.args[:cap(x.args)])
	clear(x.fields[:cap(x.fields)])
}

// Room returns how many more commands can be queued, and how many more entities spawned,
// before a call would raise an error. What is recorded is counted as done.
func (x *Effects) Room() (commands, entities int) {
	return mostQueued - x.queue.Len() - x.commands, ecs.Raw.Room(x.world) - x.spawns
}

// Args makes room for the n arguments of the next Record, which the caller fills. They are
// valid until the next call of Args.
func (x *Effects) Args(n int) []Arg {
	from := len(x.args)
	for range n {
		x.args = append(x.args, Arg{})
	}
	return x.args[from:]
}

// Record keeps a call for Apply. Its n arguments are those of the last call of Args. It
// returns the entity of a spawn, and false when the call would raise an error.
func (x *Effects) Record(e *ir.Effect, n int) (ecs.Entity, bool) {
	from := len(x.args) - n
	if !fits(e, x.args[from:]) || len(x.list) >= mostEffects {
		return ecs.None, false
	}
	spawned := ecs.None
	switch e.Op {
	case ir.TableSet:
	case ir.Send:
		for int(e.Event) >= len(x.sends) {
			x.sends = append(x.sends, 0)
		}
		if ecs.Raw.ReserveEvents(x.world, e.Event, x.sends[e.Event]+1) != nil {
			return ecs.None, false
		}
		x.sends[e.Event]++
	default:
		room, entities := x.Room()
		if room <= 0 || e.Op == ir.QueueSpawn && entities <= 0 {
			return ecs.None, false
		}
		x.commands += commands(e)
		if e.Op == ir.QueueSpawn {
			spawned = ecs.Raw.Upcoming(x.world, x.spawns)
			x.spawns++
		}
	}
	x.list = append(x.list, recorded{e, from})
	return spawned, true
}

// An EffectsMark is how much was recorded at some time. The zero value is nothing.
type EffectsMark struct{ list, args, commands, spawns int }

// Mark returns how much is recorded.
func (x *Effects) Mark() EffectsMark {
	return EffectsMark{len(x.list), len(x.args), x.commands, x.spawns}
}

// DropTo forgets what was recorded since a mark.
func (x *Effects) DropTo(m EffectsMark) {
	for _, r := range x.list[m.list:] {
		if r.effect.Op == ir.Send {
			x.sends[r.effect.Event]--
		}
	}
	x.list, x.args, x.commands, x.spawns = x.list[:m.list], x.args[:m.args], m.commands, m.spawns
}

// Len returns how many calls are recorded.
func (x *Effects) Len() int { return len(x.list) }

// At returns a recorded call and its arguments, valid until the next call of Args.
func (x *Effects) At(i int) (e *ir.Effect, args []Arg) {
	to := len(x.args)
	if i+1 < len(x.list) {
		to = x.list[i+1].from
	}
	return x.list[i].effect, x.args[x.list[i].from:to]
}

// Apply makes the calls that are recorded, in their order, and forgets them.
func (x *Effects) Apply() {
	for i := range x.list {
		x.Call(x.At(i))
	}
	x.DropTo(EffectsMark{})
}

// Call makes a call at once. The arguments fit, and there is room: see [Fits]
// and [Effects.Room]. It returns the entity of a spawn.
func (x *Effects) Call(e *ir.Effect, args []Arg) ecs.Entity {
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
	to := ecs.None
	if e.ForEntity() {
		to, args = entityOf(args[0].N), args[1:]
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

func (x *Effects) spawn(e *ir.Effect, args []Arg) (ecs.Entity, error) {
	x.targets = x.targets[:0]
	for i, id := range e.Relations {
		x.targets = append(x.targets, ecs.Target{Relation: id, Entity: entityOf(args[len(e.Fields)+i].N)})
	}
	to, err := x.queue.SpawnRelated(x.targets, e.Components...)
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

// values returns the fields of one component, or of the event, that get a value; valid until the next call.
func (x *Effects) values(e *ir.Effect, args []Arg, component int) []ecs.FieldValue {
	x.fields = x.fields[:0]
	for i, f := range e.Fields {
		if f.Component == component || e.Op == ir.QueueSend {
			x.fields = append(x.fields, ecs.FieldValue{Index: f.Index, Value: value(f.Field.Type, args[i])})
		}
	}
	return x.fields
}
