package ir

import "fmt"

// Rows returns how many rows a walk visits that begins with that many rows to do: the
// rows themselves, and in each of them the rows of the query loops within; at most
// 2^40. Structure is locked while the loop runs, so these are known when it begins.
// A query loop inside a loop of another kind adds nothing: nobody knows how often that one
// runs. The budget is raised by what Rows returns.
func (p *Program) Rows(rows int) int64 {
	return times(int64(rows), rowsWithin(p, p.Body))
}

// rowsWithin is the number of rows that one row visits which does some statements: itself, and those of inner query loops.
func rowsWithin(p *Program, body []*Stmt) int64 {
	n := int64(1)
	for _, s := range body {
		switch s.Op {
		case Each:
			n += times(int64(p.Queries[s.I].Query.Rows()), rowsWithin(p, s.Body))
		case If, Block:
			n += rowsWithin(p, s.Body) - 1 + rowsWithin(p, s.Else) - 1
		case Set, Store, While, Repeat, Count, Near, Jump, Break, Return, Do, Look, Put, PutKey, Fit, Emit, Leave:
		default:
			panic(fmt.Sprintf("ir: rows of statement %d", s.Op))
		}
	}
	return min(n, mostRows)
}

// mostRows bounds what [Program.Rows] returns, so that products of it do not overflow.
const mostRows = 1 << 40

// times is a product, at most mostRows.
func times(a, b int64) int64 {
	if b > 0 && a > mostRows/b {
		return mostRows
	}
	return a * b
}
