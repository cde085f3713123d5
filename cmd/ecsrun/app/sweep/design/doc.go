// Package design chooses the points of a sweep: places in a unit cube with a side for each key that varies.
//
// A [Design] is a pure function from the number of a point to its place, so a plan of a million points takes no memory;
// only a Latin hypercube keeps its permutations. The algorithms are published, and each file names its source.
package design
