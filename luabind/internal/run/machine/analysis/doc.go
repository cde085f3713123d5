// Package analysis answers questions about a Program before code is written for it. Packages emit, scalar and packing ask
// them to decide which code they write, or that they write none. The answers depend on nothing but the Program, so they are
// the same on every machine.
//
//	signs.go       in which registers and expressions the sign of a zero matters
//	flips.go       whether a row asks for a tag that it, or a row before it, may have flipped
//	iterations.go  inner loops: whether there are any, how often they run, how they are left
//	share.go       whether rows can be shared among cores, what they pay, and how long they take
package analysis
