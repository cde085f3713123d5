package inspector

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/control"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
)

// serve serves a paused world with one resource, score. stop ends it, and returns what was logged.
func serve(t *testing.T) (d *Door, p *control.Plane, stop func() string) {
	t.Helper()
	w := ecs.NewWorld(ecs.Options{})
	if _, err := w.DeclareResource("score", ecs.I32, ecs.Value{}); err != nil {
		t.Fatal(err)
	}
	rt, err := luabind.New(luabind.Options{World: w})
	if err == nil {
		err = rt.Load()
	}
	if err != nil {
		t.Fatal(err)
	}
	var logged bytes.Buffer
	p = control.New(control.Host{
		Runtime: rt, Last: func() uint64 { return 0 }, SetSpeed: func(float64) {}, Impl: func(string) string { return "" }, Script: func(string) string { return "" }, Edited: func() bool { return false }, Edit: func([]byte) (luabind.Result, error) { return luabind.Result{}, nil },
		Interrupt: func() bool { return false }, Snapshot: func() error { return nil }, Log: slog.New(slog.NewTextHandler(&logged, nil)),
	}, true)
	if d, err = Open("127.0.0.1:0", false); err != nil {
		t.Fatal(err)
	}
	s := Serve(d, p)
	over, end := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for over.Err() == nil && p.Edge(over.Done()) {
			if err := rt.Frame(context.Background(), 1); err != nil {
				t.Error(err)
				return
			}
		}
		p.Close("it is over", nil)
		s.Close()
	}()
	return d, p, func() string {
		end()
		<-done
		return logged.String()
	}
}

const stepping = `{"jsonrpc":"2.0","id":1,"method":"run.step"}`

