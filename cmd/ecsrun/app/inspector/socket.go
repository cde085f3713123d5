package inspector

import (
	"context"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/control"
)

// What waits for a client that reads slowly. Beyond that notifications are lost, and its calls wait.
const (
	queuedMessages = 256
	queuedBytes    = 4 << 20
	writeTime      = 5 * time.Minute // after which a client that reads nothing is given up
)

// theEnd is why a socket is closed.
const theEnd = "the run has ended"

// A socket is one WebSocket.
type socket struct {
	conn    *websocket.Conn
	session *control.Session
	out     chan []byte // nil is its end
	bytes   atomic.Int64
	ctx     context.Context
	end     context.CancelFunc
}

// leave ends the socket when its calls are answered and what waits was written. The plane is closed.
func (k *socket) leave() {
	k.session.Finish()
	select {
	case k.out <- nil:
	case <-k.ctx.Done():
	}
}

// drop ends it at once.
func (k *socket) drop() { _ = k.conn.CloseNow() }

func (s *Server) socket(w http.ResponseWriter, r *http.Request) {
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{
		Subprotocols:       []string{s.door.protocol()},
		InsecureSkipVerify: true, // the Origin was compared whole
	})
	if err != nil {
		return // it has answered
	}
	conn.SetReadLimit(control.MaxMessage)
	k := &socket{conn: conn, out: make(chan []byte, queuedMessages)}
	k.ctx, k.end = context.WithCancel(context.Background())
	defer k.end()
	k.session = s.plane.Open(k.notify, false)
	s.mu.Lock()
	if s.sockets == nil {
		s.mu.Unlock()
		_ = conn.Close(websocket.StatusGoingAway, theEnd)
		return
	}
	s.sockets[k] = true
	s.open.Add(1)
	s.mu.Unlock()
	go func() {
		k.write()
		k.end()
	}()
	for {
		kind, message, err := conn.Read(k.ctx)
		if err != nil {
			break
		}
		if kind != websocket.MessageText {
			_ = conn.Close(websocket.StatusUnsupportedData, "text expected")
			break
		}
		k.session.Handle(message, k.reply)
	}
	k.session.Close()
	k.end()
	_ = conn.CloseNow()
	s.mu.Lock()
	if s.sockets != nil {
		delete(s.sockets, k)
	}
	s.open.Done()
	s.mu.Unlock()
}

// notify sends a notification, if there is room.
func (k *socket) notify(message []byte) bool {
	if k.bytes.Load() > queuedBytes || message == nil {
		return message == nil && len(k.out) < cap(k.out) && k.bytes.Load() <= queuedBytes
	}
	select {
	case k.out <- message:
		k.bytes.Add(int64(len(message)))
		return true
	default:
		return false
	}
}

// reply sends the response to a message, and waits for room.
func (k *socket) reply(response []byte) {
	if response == nil {
		return
	}
	select {
	case k.out <- response:
		k.bytes.Add(int64(len(response)))
	case <-k.ctx.Done():
	}
}

// write writes what waits, until the socket ends.
func (k *socket) write() {
	for {
		select {
		case message := <-k.out:
			if message == nil {
				_ = k.conn.Close(websocket.StatusGoingAway, theEnd)
				return
			}
			k.bytes.Add(-int64(len(message)))
			ctx, cancel := context.WithTimeout(k.ctx, writeTime)
			err := k.conn.Write(ctx, websocket.MessageText, message)
			cancel()
			if err != nil {
				return
			}
		case <-k.ctx.Done():
			return
		}
	}
}
