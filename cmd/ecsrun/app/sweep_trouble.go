package app

import (
	"strings"
	"time"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/queue"
)

// A trouble is an error of a server that is tried again. Somebody is told if it lasts, and when it is over.
type trouble struct {
	since, told time.Time
}

// How long a trouble lasts before it is told, and how often it is told again.
const (
	toldAfter = 3 * time.Second
	toldEvery = time.Minute
)

// note takes in how a try has ended, and tells what somebody should know.
func (t *trouble) note(err error, tell func(string)) {
	now := time.Now()
	switch {
	case err == nil && t.since.IsZero():
	case err == nil:
		if !t.told.IsZero() {
			tell("the server takes messages again")
		}
		*t = trouble{}
	case t.since.IsZero():
		t.since = now
	case now.Sub(t.since) >= toldAfter && now.Sub(t.told) >= toldEvery:
		tell("the server takes no messages, which is tried again: " + strings.TrimPrefix(queue.Explained(err).Error(), "nats: "))
		t.told = now
	}
}
