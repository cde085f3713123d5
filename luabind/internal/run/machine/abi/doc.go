// Package abi is the contract between machine code and the host that runs it: package scalar and package packing write
// code that keeps it, package machine runs the code and keeps the other side, with package frame. Nothing here writes or runs code.
//
// What goes from the compiler to the host is a [Unit]: the module, and what the host must know of it. What host and code
// say to each other while a kernel runs lies in linear memory:
//
//	layout.go  the frame, a record with fuel, registers and the first row's place in each column; how run ends
//	word.go    numbers in the frame that say where things of the world lie
//	record.go  the ring of effects and the log of stores
//	grid.go    what code knows of a grid
//	host.go    functions of the host that code calls
//
// It also has what all stages ask of a Program (walk.go), and the error that says why there is no machine code
// for one (refusal.go).
//
// The function of a module is run(frame, rows). It does some rows of one table, from the first on, and returns how that
// ended: see [Ended]. In the frame it leaves how far it came. After a row that [Failed] all is as if that row had not
// begun, but for what the log of stores says.
package abi
