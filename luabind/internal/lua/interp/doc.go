// Package interp runs the Lua functions that gopher-lua has compiled, several times as
// fast as gopher-lua's own interpreter and with the same results. It runs all Lua code
// of a script but its compiled query loops and its coroutines. Package sandbox installs
// it on its threads; of package ecs it knows plain data only.
//
// # Where it stands
//
// gopher-lua parses and compiles a file to bytecode, and calls functions. Each of its
// threads has a main loop, which executes bytecode. [Machine.Install] replaces the main loop
// of a thread. A function comes in as a call frame with arguments in gopher-lua's
// registers; its results go out there. In between
//
//   - [Machine.translate] has decoded its bytecode, once for each function: operands are
//     offsets, jumps are distances, an instruction on numbers and one on a constant are different ones,
//     and a comparison does the jump behind it, too (code.go, translate.go);
//   - [Machine.run] executes it on registers of its own, in which a number needs no
//     allocation ([Value]), and calls Lua functions without leaving the loop (run.go, call.go, registers.go).
//     What needs a call of Go is a method (execute.go, table.go). Fields of tables are found where they
//     were found before (slots.go);
//   - the budget is not counted down instruction by instruction: how many were executed
//     follows from jumps (budget.go);
//   - what the package does not do itself, it hands to gopher-lua's implementation of that one
//     instruction, with the operands in gopher-lua's registers (slow.go): metamethods written in Lua,
//     coercion of strings, all errors;
//   - a table whose names are known when it is made is one allocation (fieldnames.go, packed.go);
//   - userdata that are an [Object] are read and written without a call, and Go functions that
//     have a native form ([NewNative]), and generators that have one ([Iterator]), are called
//     without gopher-lua's stack.
//
// # What must hold
//
// A script cannot tell which interpreter runs it: results, printed lines, errors with text, line and traceback, and the number of instructions at each point
// are equal. For that
//
//   - one instruction of gopher-lua counts as one. Translated code may have more
//     (steps), which do not count;
//   - call frames are gopher-lua's own, and frame.Pc is set before anything that may
//     raise or call: error texts and tracebacks are made from them;
//   - a variable that a function captures stands in a box (a closed upvalue of
//     gopher-lua) while a register holds a copy. Code reads the box before, and writes it after
//     each instruction that uses the register;
//   - the result of an operator is never -0 (x + 0), because gopher-lua's is not.
//
// Coroutines run on gopher-lua's main loop, since a yield leaves it in the middle of a
// function. A function may run on either, now here and then there: all it shares is in captured
// variables and tables.
//
// The package reads unexported fields of gopher-lua through mirrors, and maps of Go. They are compared with
// the real ones when the program starts (layout.go, slots.go).
package interp
