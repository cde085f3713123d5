package kernel

import (
	"math"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
)

// mostQueued bounds the commands of one turn, as it does for interpreted code.
const mostQueued = 10_000_000

// mostEffects bounds those of one row.
const mostEffects = 1 << 20

// An Arg is a value of an effect; of a boolean, N is 0 or 1.
type Arg struct {
	N float64
	S string
}

// Effects are the calls of a row that change the world when the row is done, in
// order. What would raise is found when a call is recorded: then the row is left.
type Effects struct {
	world    *ecs.World
	queue    *ecs.Commands
	list     []recorded
	args     []Arg
	sends    []int // that list sends, by event
	commands int   // that list queues
	spawns   int   // that list reserves
	fields   []ecs.FieldValue
	targets  []ecs.Target
}

type recorded struct {
	effect *Effect
	from   int // of its args
}

// Begin sets the world whose running system the effects are of.
func (x *Effects) Begin(w *ecs.World) { x.world, x.queue = w, w.Commands() }

// End forgets the values of earlier effects.
func (x *Effects) End() {
	clear(x.args[:cap(x.args)])
	clear(x.fields[:cap(x.fields)])
}

// Room returns how many commands may be queued and how many entities spawned
// before a call would raise, beside those that are recorded.
func (x *Effects) Room() (commands, entities int) {
	return mostQueued - x.queue.Len() - x.commands, ecs.Raw.Room(x.world) - x.spawns
}

// Commands returns how many commands the effect queues.
func (e *Effect) Commands() int {
	switch e.Op {
	case Send:
		return 0
	case QueueTag, QueueUntag:
		return len(e.Tags)
	case QueueSpawn:
		n := 1 + len(e.Tags)
		for i := range e.Components {
			if e.gives(i) {
				n++
			}
		}
		return n
	case QueueSend, QueueDespawn, QueueAdd, QueueRemove, QueueSet, QueueRelate, QueueUnrelate:
		return 1
	}
	panic("kernel: an effect of unknown operation")
}

// gives reports whether component i gets a value.
func (e *Effect) gives(i int) bool {
	for _, f := range e.Fields {
		if f.Component == i {
			return true
		}
	}
	return false
}

// entity reports whether the first of the Args is an entity.
func (e *Effect) entity() bool { return e.Op > QueueSpawn }

// Fits reports whether the Args can go where they belong.
func (e *Effect) Fits(args []Arg) bool {
	if e.entity() {
		args = args[1:]
	}
	for i, f := range e.Fields {
		if !Fits(f.Field.Type, args[i].N) {
			return false
		}
	}
	if e.Op == QueueUnrelate {
		return true
	}
	for i := range e.Relations { // a target may be dead, but not be no entity
		if handle(args[len(e.Fields)+i].N) == ecs.None {
			return false
		}
	}
	return true
}

// Fits reports whether a field of type t takes a number. Strings and booleans fit
// where they are.
func Fits(t ecs.FieldType, v float64) bool {
	if t == ecs.EntityField {
		_, ok := ecs.EntityFromNumber(v)
		return ok
	}
	lo, hi, integer := t.Range()
	return !integer || within(v, lo, hi)
}

func within(v, lo, hi float64) bool { return v >= lo && v <= hi && v == math.Trunc(v) }

// handle is a number as an entity; what is none is an entity that never lives.
func handle(v float64) ecs.Entity {
	if i := int64(v); v >= 1<<32 && v < 1<<53 && float64(i) == v {
		return ecs.Entity(i)
	}
	return ecs.None
}

// numberOf is an entity as a number: a handle is below 2^53, and signed numbers
// convert faster.
func numberOf(e ecs.Entity) float64 { return float64(int64(e)) }

// add makes room for the n Args of the next Record.
func (x *Effects) add(n int) []Arg {
	from := len(x.args)
	for range n {
		x.args = append(x.args, Arg{})
	}
	return x.args[from:]
}

// Record keeps a call for Apply, with copies of the Args. It returns the entity
// of a spawn, and false when the call would raise.
func (x *Effects) Record(e *Effect, args []Arg) (ecs.Entity, bool) {
	copy(x.add(len(args)), args)
	return x.record(e, len(args))
}

// record is Record of the last n args.
func (x *Effects) record(e *Effect, n int) (ecs.Entity, bool) {
	from := len(x.args) - n
	if !e.Fits(x.args[from:]) || len(x.list) >= mostEffects {
		return ecs.None, false
	}
	spawned := ecs.None
	if e.Op == Send {
		for int(e.Event) >= len(x.sends) {
			x.sends = append(x.sends, 0)
		}
		if ecs.Raw.ReserveEvents(x.world, e.Event, x.sends[e.Event]+1) != nil {
			return ecs.None, false
		}
		x.sends[e.Event]++
	} else {
		commands, entities := x.Room()
		if commands <= 0 || e.Op == QueueSpawn && entities <= 0 {
			return ecs.None, false
		}
		x.commands += e.Commands()
		if e.Op == QueueSpawn {
			spawned = ecs.Raw.Upcoming(x.world, x.spawns)
			x.spawns++
		}
	}
	x.list = append(x.list, recorded{e, from})
	return spawned, true
}

