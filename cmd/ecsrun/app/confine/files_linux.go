package confine

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/landlock-lsm/go-landlock/landlock"
	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
)

// The rights that a rule gives. None of them allows a program to be run.
const (
	readFile   = ll.AccessFSReadFile
	readFolder = readFile | ll.AccessFSReadDir
	writeAll   = readFolder | ll.AccessFSWriteFile | ll.AccessFSTruncate | ll.AccessFSMakeReg | ll.AccessFSRemoveFile | ll.AccessFSMakeDir
)

// refers is the first version of Landlock that can allow a file to be moved to another folder.
const refers = 2

// truncates is the first version of Landlock that also restricts truncating a file, which destroys what it holds.
const truncates = 3

func process(r Rules) (gaps []string, err error) {
	_, _ = time.Now().Zone() // reads the file of the time zone, which nobody may read later
	version, err := ll.LandlockGetABIVersion()
	if err != nil {
		version = 0
	}
	if version > 0 {
		rules, err := fileRules(r, version)
		if err != nil {
			return nil, err
		}
		if err := landlock.V7.BestEffort().Restrict(rules...); err != nil {
			return nil, fmt.Errorf("landlock: %w", err)
		}
	}
	gaps = landlockGaps(version)
	if err := filterCalls(); err != nil {
		gaps = append(gaps, fmt.Sprintf("sockets, programs and other processes are not restricted: seccomp: %v", err))
	}
	return gaps, nil
}

// landlockGaps says what a version of Landlock cannot restrict. The version of a kernel without Landlock is 0.
func landlockGaps(version int) []string {
	switch {
	case version < 1:
		return []string{"files are not restricted: this kernel has no Landlock (Linux 5.13), or it is turned off"}
	case version < truncates:
		return []string{fmt.Sprintf("truncating files is not restricted: Landlock is version %d, and version %d is needed (Linux 6.2)", version, truncates)}
	default:
		return nil
	}
}

// fileRules returns the rules as Landlock takes them: those of a folder differ from those of a file.
func fileRules(r Rules, version int) ([]landlock.Rule, error) {
	var rules []landlock.Rule
	add := func(paths []string, folder, file landlock.AccessFSSet) error {
		for _, path := range paths {
			info, err := os.Stat(path)
			switch {
			case err != nil:
				return err
			case info.IsDir():
				rules = append(rules, landlock.PathAccess(folder, path))
			case file == 0:
				return &os.PathError{Op: "confine", Path: path, Err: errors.New("is not a folder")}
			default:
				rules = append(rules, landlock.PathAccess(file, path))
			}
		}
		return nil
	}
	if err := add(r.Read, readFolder, readFile); err != nil {
		return nil, err
	}
	write := landlock.AccessFSSet(writeAll)
	if version >= refers {
		write |= ll.AccessFSRefer
	}
	return rules, add(r.Write, write, 0)
}
