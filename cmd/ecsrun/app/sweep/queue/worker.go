package queue

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// A Sweep is one that waits on the server, as a worker sees it.
type Sweep struct {
	*Connection
	ID      string
	Program string // that it is of
	files   string // the hash of its files
	jobs    jetstream.Consumer
}

// Find lists the sweeps on the server.
func (c *Connection) Find(ctx context.Context) ([]*Sweep, error) {
	var out []*Sweep
	list := c.js.ListStreams(ctx, jetstream.WithStreamListSubject(jobsSubject+"*"))
	for info := range list.Info() {
		id, ok := strings.CutPrefix(info.Config.Name, jobsPrefix)
		if !ok || info.Config.Metadata[metaFiles] == "" {
			continue
		}
		out = append(out, &Sweep{Connection: c, ID: id, Program: info.Config.Metadata[metaProgram], files: info.Config.Metadata[metaFiles]})
	}
	return out, list.Err()
}

// Name returns a name for the sweep that is another one when its files are.
func (s *Sweep) Name() string { return s.ID + s.files }

// Files returns the files of the sweep, which have the hash that it names.
func (s *Sweep) Files(ctx context.Context) ([]byte, error) {
	store, err := s.js.ObjectStore(ctx, filesPrefix+s.ID)
	if err != nil {
		return nil, err
	}
	data, err := store.GetBytes(ctx, s.files)
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != s.files {
		return nil, fmt.Errorf("the files of the sweep are not those that it names")
	}
	return data, nil
}

// A Task is a job that a worker has taken. While it is held, the server is told that somebody is at it.
type Task struct {
	Letter
	sweep   *Sweep
	message jetstream.Msg
	quit    chan struct{}
	once    sync.Once
	tries   uint64
	object  string // its parcel
}

// Take takes a job; nil if none is there.
func (s *Sweep) Take(ctx context.Context) (*Task, error) {
	if s.jobs == nil {
		var err error
		if s.jobs, err = s.js.Consumer(ctx, jobsPrefix+s.ID, workers.Durable); err != nil {
			return nil, err
		}
	}
	batch, err := s.jobs.FetchNoWait(1)
	if err != nil {
		return nil, err
	}
	m, ok := <-batch.Messages()
	if !ok {
		return nil, batch.Error()
	}
	t := &Task{sweep: s, message: m, quit: make(chan struct{})}
	if t.object, err = s.unpack(ctx, s.ID, m.Data(), &t.Letter); errors.Is(err, errNoMessage) {
		return nil, m.Term() // it is from something else
	} else if err != nil {
		_ = m.Nak() // it comes again
		return nil, err
	}
	if meta, err := m.Metadata(); err == nil {
		t.tries = meta.NumDelivered
	}
	go t.hold()
	return t, nil
}

func (t *Task) hold() {
	tick := time.NewTicker(ackWait / 3)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			_ = t.message.InProgress() // without it the job goes to another worker
		case <-t.quit:
			return
		}
	}
}

// Mine reports whether a worker may run the task: it should not be the one that has run the job before, unless nobody else takes it.
func (t *Task) Mine(worker string) bool { return t.Not != worker || t.tries > 3 }

// Leave gives the task back for another worker.
func (t *Task) Leave() {
	t.once.Do(func() { close(t.quit) })
	_ = t.message.NakWithDelay(time.Second) // without it the job comes back later
}

// Drop stops to hold the task; the server gives it to another worker soon.
func (t *Task) Drop() {
	t.once.Do(func() { close(t.quit) })
	_ = t.message.Nak() // without it the job comes back later
}

// Done sends the reply, again and again while the server does not take it; tell is called with what it says then. It gives up when ctx ends or the sweep is gone.
func (t *Task) Done(ctx context.Context, r *Reply, tell func(error)) error {
	defer t.once.Do(func() { close(t.quit) })
	var text []byte
	for gone := 0; ; {
		var err error
		if text == nil {
			text, err = t.sweep.pack(ctx, t.sweep.ID, r)
		}
		if err == nil {
			_, err = t.sweep.js.Publish(ctx, resultSubject+t.sweep.ID, text)
		}
		switch {
		case err == nil:
			_ = t.message.Ack() // without it the job runs once more, and has an equal result
			t.sweep.drop(ctx, t.sweep.ID, t.object)
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, jetstream.ErrNoStreamResponse), errors.Is(err, jetstream.ErrStreamNotFound), errors.Is(err, jetstream.ErrBucketNotFound):
			if gone++; gone > 20 {
				return ErrGone
			}
		default:
			tell(err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(500 * time.Millisecond):
		}
	}
}
