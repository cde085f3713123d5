// Package effort says how much the tests do that try random programs and arguments, so that all of them can be turned up and down together:
//
//	go test ./...                       one of 24 of each number: what README.md names, for work on the code
//	TEST_EFFORT=more go test ./...      a third: .ci/run does this, too
//	TEST_EFFORT=full go test ./...      the whole number: before a release, and after changes of the compiler
//	go test -short ./...                as many, and no large worlds: for processors that are emulated, and with -race
//
// Only tests import it.
package effort

import (
	"flag"
	"os"
	"runtime"
	"runtime/debug"
	"testing"
)

// More reports whether the tests try more than the README's command does.
func More() bool { return Full() || os.Getenv("TEST_EFFORT") == "more" }

// Full reports whether the tests try everything.
func Full() bool { return os.Getenv("TEST_EFFORT") == "full" }

// Of returns how many of n tries are made, at least one.
func Of(n int) int {
	switch {
	case testing.Short():
		n /= 24
	case Full():
	case More():
		n /= 3
	default:
		n /= 24
	}
	return max(n, 1)
}

// Main runs the tests of a package that makes thousands of small worlds or states, one after the other. With a heap of a few megabytes the garbage collector
// would run all the time; so it waits until the heap is seventeen times as large, or has
// 3 GiB. Allocations are recorded only for -memprofile.
func Main(m *testing.M) {
	flag.Parse()
	if flag.Lookup("test.memprofile").Value.String() == "" {
		runtime.MemProfileRate = 0
	}
	debug.SetGCPercent(1600)
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(3 << 30)
	}
	os.Exit(m.Run())
}
