package main

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// ready returns the suite, built, with the tests that reach each mutant: the one in o.keep if it was made of the same files for the same
// options, or a new one. done deletes what is not to be kept.
func ready(o options) (s *suite, done func(), err error) {
	if o.keep == "" {
		if o.keep, err = os.MkdirTemp("", "mutation"); err != nil {
			return nil, nil, err
		}
		done = func() { os.RemoveAll(o.keep) }
	} else {
		done = func() {}
		err = os.MkdirAll(o.keep, 0o755)
	}
	if err == nil {
		s, err = readyIn(o)
	}
	if err != nil {
		done()
	}
	return s, done, err
}

// readyIn is ready for a folder that exists.
func readyIn(o options) (*suite, error) {
	dir, err := filepath.Abs(o.keep) // tests run in other folders
	if err != nil {
		return nil, err
	}
	sum, err := checksum(".", o)
	if err != nil {
		return nil, err
	}
	if s, err := load(dir, sum); s != nil || err != nil {
		return s, err
	}
	s, err := build(o, dir)
	if err != nil {
		return nil, err
	}
	if err := s.reach(o); err != nil {
		return nil, err
	}
	return s, save(dir, sum, s)
}

// checksum returns the checksum of all files below a folder, and of the options on which a suite depends. Hidden
// files and folders do not count.
func checksum(root string, o options) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%s %q %q %q\n", runtime.Version(), o.packages, o.tests, o.flags)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch hidden := path != root && d.Name()[0] == '.'; {
		case err != nil:
			return err
		case hidden && d.IsDir():
			return fs.SkipDir
		case hidden, !d.Type().IsRegular():
			return nil
		}
		text, err := os.ReadFile(path)
		fmt.Fprintf(h, "%q %d\n", path, len(text))
		h.Write(text)
		return err
	})
	return fmt.Sprintf("%x", h.Sum(nil)), err
}

// kept is the content of the file suite.json in a folder.
type kept struct {
	Sum   string
	Suite *suite
}

// load reads the suite that was saved with a checksum, nil if there is none.
func load(dir, sum string) (*suite, error) {
	text, err := os.ReadFile(filepath.Join(dir, "suite.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var k kept
	if err := json.Unmarshal(text, &k); err != nil || k.Sum != sum {
		return nil, err
	}
	k.Suite.dir = dir
	return k.Suite, nil
}

func save(dir, sum string, s *suite) error {
	text, err := json.Marshal(kept{sum, s})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "suite.json"), text, 0o644)
}
