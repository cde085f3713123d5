// Package selfcheck compares machine code with the closures before the code is used for the first time: a differential
// test. Random testing found two faults of wazero's compiler; this finds those that a program of a user meets.
//
// What comes in is a Program with its query and world, which are only read, and a [Maker] of kernels of the code. The
// package knows nothing of how that code was made. What goes out is an error: [ErrDiffers] when the code did something
// else than the closures.
//
// Both run in scratch worlds that declare what the real one does, over the same rows of hard values. Then both worlds,
// variables, results, effects, random numbers and fuel are compared. As long as some side of a condition of the body has
// been seen by no row, rows are searched for it.
//
//	check.go     the rounds, and the comparison of two runs
//	subject.go   what must be in a world for the body to do something
//	trial.go     a scratch world
//	values.go    hard values; variables and tables; the comparison of worlds
//	events.go    loops over events
//	sides.go     which sides of its conditions rows have seen
//	drive.go     rows for the others
//	report.go    what was done, for tests
//
// What must hold: a check does the same each time, so whether a loop becomes machine code does not depend on chance. It
// is bounded by the fuel that it uses.
package selfcheck
