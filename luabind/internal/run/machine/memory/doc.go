// Package memory has the linear memory that machine code and Go share: one stretch of addresses that never moves, which
// is the memory of all WebAssembly modules of a world. Address 0 of the code is the start of the stretch and is never
// handed out, so 0 stands for nothing.
//
// A world is given a [Memory] as its allocator, so its columns lie there and code reads them in place. Worlds on Go's
// heap share one for the frames of their loops: see [For]. Package frame takes frames and logs from it, package machine copies of rows, and
// package selfcheck works in a scratch memory: see [TakeScratch]. The package knows nothing of loops or of code.
//
// What must hold: whoever takes memory gives it back with the same size, and nobody keeps an address beyond that.
package memory
