package luabind

import (
	"slices"
	"strings"
)

// mostTries bounds how often shrink runs what it shrinks.
const mostTries = 3000

// shrink makes programs shorter as long as bad stays true: whole programs, then
// lines and blocks, then what stands in brackets.
func shrink(sources []string, bad func([]string) bool) []string {
	tries := 0
	try := func(list []string) bool {
		tries++
		return tries < mostTries && bad(list)
	}
	for i := len(sources) - 1; i >= 0 && len(sources) > 1; i-- {
		if less := slices.Delete(slices.Clone(sources), i, i+1); try(less) {
			sources = less
		}
	}
	sources = slices.Clone(sources)
	type cutter func(string, func(string) bool) (string, bool)
	for _, cuts := range [][]cutter{{cutLines}, {cutLines, cutBrackets}} { // whole lines first: each try costs two runs
		for again := true; again; {
			again = false
			for i := range sources {
				for _, cut := range cuts {
					source, less := cut(sources[i], func(s string) bool {
						list := slices.Clone(sources)
						list[i] = s
						return try(list)
					})
					sources[i] = source
					again = again || less
				}
			}
		}
	}
	return sources
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// cutLines takes lines off: one with all that is indented below it, or only it and
// its end.
func cutLines(source string, try func(string) bool) (string, bool) {
	lines, less := strings.Split(source, "\n"), false
	keep := func(parts ...[]string) bool {
		rest := slices.Concat(parts...)
		if !try(strings.Join(rest, "\n")) {
			return false
		}
		lines, less = rest, true
		return true
	}
	for i := 0; i < len(lines); i++ {
		last := i
		for last+1 < len(lines) && indent(lines[last+1]) > indent(lines[i]) {
			last++
		}
		if last == i {
			if keep(lines[:i], lines[i+1:]) {
				i--
			}
			continue
		}
		end := last + 1 // else, end or until
		for end < len(lines) && strings.HasPrefix(strings.TrimSpace(lines[end]), "else") {
			for end++; end < len(lines) && indent(lines[end]) > indent(lines[i]); {
				end++
			}
		}
		if end >= len(lines) {
			continue
		}
		if keep(lines[:i], lines[end+1:]) || end == last+1 && keep(lines[:i], lines[i+1:end], lines[end+1:]) || keep(lines[:last+1], lines[end:]) {
			i--
		}
	}
	return strings.Join(lines, "\n"), less
}

// cutBrackets puts something simple, or one of its sides, in place of what stands
// in brackets.
func cutBrackets(source string, try func(string) bool) (string, bool) {
	less := false
	for i := 0; i < len(source); i++ {
		if source[i] != '(' || i > 0 && strings.ContainsAny(source[i-1:i], "abcdefghijklmnopqrstuvwxyz_0123456789") {
			continue
		}
		depth, end := 0, i
		for ; end < len(source); end++ {
			if source[end] == '(' {
				depth++
			} else if source[end] == ')' {
				if depth--; depth == 0 {
					break
				}
			}
		}
		if end == len(source) || end-i < 3 {
			continue
		}
		candidates := []string{"1", "true", `"s"`}
		depth = 0
		for j := i + 1; j < end; j++ {
			switch source[j] {
			case '(', '[', '{':
				depth++
			case ')', ']', '}':
				depth--
			case ' ':
				if depth == 0 {
					candidates = append(candidates, source[i+1:j], source[j+1:end])
				}
			}
		}
		for _, c := range candidates {
			if shorter := source[:i] + c + source[end+1:]; try(shorter) {
				source, less = shorter, true
				break
			}
		}
	}
	return source, less
}
