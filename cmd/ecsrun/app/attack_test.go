package app

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"github.com/ecsrun/ecsrun/ecs"
)

// This file has systems in Go that do harm: they stand for a fault in this program that a script has found.

// attacks tries what a confined run must not be able to do, and says what came of it.
func attacks(*ecs.World) (ecs.SystemFunc, error) {
	return func(*ecs.World, float64) error {
		say := func(what string, err error) {
			if err != nil {
				fmt.Fprintf(os.Stderr, "attack: %s: refused\n", what)
			} else {
				fmt.Fprintf(os.Stderr, "attack: %s: done\n", what)
			}
		}
		_, err := os.ReadFile("/etc/passwd")
		say("read a file", err)
		say("write a file", os.WriteFile(filepath.Join(os.Getenv("WORK"), "stolen"), []byte("x"), 0o666))
		say("change a script", os.WriteFile(filepath.Join(os.Getenv("WORK"), "scripts", "a.lua"), []byte("error()"), 0o666))
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		say("open a socket", err)
		if err == nil {
			_ = listener.Close()
		}
		say("run a program", exec.Command(os.Args[0], "version").Run())
		parent, err := os.FindProcess(os.Getppid())
		if err == nil {
			err = parent.Signal(syscall.Signal(0))
		}
		say("signal its parent", err)
		return nil
	}, nil
}
