// Package loops finds the query loops of a file, and its loops over events and cells, and puts a call in front of each that may be compiled:
//
//	for e, pos, vel in world:each("Position", "Velocity") do
//	  pos.x = pos.x + vel.dx * dt
//	end
//
// becomes
//
//	do
//	  local last
//	  repeat
//	    local done, rest = RUN(1, last, dt, world, "Position", "Velocity")
//	    if not done then
//	      for e, pos, vel in rest or world:each("Position", "Velocity") do … end -- as written
//	    end
//	    last = rest
//	  until not rest
//	end
//
// RUN and the new variables have names that no source can contain. [Pass] is the pass over the syntax tree; [Find] only lists the loops. The interpreter runs the
// loop as it is written when it is not compiled, and the rows that RUN leaves to it: see template.go.
//
// Which loops are compiled is decided in two steps. When the file is loaded, package lower looks at the syntax of the body ([Loop].Template, or why not in
// Reason): it accepts arithmetic, fields, calls of the file's own functions, components of other entities and inner loops. When the loop begins, run.go looks at the
// values of the variables that the loop uses. A kernel is valid for certain types of values; for other types there is another kernel, or none. [Loop.Explain] predicts this
// from the source, and [Program.Guess] compiles ahead of the first frame what is predicted.
//
// A function is inlined when the variable that holds it is never assigned in the file. Then nothing has to be checked when the loop begins. If the function uses a
// variable that another one hides from the loop, the hidden one gets another name in the tree ([syntax.Bindings.Rename]), so that the call can name it. Lua tables are read when the loop begins, and stored values are written back when it ends. So a loop that stores in
// a table is interpreted when two variables hold the same table.
//
// Functions of required files, and those in tables, are known only as values. When a loop begins that calls one, link.go makes a template with its body, which is used as long
// as functions with the same code are there: bind.go gives it the upvalues of those that are there now. A [Library] knows the syntax of the functions of all files.
//
// A query loop inside another has a call of its own. It is used when the interpreter runs the outer loop.
//
// # Files
//
//	file.go find.go loop.go heads.go template.go              when a file is loaded: its loops, and the calls of RUN in front of them
//	terms.go around.go guess.go ahead.go                      before the first frame: what inputs will probably be, and Programs for that
//	runner.go call.go run.go again.go                         RUN: its arguments, the choice of a kernel, the fast path for a loop that begins as before
//	link.go linker.go library.go bind.go source.go reach.go   templates with functions of other files
//	constant.go sample.go copied.go class.go object.go       what the tables around a loop are compiled for
//	inputs.go table.go flat.go keyed.go pair.go objectrow.go sink.go  values into registers when a loop begins, and back when it ends
//	events.go cells.go print.go                               loops over events, and over cells of layers; lines that rows print
//	observed.go pace.go sparing.go watch.go                   whether a kernel runs, and which
//	fell.go begun.go tally.go explain.go                      reports
package loops
