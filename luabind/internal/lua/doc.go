// Package lua is the folder of what Lua itself is: the language, its libraries and its limits. It knows no world but for values that stand
// for its data.
//
//	syntax     from text to a tree with bound variables; syntax errors
//	sandbox    gopher-lua with limits: libraries, budgets, messages, tracebacks
//	interp     the interpreter that runs the bytecode of gopher-lua
//	draft      stored tables while Lua code changes them
//	coverage   which lines ran
//
// Look here when an operator, a library function, a limit or an error of Lua is wrong or slow.
package lua
