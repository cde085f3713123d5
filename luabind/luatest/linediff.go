package luatest

import (
	"fmt"
	"strings"
)

// The difference of two texts of a world. Lines belong together if they have the same entity and component, which is
// what comes before " = ".

// lineDifferences lists the lines that differ, in the order of the texts: "- " and the line for one that is only in
// want, "+ " for one that is only in got, "~ " and both values for one that has changed. It is nil if all are equal.
func lineDifferences(want, got string) []string {
	if want == got {
		return nil
	}
	x, y := splitLines(want), splitLines(got)
	there := map[string]string{}
	for _, line := range y {
		key, value := keyOf(line)
		there[key] = value
	}
	known := map[string]bool{}
	for _, line := range x {
		key, _ := keyOf(line)
		known[key] = true
	}
	var diff []string
	next := 0 // line of y
	added := func(until string) {
		for ; next < len(y); next++ {
			key, _ := keyOf(y[next])
			if key == until {
				next++
				return
			}
			if !known[key] {
				diff = append(diff, "+ "+y[next])
			}
		}
	}
	for _, line := range x {
		key, value := keyOf(line)
		now, ok := there[key]
		if !ok {
			diff = append(diff, "- "+line)
			continue
		}
		added(key)
		if now != value {
			diff = append(diff, fmt.Sprintf("~ %s: %s, now %s", key, value, now))
		}
	}
	added("")
	if diff == nil { // the same lines in another order, or another end of the file
		diff = []string{"~ the order or the ends of the lines"}
	}
	return diff
}

func splitLines(text string) []string {
	text = strings.TrimSuffix(text, "\n")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// keyOf splits a line at " = ".
func keyOf(line string) (key, value string) {
	key, value, _ = strings.Cut(line, " = ")
	return key, value
}

// shortened returns at most maxDifferences lines of a diff, each cut to a length that a person reads.
func shortened(diff []string) []string {
	var out []string
	for i, line := range diff {
		if i == maxDifferences {
			return append(out, fmt.Sprintf("… and %d more", len(diff)-i))
		}
		out = append(out, cutText(line, showValue))
	}
	return out
}

// counted returns "1 line" or "3 lines".
func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
