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
package closures
