package app

import (
	"runtime"
	"runtime/metrics"
	"testing"
)

// While the headroom is kept, the heap may grow by as much before it is collected, however small it is.
func TestTheHeapHasRoomForGarbage(t *testing.T) {
	release := keepHeadroom()
	runtime.GC()
	goal := []metrics.Sample{{Name: "/gc/heap/goal:bytes"}, {Name: "/gc/heap/live:bytes"}}
	metrics.Read(goal)
	release()
	if room := goal[0].Value.Uint64() - goal[1].Value.Uint64(); room < headroom {
		t.Errorf("a collection begins after %d bytes, want at least %d", room, headroom)
	}
}
