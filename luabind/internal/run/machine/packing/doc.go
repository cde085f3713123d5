// Package packing writes batches of rows that work on two numbers at once, in vectors of WebAssembly, wherever that is
// quicker than row by row.
//
// [Choose] tries two forms of batches of four rows on a Program: with what stands under conditions in its place, or left for
// the end. It takes the one that costs less, or none. What comes in is the
// emitter of the Program, of package scalar, before its loops are written. What goes out is a [scalar.Batch], which the
// emitter takes as its first. Scalar code of single rows within the batch is written by the emitter, too, which asks for
// the fields and registers that lie in vectors: see [scalar.Emitter.WithLeaf].
//
//	choose.go     the forms, and the choice
//	body.go       which bodies batches do
//	packer.go     a batch, and what is known of its registers
//	operand.go    the values of a batch and where they are kept
//	slots.go      fields in vectors
//	block.go      which statements are paired
//	write.go, vector.go   statements and numbers
//	cold.go       statements under conditions that are deferred to the end of the batch
//	marks.go      which rows stored
//	cost.go       what a row costs, to compare
//
// What must hold: nothing in a batch calls, because the compiler loses the halves of vectors over calls in loops. Nothing
// ends one before all its rows are done.
package packing
