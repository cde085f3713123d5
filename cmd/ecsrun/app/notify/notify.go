// Package notify tells systemd how a service is doing, by the protocol of sd_notify(3): lines in datagrams to the socket that
// NOTIFY_SOCKET names.
package notify

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// look is the time between two looks at the state of the service.
const look = 50 * time.Millisecond

// A Notifier is the connection with systemd. All methods of nil do nothing.
type Notifier struct {
	conn  *net.UnixConn
	every time.Duration // between two signs of life; 0: systemd wants none
	quit  chan struct{}
	done  chan struct{}
	stop  sync.Once
}

// Wanted reports whether the environment names a socket.
func Wanted(env []string) bool { return socket(env) != "" }

func socket(env []string) string { return get(env, "NOTIFY_SOCKET") }

// get returns the value of a variable; "" if there is none.
func get(env []string, key string) (value string) {
	for _, v := range env {
		if rest, ok := strings.CutPrefix(v, key+"="); ok {
			value = rest
		}
	}
	return value
}

// Open connects with the socket that the environment names; nil if there is none. The error is that of a socket that cannot be reached.
func Open(env []string) (*Notifier, error) {
	name := socket(env)
	if name == "" {
		return nil, nil
	}
	conn, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: name, Net: "unixgram"}) // a leading @ is for the abstract name space there, too
	if err != nil {
		return nil, fmt.Errorf("NOTIFY_SOCKET: %w", err)
	}
	n := &Notifier{conn: conn, quit: make(chan struct{}), done: make(chan struct{})}
	if pid := get(env, "WATCHDOG_PID"); pid == "" || pid == strconv.Itoa(os.Getpid()) {
		if usec, err := strconv.ParseUint(get(env, "WATCHDOG_USEC"), 10, 40); err == nil {
			n.every = time.Duration(usec) * time.Microsecond / 3
		}
	}
	return n, nil
}

// A Service is what is told of.
type Service interface {
	Ready() bool
	Stopping() bool
	Healthy() bool
}

// Watch begins to tell systemd of a service: when it is ready, that it is healthy, and when it stops.
func (n *Notifier) Watch(s Service) {
	if n == nil {
		return
	}
	go func() {
		defer close(n.done)
		ticker := time.NewTicker(look)
		defer ticker.Stop()
		ready, alive := false, time.Time{}
		tell := func() {
			if !ready && s.Ready() {
				ready = n.say("READY=1")
			}
			if s.Stopping() {
				n.Stopping()
			}
		}
		for {
			tell()
			if now := time.Now(); n.every > 0 && now.Sub(alive) >= n.every && s.Healthy() && n.say("WATCHDOG=1") {
				alive = now
			}
			select {
			case <-ticker.C:
			case <-n.quit:
				tell() // a run may be over within a look
				return
			}
		}
	}()
}

// Stopping says, once, that the service stops.
func (n *Notifier) Stopping() {
	if n != nil {
		n.stop.Do(func() { _ = n.say("STOPPING=1") })
	}
}

// Close says that the service stops, and ends the connection. Watch must have been called.
func (n *Notifier) Close() {
	if n == nil {
		return
	}
	close(n.quit)
	<-n.done
	n.Stopping()
	_ = n.conn.Close()
}

// say sends a line. It returns false if the socket has no room for it after a while: then a later look says it again, and a run ends all the same.
func (n *Notifier) say(line string) bool {
	_ = n.conn.SetWriteDeadline(time.Now().Add(look))
	_, err := n.conn.Write([]byte(line + "\n"))
	return !errors.Is(err, os.ErrDeadlineExceeded) // after another error nobody listens: there is nothing to do about it
}
