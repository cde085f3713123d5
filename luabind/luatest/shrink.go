package luatest

import "slices"

// Shrinking a case that fails: choices are removed and made smaller, as long as the case still fails. A shorter list
// is simpler than a longer one; of two lists of one length, the one that is smaller at the first difference.

// mostShrinks is the number of cases that are tried to make a failing one simpler.
const mostShrinks = 2000

// shrinker is the search for a simpler case.
type shrinker struct {
	best  []uint64
	tries int
	steps int                                // how often a simpler case was found
	fails func(try []uint64) (used []uint64) // runs a case; nil if it does not fail
}

// shrink returns the simplest case found, and in how many steps.
func shrink(list []uint64, fails func(try []uint64) (used []uint64)) ([]uint64, int) {
	s := &shrinker{best: list, fails: fails}
	for before := -1; before != s.steps && s.tries < mostShrinks; {
		before = s.steps
		s.remove()
		s.lower()
		s.lowerTogether()
		s.move()
	}
	return s.best, s.steps
}

// try runs a case, and keeps it if it fails and is simpler than the best.
func (s *shrinker) try(list []uint64) bool {
	if s.tries == mostShrinks || !simpler(list, s.best) {
		return false
	}
	s.tries++
	used := s.fails(slices.Clone(list))
	if used == nil || !simpler(used, s.best) {
		return false
	}
	s.best = slices.Clone(used)
	s.steps++
	return true
}

func simpler(a, b []uint64) bool {
	if len(a) != len(b) {
		return len(a) < len(b)
	}
	return slices.Compare(a, b) < 0
}

// remove removes runs of choices, long ones first, from the end on. A removed element of a list takes its choice to
// go on with it.
func (s *shrinker) remove() {
	for size := min(32, len(s.best)); size > 0; size = shorter(size) {
		for from := len(s.best) - size; from >= 0; from-- {
			from = min(from, len(s.best)-size)
			if from < 0 {
				break
			}
			if s.try(slices.Delete(slices.Clone(s.best), from, from+size)) {
				from++ // what comes before may go with the same run
			}
		}
	}
}

// shorter returns the next length of a run: every length up to 8, and halves above, because an element of a list may
// take any small number of choices.
func shorter(size int) int {
	if size > 8 {
		return max(8, size/2)
	}
	return size - 1
}

// lower makes each choice as small as it can be, by halving the distance.
func (s *shrinker) lower() {
	for i := 0; i < len(s.best); i++ {
		if s.best[i] == 0 || s.set(i, 0) {
			continue
		}
		low := uint64(0) // passes
		for i < len(s.best) && s.best[i]-low > 1 {
			middle := low + (s.best[i]-low)/2
			if !s.set(i, middle) {
				low = middle
			}
			if s.tries == mostShrinks {
				return
			}
		}
	}
}

// lowerTogether takes the same amount from two choices that are equal: two values that must be equal to fail.
func (s *shrinker) lowerTogether() {
	for i := 0; i < len(s.best); i++ {
		for k := i + 1; k < len(s.best) && k < i+16; k++ {
			if s.best[i] == 0 || s.best[i] != s.best[k] {
				continue
			}
			low := uint64(0)
			for k < len(s.best) && s.best[i] == s.best[k] && s.best[i]-low > 1 && s.tries < mostShrinks {
				list := slices.Clone(s.best)
				middle := low + (list[i]-low)/2
				list[i], list[k] = middle, middle
				if !s.try(list) {
					low = middle
				}
			}
		}
	}
}

// move takes an amount from a choice and adds it to a later one: two values whose sum must be large to fail. The
// earlier one may become 0, and then be removed.
func (s *shrinker) move() {
	for i := 0; i < len(s.best); i++ {
		for k := i + 1; k < len(s.best) && k < i+16; k++ {
			for step := s.best[i]; step > 0 && i < len(s.best) && k < len(s.best) && s.tries < mostShrinks; step /= 2 {
				list := slices.Clone(s.best)
				if list[i] >= step && list[k] > 0 && list[k] <= 1<<60 {
					list[i], list[k] = list[i]-step, list[k]+step
					s.try(list)
				}
			}
		}
	}
}

// set tries the best case with another choice at i.
func (s *shrinker) set(i int, v uint64) bool {
	list := slices.Clone(s.best)
	list[i] = v
	return s.try(list)
}
