//go:build unix

package notify

import (
	"net"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"
)

type service struct{ ready, stopping, sick atomic.Bool }

func (s *service) Ready() bool    { return s.ready.Load() }
func (s *service) Stopping() bool { return s.stopping.Load() }
func (s *service) Healthy() bool  { return !s.sick.Load() }

// A socket is told what sd_notify(3) says, in order: signs of life come while the service is healthy.
func TestNotify(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notify")
	socket, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	next := func() string {
		var b [256]byte
		if err := socket.SetReadDeadline(time.Now().Add(2 * time.Minute)); err != nil {
			t.Fatal(err)
		}
		n, err := socket.Read(b[:])
		if err != nil {
			t.Fatal(err)
		}
		return string(b[:n])
	}
	s := &service{}
	s.sick.Store(true)
	n, err := Open([]string{"NOTIFY_SOCKET=" + path, "WATCHDOG_USEC=30000"})
	if err != nil {
		t.Fatal(err)
	}
	n.Watch(s)
	s.ready.Store(true)
	if got := next(); got != "READY=1\n" {
		t.Errorf("%q", got)
	}
	s.sick.Store(false)
	for range 2 {
		if got := next(); got != "WATCHDOG=1\n" {
			t.Errorf("%q", got)
		}
	}
	s.sick.Store(true)
	s.stopping.Store(true)
	got := next()
	for got == "WATCHDOG=1\n" {
		got = next()
	}
	if got != "STOPPING=1\n" {
		t.Errorf("%q", got)
	}
	n.Close()
	if err := socket.SetReadDeadline(time.Now().Add(10 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	if n, err := socket.Read(make([]byte, 64)); err == nil {
		t.Errorf("%d bytes after the end", n)
	}
}

func TestNoSocket(t *testing.T) {
	n, err := Open([]string{"HOME=/"})
	if n != nil || err != nil || Wanted(nil) {
		t.Error(n, err)
	}
	n.Watch(nil)
	n.Stopping()
	n.Close()
	if _, err := Open([]string{"NOTIFY_SOCKET=/none/such"}); err == nil {
		t.Error("a socket that is not there")
	}
}

// A run that is over before the next look was ready.
func TestShortService(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notify")
	socket, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	n, err := Open([]string{"NOTIFY_SOCKET=" + path})
	if err != nil {
		t.Fatal(err)
	}
	s := &service{}
	n.Watch(s)
	s.ready.Store(true)
	n.Close()
	for _, want := range []string{"READY=1\n", "STOPPING=1\n"} {
		var b [256]byte
		if err := socket.SetReadDeadline(time.Now().Add(2 * time.Minute)); err != nil {
			t.Fatal(err)
		}
		if n, err := socket.Read(b[:]); err != nil || string(b[:n]) != want {
			t.Errorf("%q, %v", b[:n], err)
		}
	}
}

// A run ends although nobody reads the socket and it is full.
func TestFullSocket(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notify")
	socket, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	n, err := Open([]string{"NOTIFY_SOCKET=" + path, "WATCHDOG_USEC=3"})
	if err != nil {
		t.Fatal(err)
	}
	for n.say("WATCHDOG=1") {
	}
	s := &service{}
	s.ready.Store(true)
	n.Watch(s)
	n.Close()
}
