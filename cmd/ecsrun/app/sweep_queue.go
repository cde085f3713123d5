package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/job"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/joblog"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/ledger"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/plan"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/queue"
)

// This file runs the jobs of a sweep on other machines: it sends them over NATS, and takes in what comes back. A reply is acknowledged when it is in the log.

// mostSent is how many jobs are on their way at a time. What the server loses is sent again.
const mostSent = 512

func connectionFlags(flags *pflag.FlagSet, o *queue.Options) {
	flags.StringVar(&o.Creds, "creds", "", "log in to NATS with the credentials in `FILE`")
	flags.StringVar(&o.CA, "tls-ca", "", "trust the authorities in `FILE` when NATS uses TLS")
	flags.StringVar(&o.Certificate, "tls-cert", "", "show the certificate in `FILE` to NATS")
	flags.StringVar(&o.Private, "tls-key", "", "the key of --tls-cert, in `FILE`")
}

// connectionNames are the flags that connectionFlags adds.
var connectionNames = []string{"creds", "tls-ca", "tls-cert", "tls-key"}

// A post is a sweep whose jobs are sent.
type post struct {
	*fleet
	to    *queue.Coordinator
	log   *openLog
	out   map[string]ledger.Job // jobs that are on their way
	by    map[int]string        // the worker that has run a job that is audited, by row
	empty int                   // checks in a row at which the server held nothing
	lost  bool                  // what is on its way has to be sent again
	cut   bool                  // the sweep ends early, and what nobody needs any more is withdrawn

	most    int       // jobs that may be on their way
	refused trouble   // of jobs that are sent
	away    trouble   // of the server, while nothing is sent
	came    time.Time // when the last reply did
	warned  bool      // somebody was told that none comes since then
}

// runQueue sends jobs until each has a result.
func (f *fleet) runQueue(o queue.Options) error {
	o.Name = "ecsrun sweep"
	conn, err := queue.Connect(o)
	if err != nil {
		return usageError("sweep: --queue: %w", err)
	}
	defer conn.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	f.mu.Lock()
	f.cancel = cancel
	f.mu.Unlock()
	log, err := f.addLog()
	if err != nil {
		return err
	}
	folder, err := queueName(f.dir)
	if err != nil {
		return err
	}
	p := &post{fleet: f, to: queue.Coordinate(conn, f.plan.Hash(), folder, f.bundle.Program, f.bundle.Encode()), log: log, out: map[string]ledger.Job{}, by: map[int]string{}, most: mostSent, came: time.Now()}
	if err := p.to.Lay(ctx); err != nil {
		return usageError("sweep: --queue: %w", queue.Explained(err))
	}
	f.warn(fmt.Sprintf("jobs wait at %s for ecsrun worker %[1]s", queue.Redacted(o.URL)))
	defer func() {
		over, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if !conn.Connected() {
			return
		}
		_ = p.to.Remove(over) // the server is gone, or the next start does it
	}()
	for checked := time.Now(); ctx.Err() == nil; {
		if f.isStopping() {
			return p.wait(ctx)
		}
		if f.isEarly() && !p.cut {
			_, err := p.withdraw(ctx)
			p.cut = err == nil
		}
		if err := p.send(ctx); err != nil {
			p.lost = true
			if queue.Full(err) { // of jobs: results need room, too
				_, _ = p.withdraw(ctx) // the next turn tries it again
				p.most = max(1, p.most/2)
			}
		}
		if len(p.out) == 0 && !p.lost {
			return nil
		}
		if p.receive(ctx) > 0 {
			p.came, p.warned = time.Now(), false
		}
		if time.Since(checked) >= time.Second {
			checked = time.Now()
			p.check(ctx)
		}
	}
	for _, j := range p.out {
		f.ledger.Return(j)
	}
	return nil
}

func (f *fleet) isStopping() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.stopping
}

// letter returns the letter of a job.
func (p *post) letter(id string, j ledger.Job) queue.Letter {
	l := queue.Letter{ID: id, Request: p.request(j)}
	if j.Audit {
		l.Not = p.by[j.Row]
	}
	return l
}

// send sends jobs until enough are on their way; if some were lost, all again.
func (p *post) send(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	var letters []queue.Letter
	if p.lost {
		for id, j := range p.out {
			letters = append(letters, p.letter(id, j))
		}
	}
	for len(p.out) < p.most {
		j, ok := p.ledger.Take(func(int) bool { return false })
		if !ok {
			break
		}
		id := p.index.Keys[j.Row].String()
		if j.Audit {
			id += "/2"
		}
		p.out[id] = j
		letters = append(letters, p.letter(id, j))
	}
	if len(letters) == 0 {
		p.lost = false
		return nil
	}
	err := p.to.Send(ctx, letters)
	p.refused.note(err, p.warn)
	if err == nil {
		p.lost = false
	}
	return err
}

