// Package surface has the Go code of the functions that scripts call: the module ecs,
// the world object, views, queries, events, commands and resources. Package api lists
// these functions. Package surface also converts values between Lua and storage.
//
// A [Surface] belongs to one [sandbox.State] and holds the metatables that its scripts
// share. [Surface.Bind] makes a world accessible to that State. Several worlds can be
// bound to one State, and one world to several States. So a test can control a world
// whose scripts run in another State. [Surface.Module] makes the module ecs for one
// environment.
//
// module.go binds the code to each function of the list. Each topic has its own file.
//
// # Loops
//
// A loop over world:each keeps a cursor open, which locks structure. Lua does not
// notify an iterator when its loop is left. So a structural call checks for each open
// cursor whether its loop still runs (see [sandbox.Loop]). If the loop was left by
// break, return, goto or an error, the cursor is closed. The end of the turn closes
// all remaining cursors.
package surface
