package ir

import "fmt"

// How many rows a walk visits, for the budget. Each row raises the budget of a turn by some instructions, as in the
// interpreter; package loops grants that before a kernel begins.

// Rows returns how many rows a walk over a number of rows visits in all: the rows themselves, and in each of them
// the rows of the inner query loops; at most 2^40. Structure is locked while the loop runs, so these numbers are
// known when it begins. A query loop inside a loop of another kind counts nothing, because its number of executions
// is not known.
func (p *Program) Rows(rows int) int64 {
	return times(int64(rows), rowsWithin(p, p.Body))
}

// rowsWithin returns how many rows the execution of some statements visits, including the row that executes them.
func rowsWithin(p *Program, body []*Stmt) int64 {
	n := int64(1)
	for _, s := range body {
		switch s.Op {
		case Each:
			n += times(int64(p.Queries[s.I].Query.Rows()), rowsWithin(p, s.Body))
		case If, Block:
			n += rowsWithin(p, s.Body) - 1 + rowsWithin(p, s.Else) - 1
		case Set, Store, While, Repeat, Count, Near, Sources, Jump, Break, Return, Do, Look, Put, PutKey, Make, PutItem, Insert, Remove, Sort, Invoke, Items, Entries, Fit, Emit, Leave, Untouched:
		default:
			panic(fmt.Sprintf("ir: rows of statement %d", s.Op))
		}
	}
	return min(n, mostRows)
}

// mostRows is the largest result of [Program.Rows], so that products with it do not overflow.
const mostRows = 1 << 40

// times returns a product, at most mostRows.
func times(a, b int64) int64 {
	if b > 0 && a > mostRows/b {
		return mostRows
	}
	return a * b
}
