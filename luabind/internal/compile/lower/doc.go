// Package lower compiles the body of a query loop, or of a loop over events or cells, from its syntax to
// an [ir.Program].
//
//	syntax ──> Prepare ──> Template ──> Template.Lower ──> ir.Program
//
// There are two steps, because a script has no types until it runs:
//
//  1. [Prepare] reads the syntax of a loop once, when its file is compiled. It finds the variables
//     declared outside the loop that the loop uses, its [Input] list, and refuses constructs that no
//     kernel supports. Variables are those of package syntax, so it does not matter which of them
//     have one name.
//  2. When the loop begins for the first time, the types of those variables and the layouts of the
//     components are known ([Kind], [Context]). [Template.Lower] turns the body into a typed Program:
//     it resolves names, inlines the functions of the file that the loop calls, puts what is
//     evaluated in the order of Lua, and gives each construct its price.
//
// Both return a [Reason], with a line of the script, when the loop has to be interpreted.
//
// Methods of the preparer (first step) "walk" a part of the syntax: they note inputs and known functions, and
// emit nothing. Methods of the lowerer (second step) "lower" it: they emit statements, and return a symbol or an
// expression. Most constructs have one method of each in one file. These words recur:
//
//	symbol        what a name or an expression stands for: a value, a view, a function, a table (symbol.go)
//	operand       lowers an expression to a symbol
//	settled       the symbol with the value that it has now, even if the variable is assigned before the use
//	optional      a symbol that may be nil, as a value with the condition that it is there (nilable.go)
//	keep          evaluates an expression once, into a register
//	made, real    a table that the row makes: its members are registers ("made") until something needs the
//	              Lua table itself ("real"), as in scalar replacement
//	as, anyOf     conversions from and to type Any, which holds a value of any kind (any.go)
//	collect       gathers the statements of a block; branching does that for one that not every row executes
//	exit          a statement that is left to the interpreter, also called bailout (exit.go)
//	guard         emits a guard: a row in which the condition does not hold is left to the interpreter
//	departs       lists a guard or an exit, with its reason, for reports
//	refuse        panics with a Reason: the innermost statement that not every row reaches becomes an exit, or
//	              else the loop is not compiled
//	hints, retry  what an attempt has found out too late; Lower begins again with it, until nothing is new
//	Exact         the Program has rows that may have to be restored, for an exit or because they have loops
//
// # Files
//
//	template.go prepare*.go known.go constant.go             the first step, and what it knows of functions and constants
//	kind.go lower.go symbol.go bind.go order.go              the second step: its inputs, symbols and registers; the order of evaluation
//	reason.go advice.go exit.go                              refusals: what is left to the interpreter, and what to change
//	expr.go access.go compare.go logical.go                  expressions
//	assign.go nesting.go label.go returns.go                 statements
//	nilable.go any.go                                        values that may be nil, or that have several types
//	call.go inline.go vararg.go select.go protect.go   calls, and functions that become a part of the body
//	invoke.go callback.go iterator.go                        calls of library functions, and loops over iterators
//	method.go payload.go queries.go computed.go namedcall.go setfields.go structure.go   the world
//	namedview.go viewvalue.go keptview.go                    views that are chosen and kept
//	keyed.go pair.go sink.go unroll.go                       Lua tables outside the loop
//	made.go                                                  tables that the body makes
//	class.go                                                 objects
//	nearfilter.go nearacts.go nearvalue.go conjunct.go always.go   passes over the finished body
package lower
