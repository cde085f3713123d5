// Package folderlock gives a folder to one process at a time.
package folderlock

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// The system releases the lock when the process ends, however it ends. Who only reads the folder needs no lock.

// lockName is the file in the folder that is locked. It stays there, and holds the process id of the owner.
const lockName = ".lock"

// errLocked says that another process, or another run in this one, has the lock.
var errLocked = errors.New("locked")

// Lock makes the folder if it is not there, and takes its lock, which the returned file holds until it is closed. The
// error for a folder in use names its owner.
func Lock(dir string) (*os.File, error) {
	return LockFor(dir, "a folder of snapshots belongs to one run at a time: choose another folder, or end that run")
}

// LockFor is Lock with what the error says of a folder in use.
func LockFor(dir, otherwise string) (*os.File, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	if err := tryLock(f); err != nil {
		owner := ownerOf(f)
		_ = f.Close() // nothing was written
		if errors.Is(err, errLocked) {
			err = fmt.Errorf("%s is in use by %s; %s", dir, owner, otherwise)
		}
		return nil, err
	}
	_, _ = f.WriteAt(fmt.Appendf(nil, "%-20d\n", os.Getpid()), 0) // only messages need it, and the disk may be full
	return f, nil
}

// ownerOf returns who has the lock, for a message. A new owner writes its id just after it has taken the lock, so an id
// that is not there yet, or that of a process that has ended, is waited for.
func ownerOf(f *os.File) string {
	for range 100 {
		text := make([]byte, 21)
		n, _ := f.ReadAt(text, 0)
		if pid, err := strconv.Atoi(strings.TrimSpace(string(text[:n]))); err == nil && pid > 0 && running(pid) {
			return fmt.Sprintf("process %d", pid)
		}
		time.Sleep(time.Millisecond)
	}
	return "another process"
}
