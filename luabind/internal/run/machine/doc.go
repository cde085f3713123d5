// Package machine compiles the bodies of query loops to machine code, and runs it. The input is an [ir.Program]. It becomes a
// WebAssembly module, which wazero compiles for the processor. The closures of package closures are the reference: code is
// compared with them before its first use and while it runs, and they run the Programs that this package refuses.
//
// # Memory
//
// For machine code, the columns of a world are allocated in a [memory.Memory]. It is a linear memory that starts at address
// 0 for the module and never moves, so code accesses the columns in place. Address 0 is never allocated.
//
// Columns on Go's heap are copied into linear memory and back, some hundred rows at a time: see blocks.go. These are columns
// of components with strings or tables, and all columns of a world without a Memory. Only the columns of the query loop
// itself, and its handles, are copied. So in a world without a Memory, loops that use other entities, tags or near entities
// run as closures. Components with strings or tables of other entities are seen in mirrors of their columns: see mirrors.go. In a copy of a row, a string is its number in a list of
// the host (blocktexts.go, frame/texts.go).
//
// Copying costs one to two nanoseconds a row for columns of 32 bytes. Copies and code together take a sixth of the time of
// closures for bodies with branches, and a tenth for bodies with a square root or a division. Only the cheapest bodies, sums
// and products over components with strings, take as long as closures, within a quarter. They are copied, too, so that there
// is one rule. Of block sizes from 4 to 64 KB, 16 KB is the fastest.
//
// # Stages
//
// From a Program to a module:
//
//	emit/        decides: what is refused, and whether rows are packed
//	analysis/    answers questions about a Program
//	scalar/      writes the function of a module, with fieldcode/, nearby/ and pcg/
//	packing/     writes batches of rows that work on vectors
//	abi/         the contract between code and host: the frame, records of effects and stores, the Unit
//	wasm/        instructions, functions and modules of WebAssembly
//	mathfn/      Lua's math functions as WebAssembly
//
// The host:
//
//	memory/      the linear memory
//	engine/      wazero: compiled modules, instances
//	frame/       reads and writes the frame of a kernel
//	watch/       compares code with closures while it runs
//	selfcheck/   compares code with closures before its first use
//	compile.go, kernel.go   from a Program to a Kernel; what a Kernel has in memory
//	run.go, walk.go         a walk over a query: which rows a call is for, and how it goes on
//	room.go, stamps.go      whether limits leave room for a call; stamping what it stored
//	seal.go      what a run tells the world's journal before it writes
//	events.go    a walk over events
//	blocks.go    copies of columns on Go's heap
//	mirrors.go   copies of such columns for rows that look at other entities
//	copypace.go  closures do the walks for which code would copy more than it gains
//	world.go, gridcall.go   what code needs to know of the world; of grids
//	undolog.go, apply.go    what the host makes of stores and effects after a call
//	handover.go  closures take over the rest of a walk
//	sideexit.go  closures do single rows
//	share.go     rows on several cores
//	watched.go   the kernel as package watch sees it
package machine
