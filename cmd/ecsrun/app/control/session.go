package control

import (
	"slices"
	"sync"
)

// A Session is one connection.
type Session struct {
	plane   *Plane
	notify  func(message []byte) bool // sends a notification, if there is room; of nil it only says whether there is; nil: the transport has none
	ordered bool                      // a call is begun when the one before it was answered
	last    *call                     // the last one, of an ordered session
	replied chan struct{}             // is closed when the last message of an ordered session was answered; nil before the first
	room    chan struct{}             // for messages under way
	mu      sync.Mutex
	going   int // messages under way
	idle    sync.Cond
	telling chan notification // to the goroutine that makes JSON of them; nil: there is none
	told    chan struct{}     // is closed when the connection is gone
	pumped  chan struct{}     // is closed when that goroutine has ended
}

// mostCalls is the number of calls that a connection may have under way. It is not read meanwhile.
const mostCalls = 4 * MaxBatch

// Open returns a new connection. notify sends a notification if there is room, and does not wait; of nil it only says whether there is room. A notify of nil says that the transport
// has none. In an ordered connection a call is begun when those before it were answered, but for run.pause and run.interrupt.
func (p *Plane) Open(notify func([]byte) bool, ordered bool) *Session {
	p.visited.Store(true)
	s := &Session{plane: p, notify: notify, ordered: ordered, room: make(chan struct{}, mostCalls)}
	s.idle.L = &s.mu
	return s
}

// Handle handles a message. reply is called once, from any goroutine: with the response, or with nil if there is none, because
// the message has nothing but notifications.
func (s *Session) Handle(message []byte, reply func(response []byte)) {
	s.count(1) // before its calls are in the mailbox: the run may end by one of them, and Wait waits for the answer
	requests, batch, err := decode(message)
	if err != nil {
		requests = []request{{id: []byte("null"), err: err}}
	}
	type result struct {
		id  []byte
		end outcome
		c   *call // nil: end is there already
	}
	var posted []*call
	overtakes := false
	results := make([]result, len(requests))
	for i, r := range requests {
		results[i].id = r.id
		if r.err != nil {
			results[i].end.err = r.err
			continue
		}
		m, err := find(r.method)
		var a args
		if err == nil {
			a, err = check(m, r.params)
		}
		switch {
		case err != nil:
			results[i].end.err = err
		case m.now != nil:
			overtakes = true
			if len(posted) > 0 { // what came before it is in the mailbox before it
				s.plane.post(posted...)
				posted = nil
			}
			results[i].end.result, results[i].end.err = m.now(s.plane, s, a)
		default:
			c := &call{method: m, args: a, by: s, done: make(chan outcome, 1)}
			if s.ordered || batch {
				c.after = s.last
				s.last = c
			}
			results[i].c = c
			posted = append(posted, c)
		}
	}
	if !s.ordered {
		s.last = nil
	}
	waits := slices.ContainsFunc(results, func(r result) bool { return r.c != nil })
	var before, mine chan struct{}
	if s.ordered && (waits || !overtakes) {
		before, mine = s.replied, make(chan struct{})
		s.replied = mine
	}
	s.plane.post(posted...)
	s.room <- struct{}{}
	go func() {
		defer func() { <-s.room; s.count(-1) }()
		var b []byte
		answered := 0
		for _, r := range results {
			if r.c != nil {
				r.end = <-r.c.done
			}
			if r.id == nil {
				continue
			}
			if answered++; batch && answered > 1 {
				b = append(b, ',')
			} else if batch {
				b = append(b, '[')
			}
			b = answer(b, r.id, r.end.result, r.end.err)
		}
		if batch && answered > 0 {
			b = append(b, ']')
		}
		if before != nil {
			<-before
		}
		reply(b)
		if mine != nil {
			close(mine)
		}
	}()
}

func (s *Session) count(n int) {
	s.mu.Lock()
	if s.going += n; s.going == 0 {
		s.idle.Broadcast()
	}
	s.mu.Unlock()
}

// Finish returns when all calls were answered and all notifications were sent. It is called after [Plane.Close].
func (s *Session) Finish() {
	s.wait()
	if s.pumped != nil {
		<-s.pumped
	}
}

// wait returns when all calls were answered.
func (s *Session) wait() {
	s.mu.Lock()
	for s.going > 0 {
		s.idle.Wait()
	}
	s.mu.Unlock()
}

// Close ends the watches of the connection. Calls under way are finished.
func (s *Session) Close() {
	s.plane.post(marker(func(p *Plane) { p.forget(s) }))
}
