// Package emit turns a Program into the code of a module: [Unit] refuses what machine code cannot do (operations.go,
// heap.go), has package scalar write the function and package packing its first batch, and leaves packing out where the
// module takes too long to compile.
//
// What comes in is a Program, its query and its world, which are only read. What goes out is a [abi.Unit], or an
// [abi.Refusal]: then the closures run the loop.
package emit
