package luabind

import (
	"os"
	"runtime/debug"
	"testing"
)

// The tests start thousands of small worlds one after the other. With a heap of a few megabytes the collector would run all the time, for a fifth of what the
// tests take.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
