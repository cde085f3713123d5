// Package ecs stores entities by archetype and runs systems over them. It knows nothing of Lua, files or flags, and
// imports only the standard library. In short:
//
//	w := ecs.NewWorld(ecs.Options{Seed: 1})
//	ecs.MustRegister[Position](w, "Position") // struct{ X, Y float64 }
//	ecs.MustRegister[Velocity](w, "Velocity")
//	rats := ecs.Must(ecs.NewSpawner2[Position, Velocity](w))
//	rats.Spawn(Position{1, 1}, Velocity{2, 0})
//	moving := ecs.Must(ecs.NewQuery2[ecs.Mut[Position], Velocity](w))
//	for e := moving.Start(); e.Ok(); e = e.Next() {
//		p, v := e.Get()
//		p.V.X += v.X
//	}
//
// Every type has an example, or its comment names the example that shows it. Where to look:
//
//   - [World]: how everything is stored, what operations cost, which goroutines may do what. [Options]: limits.
//   - [Entity]: what a handle is. [Component]: declaring with [Register], reading and writing, how long a pointer is valid.
//     Declaring at run time: [Schema], [World.DeclareComponent]. Go types that scripts do not see: [OpaqueField].
//   - Make entities: [Spawner2] and others of one to eight types, [World.Spawn], [Builder], [Bundle].
//   - Visit many: [Query2] and others of one to eight types, with [Mut] and [Maybe]; [Filter] for conditions; [World.Query]
//     for components that are known at run time only. Several cores: [Query.Parallel].
//   - Change structure: [World.Add], [World.Remove], [World.Despawn]; from inside a loop [Commands].
//   - Ask what changed: [Tick]. Be told at once: [Observer]. Pass messages: [Event].
//   - Mark entities: [World.Tag]. Link them: [World.Relate], [ChildOf], [IsA]. Find neighbours: [Grid].
//   - Run systems: [Schedule]. One value of the world: [RegisterResource]. Random numbers: [Random].
//   - Copy and restore: [World.Copy], [World.Save], [Schedule.Copy]; with other declarations: [World.Adopt].
//   - Compare and inspect: [Digest], [World.Differences], [Stats], [World.Check]. Errors: [OpError].
//   - Hosts of scripts and compilers of loops: [RawAccess]. Other programs do not need it.
package ecs
