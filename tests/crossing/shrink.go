package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// shrink takes lines and systems from the world of a seed, as long as it differs in the same way, and prints what is left.
func shrink(seed uint64) {
	w := newWorld(seed)
	_, err := guarded(w)
	if err == nil {
		fmt.Println("no difference")
		return
	}
	kind := kindOf(err)
	for smaller := true; smaller; {
		smaller = false
		for _, next := range w.smaller() {
			if _, e := guarded(next); e != nil && kindOf(e) == kind {
				w, err, smaller = next, e, true
				break
			}
		}
	}
	show(w)
	fmt.Println(err)
}

// kindOf is the way in which a world differs: what an error says up to the place.
func kindOf(err error) string {
	text := err.Error()
	if strings.HasPrefix(text, "panic") {
		return text[:min(len(text), 60)]
	}
	parts := strings.SplitN(text, ":", 3)
	return strings.Join(parts[:min(2, len(parts))], ":")
}

// smaller returns worlds that lack one thing of w: a frame, a system, an observer or a line.
func (w *world) smaller() (list []*world) {
	if w.frames > 2 {
		x := *w
		x.frames--
		list = append(list, &x)
	}
	for i, s := range w.systems {
		if strings.HasPrefix(s.Name, "s") && len(w.systems) > 2 {
			x := *w
			x.systems = slices.Delete(slices.Clone(w.systems), i, i+1)
			list = append(list, &x)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(w.sources)) {
		if name == "lib.lua" || name == "dump.lua" {
			continue
		}
		lines := strings.Split(w.sources[name], "\n")
		for from, line := range lines {
			to := from + 1
			switch {
			case strings.HasPrefix(line, "  world:on("):
				for lines[to-1] != "  end)" {
					to++
				}
			case !strings.HasPrefix(line, "  ") || line == "  end)" || strings.HasPrefix(line, `  print("> `):
				continue
			}
			x := *w
			x.sources = maps.Clone(w.sources)
			x.sources[name] = strings.Join(slices.Concat(lines[:from], lines[to:]), "\n")
			list = append(list, &x)
		}
	}
	return list
}
