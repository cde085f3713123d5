// Package interp runs the Lua functions that gopher-lua has compiled, several times as
// fast as gopher-lua's own interpreter and with the same results. It runs all Lua code
// of a script but its compiled query loops. Package sandbox installs
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
//     What needs a call of Go is a method (execute.go, table.go). Fields of tables are found
//     by hashes that are computed once (fields.go);
//   - the budget is not counted down instruction by instruction: how many were executed
//     follows from jumps (budget.go);
//   - what the package does not do itself, it hands to gopher-lua's implementation of that one
//     instruction, with the operands in gopher-lua's registers (slow.go): metamethods in Go,
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
// # Calls, pcall and coroutines
//
//	Machine ── co ──> Coroutine ── act ──> activation ── previous ──> … ──> root     (main stands for what runs outside of coroutines)
//	                   │  resumer            │ frame ──> call frame of gopher-lua, on the thread of the coroutine or of a protected call
//	                   v                     │ r ──────> registers, in a segment of the coroutine
//	                  Coroutine              └ end ────> what becomes of the results (results.go)
//
// A coroutine owns its activations, its segments of registers, and a thread of gopher-lua, which is its value in Lua (coroutine.go). Resume and
// yield store what runs in the one that is left, and load what runs from the other; the loop goes on. No Go function is called for it.
//
// A call that waits is completed by the instruction behind which it waits: deliver gives it the results of a Lua function that was called as a
// metamethod (meta.go), of a protected call, of resume or of yield. So a coroutine can be left in each of them. It cannot while a Go
// function stands between it and its resumer: that has a loop of its own (Machine.level).
//
// The function of pcall is the first call on a thread of its own, as in gopher-lua's interpreter, so the limits of depth and the
// tracebacks are the same (protect.go). Its activation says where the call returns to, and catches errors: a panic ends the loop, guard
// finds the innermost activation of a protected call or the innermost coroutine that resume waits for, and the loop begins again there.
// The threads of protected calls go with a coroutine that yields in them. Package sandbox keeps the list of running threads ([Owner]).
//
// Stacks of frames begin small and grow (frames.go).
//
// A suspended coroutine is saved as its calls (saved.go): of each the function, the place where it waits, how it ends, and the registers that
// are still read behind that place (live.go). Frames, segments and threads are made again.
//
// Under impl: lua gopher-lua runs coroutines. Each stays with the interpreter for which it was made, and either can resume those of the other.
//
// The package reads unexported fields of gopher-lua through mirrors, and maps of Go. They are compared with
// the real ones when the program starts (layout.go, fields.go).
package interp
