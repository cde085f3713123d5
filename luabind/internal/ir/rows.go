package ir

import (
	"fmt"
)

// Rows returns how many rows a walk visits that begins with that many rows to do: the
// rows themselves, and in each of them the rows of the query loops within; at most
// [MaxRows]. Structure is locked while the loop runs, so these are known when it begins.
// A query loop that stands in a loop of another kind adds nothing: that loop may be
// endless.
func (p *Program) Rows(rows int) int64 {
	return times(int64(rows), rowsWithin(p, p.Body))
}

// rowsWithin is 1 for a row that does some statements, and what it visits.
func rowsWithin(p *Program, body []*Stmt) int64 {
	n := int64(1)
	for _, s := range body {
		switch s.Op {
		case Each:
			n += times(int64(p.Queries[s.I].Query.Rows()), rowsWithin(p, s.Body))
		case If, Block:
			n += rowsWithin(p, s.Body) - 1 + rowsWithin(p, s.Else) - 1
		case Set, Store, While, Repeat, Count, Near, Jump, Break, Return, Do, Look, Put, Fit, Emit, Leave:
		default:
			panic(fmt.Sprintf("ir: rows of statement %d", s.Op))
		}
	}
	return min(n, MaxRows)
}

// MaxRows bounds what [Program.Rows] returns.
const MaxRows = 1 << 40

// times is a product, at most MaxRows.
func times(a, b int64) int64 {
	if b > 0 && a > MaxRows/b {
		return MaxRows
	}
	return a * b
}
