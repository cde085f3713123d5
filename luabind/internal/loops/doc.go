// Package loops finds the query loops of a file and rewrites the simple ones, so
// that a field of a view is a plain local variable while the loop runs:
//
//	for e, pos, vel in world:each("Position", "Velocity") do
//	  pos.x = pos.x + vel.dx * dt
//	end
//
// runs as if it said
//
//	do
//	  local next, set_x = OPEN(1, world, dt, "Position", "Velocity")
//	  if next then
//	    for e, x, dx in next do x = set_x(x + dx * dt) end
//	  else
//	    for e, pos, vel in world:each("Position", "Velocity") do … end -- as written
//	  end
//	end
//
// OPEN and the new variables have names that no source can contain. OPEN checks the
// values that the loop depends on. If one of them breaks a rule below, OPEN returns
// nil and the original loop runs, which is always correct and raises the right
// errors. [Find] is the analysis without the rewriting: it returns for every loop
// what it uses and, if it is not simple, the reason.
//
// # When a loop is simple
//
// A script must not be able to observe the difference between the two forms. The
// values, the change stamps, the errors with their lines and names, and the content
// of the world when an error is raised are the same. Only the number of counted
// instructions is lower. The rules:
//
//   - The loop is over world:each, world is a local variable, and the arguments are
//     string constants or locals. These may be evaluated twice.
//   - A view is only used as view.name, to read or to assign, or in a test whether it
//     is present. It is not passed, returned, compared, assigned or captured, so no
//     other code can hold it.
//   - During an iteration only the body can write the row. So the body must not run
//     other functions of the script. It may only call math, ecs.random, functions of
//     world that write no component (tag, untag, tagged, alive, has, count, send),
//     and world.commands, which only queues. OPEN compares the functions with the
//     originals, so a script may replace math.sqrt.
//   - An operator must not run a metamethod. So every operand is a constant, a field,
//     a resource, a result of such an operator or call, or a variable. Such a variable
//     is only assigned these values in the loop, and has no value with a metatable
//     when the loop begins. Tables are only made as arguments of send and of commands,
//     and no function is made.
//   - A field in arithmetic has a number type (next to .. also string). So the
//     operator cannot raise an error, whose text would name a field.
//   - Nested loops over the same world are simple only together. Both may visit the
//     same entity. So a field that is written through a view of one loop is not used
//     under the same name through a view of an outer or inner loop.
//   - If a component may be missing, or a field is a table, OPEN chooses the original
//     loop ([surface.Surface.FieldLoop]).
//   - The body and the number of fields are small, because the code is doubled and a
//     function has 200 registers.
//
// After a store the variable gets the result of the setter: the value as the field
// holds it.
//
// Loops over world:read, world:peek and world:drain are never rewritten, because the
// interpreter has a copy of each event.
//
// # Kernels
//
// Other rules decide which loops are compiled ([Loop].Kernel). Package kernel accepts
// calls of the file's own functions, components of other entities and inner loops.
// It refuses string concatenation and tables that are kept. A loop that can be
// compiled gets a call in front of it (kernel.go), in its original or its rewritten
// form. Loops over events (events.go) are only searched for this purpose.
//
// When the loop begins, run.go looks at the values of the variables that it uses. A
// kernel is valid for certain types of values; for other types there is another
// kernel, or none. A function is inlined when the variable that holds it is never
// assigned in the file, and when each name in the function refers to the same
// variable as in the loop. Then nothing has to be checked when the loop begins. Lua
// tables are read when the loop begins, and stored values are written back when it
// ends. So a loop that stores in a table is interpreted when two variables hold the
// same table.
package loops
