package kernel

import (
	"fmt"

	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
)

// RowInstructions is what a walk of that many rows adds to the budget: the rows
// themselves, and in each of them the rows of the query loops within. Structure is
// locked while the loop runs, so these are known when it begins. A query loop that
// stands in a loop of another kind adds nothing: that loop may be endless.
func (p *Program) RowInstructions(rows int) int64 {
	switch {
	case rows == 0:
		return 0
	case len(p.Queries) == 0:
		return times(int64(rows), sandbox.RowInstructions)
	}
	return times(int64(rows), times(sandbox.RowInstructions, p.rowsWithin(p.Body)))
}

// rowsWithin is 1 for a row that does some statements, and what it visits.
func (p *Program) rowsWithin(body []*Stmt) int64 {
	n := int64(1)
	for _, s := range body {
		switch s.Op {
		case Each:
			n += times(int64(p.Queries[s.I].Query.Rows()), p.rowsWithin(s.Body))
		case If, Block:
			n += p.rowsWithin(s.Body) - 1 + p.rowsWithin(s.Else) - 1
		case Set, Store, While, Repeat, Count, Near, Jump, Break, Return, Do, Look, Put, Fit, Emit, Leave:
		default:
			panic(fmt.Sprintf("kernel: rows of statement %d", s.Op))
		}
	}
	return min(n, mostRows)
}

// mostRows keeps products of rows from an overflow.
const mostRows = 1 << 50

// times is a product, at most mostRows.
func times(a, b int64) int64 {
	if b > 0 && a > mostRows/b {
		return mostRows
	}
	return a * b
}
