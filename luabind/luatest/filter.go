package luatest

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
)

// Choosing tests: by the tags in their names, and by shards.

// Tags returns the words of a test's full name that begin with "#", without it: "slow" for "poison kills #slow". They
// are sorted, each once.
func Tags(fullName string) []string {
	var tags []string
	for word := range strings.FieldsSeq(fullName) {
		if tag, ok := strings.CutPrefix(word, "#"); ok && tag != "" {
			tags = append(tags, tag)
		}
	}
	slices.Sort(tags)
	return slices.Compact(tags)
}

// A Shard is part Number of Count parts, from 1. Each test is in exactly one of them, whatever else chooses tests. The
// zero Shard has all tests.
type Shard struct{ Number, Count int }

// ParseShard reads "1/3".
func ParseShard(text string) (Shard, error) {
	number, count, ok := strings.Cut(text, "/")
	n, err := strconv.Atoi(number)
	m, err2 := strconv.Atoi(count)
	if !ok || err != nil || err2 != nil || n < 1 || m < n || m > 1<<20 {
		return Shard{}, fmt.Errorf("a shard is a part of all tests, such as 1/3, 2/3 and 3/3, not %q", text)
	}
	return Shard{n, m}, nil
}

// has reports whether a test is in the shard. The tests of a group are dealt out in turn; the file and the group decide who
// begins, so that the shards of many small files and groups are about equal.
func (s Shard) has(f File, t *test) bool {
	if s.Count < 2 {
		return true
	}
	h := fnv.New32a()
	h.Write([]byte(f.Path))
	for _, name := range t.within() {
		h.Write([]byte("\x00" + name))
	}
	return (uint64(h.Sum32())+uint64(t.index))%uint64(s.Count) == uint64(s.Number-1)
}

// equalNames returns a warning for each test whose full name an earlier test of the file has: --run cannot tell them
// apart, and reports by name mix them up.
func (s *suite) equalNames() []Warning {
	var list []Warning
	first := map[string]int{}
	var walk func(g *group)
	walk = func(g *group) {
		for _, it := range g.items {
			if it.group != nil {
				walk(it.group)
				continue
			}
			name := s.result(it.test, Passed).FullName()
			if line, ok := first[name]; ok {
				list = append(list, Warning{s.file.Name, it.test.line, fmt.Sprintf("the name %s is that of the test on line %d, too: --run cannot choose one of them; rename one", quote(name), line)})
				continue
			}
			first[name] = it.test.line
		}
	}
	walk(s.root)
	return list
}
