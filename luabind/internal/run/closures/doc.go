// Package closures is the back end that makes Go closures from an [ir.Program]. It runs on every
// platform and takes every Program. It is the reference: package machine compares its code
// with closures before first use and while it runs, and hands over the rows that it cannot do.
//
//	ir.Program ──> Compile ──> Kernel
//
// Each expression becomes a function that computes its value from a [frame], and each statement a
// function that runs it and says how it ended. The [compiler] makes them once for each Program; a
// [Kernel] walks a query or events and calls them for each row.
//
// What a row does can be undone until it is done: its own fields and the variables of the loop
// are restored from a copy, other rows, tags and Lua tables from a log, and the random stream from
// its saved state (undo.go). A [Shadow] uses this to run rows twice.
//
// # Files
//
//	compile.go frame.go run.go walk.go events.go   the compiler; the frame; a Kernel and its walks over rows and events
//	statement.go loop.go each.go near.go sources.go sort.go   statements with blocks
//	number.go condition.go value.go join.go        expressions by type
//	store.go entity.go table.go keyed.go           fields, other entities, Lua tables as copies
//	any*.go draft.go                               values of type Any: stored tables
//	invoke.go                                      library functions
//	emit.go undo.go shadow.go                      effects; restoring a row; running rows twice
//	product.go touch.go                            fast paths: the most common statement; prefetching
package closures
