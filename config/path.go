package config

import (
	"strconv"
	"strings"
)

// A path names a value of a config: "run.seed", "systems[1].script". It is a sequence of keys and of indexes in
// lists, from 0. A key that is not a word is quoted. The path of the file as a whole is "". Only this file knows
// how paths are written.

// join extends a path by a key.
func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// step returns a key as part of a path: unchanged if it is a word, quoted otherwise.
func step(key string) string {
	if dashedName.MatchString(key) && len(key) <= 60 {
		return key
	}
	return strconv.Quote(clip(key))
}

// index extends a path by the index of a list item.
func index(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }

// enclosing returns the path of the mapping or list that contains the value at path; "" at the top.
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

// elementEnd returns the end of the key or index that begins at a position of a path, including the dot before a
// key.
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

// PathFromOne returns Path with indexes that count from 1, as in Lua.
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
