//go:build !unix

package app

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"syscall"
)

func newPage() (*page, *os.File, error) {
	return nil, nil, errors.New("it is not available on " + runtime.GOOS)
}

func inheritedPage(string) *page { return nil }

func endOf(int) <-chan struct{} { return nil }

func apart(*exec.Cmd) {}

func endedBy(*os.ProcessState) (syscall.Signal, bool) { return 0, false }

func endBy(os.Signal) {}

func waited(r io.Reader) io.Reader { return r }
