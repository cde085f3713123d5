// Package packing writes batches of rows that work on two numbers at once, in vectors of WebAssembly, wherever that is
// quicker than row by row.
//
// [Choose] tries several forms of batches on a Program: which numbers lie side by side, how many rows there are, whether
// what stands under conditions is left for the end. It takes the one that costs least, or none. What comes in is the
// emitter of the Program, of package scalar, before its loops are written. What goes out is a [scalar.Batch], which the
// emitter takes as its first. Scalar code of single rows within the batch is written by the emitter, too, which asks for
// the fields and registers that lie in vectors: see [scalar.Emitter.WithLeaf].
//
//	choose.go     the forms, and the choice
//	packer.go     a batch, and what is known of its registers
//	operand.go    the values of a batch and where they are kept
//	slots.go      fields in vectors
//	block.go      which statements are paired
//	write.go, vector.go   statements and numbers
//	lanes.go      two rows to a vector, with the loops within
//	cold.go       statements under conditions that are deferred to the end of the batch
//	marks.go      which rows stored
//	cost.go       what a row costs, to compare
//
//	rare.go       rows that leave the batch for what no batch does
//
// What must hold: nothing in a batch calls, because the compiler loses the halves of vectors over calls in loops. Only fuel,
// and rows that leave, can end one; then all its rows are as they were, and are left to the next way of doing rows.
package packing
