package ir

import "github.com/ecsrun/ecsrun/ecs"

// Effects: what a row does at its end and not at once. Lowering lists the effects of a Program; an Emit statement
// records one with its arguments; kernel.Effects, or the host of machine code, performs it when the row is done. So
// a row that is left to the interpreter has had no effect.

// An EffectOp is the kind of an effect.
type EffectOp uint8

// The effects. The Args of the Emit statement are, in order: the entity if [Effect.ForEntity]; a value for each
// of Fields; an entity for each of Relations, unless the effect is QueueUnrelate. The Args of TableSet are
// the key, and then the arguments of Effect.Value.
const (
	Send      EffectOp = iota // world:send
	QueueSend                 // this and the following are the functions of world.commands
	QueueSpawn
	QueueDespawn // from here on the first of Args is an entity
	QueueAdd
	QueueRemove
	QueueSet
	QueueTag
	QueueUntag
	QueueRelate
	QueueUnrelate
	TableSet // sets the element at a key of Program.Sinks[Effect.Sink]; the row is left to the interpreter when the key is NaN
	Made     // only counts Bytes: the row has made a Lua table that nothing but the row uses
	Print    // print: the first of Args is the line
)

// ForEntity reports whether the first of the Args is the entity that the effect is applied to.
func (e *Effect) ForEntity() bool { return e.Op > QueueSpawn && e.Op < TableSet }

// An Effect is a call in the source that changes the world at the end of the row (Send), or at the end of the
// system's turn (all commands); or an assignment to an element of a Lua table, at the end of the row (TableSet); or a
// line that is printed at the end of the row (Print).
// Which fields are set depends on Op.
type Effect struct {
	Index      int // in Program.Effects
	Op         EffectOp
	Now        bool        // of QueueSpawn and QueueDespawn: the call is world:spawn or world:despawn, which takes place at the end of the row
	Bytes      int64       // the price of the tables that the interpreter makes for the call; the allocations of the turn are limited
	File       string      // file of the call in the source; "" for the file of the loop
	Line       int         // line of the call in the source
	Place      uint16      // the place that commands are queued with, for errors: see ecs.Commands.At; 0: not known. Package loops sets it before the Program runs
	Event      ecs.EventID // of Send and QueueSend
	Schema     *ecs.Schema // layout of the event
	Components []ecs.ComponentID
	Tags       []ecs.TagID
	Prefab     string // of QueueSpawn: the call is world.commands:instance of this prefab; "" for a spawn
	Relations  []ecs.RelationID
	Fields     []EffectField
	Sink       int        // of TableSet: index in Program.Sinks
	Key        Type       // of TableSet: type of the key
	Value      *TableItem // of TableSet: what is stored
}

// An EffectField says which field gets a value. A row whose value does not fit the field is left to the
// interpreter. Fields that are not listed get their defaults, or keep their values if the effect is QueueSet.
type EffectField struct {
	Component int // index in Effect.Components; not used for an event
	Index     int // index of the field in its schema
	Field     *ecs.Field
}
