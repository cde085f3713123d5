package inspector

import (
	"context"
	"embed"
	"errors"
	"io"
	"io/fs"
	"log"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/control"
)

//go:embed page
var embedded embed.FS

// A Server serves a control plane at a door.
type Server struct {
	door  *Door
	plane *control.Plane
	http  *http.Server
	files http.Handler

	mu      sync.Mutex
	sockets map[*socket]bool // nil after Close
	open    sync.WaitGroup
}

// Serve starts to serve.
func Serve(d *Door, p *control.Plane) *Server {
	page, err := fs.Sub(embedded, "page")
	if err != nil {
		panic("inspector: " + err.Error()) // it is embedded
	}
	s := &Server{door: d, plane: p, files: http.FileServerFS(page), sockets: map[*socket]bool{}}
	s.http = &http.Server{
		Handler:           s,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       time.Minute,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    1 << 14,
		ErrorLog:          log.New(io.Discard, "", 0), // what is wrong with a connection is its client's business
	}
	go func() { _ = s.http.Serve(d.Listener) }() // until Close
	return s
}

// Close ends all connections, after [control.Plane.Close]. Answers that are on their way get a moment.
func (s *Server) Close() {
	s.mu.Lock()
	sockets := s.sockets
	s.sockets = nil
	s.mu.Unlock()
	for k := range sockets {
		go k.leave()
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if s.http.Shutdown(ctx) != nil {
		_ = s.http.Close() // somebody does not read
	}
	done := make(chan struct{})
	go func() { s.open.Wait(); close(done) }()
	select {
	case <-done:
	case <-ctx.Done():
		for k := range sockets {
			go k.drop() // it may wait for a client that does not answer
		}
	}
}

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	if no := s.door.from(r); no != nil {
		s.refuse(w, r, no)
		return
	}
	if r.URL.Path == "/rpc" {
		h.Set("Cache-Control", "no-store")
		s.rpc(w, r)
		return
	}
	h.Set("Cache-Control", "no-cache")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		h.Set("Allow", "GET, HEAD")
		s.refuse(w, r, refused(http.StatusMethodNotAllowed, "the page is read by GET"))
		return
	}
	s.files.ServeHTTP(w, r)
}

// refuse answers a request that is not served, and has it logged.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, no *refusal) {
	s.plane.Refused(r.Method+" "+r.URL.Path, r.RemoteAddr, no.why)
	http.Error(w, no.why, no.status)
}

// rpc answers /rpc.
func (s *Server) rpc(w http.ResponseWriter, r *http.Request) {
	socket := strings.EqualFold(r.Header.Get("Upgrade"), "websocket")
	if no := s.door.may(r, socket); no != nil {
		w.Header().Set("WWW-Authenticate", "Bearer")
		s.refuse(w, r, no)
		return
	}
	switch {
	case socket && r.Method == http.MethodGet:
		s.socket(w, r)
		return
	case r.Method != http.MethodPost:
		w.Header().Set("Allow", "POST")
		s.refuse(w, r, refused(http.StatusMethodNotAllowed, "calls come by POST or WebSocket"))
		return
	}
	if no := posts(r); no != nil {
		s.refuse(w, r, no)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, control.MaxMessage))
	if tooLong := (*http.MaxBytesError)(nil); errors.As(err, &tooLong) {
		s.refuse(w, r, refused(http.StatusRequestEntityTooLarge, "a body has at most %d bytes", control.MaxMessage))
		return
	} else if err != nil {
		s.refuse(w, r, refused(http.StatusBadRequest, "the body ends early"))
		return
	}
	answers := make(chan []byte, 1)
	s.plane.Open(nil, false).Handle(body, func(response []byte) { answers <- response })
	select {
	case response := <-answers:
		if response == nil {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(response) // the client is gone
	case <-r.Context().Done():
	}
}
