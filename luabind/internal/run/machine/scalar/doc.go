// Package scalar writes the function of a module: the loops over the rows of a call, and the code of a row, number by
// number. What comes in is a Program of package ir. What goes out is a [abi.Unit], and the function keeps what package
// abi promises to the host.
//
// An [Emitter] is made for one Program and used once. [New] refuses what there is no code for, finds out what the body
// uses (survey.go) and writes what stands in front of the loops. [Emitter.Unit] writes the loops (rows.go) with a list of
// batches: ways to do some rows at once, largest first, the last of them a single row in scalar code. The first batch may
// come from outside: package packing writes it with the exported methods (face.go), and with those of [wasm.Function].
// This package does not know packing.
//
//	emitter.go, unit.go, survey.go   the state of an emitter, its begin and end, what is found out first
//	rows.go, giveup.go      the loops over rows; how often a batch gives way to single rows
//	fastpath.go             the fast path: rows that do not come to what is expensive
//	statement.go, innerloop.go, expression.go, field.go   a row
//	reach.go, entity.go, each.go, words.go   fields in memory, other entities, queries within; what the host tells of them
//	eachpair.go             queries within that do two rows at once
//	near.go, nearfilter.go  loops over what is near a point; which of it the body does nothing for
//	effect.go, sendrow.go, flip.go, storelog.go   what rows leave for the host
//	draw.go                 random numbers
//	handle.go               handles that need not become numbers
//	tables.go, texts.go     tables, resources and strings declared outside the loop
//	textcall.go             what the host does with strings, and the cache of its answers
//	keyed.go, hashed.go, entries.go   tables that are looked up by key
//	work.go                 what compiling may take
//
// Four packages do parts of it that need little of an Emitter: analysis (questions about the Program), fieldcode (fields of
// each type), nearby (entities near a point) and pcg (the random number generator).
//
// What must hold of a batch: it gets pointers to the first of its rows, and the fuel for all of them has been charged.
// The fields of a row may be read and written in any order. After a batch, only the registers of outputs are defined in
// their locals. A row that stops has stored nothing but what the log of stores says.
//
// # What wazero's compiler needs
//
//   - No select of numbers or vectors: wazero 1.12.0 takes the wrong one when an operand is spilled. An if, pmin, pmax or
//     masks of bits take its place.
//   - No call of a function of the host where vectors are live.
//   - The farthest byte of a batch is touched first, and the others go unchecked.
//   - A loop ends with an if around a branch, not with br_if.
//   - The first lane of a vector is taken as an integer.
//   - What stays the same is loaded before the loops, constants too.
//
// # Time
//
// Machine code cannot be interrupted, and Go's garbage collector waits for it. So the fuel of one call is limited to some
// ten thousand units, which limits its rows. A loop within a row asks the host for more fuel.
package scalar
