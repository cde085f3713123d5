package suggest

import (
	"fmt"
	"strings"
	"testing"
)

func TestClosest(t *testing.T) {
	components := []string{"Position", "Velocity", "Health", "Healer", "health", "AI", "x"}
	tests := []struct {
		idea, name string
		in         []string
		want       string // empty: none
	}{
		{"one letter missing", "Helth", components, "Health"},
		{"one letter missing, longer", "Positon", components, "Position"},
		{"neighbours swapped count once", "scirpt", []string{"script", "strict"}, "script"},
		{"case alone beats an edit", "POSITION", []string{"Positions", "Position"}, "Position"},
		{"nothing near", "Inventory", components, ""},
		{"a short name allows one edit", "y", []string{"yx", "hp"}, "yx"},
		{"no letter of the candidate left", "q", components, ""},
		{"an exact match is not a suggestion", "Health", []string{"Health"}, ""},
		{"ties go to the alphabet", "hat", []string{"hut", "hot", "hit"}, "hit"},
		{"the first letter weighs more", "hat", []string{"bat", "hut"}, "hut"},
		{"not the contrary", "has_error", []string{"no_error"}, ""},
		{"not the contrary either", "is_nil", []string{"is_not_nil"}, ""},
		{"the same denial", "is_not_nill", []string{"is_not_nil", "is_nil"}, "is_not_nil"},
		{"a prefix of denial", "untag", []string{"tag", "untagg"}, "untagg"},
		{"no candidates", "hat", nil, ""},
		{"no name", "", components, ""},
		{"empty candidates are passed over", "a", []string{""}, ""},
		{"letters, not bytes", "größe", []string{"grösse", "größen"}, "größen"},
		{"too long to be a typo", strings.Repeat("a", 100), []string{strings.Repeat("a", 99)}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.idea, func(t *testing.T) {
			got, ok := Closest(tt.name, tt.in)
			if got != tt.want || ok != (tt.want != "") {
				t.Errorf("Closest(%q) = %q, %v; want %q", tt.name, got, ok, tt.want)
			}
		})
	}
}

// The order of the candidates (often that of a map) must not show in a message.
func TestClosestIgnoresOrder(t *testing.T) {
	in := []string{"hut", "hot", "hit", "Hat", "hatch"}
	for range len(in) {
		in = append(in[1:], in[0])
		if got, _ := Closest("hat", in); got != "Hat" {
			t.Errorf("Closest(\"hat\", %v) = %q, want \"Hat\"", in, got)
		}
	}
}

// The work is bounded: a name is looked for among ten thousand others, not among more.
func TestClosestAmongMany(t *testing.T) {
	many := make([]string, maxCandidates)
	for i := range many {
		many[i] = fmt.Sprintf("candidate_%d", i)
	}
	many[17] = "position"
	if got, ok := Closest("postion", many); !ok || got != "position" {
		t.Errorf("got %q, %v", got, ok)
	}
	if got, ok := Closest("postion", append(many, "another")); ok {
		t.Errorf("got %q among %d", got, len(many)+1)
	}
}

// A candidate is as near as the limit allows, counted in runes: at most one edit per three letters, the length included.
func TestClosestByLength(t *testing.T) {
	for _, c := range []struct {
		name, candidate string
		near            bool
	}{
		{"ab", "abc", true},
		{"ab", "abcd", false},
		{"abcdef", "abcdefgh", true},
		{"abcdef", "abcdefghi", false},
		{"abcdefgh", "abcdef", true},
		{"abcdefgh", "abcd", false},
		{"äöüäöü", "äöüäöüäö", true},
		{"äöüäöü", "äöüäöüäöü", false},
	} {
		if _, ok := Closest(c.name, []string{c.candidate}); ok != c.near {
			t.Errorf("%q, %q: %v", c.name, c.candidate, ok)
		}
	}
}
