package sandbox

// Sort is auxsort of ltablib.c: table.sort for the interpreter and for compiled loops, so that they compare the same
// items in the same order, and equal items end up in the same places. It returns false if less, which says whether an
// item comes before another one, is not ok, or is no order.
func Sort[T any](items []T, less func(a, b T) (is, ok bool)) bool {
	so := sorting[T]{items, less}
	return so.sort(0, len(items)-1)
}

// A sorting is the state of one Sort.
type sorting[T any] struct {
	items []T
	less  func(a, b T) (is, ok bool)
}

// ordered exchanges the items at i and j, with i < j, if they are in the wrong order.
func (so *sorting[T]) ordered(i, j int) (exchanged, ok bool) {
	a := so.items
	is, ok := so.less(a[j], a[i])
	if is && ok {
		a[i], a[j] = a[j], a[i]
	}
	return is, ok
}

// sort sorts the items from lo to up.
func (so *sorting[T]) sort(lo, up int) bool {
	a := so.items
	for lo < up {
		if _, ok := so.ordered(lo, up); !ok {
			return false
		}
		if up-lo == 1 {
			break
		}
		mid := (lo + up) / 2
		exchanged, ok := so.ordered(lo, mid)
		if ok && !exchanged {
			_, ok = so.ordered(mid, up)
		}
		if !ok {
			return false
		}
		if up-lo == 2 {
			break
		}
		pivot := a[mid]
		a[mid], a[up-1] = a[up-1], a[mid]
		i, ok := so.divide(lo, up, pivot)
		if !ok {
			return false
		}
		a[up-1], a[i] = a[i], a[up-1]
		if i-lo < up-i { // the shorter half by recursion
			ok = so.sort(lo, i-1)
			lo = i + 1
		} else {
			ok = so.sort(i+1, up)
			up = i - 1
		}
		if !ok {
			return false
		}
	}
	return true
}

// divide moves the items from lo to up that come before the pivot to the front. It returns the first place behind them.
func (so *sorting[T]) divide(lo, up int, pivot T) (i int, ok bool) {
	a := so.items
	i, j := lo, up-1
	for {
		for i++; ; i++ {
			if is, ok := so.less(a[i], pivot); !ok || is && i >= up {
				return 0, false
			} else if !is {
				break
			}
		}
		for j--; ; j-- {
			if is, ok := so.less(pivot, a[j]); !ok || is && j <= lo {
				return 0, false
			} else if !is {
				break
			}
		}
		if j < i {
			return i, true
		}
		a[i], a[j] = a[j], a[i]
	}
}
