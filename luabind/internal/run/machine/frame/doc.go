// Package frame has the host's side of a kernel's frame: the piece of linear memory through which machine code and host
// talk. Package abi says where things lie in it; this package reads and writes them. It is used by package machine, which
// runs code, and by package watch, which compares what code has left in a frame with what closures do.
//
// Before a call, the host writes fuel, pointers to the rows, words and inputs. After it, the code has left:
//
//	registers.go  the values of registers
//	inputs.go     strings and elements of tables declared outside the loop
//	random.go     the state of the random stream
//	fuel.go       how much fuel is left
//	ring.go       records of effects, and the values of a return
//	log.go        records of stores beyond the rows' own fields, with the old values
//	frame.go      marks of rows, views of grids, and how a frame is made
package frame
