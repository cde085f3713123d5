// Package machine compiles the bodies of query loops to machine code. The input is a
// [ir.Program]; this package translates it to a WebAssembly module, and wazero
// compiles the module for the processor. The closures of package closures are the
// reference. They also run the Programs that this package refuses.
//
// # Memory
//
// For machine code, the columns of a world are allocated in a [memory.Memory]. It is a linear
// memory that starts at address 0 for the module and never moves, so code accesses the
// columns in place. Address 0 is never allocated.
//
// Columns on Go's heap, those of components with strings or tables and all of a
// world without one, are copied into memory and back, some hundred rows at a
// time: see blocks.go. Only the columns of the query loop itself, and its handles:
// what looks at other entities, tags or who is near in a world without a Memory
// runs as closures, and so does what reads or assigns strings of components. That
// costs one to two nanoseconds a row where the columns take 32 bytes. A copy and
// the code are still less than closures need: a sixth for bodies with branches, a
// tenth for those with a square root or a division. Only over components with
// strings the cheapest bodies, sums and products alone, take the same time within
// a quarter; they go the same way, so that there is one rule. Of blocks from 4 to
// 64 KB those of 16 are best.
//
// # The module of a Program
//
// It has one function, run(frame, rows), that does some rows of one table, from
// the first on. frame is the address of a record ([layout]) with fuel, registers
// and the first row's place in each column; run returns how it ended ([ended] and
// the others), and leaves there how far it came.
//
//	wasm/          instructions, functions and modules
//	layout.go      the frame
//	rows.go        the loops over rows, several at a time, then one at a time
//	work.go      what compiling may take
//	unit.go, survey.go, emitter.go   the result; what is found out first; the function around the loops
//	statement.go, expression.go, field.go, signs.go   a row, in scalar code
//	packer.go            forms of batches that work on two numbers at once, and the choice
//	packed_slots.go, packed_block.go, packed_write.go, packed_vector.go   fields in vectors, what is alike, statements, numbers
//	packed_seldom.go, packed_marks.go   what conditions put off; which rows stored
//	lanes.go             two rows to a vector, loops within included
//	reach.go, entity.go, each.go, words.go   fields in memory, other entities, queries within; what the host tells of them
//	near.go, nearlist.go, neighbour.go   loops over who is near a point
//	effect.go, flip.go   events, commands and returns, tags: records in a ring
//	sendrow.go           events as the rows they will be, in the ring
//	draw.go, random.go   random numbers; the generator, whose state lies in the frame
//	guard.go             rows that fail the tests a body begins with
//	handle.go            handles that need not become numbers
//	storelog.go          stores beyond the row's own fields: records in a log
//	tables.go, texts.go  tables, resources and strings from around the loop
//
// The host:
//
//	engine.go, host.go   wazero: compiling, instances; what code calls
//	compile.go, kernel.go   from a Program to a Kernel; what a Kernel has in memory
//	run.go, registers.go, fuel.go, stamps.go   a walk over a query
//	blocks.go, blocks_memory.go   columns on Go's heap
//	events.go   a walk over events
//	handover.go  the rest of a walk, by closures
//	world.go    what code needs of the world; effects, made after each call
//	share.go, price.go   rows on several cores
//	check.go    code against closures, before its first use
//	check_sides.go, check_drive.go   which sides of its conditions rows have seen; rows for the others
//	operations.go   what this package knows of the representation
//	watch.go, watch_twin.go, watch_compare.go   code against closures, while it runs
//
// A [batch] is code for a batch of rows. [emitter.batches] returns the list of batches, largest
// batches first; the last one processes a single row in scalar code. A batch gets
// pointers to the first of its rows in emitter.walkers, by view in emitter.views. The
// fuel for all of its rows has been charged. The fields of a row may be read and
// written in any order. After a batch, only the registers of outputs are defined in
// their locals. Before the loops, [emitter.run] loads the values that are the same for
// all rows; [emitter.survey] chooses them.
//
// # What the compiler needs
//
//   - No select of numbers or vectors: wazero 1.12.0 takes the wrong one when an
//     operand is spilled. An if, pmin, pmax or masks of bits take its place.
//   - No call of a function of the host where vectors are live.
//   - The farthest byte of a batch is touched first, and the others go unchecked.
//   - A loop ends with an if around a branch, not with br_if.
//   - The first lane of a vector is taken as an integer.
//   - What stays the same is loaded before the loops, constants too.
//
// # Time
//
// Machine code cannot be interrupted, and Go's garbage collector waits for it. So the
// fuel of one call is limited to some ten thousand units, which limits its rows. A
// loop within a row asks the host for more fuel.
package machine
