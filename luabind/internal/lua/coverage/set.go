package coverage

import (
	"maps"
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// A Set counts the lines of the files of a run that are executed. Files of one name are one file, no matter in how
// many worlds it is loaded. A Set belongs to one goroutine at a time; [Merge] combines the results of several.
type Set struct {
	files map[string]*Counts
	name  func(path string) string // nil: files are named by their paths
}

// NewSet returns an empty set.
func NewSet() *Set { return &Set{files: map[string]*Counts{}} }

// Named returns a set that counts in s and gives files other names: name is called with the path that a file has
// where it is loaded, and the result goes through what has named the files of s.
func (s *Set) Named(name func(path string) string) *Set {
	return &Set{s.files, func(path string) string { return s.nameOf(name(path)) }}
}

func (s *Set) nameOf(path string) string {
	if s.name == nil {
		return path
	}
	return s.name(path)
}

// Counts counts how often the marks of a file were passed.
type Counts struct {
	Name   string // of the file, in reports
	source string
	lines  []int    // of the marks
	ran    []uint64 // by mark

	uncounted bool // the file cannot be compiled with marks
}

// File returns the Counts of a file that is about to be compiled. After compiling, the caller calls Keep or Drop.
func (s *Set) File(path, source string) *Counts {
	return &Counts{Name: s.nameOf(path), source: source}
}

// Keep puts Counts into the set, once the file is compiled. It returns the Counts to use: earlier ones, if a file of
// the same name and text has been compiled before. Counts of another text are replaced.
func (s *Set) Keep(c *Counts) *Counts {
	if old := s.files[c.Name]; old != nil && old.source == c.source && old.uncounted == c.uncounted {
		return old
	}
	s.files[c.Name] = c
	return c
}

// Drop records that a file cannot be compiled with marks and runs without.
func (s *Set) Drop(c *Counts) {
	c.uncounted, c.lines, c.ran = true, nil, nil
	s.Keep(c)
}

// Begin returns a function that takes back all files that were added or replaced after Begin. s may be nil.
func (s *Set) Begin() (back func()) {
	if s == nil {
		return func() {}
	}
	before := maps.Clone(s.files)
	return func() {
		clear(s.files)
		maps.Copy(s.files, before)
	}
}

// Fill returns the values of the hidden names in the code of the file, for a State.
func (c *Counts) Fill(state *sandbox.State) map[string]lua.LValue {
	if c == nil {
		return nil
	}
	budget := state.Budget()
	passed := func(mark float64) {
		c.ran[int(mark)]++
		budget.Refund(markInstructions)
	}
	return map[string]lua.LValue{hiddenMark: state.NewMulti(func(L *lua.LState) int {
		passed(float64(L.Get(1).(lua.LNumber)))
		return 0
	}, func(_ *lua.LState, args []interp.Value) ([]interp.Value, bool) {
		passed(args[0].Num)
		return nil, true
	})}
}

// Files returns the result: the files that were loaded, sorted by name.
func (s *Set) Files() []File {
	var out []File
	for _, name := range slices.Sorted(maps.Keys(s.files)) {
		c := s.files[name]
		counts := map[int]uint64{}
		for mark, line := range c.lines {
			counts[line] = max(counts[line], c.ran[mark])
		}
		out = append(out, File{Name: name, Source: c.source, Lines: sortedLines(counts), Uncounted: c.uncounted})
	}
	return out
}