// receive takes in the replies that have come, and acknowledges them once they are on disk.
func (p *post) receive(ctx context.Context) int {
	replies, err := p.to.Receive(ctx, 200*time.Millisecond)
	if err != nil && len(replies) == 0 {
		time.Sleep(100 * time.Millisecond) // the server is away; the client comes back by itself
	}
	for _, r := range replies {
		p.take(r)
	}
	if len(replies) > 0 {
		p.sync()
	}
	if !p.isFailed() {
		for _, r := range replies {
			p.to.Ack(ctx, r)
		}
	}
	return len(replies)
}

// isEarly reports whether the condition to stop holds.
func (f *fleet) isEarly() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.early.at > 0
}

func (f *fleet) isFailed() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.failed != nil
}

// take takes in a reply. Its error has ended the sweep already.
func (p *post) take(r *queue.Reply) {
	j, sent := p.out[r.ID]
	if !sent {
		p.twice(r)
		return
	}
	delete(p.out, r.ID)
	if r.Died != "" {
		_ = p.dead(p.log, j, r.Machine, r.Died, r.Said)
		return
	}
	if p.ledger.Audited(j.Row) {
		p.by[j.Row] = r.Worker
	}
	_ = p.answered(p.log, j, r.Answer, r.Machine)
}

// twice compares the result of a job that has one already: the server has given it out twice.
func (p *post) twice(r *queue.Reply) {
	key, ok := plan.ParseKey(r.Answer.Key)
	if !ok || r.Answer.Result == nil {
		return
	}
	row, ok := p.ledger.Find(key)
	if !ok {
		return
	}
	at, ok := p.ledger.Place(row)
	if !ok {
		return
	}
	first, err := p.recordAt(at)
	if err != nil {
		return
	}
	now := &joblog.Record{Key: key, Machine: r.Machine, Result: r.Answer.Result.Encode()}
	was, err := first.Decode()
	if err != nil || was.Status == job.Unrepeatable || was.Status == job.Parked || r.Answer.Result.Status == job.Unrepeatable || string(now.Result) == string(first.Result) {
		return
	}
	_ = p.differ(row, first, now)
}

// check asks the server what it holds. If it has lost the streams, or holds nothing of jobs that are on their way, they are sent again.
func (p *post) check(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	held, err := p.to.Waiting(ctx)
	if !p.lost && !errors.Is(err, queue.ErrGone) {
		p.away.note(err, p.warn)
	}
	switch {
	case errors.Is(err, queue.ErrGone):
		if p.to.Lay(ctx) == nil {
			p.lost = true
		}
		p.empty = 0
	case err != nil || held > 0 || len(p.out) == 0:
		p.empty = 0
	default:
		if p.empty++; p.empty >= 2 {
			p.lost, p.empty = true, 0
		}
	}
	if running, err := p.count(ctx); err == nil && running == 0 && len(p.out) > 0 && !p.warned && time.Since(p.came) > unattended {
		p.warn(fmt.Sprintf("%s on the server, and no worker takes one", counted(len(p.out), "job")))
		p.warned = true
	}
}

// unattended is how long jobs wait for a worker until somebody is told.
const unattended = 30 * time.Second

// count notes how many jobs workers hold.
func (p *post) count(ctx context.Context) (running int, err error) {
	if running, err = p.to.Running(ctx); err != nil {
		return 0, err
	}
	p.mu.Lock()
	p.running = min(running, len(p.out))
	p.mu.Unlock()
	return running, nil
}

// withdraw takes back the jobs that no worker holds, and returns how many are left.
func (p *post) withdraw(ctx context.Context) (left int, err error) {
	ids, left, err := p.to.Withdraw(ctx)
	for _, id := range ids {
		if j, sent := p.out[id]; sent {
			delete(p.out, id)
			p.ledger.Return(j)
		}
	}
	return left, err
}

// wait waits for jobs that run, after a signal or an error; those that nobody holds are taken back, also those whose worker is gone, once the server has noticed it.
func (p *post) wait(ctx context.Context) error {
	for ctx.Err() == nil && !p.isFailed() {
		left, err := p.withdraw(ctx)
		if err != nil {
			break
		}
		_, _ = p.count(ctx) // only the progress shows it
		if p.receive(ctx) == 0 && left == 0 {
			break
		}
	}
	for _, j := range p.out {
		p.ledger.Return(j)
	}
	return nil
}
