package control

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
)

// planeOf is the plane of an empty paused world, whose mailbox drain empties.
func planeOf(t testing.TB) (p *Plane, drain func()) {
	t.Helper()
	w := ecs.NewWorld(ecs.Options{})
	if _, err := w.DeclareResource("score", ecs.I32, ecs.Value{}); err != nil {
		t.Fatal(err)
	}
	s, err := ecs.NewSchema(ecs.Field{Name: "x", Type: ecs.F64})
	if err == nil {
		_, err = w.DeclareComponent("Position", s)
	}
	if err != nil {
		t.Fatal(err)
	}
	rt, err := luabind.New(luabind.Options{World: w})
	if err == nil {
		err = rt.Load()
	}
	if err != nil {
		t.Fatal(err)
	}
	p = New(Host{
		Runtime: rt, Last: func() uint64 { return 0 }, SetSpeed: func(float64) {}, Impl: func(string) string { return "" }, Script: func(string) string { return "" },
		Edited: func() bool { return false }, Edit: func([]byte) (luabind.Result, error) { return luabind.Result{}, nil },
		Interrupt: func() bool { return false }, Snapshot: func() error { return nil }, History: noHistory{},
	}, true)
	return p, func() {
		for p.work(idle, time.Time{}) {
		}
		p.stands(nil) // ends a step
		p.stand = stand{paused: true}
	}
}

type noHistory struct{}

func (noHistory) Start(uint64) error { return nil }
func (noHistory) Kept() Kept         { return Kept{Copies: []uint64{}} }
func (noHistory) Back(uint64) error  { return nil }

// Whatever bytes a client sends: each message has at most one answer, which is JSON-RPC, and nothing panics.
func FuzzMessage(f *testing.F) {
	for _, m := range methods {
		f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"` + m.Name + `","params":{` + strings.ReplaceAll(m.example(), "…", `"Position"`) + `}}`))
	}
	f.Add([]byte(`[{"jsonrpc":"2.0","id":1,"method":"run.step"},{"jsonrpc":"2.0","method":"world.query","params":{"query":"Position, (ChildOf, 1v1)","where":"Position.x > entity","sort":"-Position.x","cursor":"1.2.3.4","limit":3}}]`))
	f.Add([]byte(`[]`))
	p, drain := planeOf(f)
	f.Fuzz(func(t *testing.T, message []byte) {
		s := p.Open(func([]byte) bool { return true }, false)
		answers := make(chan []byte, 1)
		s.Handle(message, func(response []byte) { answers <- response })
		for s.busy() {
			drain()
		}
		response := <-answers
		p.forget(s)
		if response == nil {
			return
		}
		var one map[string]json.RawMessage
		var many []map[string]json.RawMessage
		if json.Unmarshal(response, &one) == nil {
			many = append(many, one)
		} else if err := json.Unmarshal(response, &many); err != nil {
			t.Fatalf("%v: %s", err, response)
		}
		for _, r := range many {
			if string(r["jsonrpc"]) != `"2.0"` || r["id"] == nil || (r["result"] == nil) == (r["error"] == nil) {
				t.Fatalf("%s", response)
			}
		}
	})
}

// busy reports whether messages are under way.
func (s *Session) busy() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.going > 0
}
