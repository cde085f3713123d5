package ir

import "github.com/ecsrun/ecsrun/ecs"

// An EffectOp is the operation of an effect.
type EffectOp uint8

// The effects. The Args of the Emit statement are, in order: the entity if [Effect.ForEntity]; then a value
// for each of Fields; then an entity for each of Relations, unless it is QueueUnrelate. Those of TableSet are
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
)

// ForEntity reports whether the first of the Args is an entity that the effect is about.
func (e *Effect) ForEntity() bool { return e.Op > QueueSpawn && e.Op != TableSet }

// An Effect is a call that changes the world at the end of the row (Send), or at the end of
// the system's turn; or an assignment to an element of a Lua table (TableSet), at the end of the row.
type Effect struct {
	Index      int // in Program.Effects
	Op         EffectOp
	File       string      // of the call in the source, "" for that of the loop
	Line       int         // likewise
	Place      uint16      // the place that commands are queued with, see ecs.Commands.At; 0: not known. Whoever runs the Program sets it before
	Event      ecs.EventID // of Send and QueueSend
	Schema     *ecs.Schema // of the event
	Components []ecs.ComponentID
	Tags       []ecs.TagID
	Relations  []ecs.RelationID
	Fields     []EffectField
	Sink       int        // of TableSet
	Key        Type       // of TableSet
	Value      *TableItem // of TableSet: what is stored
}

// An EffectField says which field gets a value. A value that does not fit leaves the row
// to the interpreter. Fields that are not listed get their defaults.
type EffectField struct {
	Component int // index in Effect.Components; of no meaning for an event
	Index     int // of the field in its schema
	Field     *ecs.Field
}
