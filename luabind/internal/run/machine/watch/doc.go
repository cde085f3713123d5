// Package watch compares machine code with closures while it runs. The self-check before the first use cannot see all data.
// So some calls of a kernel, the first one and then about every 1,009th, are watched: closures do up to 64 of the rows as
// well, and everything that both did is compared. It is used by package machine, between a call and what the host makes of it.
//
//	plan.go     which calls are watched, and how many of their rows
//	rerun.go    runs the rows a second time, and takes the values of either run out of the world and back
//	compare.go  the order of the comparisons
//	rows.go     compares rows, variables, results and tables
//	effects.go  compares what is recorded for the host: stores in other rows, events, commands, tags
//	values.go   compares and formats single values
//
// If there is a difference, the rows are restored and the difference is reported; closures do these rows and all that
// follow, in this run and in later ones. So nothing that such a call has computed reaches the world.
//
// Which calls are watched depends on nothing but the calls and the fuel that they used. So it is the same in every run and on
// every machine, and the world ends the same as without watching.
package watch
