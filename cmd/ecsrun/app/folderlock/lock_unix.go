//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package folderlock

import (
	"errors"
	"os"
	"syscall"
)

// tryLock locks an open file, for all processes that inherit it. The error is errLocked if it is locked already.
func tryLock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	switch {
	case errors.Is(err, syscall.EWOULDBLOCK):
		return errLocked
	case errors.Is(err, errors.ErrUnsupported), errors.Is(err, syscall.ENOLCK), errors.Is(err, syscall.EINVAL):
		return nil // this file system has no locks
	}
	return err
}

// running reports whether there is a process of this id.
func running(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
