package heap

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
)

// The values and the paths of variables in words.

// function returns the text of a function.
func (d *describer) function(h head) string {
	p := d.protos[h.number]
	file := "?"
	if p.file < len(d.files) {
		file = d.files[p.file]
	}
	return fmt.Sprintf("function %s:%d", file, p.line)
}

// named returns the text of a value that no script has made: its name without the number of the environment.
func (d *describer) named(h head) string {
	_, name, _ := strings.Cut(d.strings[h.number], "/")
	return name
}

// user returns the text of a userdata: its kind and its parts.
func (d *describer) user(h head, b body) string {
	var parts []string
	for _, v := range d.values[b.from : b.from+b.n] {
		switch v.Kind {
		case wholeValue, numberValue:
			parts = append(parts, number(v.Number))
		case stringValue:
			parts = append(parts, d.strings[v.Index])
		case nilValue, falseValue, trueValue, objectValue:
		default:
			panic("heap: a value of no kind")
		}
	}
	return strings.Join(append([]string{d.strings[h.number]}, parts...), " ")
}

// number returns the text of a number. Scripts keep entities as numbers, so one that has the form of an entity is shown as that, too.
func number(n float64) string {
	const mostWhole = 1 << 53
	if n != math.Trunc(n) || math.Abs(n) > mostWhole {
		return strconv.FormatFloat(n, 'g', -1, 64)
	}
	text := strconv.FormatFloat(n, 'f', -1, 64)
	if e := ecs.Entity(n); n > 0 && e.Generation() > 0 {
		text += " (" + e.String() + ")"
	}
	return text
}

// join appends a key to a path. A path that is only the name of a file ends in a colon.
// Of a long path the beginning and the end are left: deep tables would have paths of megabytes.
func join(path, key string) string {
	path = cutMiddle(path)
	if strings.HasSuffix(path, ":") {
		return path + " " + strings.TrimPrefix(key, ".")
	}
	return path + key
}

// longest is the greatest length of a path, in bytes, before a key is appended.
const longest = 200

// cutMiddle returns a path that is not much longer than longest.
func cutMiddle(path string) string {
	if len(path) <= longest {
		return path
	}
	return path[:longest/2] + "…" + strings.ToValidUTF8(path[len(path)-longest/4:], "")
}

// key returns a key as a source could write it after a path.
func (d *describer) key(v Value) string {
	switch v.Kind {
	case stringValue:
		return nameText(d.strings[v.Index])
	case wholeValue, numberValue:
		return numberKey(v.Number)
	case falseValue:
		return "[false]"
	case trueValue:
		return "[true]"
	case objectValue:
		if at := d.paths[v.Index]; at != "" {
			return "[" + at + "]"
		}
		return fmt.Sprintf("[object %d]", v.Index)
	case nilValue:
		return "[nil]"
	default:
		panic("heap: a value of no kind")
	}
}
