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
// where OPEN and the new variables have names that no source can contain. OPEN
// looks at the values the loop depends on. It gives nil when one of them is not
// what the rules below need; then the loop runs as it was written, which is
// always right and raises what it must raise. [Find] is the analysis alone: it
// says of every loop what it uses and, if it is not simple, why.
//
// # When a loop is simple
//
// A script must not be able to tell the two forms apart: the values, the change
// stamps, the errors with their lines and names, and what the world holds when one
// is raised are the same. Only the instructions counted by the budget are fewer.
// The rules:
//
//   - The loop is over world:each, where world is a local, and its arguments are
//     names in quotes or locals. These may be evaluated twice.
//   - A view is used as view.name only, to read or to assign, or asked whether it is
//     there: it is not passed, returned, compared, assigned or captured. So nobody
//     else can hold it.
//   - While a turn runs nobody but the turn itself can write its row. So there is
//     no code in the body that could run a script's functions: no calls but those
//     of math, ecs.random, of world's functions that write no component (tag, untag,
//     tagged, alive, has, count, send), and of world.commands, which only queues.
//     The functions are compared with the originals when the loop begins, so a
//     script may replace math.sqrt.
//   - An operator could run a metamethod. Every operand is therefore a constant, a
//     field, a resource, a result of such an operator or call, or a variable that
//     holds none but those inside the loop and no value with a metatable when the
//     loop begins. Tables are made as arguments of send and of commands only, and
//     no function is made.
//   - A field that takes part in arithmetic holds numbers (strings, too, next to
//     ..), by its type: so the operator raises no error, which would name a field.
//   - Loops over the same world within each other are one nest, simple as a whole:
//     both may visit the same entity, so a field that is written through a view
//     of one is not used under the same name through a view of a loop around or
//     within it.
//   - The fields of a component that may be missing, and table fields, are left to
//     the loop as it was written, when it begins ([surface.Surface.FieldLoop]).
//   - The body is small, and so is the number of fields: the code is doubled, and a
//     function has 200 registers.
//
// After a store the variable takes what the setter gives back: the value as the
// field holds it.
//
// Loops over world:read, world:peek and world:drain are never rewritten: the
// interpreter has a copy of each event.
//
// # Kernels
//
// What may be compiled is another question, and has another answer ([Loop].Kernel):
// package kernel takes calls of the file's own functions, components of other
// entities and loops within, but no strings that are put together and no tables
// that are made. A loop that is compiled gets a call in front of it (kernel.go),
// whatever the interpreter makes of it behind that. Loops over events (events.go)
// are looked for only for this.
//
// When the loop begins, what it uses from around itself is looked at (run.go): a
// kernel is for certain kinds of values, and for other ones there is another kernel,
// or none. A function is taken as a part of the loop when the variable that holds
// it is never assigned in the file, and when what the function sees under a name is
// what the loop sees: then nothing has to be asked when the loop begins. Tables are
// read when the loop begins, and what is stored in them goes back when it ends; so a
// loop that stores in one is interpreted when the same table has two names.
package loops
