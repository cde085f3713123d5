package config

import (
	"strconv"
	"strings"
)

// A path names a value of a config: "run.seed", "systems[1].script". It is a sequence of keys and of indices of lists, which count from 0. A key that is no
// word is quoted. "" is the file as a whole. Only this file knows how a path is written.

// join extends a path by a key.
func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// step is a key as part of a path: as it is if it is a word, else quoted.
func step(key string) string {
	if dashedName.MatchString(key) && len(key) <= 60 {
		return key
	}
	return strconv.Quote(clip(key))
}

// index extends a path by the index of an item of a list.
func index(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }

// enclosing is the path of the mapping or list that holds the value at path; "" at the top.
func enclosing(path string) string {
	last := 0
	for at := 0; at < len(path); {
		next := elementEnd(path, at)
		if next == len(path) {
			return path[:last]
		}
		last, at = next, next
	}
	return ""
}

// elementEnd is where the key or index ends that begins at a position of a path, with the dot in front of a key.
func elementEnd(path string, at int) int {
	if path[at] == '[' {
		if end := strings.IndexByte(path[at:], ']'); end >= 0 {
			return at + end + 1
		}
		return len(path)
	}
	if path[at] == '.' {
		at++
	}
	if quoted, err := strconv.QuotedPrefix(path[at:]); err == nil {
		return at + len(quoted)
	}
	if end := strings.IndexAny(path[at:], ".["); end >= 0 {
		return at + end
	}
	return len(path)
}

// PathFromOne is Path with indices that count from 1, as Lua does.
func (p *Problem) PathFromOne() string {
	var b strings.Builder
	for at := 0; at < len(p.Path); {
		end := elementEnd(p.Path, at)
		element := p.Path[at:end]
		if i, err := strconv.Atoi(strings.Trim(element, "[]")); err == nil && element[0] == '[' {
			element = index("", i+1)
		}
		b.WriteString(element)
		at = end
	}
	return b.String()
}
