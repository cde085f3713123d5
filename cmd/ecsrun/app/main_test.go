package app

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/signals"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
)

func TestMain(m *testing.M) {
	if signals.Hangup != nil {
		signal.Notify(make(chan os.Signal, 1), signals.Hangup) // under nohup it is ignored, and commands that are started would inherit that
	}
	testscript.Main(m, helpers)
}

// helpers are the programs that scripts can run.
var helpers = map[string]func(){
	"ecsrun": func() { hurry(); os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	"damage": damage,
	"custom": func() { hurry(); os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, custom()...)) },
}

// hurry takes the patience after a signal, and the time between the saves of a supervised run, from the environment: tests
// need not wait as long as people.
func hurry() {
	if d, err := time.ParseDuration(os.Getenv("SAVEEVERY")); err == nil {
		superviseEvery = d
	}
	if d, err := time.ParseDuration(os.Getenv("PATIENCE")); err == nil {
		patience = d
	}
}

// custom are the registrations of a build of somebody's own.
func custom() []Option {
	return []Option{
		Natives(map[string]ecs.NativeFunc{
			"count": func(w *ecs.World) (ecs.SystemFunc, error) {
				total, err := ecs.RegisterResource[float64](w, "total")
				return func(*ecs.World, float64) error { *total++; return nil }, err
			},
			"fails":   func(*ecs.World) (ecs.SystemFunc, error) { return nil, errors.New("no such device") },
			"attacks": attacks,
			"errs":    turns(func(*ecs.World) error { return errors.New("out of ink") }),
			"panics":  turns(func(*ecs.World) error { panic("row 4 of table 2 is nobody's") }),
		}),
		Predicates(map[string]func(*ecs.World) (bool, error){
			"even":  func(w *ecs.World) (bool, error) { return w.Frame()%2 == 0, nil },
			"panic": func(*ecs.World) (bool, error) { panic("no answer") },
		}),
		Modules(map[string]map[string]luabind.Function{"greet": {
			"hello": func(args []ecs.Value) ([]ecs.Value, error) {
				return []ecs.Value{ecs.Text("hello, " + args[0].Str())}, nil
			},
			"bug": func([]ecs.Value) ([]ecs.Value, error) { panic("unreachable") },
		}}),
	}
}

func turns(turn func(*ecs.World) error) ecs.NativeFunc {
	return func(*ecs.World) (ecs.SystemFunc, error) {
		return func(w *ecs.World, _ float64) error { return turn(w) }, nil
	}
}

func TestScripts(t *testing.T) {
	drive, err := filepath.Abs("../../../docs/drive")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Setenv("DRIVE", drive)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"fails":     fails,
			"interrupt": interrupt,
			"untimed":   untimed,
		},
	})
}

// fails runs a command and wants the exit code: fails 4 ecsrun run arena.yaml
func fails(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: fails CODE COMMAND [ARG…]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var ended *exec.ExitError
	switch {
	case errors.As(err, &ended):
		got = ended.ExitCode()
	case err != nil:
		ts.Fatalf("%s: %v", args[1], err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// interrupt runs a command, sends it SIGINT (-term: SIGTERM, -hup: SIGHUP) once it has printed the line "ready", and wants the exit code. With -hard it
// goes on sending until the command is dead, which must be by the signal: -1. The output is in the files stdout.txt and stderr.txt.
func interrupt(ts *testscript.TestScript, neg bool, args []string) {
	hard, sig := false, os.Signal(os.Interrupt)
	for ; len(args) > 0 && strings.HasPrefix(args[0], "-") && args[0] != "-1"; args = args[1:] {
		switch args[0] {
		case "-hard":
			hard = true
		case "-term":
			sig = syscall.SIGTERM
		case "-hup":
			sig = signals.Hangup
		default:
			ts.Fatalf("interrupt: unknown flag %s", args[0])
		}
	}
	if neg || len(args) < 2 {
		ts.Fatalf("usage: interrupt [-hard] [-term|-hup] CODE COMMAND [ARG…]")
	}
	cmd := exec.Command(args[1], args[2:]...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = append(os.Environ(), "PATIENCE="+ts.Getenv("PATIENCE"))
	stderr, err := os.Create(ts.MkAbs("stderr.txt"))
	ts.Check(err)
	defer stderr.Close()
	cmd.Stderr = stderr
	stdout, err := cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	var printed strings.Builder
	lines := bufio.NewScanner(stdout)
	sent := false
	for lines.Scan() {
		printed.WriteString(lines.Text() + "\n")
		if lines.Text() == "ready" && !sent {
			sent = true
			ts.Check(cmd.Process.Signal(sig))
			if hard {
				go func() {
					for cmd.Process.Signal(sig) == nil {
						time.Sleep(5 * time.Millisecond)
					}
				}()
			}
		}
	}
	_ = cmd.Wait() // the code is what counts
	ts.Check(os.WriteFile(ts.MkAbs("stdout.txt"), []byte(printed.String()), 0o666))
	if !sent {
		ts.Fatalf(`the command never printed "ready"`)
	}
	if got := strconv.Itoa(cmd.ProcessState.ExitCode()); got != args[0] {
		ts.Fatalf("exit code %s, want %s", got, args[0])
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// damage changes a byte in the middle of a file.
func damage() {
	content, err := os.ReadFile(os.Args[1])
	if err == nil {
		content[len(content)/2] ^= 0x10
		err = os.WriteFile(os.Args[1], content, 0o666)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
