package ir

import "github.com/ecsrun/ecsrun/ecs"

// An EffectOp is what an effect does when it is applied, in the order of the calls.
type EffectOp uint8

// The effects. The Args of a statement are, in order: the entity, where there is
// one, then a value per item of Fields, then one per item of Relations (none for
// QueueUnrelate).
const (
	Send       EffectOp = iota // world:send
	QueueSend                  // the others are those of world.commands
	QueueSpawn                 // no entity among the Args
	QueueDespawn
	QueueAdd
	QueueRemove
	QueueSet
	QueueTag
	QueueUntag
	QueueRelate
	QueueUnrelate
)

// An Effect is a call that changes the world at the end of the row, or later.
type Effect struct {
	Index      int // in Program.Effects
	Op         EffectOp
	Line       int    // of the call in the source
	Place      uint16 // what commands are queued with, see ecs.Commands.At; set before the program runs, 0: not known
	Event      ecs.EventID
	Schema     *ecs.Schema // of the event
	Components []ecs.ComponentID
	Tags       []ecs.TagID
	Relations  []ecs.RelationID
	Fields     []EffectField
}

// An EffectField says which field a value goes to. A value that does not fit
// leaves the row to the interpreter.
type EffectField struct {
	Component int // which of Effect.Components; of no meaning for an event
	Index     int // of the field in its schema
	Field     *ecs.Field
}
