// Package sandbox is gopher-lua made safe, exact and pleasant. It knows nothing
// of worlds and components: package luabind builds those on top.
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
// No script, however written, ends the process, hangs it, reaches outside or
// changes what another script sees. A budget counts VM instructions, the same in
// every run, also in coroutines, under pcall and inside library functions that
// work long; a watchdog may add wall clock and memory ([Budget.Trip]). Sources
// are bounded before they are compiled, strings are at most 16 MiB, lists at
// most 1,048,575 items, calls at most 200 deep per thread, pcalls 190 deep,
// coroutines 10,000 per turn. There is no os, io, package, debug, load.
//
// # Exact
//
// What gopher-lua does differently from Lua 5.1, and a script can see, is
// repaired: in the syntax before it is compiled (repair.go), in the compiled
// function (goto, scope.go), in the libraries. The VM itself is unmodified.
// Known departures that remain:
//
//   - arithmetic that gives -0 gives 0, since gopher-lua shares small numbers;
//     so 1/(0 * -1) is inf, as 1/0. Constant expressions are held to it, too
//     (zero.go);
//   - # of a table with holes is a border, as the manual asks, but may be
//     another one than PUC Lua's;
//   - __len of a table is honoured, as in Lua 5.2; the bounds of a numeric for
//     must be numbers, not numeric strings; n % inf is n; numbers that are
//     written nan or inf are not numbers to tonumber;
//   - a coroutine cannot yield across a metamethod, an iterator written in Lua,
//     pcall, or a library function: clear errors, where PUC Lua says "attempt to
//     yield across metamethod/C-call boundary";
//   - xpcall calls its handler after the failed function has been left.
//
// # Repeatable
//
// The same calls give the same results, the same order of pairs and the same
// instruction counts. No address, clock or global random generator shows.
// The functions of math that are not exact (sin, exp, pow, …) are those of package
// portable: less than one unit in the last place off, and the same bits on every
// processor. So is ^: a ^ b is a call of portable.Pow (power.go), which costs half
// as much again as the VM's own ^ (145 ns against 100), whose last bit depends on the
// processor. x^2 and x^0.5, where both give the same, stay with the VM.
package sandbox
