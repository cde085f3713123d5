package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"syscall"
	"time"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/inspector"
	"github.com/ecsrun/ecsrun/config"
	"github.com/spf13/pflag"
)

// This file has the flags of run that open the inspector.

// inspectFlags are --inspect and what belongs to it.
type inspectFlags struct {
	addr      string // --inspect; inspectConfigured: what the config says; "": it is not opened
	tokenFile string
	wait      bool
	insecure  bool
	history   string // how much copies may take; "": none are kept until somebody asks
	host      string

	token string // of the parent of a supervision, whose listener this process has; "": it opens its own
	again bool   // an earlier child has died
}

// inspectConfigured is --inspect without a value.
const inspectConfigured = "config"

func (f *inspectFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.addr, "inspect", "", "open the inspector at an address, `ADDR`, by default inspect.addr of the config (127.0.0.1:0,\na free port): a page that looks into the run and changes it, and JSON-RPC; stderr has its URL")
	flags.Lookup("inspect").NoOptDefVal = inspectConfigured
	flags.StringVar(&f.tokenFile, "inspect-token-file", "", "write the URL with its token into `FILE`, which only its owner can read, and not to stderr")
	flags.BoolVar(&f.wait, "inspect-wait", false, "begin paused, and stay paused at the end or failure until run.stop or a signal")
	flags.BoolVar(&f.insecure, "inspect-insecure", false, "let other machines reach the inspector; nothing is encrypted")
	flags.StringVar(&f.history, "history", "", "keep copies of the world in `SIZE` of memory, as in 256MiB, so that the inspector can go back")
	flags.StringVar(&f.host, "inspect-host", "", "with --inspect-insecure: let browsers call this machine `NAME`")
}

func (f *inspectFlags) check(changed func(string) bool, run runFlags) error {
	switch {
	case f.addr == "" && changed("inspect"):
		return usageError("--inspect wants an address, as in --inspect=127.0.0.1:8080, or nothing")
	case f.addr == "" && (f.tokenFile != "" || f.wait || f.insecure || f.host != ""):
		return usageError("--inspect-token-file, --inspect-wait, --inspect-insecure and --inspect-host need --inspect")
	case f.history == "" && changed("history"):
		return usageError("--history wants a size, as in --history 256MiB")
	case f.history != "" && f.addr == "" && !run.rpc:
		return usageError("--history needs --inspect, or rpc: nobody else can go back")
	case changed("inspect-token-file") && f.tokenFile == "":
		return usageError("--inspect-token-file wants a file")
	case f.host != "" && !f.insecure:
		return usageError("--inspect-host needs --inspect-insecure: other names than localhost are for other machines")
	case f.addr != "" && run.verify != "":
		return usageError("--inspect and --verify do not go together: what is changed in one world would be a difference; look into a run of one world")
	}
	if f.history != "" {
		if _, err := config.ParseSize(f.history); err != nil {
			return usageError("--history: %w", err)
		}
	}
	return nil
}

// notListening says why a flag cannot listen at an address.
func notListening(flag, addr string, err error) error {
	if errors.Is(err, syscall.EADDRINUSE) {
		return usageError("%s: %s is in use by another program; end that, or choose another port, or 0 for a free one", flag, addr)
	}
	return usageError("%s: %w", flag, err)
}

// open opens the listener, before a confined process can no longer do so. It returns nil without --inspect.
func (f *inspectFlags) open(c *config.Config) (*inspector.Door, error) {
	if f.addr == "" {
		return nil, nil
	}
	if f.token != "" {
		door, err := inspector.Inherit(doorFile, f.token)
		if err == nil {
			door.Host = f.host
		}
		return door, err
	}
	addr := f.addr
	if addr == inspectConfigured {
		addr = c.Inspect.Addr
	}
	door, err := inspector.Open(addr, f.insecure)
	if err != nil {
		return nil, notListening("--inspect", addr, err)
	}
	door.Host = f.host
	if f.tokenFile != "" {
		if err := door.WriteToken(f.tokenFile); err != nil {
			_ = door.Listener.Close()
			return nil, usageError("--inspect-token-file: %w", err)
		}
	}
	return door, nil
}

// openDoor opens the listener of a supervised run, which the parent keeps while its children die, and says where it is. What is
// wrong with the config is for the child to say.
func (p *program) openDoor(path string, o config.Overrides, f inspectFlags) error {
	if f.addr == "" {
		return nil
	}
	c, err := config.Load(path, o)
	if err != nil {
		return nil
	}
	if p.door, err = f.open(c); err != nil {
		return err
	}
	p.tellInspector(p.door, f, c)
	return nil
}

// tellInspector says where the inspector is, whatever the level of the log.
func (p *program) tellInspector(door *inspector.Door, f inspectFlags, c *config.Config) {
	url := door.Entry()
	if f.tokenFile != "" {
		url = door.URL()
	}
	if c.Log.Format != "json" {
		fmt.Fprintf(p.console.stderr(), "inspector: %s\n", url)
		return
	}
	record := slog.NewRecord(time.Now(), slog.LevelInfo, "inspector", 0)
	record.AddAttrs(slog.String("url", url))
	_ = newHandler(p.console.logs(), c.Log, false).Handle(context.Background(), record) // the log keeps what it cannot write
}

// stays reports whether the run stays paused at its end, for whoever looks at it.
func (r *run) stays() bool {
	return r.flags.rpc || r.doorway != nil && (r.flags.inspect.wait || terminal(r.console.err, os.Getenv))
}
