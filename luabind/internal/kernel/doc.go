// Package kernel compiles the bodies of query loops, and of loops over events.
//
// It has three steps. [Prepare] looks at the syntax of a loop once, when its file
// is compiled: which variables from around it does it use, and is there anything
// in it that no kernel can do. When the loop begins for the first time, the types
// of those variables and the layouts of the components are known, and the checker
// turns the body into a typed [Program] (ir.go), or says why not. A back end makes
// code of the Program; the one here makes Go closures, which run everywhere
// ([Program.Closures]).
//
// # Sameness
//
// A kernel does what the interpreter does, to the bit. The interpreter is the
// meaning of a loop, and stays underneath: a kernel that meets a row it cannot
// finish (a store that would raise, a shared component, a spent budget) puts the
// row back as it was, and gives the loop to the interpreter from that row on. So
// a kernel never raises, and errors have the interpreter's text, line and
// traceback. What makes numbers the same:
//
//   - The result of + - * / % ^ and of counting is never -0: gopher-lua keeps small
//     whole numbers ready, and takes its 0 for -0. Unary minus, the functions of
//     math, and values that are read or moved keep their sign.
//   - % and math.fmod, ^ and math.pow call what the interpreter calls.
//   - Every product is rounded by itself (float64(a*b)): Go may fuse otherwise.
//   - A counting loop starts at (init-step)+step and adds the step up.
//   - A stored value is read back as the field holds it.
//
// # Rows
//
// Fields are read and written in the column. A row's components are stamped when
// the row is done, those that a store that ran belongs to and no others. Until then
// all that a row does can be put back: its own fields and the variables of the loop
// from a copy, other rows, tags and tables from a log, the random stream from its
// state. Events and commands are recorded, and made when the row is done. Tags are
// flipped at once, and where a query within asks for changes of what the body
// stores, stamps are made at once, too: it sees them as it does interpreted.
//
// An event is a view that is read-only (events.go). It counts as read when its row
// is done; one that is put back is the interpreter's to read.
//
// # Fuel
//
// Each construct of a Program has a price, which is the same for every back end:
// a row costs the size of the body, a turn of an inner loop the size of its own.
// It is charged to the budget of the system. The stretch in which the budget runs
// out is left to the interpreter, uncharged, so that the trip names the script's line.
// What the rows add to the budget is lent to the kernel before it begins
// ([Program.RowInstructions]), so that no kernel counts rows.
package kernel
