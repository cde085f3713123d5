package config

import "fmt"

// Pos says where a value was written. The zero Pos means nowhere: a default, or a Config made in Go.
type Pos struct {
	File   string // path as given to Load, or the source of an override: "ECSRUN_RUN_SEED", "--set run.seed=7"
	Line   int    // from 1; 0 when the value was not written in a file
	Column int    // from 1, in characters, a tab being one
}

// String returns "config/arena.yaml:9:14", or the source alone when there is no
// line, or "" for the zero Pos.
func (p Pos) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// compare orders two positions: first the lines of the file, then positions without a line, in the order in which
// they were found.
func (p Pos) compare(q Pos) int {
	switch {
	case p.Line == 0 && q.Line == 0:
		return 0
	case p.Line == 0:
		return 1
	case q.Line == 0:
		return -1
	case p.Line != q.Line:
		return p.Line - q.Line
	}
	return p.Column - q.Column
}
