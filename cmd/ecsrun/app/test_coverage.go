package app

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/ecsrun/ecsrun/luabind"
	"github.com/ecsrun/ecsrun/luabind/luatest"
)

// Coverage of a run of tests: what the tasks have counted is added up, written as a table, and to the file of
// --coverage-out.

// A coverageFile collects coverage. It is nil if nothing is counted.
type coverageFile struct {
	path    string
	file    *output // nil without --coverage-out
	page    bool    // HTML instead of LCOV
	results [][]luabind.CoveredFile
}

// covers reports whether the flags ask for coverage.
func (f *testFlags) covers() bool {
	return f.coverage || f.coverageOut != "" || f.coverageMerge != nil
}

// openCoverage reads the files of --coverage-merge and opens that of --coverage-out. It returns nil if the flags ask
// for no coverage. It runs before the tests, so that a wrong path is reported at once.
func openCoverage(f testFlags) (*coverageFile, error) {
	if f.list || !f.covers() {
		return nil, nil
	}
	c := &coverageFile{path: f.coverageOut}
	for _, path := range f.coverageMerge {
		files, err := readCoverage(path)
		if err != nil {
			return nil, usageError("--coverage-merge: %w", err)
		}
		c.add(files)
	}
	if c.path == "" {
		return c, nil
	}
	switch strings.ToLower(filepath.Ext(c.path)) {
	case ".info", ".lcov":
	case ".html", ".htm":
		c.page = true
	default:
		return nil, usageError("--coverage-out wants a file that ends in .info, for LCOV, or .html, for a page, not %q", c.path)
	}
	var err error
	if c.file, err = openOutput("--coverage-out", c.path, os.O_WRONLY); err != nil {
		return nil, err
	}
	return c, nil
}

// readCoverage reads an LCOV file. The names in it become those that this run gives files.
func readCoverage(path string) ([]luabind.CoveredFile, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	files, err := luatest.ReadLCOV(in)
	if err != nil {
		return nil, &os.PathError{Op: "read", Path: path, Err: err}
	}
	for i := range files {
		files[i].Name = coveredName(filepath.FromSlash(files[i].Name))
	}
	return files, nil
}

// add adds the coverage of a task. c may be nil.
func (c *coverageFile) add(files []luabind.CoveredFile) {
	if c != nil {
		c.results = append(c.results, files)
	}
}

func (c *coverageFile) write(table io.Writer) error {
	if c == nil {
		return nil
	}
	files := luabind.MergeCoverage(c.results...)
	if err := luatest.WriteCoverage(table, files); err != nil || c.file == nil {
		return err
	}
	write := luatest.WriteLCOV
	if c.page {
		write = luatest.WriteCoverageHTML
		for i := range files {
			if files[i].Source == "" { // only another run has loaded it
				text, _ := os.ReadFile(filepath.FromSlash(files[i].Name)) // without its text it has only a row
				files[i].Source = string(text)
			}
		}
	}
	if err := c.file.begin(false); err != nil {
		return err
	}
	if err := errors.Join(write(c.file, files), c.file.Close()); err != nil {
		return outputError("--coverage-out: %q cannot be written: %w", filepath.Clean(c.path), err)
	}
	return nil
}

// coverageTable returns where the table goes: stderr if stdout holds results for a program.
func (p *program) coverageTable(f testFlags) io.Writer {
	if f.tap || f.json {
		return p.console.stderr()
	}
	return p.console.stdout()
}

// coveredName returns the name of a file in coverage: its path from the current folder if it is inside of it, the
// whole path otherwise, with slashes. So all runs from one folder agree, no matter how the file was reached.
func coveredName(path string) string {
	at := realPath(path)
	if rel, err := filepath.Rel(filepath.Dir(realPath("x")), at); err == nil && filepath.IsLocal(rel) {
		at = rel
	}
	return filepath.ToSlash(at)
}
