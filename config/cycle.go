package config

import (
	"fmt"
	"slices"
	"strings"
)

// cycles reports the cycles of after, each at its first system in file order. A cycle is left out if all of its
// systems have been named in others: a file can have more cycles than anybody can read, and the next load names
// the rest.
func (k *checker) cycles() {
	systems := k.c.Systems
	at := map[string]int{}
	for i, s := range systems {
		if _, there := at[s.Name]; !there {
			at[s.Name] = i
		}
	}
	const unseen, open, done = 0, 1, 2
	state := make([]int, len(systems))
	var trail []int
	told := make([]bool, len(systems))
	steps := 1_000_000 // to look along rings; when there were so many, some were told
	var visit func(i int)
	visit = func(i int) {
		state[i] = open
		trail = append(trail, i)
		for _, name := range systems[i].After {
			j, known := at[name]
			if !known || j == i || systems[j].Stage != systems[i].Stage {
				continue // reported by after
			}
			switch state[j] {
			case unseen:
				visit(j)
			case open:
				if steps < 0 {
					continue
				}
				ring := trail[slices.Index(trail, j):]
				steps -= len(trail)
				if slices.ContainsFunc(ring, func(i int) bool { return !told[i] }) {
					k.cycle(ring)
				}
				for _, i := range ring {
					told[i] = true
				}
			}
		}
		trail = trail[:len(trail)-1]
		state[i] = done
	}
	for i := range systems {
		if state[i] == unseen {
			visit(i)
		}
	}
}

func (k *checker) cycle(ring []int) {
	// Begin with the system that comes first in the file.
	first := slices.Index(ring, slices.Min(ring))
	ring = slices.Concat(ring[first:], ring[:first])
	var b strings.Builder
	const most = 10
	for n, i := range ring {
		if n == most {
			fmt.Fprintf(&b, "… (%d more) … after ", len(ring)-most)
			break
		}
		fmt.Fprintf(&b, "%q after ", k.c.Systems[i].Name)
	}
	fmt.Fprintf(&b, "%q", k.c.Systems[ring[0]].Name)
	k.problem(k.c.SystemPath(ring[0])+".after", "cycle: "+b.String(), "remove one of these")
}
