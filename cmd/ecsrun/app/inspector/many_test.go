package inspector

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/ecsrun/ecsrun/tests/effort"
)

// Many clients at once, of which some sleep and never read: frames go on, and memory stays. 1,000 of them with more effort.
func TestManyClients(t *testing.T) {
	clients, frames := 20, 500
	if effort.More() {
		clients, frames = 1000, 2000
	}
	d, _, stop := serve(t)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	var dialed sync.WaitGroup
	conns := make([]*websocket.Conn, clients)
	for i := range conns {
		dialed.Go(func() {
			conn, _, err := dial(t, d, d.protocol(), nil)
			if err != nil {
				t.Error(err)
				return
			}
			conns[i] = conn
			if i%10 > 0 {
				return
			}
			watch := `{"jsonrpc":"2.0","id":1,"method":"watch.start","params":{"stream":"frames","turns":true}}`
			if err := conn.Write(ctx, websocket.MessageText, []byte(watch)); err != nil {
				t.Error(err)
			}
		})
	}
	dialed.Wait()
	step := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"run.step","params":{"frames":%d}}`, frames)
	post(t, d, step) // what waits is full now
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapInuse
	}
	before := heap()
	for range 3 {
		if got := post(t, d, step); got != `{"jsonrpc":"2.0","id":1,"result":null}` {
			t.Fatal(got)
		}
	}
	if after := heap(); after > before+before/2+16<<20 {
		t.Errorf("%d MiB, and %d before", after>>20, before>>20)
	}
	if got := post(t, d, `{"jsonrpc":"2.0","id":1,"method":"world.info"}`); !strings.Contains(got, fmt.Sprintf(`"frame":%d,`, 4*frames)) {
		t.Error(got)
	}
	for i, conn := range conns {
		if conn != nil && i%3 > 0 {
			_ = conn.CloseNow() // killed
		}
	}
	if got := post(t, d, step); got != `{"jsonrpc":"2.0","id":1,"result":null}` {
		t.Error(got)
	}
	stop()
}
