package control

import (
	"encoding/json"
	"fmt"
	"testing"
)

// A watch of a client that does not read looks at nothing; what it loses is counted, and it goes on when the client reads again.
func TestASleepingClientCostsNoLook(t *testing.T) {
	p, drain := planeOf(t)
	awake, got := false, make(chan []byte, 16)
	s := p.Open(func(message []byte) bool {
		if awake && message != nil {
			got <- message
		}
		return awake
	}, false)
	if _, err := p.watch(&call{by: s, args: args{"stream": json.RawMessage(`"query"`), "query": json.RawMessage(`"Position"`)}}); err != nil {
		t.Fatal(err)
	}
	w := p.watches[0]
	looks, look := 0, w.look
	w.look = func() (*page, error) { looks++; return look() }
	for range 5 {
		p.tell()
		w.looked -= w.every // a frame has passed
	}
	if looks != 0 || w.lost.Load() == 0 {
		t.Errorf("%d looks for a client that sleeps, %d lost", looks, w.lost.Load())
	}
	lost := w.lost.Load()
	awake = true
	p.stand.paused = true
	p.tell()
	if text := string(<-got); looks != 1 || text != fmt.Sprintf(`{"jsonrpc":"2.0","method":"watch","params":{"id":1,"frame":0,"data":{"rows":[],"total":0},"lost":%d}}`, lost) {
		t.Error(looks, text)
	}
	drain()
}

// What has happened since the last edge is told when the run ends.
func TestTheEndIsTold(t *testing.T) {
	p, _ := planeOf(t)
	got := make(chan string, 16)
	s := p.Open(func(message []byte) bool {
		if message != nil {
			got <- string(message)
		}
		return true
	}, false)
	if _, err := p.watch(&call{by: s, args: args{"stream": json.RawMessage(`"log"`)}}); err != nil {
		t.Fatal(err)
	}
	p.Failed("the last turn")
	p.Close("a system failed", nil)
	s.Finish()
	if len(got) != 1 {
		t.Fatal(len(got), "notifications")
	}
	if text, want := <-got, `{"jsonrpc":"2.0","method":"watch","params":{"id":1,"frame":0,"data":{"kind":"error","text":"the last turn"}}}`; text != want {
		t.Error(text)
	}
}
