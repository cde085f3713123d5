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
// # Stages
//
//	emit/        from a Program to a module: what is refused, and the choice between the next two
//	scalar/      writes the function of a module, number by number
//	packing/     writes batches of rows that work on vectors
//	abi/         what code and host agree on: the frame, records of effects and stores, the Unit
//	wasm/        instructions, functions and modules of WebAssembly
//	mathfn/      Lua's math functions as WebAssembly
//	memory/      the linear memory
//
// The host:
//
//	engine/      wazero: compiled modules, instances
//	compile.go, kernel.go   from a Program to a Kernel; what a Kernel has in memory
//	run.go, registers.go, fuel.go, stamps.go   a walk over a query
//	blocks.go    columns on Go's heap
//	events.go    a walk over events
//	inputs.go, stream.go, gridcall.go   strings and tables, random numbers, grids
//	undolog.go, apply.go   stores and effects, after each call
//	handover.go  the rest of a walk, by closures
//	world.go     what code needs of the world
//	share.go     rows on several cores
//	selfcheck/   code against closures, before its first use
//	watch.go, watch_twin.go, watch_compare.go, watch_rows.go, watch_effects.go, watch_kernel.go   code against closures, while it runs
package machine
