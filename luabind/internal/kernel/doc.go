// Package kernel compiles the bodies of query loops, and of loops over events.
//
// The input is the syntax of a loop; the output is code that visits rows. There
// are three steps:
//
//  1. [Prepare] reads the syntax of a loop once, when its file is compiled. It
//     finds the variables from around the loop that the loop uses, and refuses
//     constructs that no kernel supports. Variables are those of package syntax, so
//     it does not matter which of them have one name.
//  2. When the loop begins for the first time, the types of those variables and the
//     layouts of the components are known. The checker turns the body into a typed
//     [Program] (ir.go), or returns the reason why it cannot.
//  3. A back end generates code from the Program. This package has one that makes
//     Go closures, which run on every platform ([Program.Closures]). Package machine
//     has another.
//
// # Equal results
//
// A kernel gives the same results as the interpreter, bit for bit. When a kernel
// cannot finish a row (a store would raise, a component is shared, the budget is
// used up), it restores the row, and the interpreter continues with that row. So a
// kernel never raises an error, and errors have the text, line and traceback of the
// interpreter. These rules make numbers equal:
//
//   - The result of + - * / % ^ and of counting is never -0, because gopher-lua
//     shares the values of small whole numbers and returns its 0 for -0. Unary minus,
//     the functions of math, and values that are read or moved keep their sign.
//   - % and math.fmod, ^ and math.pow call the functions that the interpreter calls.
//   - Every product is rounded separately (float64(a*b)); Go may fuse it otherwise.
//   - A counting loop starts at (init-step)+step and adds the step repeatedly.
//   - After a store, a variable has the value as the field holds it.
//
// # Rows
//
// Fields are read and written in the column. When a row is done, exactly the
// components that a store wrote are stamped. Until then everything that a row does
// can be undone: its own fields and the variables of the loop are restored from a
// copy, other rows, tags and tables from a log, and the random stream from its saved
// state. Events and commands are recorded, and sent or queued when the row is done.
// Tags are changed at once. If an inner query selects by changes of components that
// the body stores, stamps are set at once, too, as in the interpreter.
//
// An event is a read-only view (events.go). It counts as read when its row is done.
// When the row is restored, the interpreter reads the event.
//
// # Fuel
//
// Each construct of a Program has a price, which is the same for every back end. A
// row costs the size of the body; an iteration of an inner loop costs the size of
// that loop's body. The price is charged to the budget of the system. The rows in
// which the budget runs out are left to the interpreter and not charged, so that the
// error names the line of the script. The instructions that rows add to the budget
// are granted before the kernel begins ([Program.RowInstructions]), so that no
// kernel has to count rows.
package kernel
