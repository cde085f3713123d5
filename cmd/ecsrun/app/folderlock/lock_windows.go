package folderlock

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// tryLock locks a byte behind the text of an open file, so that others can read the text. The error is errLocked if it is
// locked already.
func tryLock(f *os.File) error {
	at := &windows.Overlapped{Offset: 1 << 10}
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return errLocked
	}
	return err
}

// running reports whether there is a process of this id.
func running(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	_ = p.Release()
	return true
}
