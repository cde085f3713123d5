// Package lower compiles the body of a query loop, or of a loop over events, from its syntax to
// an [ir.Program].
//
//	syntax ──> Prepare ──> Template ──> Template.Lower ──> ir.Program
//
// There are two steps, because a script has no types until it runs:
//
//  1. [Prepare] reads the syntax of a loop once, when its file is compiled. It finds the variables
//     from around the loop that the loop uses, its [Input] list, and refuses constructs that no
//     kernel supports. Variables are those of package syntax, so it does not matter which of them
//     have one name.
//  2. When the loop begins for the first time, the types of those variables and the layouts of the
//     components are known ([Kind], [Context]). [Template.Lower] turns the body into a typed Program:
//     it resolves names, inlines the functions of the file that the loop calls, puts what is
//     evaluated in the order of Lua, and gives each construct its price.
//
// Both return a [Reason], with a line of the script, when the loop has to be interpreted.
package lower