// Whoever has no token, or comes from another site, gets a 4xx status, and nothing changes.
func TestRefusals(t *testing.T) {
	d, _, stop := serve(t)
	addr := d.Listener.Addr().String()
	type header map[string]string
	good := header{"Authorization": "Bearer " + d.Token, "Content-Type": "application/json"}
	with := func(more header) header {
		out := header{}
		for k, v := range good {
			out[k] = v
		}
		for k, v := range more {
			if out[k] = v; v == "" {
				delete(out, k)
			}
		}
		return out
	}
	large := `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", control.MaxMessage) + `"}`
	for _, c := range []struct {
		method, path, body string
		headers            header
		status             int
	}{
		{"POST", "/rpc", stepping, with(header{"Host": "evil.example"}), 421},
		{"POST", "/rpc", stepping, with(header{"Host": "127.evil.example"}), 421},
		{"POST", "/rpc", stepping, with(header{"Host": "localhost.evil.example"}), 421},
		{"POST", "/rpc", stepping, with(header{"Host": "127.0.0.1.:80"}), 421},
		{"POST", "/rpc", stepping, with(header{"Host": "0x7f000001"}), 421},
		{"POST", "/rpc", stepping, with(header{"Origin": "http://evil.example"}), 403},
		{"POST", "/rpc", stepping, with(header{"Origin": "null"}), 403},
		{"POST", "/rpc", stepping, with(header{"Origin": ""}), 200},
		{"POST", "/rpc", stepping, with(header{"Origin": "https://" + addr}), 403},
		{"POST", "/rpc", stepping, with(header{"Origin": "http://" + addr + "0"}), 403},
		{"POST", "/rpc", `{"jsonrpc":"2.0","id":1,"method":"world.info"}`, with(header{"Authorization": "bearer " + d.Token}), 200},
		{"POST", "/rpc", stepping, with(header{"Authorization": ""}), 401},
		{"POST", "/rpc", stepping, with(header{"Authorization": "Bearer " + d.Token[1:]}), 401},
		{"POST", "/rpc", stepping, with(header{"Authorization": "Bearer " + d.Token + "x"}), 401},
		{"POST", "/rpc", stepping, with(header{"Authorization": "Basic " + d.Token}), 401},
		{"POST", "/rpc?t=" + d.Token, stepping, with(header{"Authorization": ""}), 401},
		{"POST", "/rpc", stepping, with(header{"Content-Type": "text/plain"}), 415},
		{"POST", "/rpc", stepping, with(header{"Content-Type": ""}), 415},
		{"POST", "/rpc", large, good, 413},
		{"GET", "/rpc", "", good, 405},
		{"PUT", "/rpc", stepping, good, 405},
		{"OPTIONS", "/rpc", "", with(header{"Origin": "http://evil.example", "Access-Control-Request-Method": "POST"}), 403},
		{"POST", "/", "", good, 405},
		{"GET", "/", "", header{"Host": "evil.example"}, 421},
		{"GET", "/../doc.go", "", header{}, 404},
		{"GET", "/nothing", "", header{}, 404},
		{"GET", "/", "", header{}, 200},
		{"POST", "/rpc", `{"jsonrpc":"2.0","method":"run.speed","params":{"speed":1}}`, with(header{"Host": "localhost:1", "Content-Type": "application/json; charset=utf-8"}), 204},
		{"POST", "/rpc", `{"jsonrpc":"2.0","id":1,"method":"world.info"}`, with(header{"Host": "[::1]:7", "Origin": "http://[::1]:7"}), 200},
	} {
		r, err := http.NewRequest(c.method, "http://"+addr+c.path, strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		for k, v := range c.headers {
			if k == "Host" {
				r.Host = v
			} else {
				r.Header.Set(k, v)
			}
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if resp.StatusCode != c.status || resp.Header.Get("Access-Control-Allow-Origin") != "" || !strings.Contains(resp.Header.Get("Content-Security-Policy"), "frame-ancestors 'none'") || len(resp.Cookies()) > 0 {
			t.Errorf("%s %s %v: %s %v\n%.200s", c.method, c.path, c.headers, resp.Status, resp.Header, text)
		}
	}
	if got := post(t, d, `{"jsonrpc":"2.0","id":1,"method":"world.info"}`); !strings.Contains(got, `"frame":1,`) { // one was good
		t.Error(got)
	}
	logged := stop()
	if n := strings.Count(logged, "inspector: refused"); n != 22 || strings.Contains(logged, d.Token) {
		t.Errorf("%d refusals are logged:\n%s", n, logged)
	}
}

// post calls a method.
func post(t *testing.T, d *Door, body string) string {
	t.Helper()
	r, err := http.NewRequest("POST", d.URL()+"rpc", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+d.Token)
	r.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func dial(t *testing.T, d *Door, protocol string, header http.Header) (*websocket.Conn, *http.Response, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	return websocket.Dial(ctx, d.URL()+"rpc", &websocket.DialOptions{Subprotocols: []string{protocol}, HTTPHeader: header})
}

// A WebSocket needs the token as its protocol, gets notifications, and is told of the end.
func TestSocket(t *testing.T) {
	d, _, stop := serve(t)
	for _, c := range []struct {
		protocol, origin string
		status           int
	}{
		{"ecsrun.x", "", 401},
		{d.Token, "", 401},
		{d.protocol(), "null", 403},
		{d.protocol(), "http://evil.example", 403},
	} {
		header := http.Header{}
		if c.origin != "" {
			header.Set("Origin", c.origin)
		}
		if _, resp, err := dial(t, d, c.protocol, header); err == nil || resp == nil || resp.StatusCode != c.status {
			t.Errorf("%v: %v, %v", c, resp, err)
		}
	}
	conn, _, err := dial(t, d, d.protocol(), nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	for _, message := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"watch.start","params":{"stream":"frames","turns":true}}`,
		`{"jsonrpc":"2.0","id":2,"method":"watch.start","params":{"stream":"resource","resource":"score"}}`,
		`{"jsonrpc":"2.0","id":3,"method":"watch.start","params":{"stream":"query","query":"","limit":1}}`,
		`{"jsonrpc":"2.0","id":4,"method":"watch.start","params":{"stream":"evnts"}}`,
		`{"jsonrpc":"2.0","id":5,"method":"run.step","params":{"frames":2}}`,
	} {
		if err := conn.Write(ctx, websocket.MessageText, []byte(message)); err != nil {
			t.Fatal(err)
		}
	}
	seen := map[string]bool{}
	for len(seen) < 9 {
		_, message, err := conn.Read(ctx)
		if err != nil {
			t.Fatal(err, seen)
		}
		var m struct {
			ID     int
			Error  *struct{ Message string }
			Params struct {
				ID, Frame int
				Data      json.RawMessage
			}
		}
		if err := json.Unmarshal(message, &m); err != nil {
			t.Fatal(err)
		}
		switch {
		case m.Error != nil:
			seen[m.Error.Message] = true
		case m.ID != 0:
			seen[fmt.Sprint("answer ", m.ID)] = true
		case m.Params.ID == 1:
			seen[fmt.Sprint("frame ", m.Params.Frame)] = true
		default:
			seen[fmt.Sprintf("watch %d: %s", m.Params.ID, m.Params.Data)] = true
		}
	}
	for _, want := range []string{"frame 1", "frame 2", "watch 2: 0", `watch 3: {"rows":[],"total":0}`, `watch.start: there is no stream "evnts"; did you mean "events"?`, "answer 5"} {
		if !seen[want] {
			t.Errorf("%q is not in %v", want, seen)
		}
	}
	go stop()
	for {
		if _, _, err = conn.Read(ctx); err != nil {
			break
		}
	}
	if e := (websocket.CloseError{}); !errors.As(err, &e) || e.Reason != "the run has ended" {
		t.Error(err)
	}
}

// Whoever stops a run gets the answer, and whoever watches it is told of its last frame, before the connection ends.
func TestTheEndIsTold(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for range 20 {
		d, _, stop := serve(t)
		conn, _, err := dial(t, d, d.protocol(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, message := range []string{
			`{"jsonrpc":"2.0","id":1,"method":"watch.start","params":{"stream":"frames"}}`,
			`[{"jsonrpc":"2.0","id":2,"method":"run.step"},{"jsonrpc":"2.0","id":3,"method":"run.stop"}]`,
		} {
			if err := conn.Write(ctx, websocket.MessageText, []byte(message)); err != nil {
				t.Fatal(err)
			}
		}
		var got string
		for {
			_, message, err := conn.Read(ctx)
			if err != nil {
				if e := (websocket.CloseError{}); !errors.As(err, &e) || e.Reason != theEnd {
					t.Error(err)
				}
				break
			}
			got += string(message) + "\n"
		}
		for _, want := range []string{`"frame":1,`, `[{"jsonrpc":"2.0","id":2,"result":null},{"jsonrpc":"2.0","id":3,"result":null}]`} {
			if !strings.Contains(got, want) {
				t.Errorf("%s\nwants %s", got, want)
			}
		}
		stop()
	}
}

// Garbage, half requests and clients that are killed hang nothing.
func TestGarbage(t *testing.T) {
	d, _, stop := serve(t)
	for _, text := range []string{
		"\x00\xff\x16\x03\x01", "GET / HTTP/1.1\r\nHost: localhost\r\n", "POST /rpc HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + d.Token + "\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"jso",
		"GET /rpc HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: " + d.protocol() + "\r\n\r\n\xff\xff\xff\xff",
	} {
		conn, err := net.Dial("tcp", d.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(conn, text); err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close() }() // it stays open meanwhile
	}
	for _, body := range []string{"", "{", "[]", "nonsense", "\xff", `{"jsonrpc":"2.0"}`, strings.Repeat("[", 100000)} {
		if got := post(t, d, body); !strings.Contains(got, `"error":{"code":-32`) {
			t.Errorf("%.20q: %s", body, got)
		}
	}
	if got := post(t, d, stepping); got != `{"jsonrpc":"2.0","id":1,"result":null}` {
		t.Error(got)
	}
	stop()
	if _, err := net.DialTimeout("tcp", d.Listener.Addr().String(), time.Second); err == nil {
		t.Error("it listens after its end")
	}
}

func TestDoor(t *testing.T) {
	for _, addr := range []string{"0.0.0.0:0", ":0", "[::]:0", "example.com:80", "8.8.8.8:0"} {
		if _, err := Open(addr, false); err == nil || !strings.Contains(err.Error(), "--inspect-insecure") {
			t.Errorf("%s: %v", addr, err)
		}
	}
	d, err := Open("localhost:0", false)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Listener.Close() }()
	if _, err := Open(d.Listener.Addr().String(), false); err == nil {
		t.Error("two listen at one address")
	}
	path := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(path, []byte("a long text that was there before, which everybody may read, and goes"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := d.WriteToken(path); err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile(path)
	info, err := os.Stat(path)
	if err != nil || string(text) != d.Entry()+"\n" || info.Mode().Perm() != 0o600 || len(d.Token) != 43 {
		t.Errorf("%q, %v, %v", text, info.Mode(), err)
	}
}
