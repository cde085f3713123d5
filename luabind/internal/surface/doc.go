// Package surface is what a script sees of a world: the module ecs, the world
// object, views, queries, events, commands and resources, and the conversion of
// values between Lua and storage.
//
// A [Surface] belongs to one [sandbox.State] and holds what its scripts share:
// metatables. [Surface.Bind] makes a world visible to that State; several worlds
// can be bound to one State, and one world to several States, so a test can
// drive a world whose own scripts live elsewhere. [Surface.Module] makes the
// module ecs for one environment.
//
// What scripts can call is listed in module.go and nowhere else; each topic has
// a file.
//
// # Loops
//
// A loop over world:each keeps a cursor open, which locks structure. Lua tells a
// generator nothing when its loop is left, so a structural call looks whether
// each open cursor's loop is still being run (see [sandbox.Loop]); one that was
// left by break, return, goto or an error is closed then and there. The end of
// the turn closes the rest.
package surface
