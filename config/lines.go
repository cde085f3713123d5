package config

import (
	"sort"
	"unicode/utf8"
)

// lines converts byte offsets in a text to lines and columns.
type lines struct {
	file   string
	data   []byte
	starts []int // offset of each line

	line, offset, column int // of the last position: the next one is mostly after it, on what may be a very long line
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
	from, column := l.starts[line], 1
	if line == l.line && offset >= l.offset && l.column > 0 {
		from, column = l.offset, l.column
	}
	column += utf8.RuneCount(l.data[from:offset])
	l.line, l.offset, l.column = line, offset, column
	return Pos{File: l.file, Line: line + 1, Column: column}
}
