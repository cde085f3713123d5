package control

import (
	"runtime"
	"testing"
)

// A call counts as under way before the world can see it: the run may end by it at once, and its answer is waited for.
func TestCallIsUnderWayBeforeItIsSeen(t *testing.T) {
	p, drain := planeOf(t)
	s := p.Open(nil, true)
	for range mostCalls { // the connection has no room: Handle waits when it has put the call into the mailbox
		s.room <- struct{}{}
	}
	replied := make(chan string, 1)
	go s.Handle([]byte(`{"jsonrpc":"2.0","id":1,"method":"run.stop"}`), func(b []byte) { replied <- string(b) })
	for p.empty() {
		runtime.Gosched()
	}
	s.mu.Lock()
	if s.going != 1 {
		t.Error(s.going, "calls under way")
	}
	s.mu.Unlock()
	drain()
	for range mostCalls {
		<-s.room
	}
	if s.wait(); len(replied) != 1 {
		t.Error("wait returned before the answer")
	}
}
