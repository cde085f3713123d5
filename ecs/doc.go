// Package ecs stores entities by archetype and runs systems over them. It knows nothing of Lua, files or flags, and imports only the
// standard library.
//
// A [World] keeps all entities with the same components in one [Table]: row r of every [Column] belongs to the same entity, so a [Query]
// walks dense slices. Setting a value moves nothing; adding or removing a component moves one row to another table, at a cost linear in
// its components. Tags, events and resources live beside the tables and move nothing at all.
//
//	World
//	 ├─ slots      index -> table, row, generation          an Entity is index + generation: "17v2"
//	 ├─ components name <-> id, schema                      declared by a Go type or at run time, as equals
//	 ├─ tables     Table {Position, Velocity}
//	 │               entities  17v1   4v3    9v1
//	 │               Position  {x y}  {x y}  {x y}          one column per component, with change stamps
//	 │               Velocity  {x y}  {x y}  {x y}
//	 ├─ queries    condition -> matching tables             told of every new table
//	 ├─ tags       name -> sparse set of entities
//	 ├─ events     name -> log with sequence numbers        read by cursors
//	 ├─ resources  name -> one value
//	 └─ commands   changes as data, applied in order
//
// # By task
//
//   - Make a world: [NewWorld], [Options].
//   - Declare: [Register] (a Go type), [World.DeclareComponent] with [NewSchema] (at run time), [World.DeclareTag], [RegisterEvent],
//     [World.DeclareEvent], [World.DeclareRelation], [RegisterResource], [World.DeclareResource].
//   - Make entities: [World.Spawn], [World.Build] (with values and tags), [World.Bundle] (many of the same kind), [Bundle.SpawnMany].
//   - Change their structure: [World.Add], [World.Remove], [World.Despawn]; whole queries at once: [Bundle.AddAll], [Query.DespawnAll].
//   - Read and write one entity: [Component.Get], [Component.Mut], [Component.Set]; by field: [World.Ref], [World.Set].
//   - Visit many: [World.Query], then [Query.Each] (an entity at a time), [Query.Start] (the same, about twice the time of columns),
//     [StartPair] (the same for two components, nearly as fast as columns), [Query.Tables] with [Component.Slice] (whole columns, the
//     fastest), [Query.Parallel] (several cores).
//   - Ask what changed: [Filter] with Changed and Added, [World.Removed], [Column.Stamp].
//   - Pass messages: [Event.Send], [Event.Read], [World.Peek], [World.Drain].
//   - Change structure from inside a loop: [World.Commands].
//   - Run systems: [NewSchedule], [Schedule.Add], [Schedule.AddSystem], [Schedule.Run].
//   - Draw random numbers: [World.Random]. Find neighbours: [World.DeclareGrid], [Grid.Near].
//   - Link entities: [World.Relate], [World.Related], [World.Sources], [ChildOf], [IsA].
//   - Compare and inspect: [World.Digest], [World.Stats], [World.Check].
//   - Copy, and go back: [World.Copy], [World.Restore]; with the systems, [Schedule.Copy], [Schedule.Restore].
//
// # Handles
//
// An [Entity] is a 32-bit slot and a generation. It is stable while the entity lives and never matches a later one in that slot: a slot
// is retired once its generations are used up. Calls with a dead entity return nothing, false or [ErrDead], never another entity's
// data. The zero Entity is [None].
//
// Pointers, slices and rows are not handles. What [Component.Get], [Component.Slice] and [Cursor.Row] return lies in a column and is valid
// until the next structural change, which [World.Restore] is, too; keep the Entity, or a [Ref], which finds its row anew.
//
// # Components
//
// A component is a name and a [Schema]: fields of fixed types, at the offsets Go gives them in a struct. Where it was declared makes no
// difference. A config may declare Position as {x f64, y f64}; Go code lays struct{ X, Y float64 } over it with [Register] and gets its
// columns as []Position without a copy. When the layouts differ the error is [ErrMismatch] and shows both.
//
// Rows with strings or plain data ([Data]) are ordinary Go memory for the collector; all other columns may come from [Options.Memory].
//
// # Changing structure while iterating
//
// An open query loop locks structure: spawn, despawn, add, remove, and a set that would add return [ErrLocked]. Leaving the loop in any
// way, break and panic included, unlocks it; a [Cursor] that is not walked to its end needs [Cursor.End]. Values, tags and events may be
// written in a loop. Queue everything else on [Commands]:
//
//	for e, c := range q.Each {
//		if health.At(c).Current <= 0 {
//			w.Commands().Despawn(e) // applied when the system returns
//		}
//	}
//
// Commands are applied in the order in which they were queued. Commands for an entity that has died since are skipped. Commands that are
// queued while others are applied wait for the next time. A handle from [Commands.Spawn] can be used in later commands at once; the entity
// is alive once the command is applied.
//
// # Change detection
//
// The world's [Tick] goes up with every turn of a system. Each row of each column stores the tick of its last write and the tick at
// which its entity gained the component. [Component.Mut], [Component.Set], [Ref.Set] and [Component.MutAt] stamp; [Component.Get]
// and [Component.At] do not; raw columns ([Component.Slice], [Column.Row]) do not either: follow them with [Column.Stamp],
// [Column.StampRange] or [Column.StampAll], which costs one store per 64 rows. Moving to another table keeps the stamps of what the entity
// takes along.
//
// A query with Changed or Added, and [World.Removed], select what other systems did since the running system last ran. Each system has its
// own window, even if it runs rarely. Outside of systems the window is the last frame. Stamps do not wrap in practice.
//
// # Events
//
// An event is kept for the frame it was sent in and the next. Peek shows those, to everybody and as often as asked. Read has a cursor per
// system and returns each event exactly once; events are kept longer than two frames for a reader that has read before and has not read
// them yet. Drain removes all events that Peek would return. An event that nobody reads uses its bytes for two frames.
//
// # Systems and frames
//
// A [Schedule] runs one frame at a time: stage [First], then [Update], then [Last]; within a stage the order of adding, moved by After. A
// system is a function of the world and dt. It has its own commands (applied when it returns, dropped when it fails), its own window, its
// own random stream and its own event cursors, and these stay when [Schedule.Swap] gives it another function. The stage [Startup] runs once
// before all frames; [Schedule.Settle] then makes what was set up old news.
//
// # Errors
//
// What a caller can do wrong is an error: one line that names operation, component and entity, as "set Position.x on 17v2: 300 does not fit
// u8 (0 to 255)". Test with errors.Is for [ErrLocked], [ErrDead], [ErrNoComponent], [ErrUnknown], [ErrMismatch], [ErrLimit], [ErrCycle] and
// [ErrInherited]; an [OpError] has the parts. Structural calls for a dead entity report false. Indexes out of range, ids of another world
// and a broken invariant are panics.
//
// # Determinism
//
// The same operations give the same world, down to the order of rows: no map order, clock, address or global random number takes part.
// [World.Digest] tells two worlds apart.
//
// # Limits and costs
//
//   - Entities: 2^32 slots, each handed out up to 2^21 - 1 times; [Options.MaxEntities] sets a lower limit.
//   - Machines of 64 and of 32 bits. A table holds as many rows as an int counts their bytes, stamps included; what asks for more gets [ErrLimit].
//   - Components: no limit on their number, tested with 1,000 in one world. A mask has one bit for each id up to its highest.
//   - Plain data nests up to [MaxDataDepth] tables.
//   - Memory: a slot takes 12 bytes, a row 8 for its handle, each value its own size and 8 bytes of stamps, each 64 rows of a column 32.
//   - Add and remove of a component: about 50 ns and the copy of one row, without hashing once the two tables have met.
//   - Nothing allocates in a steady frame.
//
// # Concurrency
//
// A World belongs to one goroutine at a time; nothing in it takes a mutex. Two worlds are independent. Inside [Query.Parallel] workers may
// read the world, write the rows of their own part and queue on [Part.Commands]; what else would race panics where that can be told. [World.Bytes] alone may be called at any time. The package starts goroutines only
// in [NewPool].
package ecs
