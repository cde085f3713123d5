// Package kernel says what a kernel is: a compiled loop body that can run. It is the contract
// between those who run loops (package loops) and the back ends that make kernels (packages
// closures and machine).
//
//	loops ──> Kernel <── closures, machine
//
// What comes in is a cursor that has just begun, or a reader of events, with the values of the
// loop's inputs in registers. What comes out is how the loop ended, the values of its outputs,
// and a world that was changed as the interpreter would have changed it.
//
// # Equal results
//
// A kernel gives the same results as the interpreter, bit for bit. When a kernel
// cannot finish a row (a store would raise an error, a component is shared, the budget is
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
// can be undone. Events and commands are recorded ([Effects]), and sent or queued when the
// row is done. Tags are changed at once.
//
// An event is a read-only view. It counts as read when its row is done. When the row is
// restored, the interpreter reads the event.
//
// # Fuel
//
// Each construct of a Program has a price, which is the same for every back end. A
// row costs the size of the body; an iteration of an inner loop costs the size of
// that loop's body. The price is charged to the budget of the system. The rows in
// which the budget runs out are left to the interpreter and not charged, so that the
// error names the line of the script. The instructions that rows add to the budget
// are granted before the kernel begins ([ir.Program.Rows]), so that no kernel has to count
// rows.
//
// Prices are estimates. So a kernel may overdraw the budget, which begins anew for the interpreter
// then: no kernel ends a turn that the interpreter would not end (sandbox.Budget).
package kernel
