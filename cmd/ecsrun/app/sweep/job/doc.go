// Package job is one job of a sweep: what a worker is asked ([Request]), what it answers ([Answer]), and how values are read from the world ([Measure]).
//
// A [Result] is the same wherever and however often a job ran, to the bit; so two results of a key can be compared by their bytes.
package job
