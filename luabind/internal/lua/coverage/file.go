package coverage

import (
	"maps"
	"slices"
)

// A File is the coverage of one Lua file.
type File struct {
	Name      string // as the program names it
	Source    string // its text; "" if it is not known, as in a result that was read from a file
	Lines     []Line // the executable lines, by number
	Uncounted bool   // the file has run, but is too large to be counted; it has no Lines
}

// A Line is an executable line of a File.
type Line struct {
	Number int
	Count  uint64 // how often what begins on the line has begun to run; of several statements the most
}

// Ran returns the number of executable lines that have run.
func (f *File) Ran() (n int) {
	for _, l := range f.Lines {
		if l.Count > 0 {
			n++
		}
	}
	return n
}

// Merge adds up results. A file of the same name in several is one file in the result; the first known text counts.
func Merge(results ...[]File) []File {
	merged := map[string]*File{}
	counts := map[string]map[int]uint64{}
	for _, files := range results {
		for _, f := range files {
			m := merged[f.Name]
			if m == nil {
				m = &File{Name: f.Name}
				merged[f.Name], counts[f.Name] = m, map[int]uint64{}
			}
			if m.Source == "" {
				m.Source = f.Source
			}
			m.Uncounted = m.Uncounted || f.Uncounted
			for _, l := range f.Lines {
				counts[f.Name][l.Number] += l.Count
			}
		}
	}
	var out []File
	for _, name := range slices.Sorted(maps.Keys(merged)) {
		merged[name].Lines = sortedLines(counts[name])
		out = append(out, *merged[name])
	}
	return out
}

func sortedLines(counts map[int]uint64) []Line {
	var out []Line
	for _, number := range slices.Sorted(maps.Keys(counts)) {
		out = append(out, Line{number, counts[number]})
	}
	return out
}
