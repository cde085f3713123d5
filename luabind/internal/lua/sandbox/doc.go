// Package sandbox runs gopher-lua with a restricted environment and a budget,
// corrects its differences from Lua 5.1, and improves its error messages. It knows
// nothing of worlds and components; package luabind adds those. A [Host] describes
// their values for error messages.
//
// A [State] holds the Lua values of one world. An [Env] is the globals of one
// script in it; a [Chunk] is a compiled file, loaded into an Env with
// [Env.Load]. [State.Call] runs a function under the State's [Budget] and
// returns an [*Error] that names file, line and variable:
//
//	s := sandbox.New(sandbox.Options{})
//	env := s.NewEnv(sandbox.EnvOptions{Print: os.Stdout})
//	chunk, err := sandbox.Compile("movement.lua", source)
//	…
//	s.Budget().Reset(50_000_000)
//	err = s.Call(env.Load(chunk, nil))
//
// # Safe
//
// A script must not be able to end the process, to hang it, to access anything
// outside, or to change what another script sees. A budget counts VM instructions.
// The count is the same in every run; it includes coroutines, calls under pcall and
// library functions that run long. A watchdog can also limit wall clock and memory
// ([Budget.Interrupt]). The size of sources is limited before they are compiled. What PUC Lua compiles, compiles: functions that need more
// registers or constants than gopher-lua's compiler has are rewritten (spill.go, constants.go). Strings
// have at most 16 MiB and lists at most 1,048,575 items. Calls are at most 15,000
// deep, pcalls and coroutines 200, and a turn may make 10,000 coroutines. The libraries
// os, io, package and debug, and load, do not exist.
//
// # Exact
//
// Differences from Lua 5.1 that a script can observe are corrected: in the syntax
// before it is compiled (repair.go), in the compiled function (goto, layout.go), and
// in the libraries. The VM itself is not modified. These known differences remain:
//
//   - arithmetic that gives -0 gives 0, since gopher-lua shares small numbers;
//     so 1/(0 * -1) is inf, like 1/0. Constant expressions give 0, too (zero.go);
//   - # of a table with holes is a border, as the manual requires, but may differ
//     from the border that PUC Lua returns;
//   - __len of a table is honoured, as in Lua 5.2; the bounds of a numeric for
//     must be numbers, not numeric strings; n % inf is n; numbers that are
//     written nan or inf are not numbers to tonumber;
//   - a coroutine cannot yield across a library function: a clear error, where PUC
//     Lua says "attempt to yield across metamethod/C-call boundary". On gopher-lua's
//     own interpreter neither can it across a metamethod, an iterator written in Lua or
//     pcall; on package interp it can, as in LuaJIT;
//   - xpcall calls its handler after the failed function has been left.
//
// # Repeatable
//
// The same calls give the same results, the same order of pairs and the same
// instruction counts. Addresses, the clock and the global random generator cannot be
// observed. The functions of math that are not exact (sin, exp, pow, …) are those of
// package portable. Their error is less than one unit in the last place, and they give
// the same bits on every processor. The operator ^ calls portable.Pow (power.go),
// because the last bit of the VM's own ^ depends on the processor. The call takes
// 145 ns, the VM's own 100 ns. x^2 and x^0.5 give the same bits either way and are
// left to the VM.
package sandbox
