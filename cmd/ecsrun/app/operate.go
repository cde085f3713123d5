package app

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/metrics"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/notify"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/vitals"
)

// This file is a run that is operated: what its log says about how it goes, and what it tells metrics, health checks and systemd. It reads the
// clock and the world, and writes neither.

// operateFlags are the flags of run for those who operate it.
type operateFlags struct {
	json    bool
	metrics string
	health  time.Duration
	samples []string
	every   uint64
	to      string
}

func (f *operateFlags) add(flags *pflag.FlagSet) {
	flags.BoolVar(&f.json, "json", false, "write the summary as one JSON object, with the digest, as the last line of stdout")
	flags.StringVar(&f.metrics, "metrics", "", "serve /metrics for Prometheus, /healthz and /readyz at `ADDR`, as in 127.0.0.1:9464")
	flags.DurationVar(&f.health, "health", 10*time.Second, "the run is unhealthy while a turn, the startup, a save or writing output\ntakes longer than this")
	flags.StringArrayVar(&f.samples, "sample", nil, "write a number of the world to the file of --to: `EXPR` is a resource, or count, sum, mean, min\nor max, as in 'mean(Health.current; #enemy)'; may be repeated")
	flags.Uint64Var(&f.every, "every", 1, "with --sample, after every `N` frames")
	flags.StringVar(&f.to, "to", "", "with --sample, the CSV `FILE`; ecsrun plot draws it")
}

// check returns an error for flags that do not go together.
func (f *operateFlags) check(changed func(string) bool) error {
	switch {
	case changed("metrics") && f.metrics == "":
		return usageError("--metrics wants an address, as in 127.0.0.1:9464")
	case f.health <= 0:
		return usageError("--health wants a time above 0, as in 10s")
	case len(f.samples) > 0 && f.to == "":
		return usageError("--sample needs --to FILE, which says where the numbers go")
	case len(f.samples) == 0 && (changed("to") || changed("every")):
		return usageError("--every and --to need --sample, which says what to write")
	case f.every == 0:
		return usageError("--every wants a number of frames from 1")
	}
	return nil
}

// An operation is what a process has open for those who watch the run. The parent of a supervision has it, and its child has none.
type operation struct {
	vitals   *vitals.Vitals
	watch    *vitals.Watch
	server   *metrics.Server  // nil without --metrics
	notifier *notify.Notifier // nil without NOTIFY_SOCKET
}

// operate opens what the flags and the environment ask for. in is where the run notes how it goes; nil if nobody looks. The result is nil then, too.
func (p *program) operate(f operateFlags, in *vitals.Vitals) (*operation, error) {
	if in == nil {
		return nil, nil
	}
	op := &operation{vitals: in, watch: vitals.NewWatch(in, f.health)}
	var err error
	if op.notifier, err = notify.Open(p.env); err != nil {
		return nil, usageError("%w", err)
	}
	if f.metrics != "" {
		if op.server, err = metrics.Listen(f.metrics, version(), op.watch); err != nil {
			return nil, notListening("--metrics", f.metrics, err)
		}
		if strings.HasSuffix(f.metrics, ":0") { // nobody knows the port yet
			fmt.Fprintf(p.console.stderr(), "metrics: http://%s/metrics\n", op.server.Addr())
		}
	}
	op.notifier.Watch(op.watch)
	return op, nil
}

func (op *operation) close() {
	if op == nil {
		return
	}
	op.notifier.Close()
	if op.server != nil {
		op.server.Close()
	}
}

// mostBeat is the longest time between two signs of life.
const mostBeat = time.Second

// beats gives signs of life for the process that looks at the vitals, until stop is called.
func beats(v *vitals.Vitals, health time.Duration) (stop func()) {
	ticker, quit := time.NewTicker(max(time.Millisecond, min(mostBeat, health/4))), make(chan struct{})
	go func() {
		defer ticker.Stop()
		for {
			v.Beat()
			select {
			case <-ticker.C:
			case <-quit:
				return
			}
		}
	}()
	return func() { close(quit) }
}

// watched returns where a run notes how it goes: in the page that it shares with its parent, or in memory of its own. It is nil if nobody looks.
func (p *program) watched(f operateFlags) *vitals.Vitals {
	switch {
	case f.metrics == "" && !notify.Wanted(p.env):
		return nil
	case p.page != nil:
		return &p.page.vitals
	default:
		return &vitals.Vitals{}
	}
}
