// Package ecs stores entities by archetype and runs systems over them. It knows nothing of Lua, files or flags, and imports only the
// standard library.
//
// A [World] keeps all entities with the same components in one [Table]: row r of every [Column] belongs to the same entity, so a [Query]
// walks dense slices. Setting a value moves no row. Adding or removing a component moves one row to another table, at a cost linear in the
// number of its components. Tags, events and resources are stored beside the tables; changing them moves no row.
//
//	World
//	 ├─ slots      index -> table, row, generation          an Entity is index + generation: "17v2"
//	 ├─ components name <-> id, schema                      declared by a Go type or at run time
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
//   - Make entities: [NewSpawner2] and others of one to six types (with values and tags, one or many), [World.Spawn],
//     [World.Build] (any number of values), [World.Bundle].
//   - Change their structure: [World.Add], [World.Remove], [World.Despawn]; whole queries at once: [Bundle.AddAll], [Query.DespawnAll].
//   - Read and write one entity: [Component.Get], [Component.Mut], [Component.Set]; by field: [World.Ref], [World.Set].
//   - Visit many: [NewQuery2] and others of one to six types, then Start and Next (an entity at a time) or NextRun (whole
//     columns). What a walk may write is in its types. For components that are known at run time only: [World.Query] with
//     [Query.Tables] or [Query.AppendEntities]. [Query.Parallel] uses several cores.
//   - Ask what changed: [Filter] with Changed and Added, [World.Removed], [Column.Stamp].
//   - Pass messages: [Event.Send], [Event.Read], [World.Peek], [World.Drain].
//   - Change structure from inside a loop: [World.Commands].
//   - Run systems: [NewSchedule], [Schedule.Add], [Schedule.AddSystem], [Schedule.Run].
//   - Draw random numbers: [World.Random]. Find neighbours: [World.DeclareGrid], [Grid.Search], [Grid.Near].
//   - Link entities: [Spawner2.SpawnRelated], [World.Relate], [World.Related], [World.Sources], [ChildOf], [IsA].
//   - Compare and inspect: [World.Digest], [World.Stats], [World.Check].
//   - Copy and restore: [World.Copy], [World.Restore]; with the systems, [Schedule.Copy], [Schedule.Restore].
//
// # Handles
//
// An [Entity] is a 32-bit slot and a generation. It stays the same while the entity lives, and no later entity in that slot gets it: the world
// stops using a slot when its generations are used up. Calls with a dead entity return nothing, false or [ErrDead], never another entity's
// data. The zero Entity is [None].
//
// Pointers, slices and rows are not handles. What [Component.Get], [Component.Slice] and [Ref.Row] return lies in a column and is valid
// until the next structural change; [World.Restore] is one, too. Keep the Entity instead, or a [Ref], which looks up its row at each access.
//
// # Components
//
// A component is a name and a [Schema]: fields of fixed types, at the offsets Go gives them in a struct. A component is the same whether
// Go code, a config or a script declared it. For example, a config declares Position as {x f64, y f64}. [Register] with the type
// struct{ X, Y float64 } then gives Go code the columns as slices of that type, without a copy. If the layouts differ, the error is
// [ErrMismatch] and shows both.
//
// Columns with strings, plain data ([Data]) or opaque fields are ordinary Go memory, which the garbage collector scans. All other columns can come from
// [Options.Memory].
//
// A Go type may hold anything: slices, maps, pointers, interfaces, functions, time.Time. What no field type describes is an opaque field
// ([Schema.OpaqueFields]): scripts do not see it; it stays with its entity through all moves. Digests and files include it by a codec: the
// methods AppendBinary and UnmarshalBinary of its type, or functions given to [RegisterCodec]. Without one, [World.Digest] panics and
// [World.Save] returns an error; both name the field. The tag `ecs:",transient"` leaves a field out of them. [World.Copy] and
// [Schedule].RollBack copy such a value as a Go assignment does: they bring back the slice that a turn has replaced, but not an element
// that it has written into a slice.
//
// # Changing structure while iterating
//
// An open query loop locks structure: spawn, despawn, add, remove, and a set that would add return [ErrLocked]. Leaving the loop in any
// way, also by break or a panic, unlocks it. If the walk over a query of types does not get to its end, call End. Values, tags and events may be
// written in a loop. Queue everything else on [Commands]:
//
//	for e := q.Start(); e.Ok(); e = e.Next() { // a *Query1[ecs.Read[Health]]
//		if e.Get().Get().Current <= 0 {
//			w.Commands().Despawn(e.Entity()) // applied when the system returns
//		}
//	}
//
// Commands are applied in the order in which they were queued. A command is skipped if its entity has died meanwhile. Commands that are
// queued while others are applied are applied the next time. A handle from [Commands.Spawn] can be used in later commands at once; the entity
// is alive once the command is applied.
//
// # Change detection
//
// The world's [Tick] goes up with every turn of a system. Each row of each column stores the tick of its last write and the tick at
// which its entity gained the component. [Component.Mut], [Component.Set] and [Ref.Set] stamp the row; a walk over a typed
// query stamps the rows that it visits, in the components that it may write; [Component.Get]
// and [Component.Of] do not. A write to a raw column ([Component.Slice], [Column.Row]) stamps nothing: call [Column.Stamp],
// [Column.StampRange] or [Column.StampAll] after it. StampAll costs one store per 64 rows. An entity that moves to another table keeps the
// stamps of its components.
//
// A query with Changed or Added, and [World.Removed], select what other systems did since the running system last ran. Each system has its
// own window, even if it runs rarely. Outside of systems the window is the last frame. Stamps do not wrap around (see [Tick]).
//
// # Events
//
// The world keeps an event for the frame in which it was sent and for the next frame. Peek returns these events, to every caller and any number
// of times. Read has a cursor per system and returns each event exactly once to each system. For a system that has read before, the world keeps
// events until the system has read them. Drain removes all events that Peek would return.
//
// # Observers
//
// An observer is a function that the world calls right after an operation, or right before one that takes something away: [World.Observe],
// [Component.OnAdded] and others. It may write values, tags and events and queue commands; structure is locked in it. Writes through pointers and
// slices are not observed; [Query] conditions on changes find them.
//
// # Systems and frames
//
// A [Schedule] runs one frame at a time: stage [First], then [Update], then [Last]; within a stage in the order of adding, changed by After. A
// system is a function of the world and dt. It has its own commands (applied when it returns, dropped when it fails), its own window, its
// own random stream and its own event cursors, and these stay when [Schedule.Swap] gives it another function. The stage [Startup] runs once
// before all frames. Call [Schedule.Settle] after it if what it wrote shall not count as changed.
//
// # Errors
//
// A mistake of the caller is an error: one line that names operation, component and entity, as "set Position.x on 17v2: 300 does not fit
// u8 (0 to 255)". Test with errors.Is for [ErrLocked], [ErrDead], [ErrNoComponent], [ErrUnknown], [ErrMismatch], [ErrLimit], [ErrCycle] and
// [ErrInherited]; an [OpError] has the parts. Structural calls for a dead entity return false and no error. Indexes out of range, ids of another
// world and broken invariants panic.
//
// # Determinism
//
// The same operations give the same world, down to the order of rows. Nothing depends on the order of a map, the clock, an address or a
// global random number. [World.Digest] hashes a world, to compare it with another.
//
// # Limits and costs
//
//   - Entities: 2^32 slots, each handed out up to 2^21 - 1 times; [Options.MaxEntities] sets a lower limit.
//   - The package runs on machines of 64 and of 32 bits. The bytes of a table, stamps included, must fit into an int; beyond that the error is [ErrLimit].
//   - Components: no limit on their number, tested with 1,000 in one world. A mask has one bit for each id up to its highest.
//   - Plain data nests up to [MaxDataDepth] tables.
//   - Memory: a slot takes 12 bytes, a row 8 for its handle, each value its own size and 8 bytes of stamps, each 64 rows of a column 32.
//   - Add and remove of a component: about 50 ns and the copy of one row. Only the first move between two tables hashes a mask.
//   - A frame in which no table, queue or log has to grow allocates nothing.
//
// # Concurrency
//
// A World belongs to one goroutine at a time; nothing in it takes a mutex. If a goroutine begins a structural change, a loop, a turn, Save or
// Restore while another one is in the middle of a structural change or of a turn, it panics, and the message names both goroutines with their
// places in the code. It cannot notice every such mistake; the race detector of Go notices the others. Two worlds are independent. Inside [Query.Parallel] workers may
// read the world, write the rows of their own part and queue on [Part.Commands]. Other calls would race; where the package can detect them, they panic. [World.Bytes] alone may be called at any time. The package starts goroutines only
// in [NewPool].
package ecs
