// Package joblog keeps the results of a sweep: append-only files of lines, one for each worker. A line has a checksum, so that what a crash or a bad disk
// has left is told from a result. What a file says is the truth about a sweep; everything else is made from it.
//
//	5d2f0c11 {"key":"3f…","machine":"host/2","result":{"status":"ok",…}}
package joblog
