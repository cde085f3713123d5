// Package mathfn has the functions of Lua's math table, ^ and % as WebAssembly, so that a compiled loop calls them inside its own module.
//
// The code is translated from the source of package portable, by the same algorithm with the same roundings: a result has the bits that the
// interpreter and the Go closures get ([sandbox.MathOne], [sandbox.MathTwo], [sandbox.Power], [sandbox.Modulo]). Only a NaN may have other
// bits, as everywhere. The functions use no memory, no table, no global and no import, and never trap.
//
// # For an emitter
//
// A function of Lua from one or two numbers to a number is either an instruction or two ([Inline]), or a function of its own ([Has]):
//
//	abs ceil floor sqrt deg rad                      Inline
//	acos asin atan atan2 cos cosh exp fmod log log10 Closure
//	mod pow sin sinh tan tanh and the operators ^ %  Closure
//
// min and max are neither, as they take any number of arguments: v < m, v > m with an if, the first of equals stays.
//
// Collect the names that a loop uses and put their functions into the module, where the numbering allows, as one run. With base the number of
// the first of them, which is how many functions are imported or stand before:
//
//	list := mathfn.Closure("sin", "^")
//	for i := range list {
//		f := &list[i]
//		// type section: 0x60, f.Params and f.Results, each a vector of value types.
//		// Not all types are (f64) -> f64 or (f64, f64) -> f64: what the named functions call may return several values.
//		// function section: the number of that type
//		code = f.AppendBody(code, base) // code section: size, locals and instructions
//	}
//	sin := base + uint32(mathfn.Index(list, "sin"))
//
// Then "call sin" takes its arguments from the stack and leaves the result there. Nothing need be exported, and the order and content of the
// list depend on the set of names only.
//
// "^" and "%" give what [sandbox.Power] and [sandbox.Modulo] do, which may be -0: the interpreter's operators give +0 instead, so add 0 as
// after + - * /. The functions of math keep their -0, pow and fmod included.
//
// Worth an inline way before the call, with the same result:
//
//   - a ^ 2 is a*a where that is at least 0x1p-1021 (below, "^" rounds a second time);
//   - a ^ 0.5 is the square root where a > 0;
//   - a % b is a where 0 <= a and a < b.
//
// # Cost
//
// See BenchmarkCall: a call costs 1.0 to 1.5 times what the Go function costs: on one amd64 machine 14 to 20 ns for sin, cos, asin, acos, atan,
// exp, log and x^3, 25 to 40 for atan2 and tan, 70 for other powers. Constants stand in the code; pow and log10 look into a table by a jump,
// which may be mispredicted. A function adds 0.1 to 0.7 ms to the compilation of a module (^ 1.1 ms).
//
// # How to change it
//
// Change package portable and run go generate here; a test says when that was forgotten. Package translate says what Go it knows.
package mathfn

//go:generate go run ./gen
