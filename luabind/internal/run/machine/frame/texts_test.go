package frame

import (
	"strings"
	"testing"
)

// Strings that begin at one entry of the cache by address are all found in it, so that a loop that meets them in turn
// looks none of them up by its text.
func TestTextsAtOnePlace(t *testing.T) {
	f := &Frame{texts: newTexts(nil)}
	long := strings.Repeat("x", 4096)
	var same []string // substrings with one place
	for i := 0; len(same) < ways; i++ {
		if s := long[i : i+8+len(same)]; len(same) == 0 || placeOf(s, leastRecent) == placeOf(same[0], leastRecent) {
			same = append(same, s)
		}
	}
	for run := range 2 {
		var numbers []uint32
		for _, s := range same {
			numbers = append(numbers, f.NumberOf(s))
		}
		clear(f.texts.numbers) // what is not in the cache gets another number now
		for i, s := range same {
			if n := f.NumberOf(s); n != numbers[i] || f.TextOf(n) != s {
				t.Errorf("run %d, string %d: number %d, want %d", run, i, n, numbers[i])
			}
		}
		f.texts.run++
		f.texts.numbers = map[string]uint32{}
	}
}
