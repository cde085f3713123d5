// Package run is the folder of what runs the query loops of scripts. It uses the folders compile, host and lua.
//
//	loops      finds the loops of a file, decides when their kernels are compiled, run and rest, and runs rows that kernels leave
//	kernel     what a kernel is: the contract between loops and the two back ends
//	closures   the back end that makes Go closures; the reference for the other one, and the only one on platforms without machine code
//	machine    the back end that makes machine code through WebAssembly, its check before first use and its comparison while it runs
//
// A Program of package compile/ir and a query come in; values in columns and recorded effects go out, the same as if the interpreter had
// run the loop. Look here when a loop has a wrong result, or is slower than explain says.
package run
