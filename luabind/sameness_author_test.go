package luabind

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
)

// An author writes random systems for a landscape. A seed has some of what a body
// may do and lacks the rest, so that each kind of body comes that machine code has
// a form for.
type author struct {
	*rand.Rand
	strings.Builder
	*landscape
	scope
	can       map[string]bool
	functions []function
	queries   []query
	depth     int      // of the indentation
	given     []string // names of variables, each once
	marks     int      // labels so far
	inner     int      // loops over entities around the place
	body      *function
	event     bool       // the loop is over events
	cells     *rand.Rand // says which loops are over cells
	shared    bool       // the variables of the loops are those of the file
	loop      bool       // a return is that of the loop over entities
	labels    []string   // of the loops around the place
}

// A scope is the variables that may be used.
type scope struct {
	nums, bools, texts, ents []string
	late                     []string // numbers that may be nil, and that the loop assigns
	own                      []string // locals of any type, which may be assigned
	views                    []sight
	named                    []string // the given names that have a meaning here
	kept                     []string // of them, those that nothing may hide: a loop ends by them
}

// A sight is a variable that holds a view of a part, or an event.
type sight struct {
	name   string
	fields []ecs.Field
	part   int // -1: it is an event
	sure   bool
}

// A function is one of the file: what it takes and gives, by letters: n number,
// b boolean, s string, e entity, v a view of the first part, w the world.
type function struct{ name, takes, gives string }

// features are what a program may do or not.
var features = []string{
	"others", "flips", "tests", "commands", "events", "random", "nested", "near", "tables", "fills", "resources", "functions", "loops", "late", "outputs", "returns", "texts", "math",
	"entities", "mirrored", "breaks", "misfits", "places",
}

func (g *author) pick(list ...string) string { return list[g.IntN(len(list))] }

// fresh is a name for a variable that is declared next. Often it is that of another variable: one whose scope has ended, in this function or
// in another one, or one that it hides from here on, whatever its type is.
func (g *author) fresh(letter string) string {
	name := fmt.Sprint(letter, len(g.given)+1)
	switch g.IntN(4) {
	case 0, 1:
		if gone := slices.DeleteFunc(slices.Clone(g.given), func(s string) bool { return slices.Contains(g.named, s) }); len(gone) > 0 {
			name = g.pick(gone...)
		}
	case 2:
		if hidden := slices.DeleteFunc(slices.Clone(g.named), func(s string) bool { return slices.Contains(g.kept, s) }); len(hidden) > 0 && g.IntN(2) == 0 {
			name = g.pick(hidden...)
			g.hide(name)
		}
	}
	return g.names(name)
}

// names notes that a variable has a name from here on.
func (g *author) names(name string) string {
	if !slices.Contains(g.given, name) {
		g.given = append(g.given, name)
	}
	if !slices.Contains(g.named, name) {
		g.named = append(g.named[:len(g.named):len(g.named)], name)
	}
	return name
}

// hide takes a name out of what may be used.
func (g *author) hide(name string) {
	for _, list := range []*[]string{&g.nums, &g.bools, &g.texts, &g.ents, &g.late, &g.own} {
		*list = slices.DeleteFunc(slices.Clone(*list), func(s string) bool { return s == name })
	}
	g.views = slices.DeleteFunc(slices.Clone(g.views), func(v sight) bool { return v.name == name })
}

// A choice is something that may come next.
type choice[T any] struct {
	weight int
	when   bool
	write  T
}

func choose[T any](g *author, choices []choice[T]) T {
	sum := 0
	for _, c := range choices {
		if c.when {
			sum += c.weight
		}
	}
	n := g.IntN(sum)
	for _, c := range choices {
		if c.when {
			if n -= c.weight; n < 0 {
				return c.write
			}
		}
	}
	panic("unreachable")
}

// may reports whether a feature may be used here: most need the world.
func (g *author) may(feature string) bool {
	return g.can[feature] && (g.body == nil || strings.Contains(g.body.takes, "w"))
}
