// Package draft is the value of a `table` field while a compiled loop reads and changes it.
//
//	ecs.Data (stored) ──> Table ──> ecs.Data (stored)
//
// A script reads bag.items, changes parts of it, and assigns it back. What is stored never
// changes, so a [Table] refers to it, and copies a table when that table is first changed:
// the other tables, above all those that were only read, are shared with what was stored.
// [Table.Freeze] gives plain data again, and makes new tables only for what has changed.
//
// A Table behaves as the Lua table that the interpreter makes of the same data: it has an
// identity, the same length, and the same order of pairs. What cannot be said with certainty
// is reported as a failure, and the row is left to the interpreter.
package draft
