// Package wasm writes WebAssembly: instructions, functions and modules in the binary format, and prints them as text.
// It knows only the instructions that package machine uses, and nothing of loops, rows or worlds.
//
// What comes in are calls of the methods of a [Function], one for each instruction, in the order of the code. What
// goes out is a [Module] as bytes, which wazero compiles. Nothing is checked here: wazero validates the module, and a
// function that it refuses is a fault of the caller.
//
//	opcode.go    the numbers of instructions and types
//	encode.go    instructions and their operands
//	function.go  a function: locals, blocks and labels
//	module.go    a module: types, imports, functions of Lua's math table
//	dump.go      the text format, for readers
package wasm
