package config

import (
	"sort"
	"unicode/utf8"
)

// lines turns byte offsets of a text into positions.
type lines struct {
	file   string
	data   []byte
	starts []int // offset of each line
}

func newText(file string, data []byte) *lines {
	l := &lines{file: file, data: data, starts: []int{0}}
	for i, c := range data {
		if c == '\n' {
			l.starts = append(l.starts, i+1)
		}
	}
	return l
}

// at returns the position of a byte offset, which may be the end of the text.
func (l *lines) at(offset int) Pos {
	offset = min(max(offset, 0), len(l.data))
	line := sort.SearchInts(l.starts, offset+1) - 1
	return Pos{File: l.file, Line: line + 1, Column: 1 + utf8.RuneCount(l.data[l.starts[line]:offset])}
}
