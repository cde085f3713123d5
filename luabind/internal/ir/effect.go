package ir

import "github.com/ecsrun/ecsrun/ecs"

// An EffectOp is the operation of an effect.
type EffectOp uint8

// The effects. The Args of the Emit statement are, in order: the entity, unless it is
// Send, QueueSend or QueueSpawn; then a value for each of Fields; then an entity for each
// of Relations, unless it is QueueUnrelate.
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
)

// An Effect is a call that changes the world at the end of the row (Send), or at the end of
// the system's turn (all others).
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
}

// An EffectField says which field gets a value. A value that does not fit leaves the row
// to the interpreter. Fields that are not listed get their defaults.
type EffectField struct {
	Component int // index in Effect.Components; of no meaning for an event
	Index     int // of the field in its schema
	Field     *ecs.Field
}
