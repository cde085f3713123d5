//go:build unix

package app

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// newPage makes a page in a file without a name, for a child to inherit.
func newPage() (*page, *os.File, error) {
	f, err := os.CreateTemp("", "ecsrun-supervise-")
	if err != nil {
		return nil, nil, err
	}
	if err := errors.Join(os.Remove(f.Name()), f.Truncate(pageSize)); err != nil {
		_ = f.Close()
		return nil, nil, err
	}
	p, err := mapPage(int(f.Fd()))
	return p, f, err
}

// inheritedPage returns the page that the environment names; nil if there is none.
func inheritedPage(value string) *page {
	fd, err := strconv.Atoi(value)
	if err != nil || fd < 3 {
		return nil
	}
	var stat syscall.Stat_t
	if err := syscall.Fstat(fd, &stat); err != nil || stat.Size != pageSize {
		return nil
	}
	p, err := mapPage(fd)
	if err != nil || p.magic != pageMagic {
		return nil
	}
	syscall.CloseOnExec(fd)
	return p
}

func mapPage(fd int) (*page, error) {
	memory, err := syscall.Mmap(fd, 0, pageSize, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	return pageIn(memory), nil
}

// endOf returns a channel that ends when nobody can write any more to the pipe that an inherited file reads. A signal of the
// system (PR_SET_PDEATHSIG) would not do: it comes for each thread of the parent to which the child passes in turn.
func endOf(fd int) <-chan struct{} {
	gone := make(chan struct{})
	if syscall.SetNonblock(fd, true) != nil {
		return nil
	}
	syscall.CloseOnExec(fd)
	pipe := os.NewFile(uintptr(fd), "parent")
	go func() {
		_, _ = io.Copy(io.Discard, pipe)
		close(gone)
	}()
	return gone
}

// apart gives a command a process group of its own: what is typed on the terminal, such as Ctrl-C, reaches the parent
// alone, which passes it on once.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func endedBy(state *os.ProcessState) (sig syscall.Signal, ok bool) {
	status, ok := state.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		return 0, false
	}
	return status.Signal(), true
}

// endBy ends this process by a signal.
func endBy(sig os.Signal) {
	if number, ok := sig.(syscall.Signal); ok {
		_ = syscall.Kill(os.Getpid(), number)
	}
}

// waited returns a reader of a pipe that no thread waits in. A thread that waits in a read keeps its share of GOMAXPROCS until the runtime looks, which is after up to 10 ms.
func waited(r io.Reader) io.Reader {
	f, ok := r.(*os.File)
	if !ok || syscall.SetNonblock(int(f.Fd()), true) != nil {
		return r
	}
	return os.NewFile(f.Fd(), f.Name())
}
