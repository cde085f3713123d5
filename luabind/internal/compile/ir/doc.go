// Package ir is the intermediate representation of a loop body: the [Program]. Package lower
// makes it from the syntax of a loop; packages closures and machine generate code from it.
//
//	syntax ──> lower ──> ir.Program ──> closures, machine
//
// It holds data, the rules that the data keeps, and a printer ([Program.Dump]). It knows
// neither Lua's syntax nor how a Program is executed.
//
// A Program is typed: each expression and each register is a number, a boolean, a string, or a
// value of any kind ([Any]). An entity is a number. Names are resolved: a field is a type and an
// offset, a component an ID. Functions of the script are inlined. So a Program is valid for one world and for inputs of certain types; for
// others the loop is lowered again.
//
// Nothing changes a Program once lower has returned it, except for [Effect.Place].
package ir