// An effectsMark is how much was recorded at some time.
type effectsMark struct{ list, args, commands, spawns int }

func (x *Effects) mark() effectsMark {
	return effectsMark{len(x.list), len(x.args), x.commands, x.spawns}
}

// dropTo forgets what was recorded since a mark.
func (x *Effects) dropTo(m effectsMark) {
	for _, r := range x.list[m.list:] {
		if r.effect.Op == Send {
			x.sends[r.effect.Event]--
		}
	}
	x.list, x.args, x.commands, x.spawns = x.list[:m.list], x.args[:m.args], m.commands, m.spawns
}

// Drop forgets what is recorded.
func (x *Effects) Drop() { x.dropTo(effectsMark{}) }

// Apply makes the calls that are recorded.
func (x *Effects) Apply() {
	for i, r := range x.list {
		to := len(x.args)
		if i+1 < len(x.list) {
			to = x.list[i+1].from
		}
		x.Call(r.effect, x.args[r.from:to])
	}
	x.Drop()
}

// Call makes a call at once. The Args fit, and there is room: see [Effect.Fits]
// and [Effects.Room]. It returns the entity of a spawn.
func (x *Effects) Call(e *Effect, args []Arg) ecs.Entity {
	if e.Op == Send {
		row := ecs.Raw.Row(ecs.Raw.AppendEvent(x.world, e.Event))
		for i, f := range e.Fields {
			write(unsafe.Add(row, f.Field.Offset), f.Field.Type, args[i])
		}
		return ecs.None
	}
	to := ecs.None
	if e.entity() {
		to, args = handle(args[0].N), args[1:]
	}
	q, err := x.queue, error(nil)
	q.At(e.Place)
	switch e.Op {
	case QueueSend:
		err = q.Send(e.Event, x.values(e, args, 0)...)
	case QueueSpawn:
		to, err = x.spawn(e, args)
	case QueueDespawn:
		q.Despawn(to)
	case QueueAdd:
		err = q.Add(to, e.Components...)
	case QueueRemove:
		err = q.Remove(to, e.Components...)
	case QueueSet:
		err = q.Set(to, e.Components[0], x.values(e, args, 0)...)
	case QueueTag:
		for _, id := range e.Tags {
			q.Tag(to, id)
		}
	case QueueUntag:
		for _, id := range e.Tags {
			q.Untag(to, id)
		}
	case QueueRelate:
		for i, id := range e.Relations {
			err = q.Relate(to, id, handle(args[i].N))
		}
	case QueueUnrelate:
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

func (x *Effects) spawn(e *Effect, args []Arg) (ecs.Entity, error) {
	x.targets = x.targets[:0]
	for i, id := range e.Relations {
		x.targets = append(x.targets, ecs.Target{Relation: id, Entity: handle(args[len(e.Fields)+i].N)})
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

// values are the fields of one component or event.
func (x *Effects) values(e *Effect, args []Arg, component int) []ecs.FieldValue {
	x.fields = x.fields[:0]
	for i, f := range e.Fields {
		if f.Component == component || e.Op == QueueSend {
			x.fields = append(x.fields, ecs.FieldValue{Index: f.Index, Value: value(f.Field.Type, args[i])})
		}
	}
	return x.fields
}

// value is an Arg as what a field of type t holds.
func value(t ecs.FieldType, a Arg) ecs.Value {
	switch t {
	case ecs.Bool:
		return ecs.Boolean(a.N != 0)
	case ecs.EntityField:
		return ecs.EntityOf(handle(a.N))
	case ecs.String:
		return ecs.Text(a.S)
	}
	return ecs.Number(a.N)
}

// write stores an Arg that fits.
func write(p unsafe.Pointer, t ecs.FieldType, a Arg) {
	switch t {
	case ecs.F64:
		*(*float64)(p) = a.N
	case ecs.F32:
		*(*float32)(p) = float32(a.N)
	case ecs.EntityField:
		*(*ecs.Entity)(p) = handle(a.N)
	case ecs.String:
		*(*string)(p) = a.S
	case ecs.I64, ecs.I32, ecs.I16, ecs.I8:
		poke(p, t.Size(), uint64(int64(a.N)))
	default: // unsigned, and booleans
		poke(p, t.Size(), uint64(a.N))
	}
}
