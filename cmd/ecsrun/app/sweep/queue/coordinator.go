package queue

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/job"
)

// A Letter is a job on its way to a worker.
type Letter struct {
	ID      string      `json:"id"` // of the job; that of its second run is another one
	Request job.Request `json:"request"`
	Not     string      `json:"not,omitempty"` // the worker that should not run it, if there is another one
}

// A Reply is what comes back.
type Reply struct {
	ID      string     `json:"id"`
	Worker  string     `json:"worker"` // that has run the job
	Machine string     `json:"machine"`
	Answer  job.Answer `json:"answer"`
	Died    string     `json:"died,omitempty"` // what ended the process; there is no answer then
	Said    string     `json:"said,omitempty"`

	message jetstream.Msg
	object  string // its parcel
}

// Ack says that a reply is in the log.
func (c *Coordinator) Ack(ctx context.Context, r *Reply) {
	_ = r.message.Ack() // without it the reply comes again
	c.drop(ctx, c.id, r.object)
}

// A Coordinator sends the jobs of one sweep.
type Coordinator struct {
	*Connection
	id      string
	program string
	files   []byte
	results jetstream.Consumer
}

// Coordinate returns the coordinator of a plan, whose results go to a folder: streams have the names of both. files are those of the sweep.
func Coordinate(c *Connection, plan, folder, program string, files []byte) *Coordinator {
	return &Coordinator{Connection: c, id: plan + "_" + folder, program: program, files: files}
}

// Lay makes the streams of the sweep, empty.
func (c *Coordinator) Lay(ctx context.Context) error {
	if err := c.Remove(ctx); err != nil {
		return err
	}
	sum := sha256.Sum256(c.files)
	hash := hex.EncodeToString(sum[:])
	store, err := c.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: filesPrefix + c.id, Storage: jetstream.MemoryStorage})
	if err != nil {
		return err
	}
	if err := c.put(ctx, store, hash, c.files); err != nil {
		return err
	}
	results, err := c.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: resultsPrefix + c.id, Subjects: []string{resultSubject + c.id}, Storage: jetstream.MemoryStorage, Retention: jetstream.WorkQueuePolicy,
	})
	if err != nil {
		return err
	}
	if c.results, err = results.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{Durable: "coordinator", AckPolicy: jetstream.AckExplicitPolicy, AckWait: ackWait, MaxAckPending: 1 << 14}); err != nil {
		return err
	}
	jobs, err := c.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: jobsPrefix + c.id, Subjects: []string{jobsSubject + c.id}, Storage: jetstream.MemoryStorage, Retention: jetstream.WorkQueuePolicy,
		Metadata: map[string]string{metaProgram: c.program, metaFiles: hash},
	})
	if err != nil {
		return err
	}
	_, err = jobs.CreateOrUpdateConsumer(ctx, workers)
	return err
}

// workers is the consumer that all workers share.
var workers = jetstream.ConsumerConfig{Durable: "workers", AckPolicy: jetstream.AckExplicitPolicy, AckWait: ackWait, MaxDeliver: -1, MaxAckPending: 1 << 14}

// Remove deletes the streams of the sweep, if they are there.
func (c *Coordinator) Remove(ctx context.Context) error {
	for _, name := range []string{jobsPrefix + c.id, resultsPrefix + c.id} {
		if err := c.js.DeleteStream(ctx, name); err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
			return err
		}
	}
	if err := c.js.DeleteObjectStore(ctx, filesPrefix+c.id); err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) && !errors.Is(err, jetstream.ErrBucketNotFound) {
		return err
	}
	return nil
}

// Send sends jobs, and returns when the server has them all.
func (c *Coordinator) Send(ctx context.Context, letters []Letter) error {
	var sent []jetstream.PubAckFuture
	for _, l := range letters {
		text, err := c.pack(ctx, c.id, l)
		if err != nil {
			return err
		}
		future, err := c.js.PublishAsync(jobsSubject+c.id, text)
		if err != nil {
			return err
		}
		sent = append(sent, future)
	}
	for _, future := range sent {
		select {
		case <-future.Ok():
		case err := <-future.Err():
			return err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// Receive returns the replies that have come; none after a short while.
func (c *Coordinator) Receive(ctx context.Context, wait time.Duration) ([]*Reply, error) {
	batch, err := c.results.Fetch(256, jetstream.FetchMaxWait(wait))
	if err != nil {
		return nil, err
	}
	var out []*Reply
	for m := range batch.Messages() {
		r := &Reply{message: m}
		var wrong error
		switch r.object, wrong = c.unpack(ctx, c.id, m.Data(), r); {
		case wrong == nil:
			out = append(out, r)
		case errors.Is(wrong, errNoMessage):
			_ = m.Term() // it is from something else
		default:
			_ = m.Nak() // it comes again
			err = wrong
		}
	}
	return out, errors.Join(err, batch.Error())
}

// Waiting returns how many messages the server holds: jobs that are not done, and replies that are not acknowledged. ErrGone says that it has lost the streams.
func (c *Coordinator) Waiting(ctx context.Context) (n uint64, err error) {
	for _, name := range []string{jobsPrefix + c.id, resultsPrefix + c.id} {
		s, err := c.js.Stream(ctx, name)
		if errors.Is(err, jetstream.ErrStreamNotFound) {
			return 0, ErrGone
		}
		if err != nil {
			return 0, err
		}
		n += s.CachedInfo().State.Msgs
	}
	if _, err := c.js.ObjectStore(ctx, filesPrefix+c.id); errors.Is(err, jetstream.ErrBucketNotFound) {
		return 0, ErrGone
	}
	return n, nil
}

// ErrGone says that the server has lost the streams, as after it was killed.
var ErrGone = errors.New("the server has lost the jobs")

// Running returns how many jobs workers hold. One whose worker is gone counts until the server has noticed that.
func (c *Coordinator) Running(ctx context.Context) (int, error) {
	consumer, err := c.js.Consumer(ctx, jobsPrefix+c.id, workers.Durable)
	if err != nil {
		return 0, err
	}
	return consumer.CachedInfo().NumAckPending, nil
}

// Withdraw takes back the jobs that no worker holds, and returns their IDs and how many jobs are left.
func (c *Coordinator) Withdraw(ctx context.Context) (ids []string, left int, err error) {
	stream, err := c.js.Stream(ctx, jobsPrefix+c.id)
	if err != nil {
		return nil, 0, err
	}
	consumer, err := stream.Consumer(ctx, workers.Durable)
	if err != nil {
		return nil, 0, err
	}
	for {
		batch, err := consumer.FetchNoWait(256)
		if err != nil {
			return ids, 0, err
		}
		n := 0
		for m := range batch.Messages() {
			n++
			var l Letter
			object, wrong := c.unpack(ctx, c.id, m.Data(), &l)
			if err := m.DoubleAck(ctx); err != nil {
				return ids, 0, err
			}
			if wrong == nil {
				ids = append(ids, l.ID)
				c.drop(ctx, c.id, object)
			}
		}
		if n == 0 {
			break
		}
	}
	info, err := stream.Info(ctx)
	if err != nil {
		return ids, 0, err
	}
	return ids, int(info.State.Msgs), nil
}
