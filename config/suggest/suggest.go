// Package suggest finds the name somebody probably meant.
//
// Every error about an unknown name ends in "did you mean …?" when there is one
// good answer; all of them ask here, so that scripts, the config and the command
// line agree on what "close" means. The answer depends on the name and the set
// of candidates only, never on their order.
package suggest

import (
	"strings"
	"unicode/utf8"
)

// These limits bound the work. A longer name is not a misspelling of anything, and the cost of the edit distance
// is the product of the lengths. More candidates than this are not compared either.
const (
	maxLen        = 64
	maxCandidates = 10_000
)

// Closest returns the candidate nearest to name, and whether one is near enough to be suggested. A name that
// differs only in case is the nearest. Otherwise the candidate with the fewest edits wins (insert, delete,
// replace, swap of neighbours, ignoring case), with at most one edit per three letters; ties are decided by the
// alphabet. An exact match is skipped. With more than 10,000 candidates it returns none. It costs O(candidates),
// and the product of the lengths only for candidates of similar length.
func Closest(name string, candidates []string) (string, bool) {
	if name == "" || len(name) > maxLen || len(candidates) > maxCandidates {
		return "", false
	}
	lower, length := strings.ToLower(name), utf8.RuneCountInString(name)
	limit := max(1, (length+1)/3)
	best, bestCost := "", 2*limit+2
	for _, c := range candidates {
		if c == "" || c == name || len(c) > maxLen {
			continue
		}
		n := utf8.RuneCountInString(c)
		if n > length+limit || n < length-limit {
			continue // each edit changes the length by one at most
		}
		candidate := strings.ToLower(c)
		d := distance(lower, candidate)
		if d > limit || (d > 0 && d >= n) || opposite(lower, candidate) {
			continue // the opposite, or so many edits that nothing of the candidate is left
		}
		cost := 2 * d
		if first(lower) != first(candidate) {
			cost++ // people seldom mistype the first letter
		}
		if cost < bestCost || (cost == bestCost && c < best) {
			best, bestCost = c, cost
		}
	}
	return best, best != ""
}

// opposite reports whether one name is the negation of the other: a suggestion must not mean the contrary. Both
// are in lower case.
func opposite(a, b string) bool {
	if denies(a) != denies(b) {
		return true
	}
	for _, prefix := range []string{"un", "dis", "non"} {
		if a == prefix+b || b == prefix+a {
			return true
		}
	}
	return false
}

// denies reports whether a name contains a word of negation: no_error, is_not_nil.
func denies(name string) bool {
	for word := range strings.FieldsFuncSeq(name, func(r rune) bool { return r == '_' || r == '-' || r == '.' }) {
		switch word {
		case "no", "not", "never":
			return true
		}
	}
	return false
}

func first(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// distance returns the optimal string alignment distance, over runes: the Damerau–Levenshtein distance in which no
// part is edited twice.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	before := make([]int, len(y)+1) // row i-2
	above := make([]int, len(y)+1)  // row i-1
	row := make([]int, len(y)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		for j := 1; j <= len(y); j++ {
			edit := 1
			if x[i-1] == y[j-1] {
				edit = 0
			}
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+edit)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, above, row = above, row, before
	}
	return above[len(y)]
}
