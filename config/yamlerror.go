package config

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	goccy "github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/parser"
)

// goccyLimit is the size up to which a broken file is read again for a better message. Beyond it goccy's quadratic
// time would be noticeable.
const goccyLimit = 64 << 10

var yamlLine = regexp.MustCompile(`^(?:yaml: )?(?:line (\d+): )?(.*)$`)

// explainYAML returns the position of a syntax error, a text for it and a hint.
func explainYAML(file string, data []byte, err error) (pos Pos, message, hint string) {
	pos = Pos{File: file, Line: 1, Column: 1}
	parts := yamlLine.FindStringSubmatch(strings.SplitN(err.Error(), "\n", 2)[0])
	if parts != nil {
		message = parts[2]
		if line, err := strconv.Atoi(parts[1]); err == nil {
			pos.Line = line
		}
	}
	if p, ok := pointed(file, data, message); ok {
		pos = p
	} else if len(data) <= goccyLimit && nesting(data) <= 4*maxDepth {
		if p, m, ok := askGoccy(file, data); ok {
			pos, message = p, m
		}
	}
	if pos.Column == 1 && tabIndented(data, pos.Line) {
		return pos, "a tab cannot indent YAML", "use spaces"
	}
	if text := bareArray(data, pos.Line); text != "" {
		return pos, "a type with a length is not in quotes", fmt.Sprintf("write it in quotes, as in %q", text)
	}
	for _, known := range yamlTexts {
		if strings.Contains(message, known.has) {
			return pos, known.message, known.hint
		}
	}
	return pos, oneLine(message), "check the indentation and the quotes around here"
}

var bareArrays = regexp.MustCompile(`([A-Za-z_]\w*[ \t]+)?[a-z]+[0-9]*\[[0-9]+\]`)

// bareArray returns the first type like entity[8] of a line that is not in quotes, with the name of its field, "" if there is none.
func bareArray(data []byte, line int) string {
	lines := strings.Split(string(data), "\n")
	if line < 1 || line > len(lines) {
		return ""
	}
	for _, at := range bareArrays.FindAllStringIndex(lines[line-1], -1) {
		if before := lines[line-1][:at[0]]; strings.Count(before, `"`)%2 == 0 && strings.Count(before, "'")%2 == 0 {
			return lines[line-1][at[0]:at[1]]
		}
	}
	return ""
}

var unknownAnchor = regexp.MustCompile(`unknown anchor '(.*)' referenced`)

// pointed returns the position of an error of v3 that goccy does not see. The two agree on what is not YAML,
// except for the errors handled here.
func pointed(file string, data []byte, message string) (Pos, bool) {
	if name := unknownAnchor.FindStringSubmatch(message); name != nil {
		if at := strings.Index(string(data), "*"+name[1]); at >= 0 {
			return newText(file, data).at(at), true
		}
	}
	if strings.Contains(message, "control characters") {
		at := strings.IndexFunc(string(data), func(r rune) bool {
			return unicode.IsControl(r) && !strings.ContainsRune("\t\r\n\u0085", r)
		})
		return newText(file, data).at(at), at >= 0
	}
	return Pos{}, false
}

func askGoccy(file string, data []byte) (pos Pos, message string, ok bool) {
	// goccy has panicked on broken input before; then only the better message is lost.
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	_, err := parser.ParseBytes(data, 0, parser.AllowDuplicateMapKey())
	var at goccy.Error
	if !errors.As(err, &at) || at.GetToken() == nil || at.GetToken().Position == nil {
		return Pos{}, "", false
	}
	p := at.GetToken().Position
	return Pos{File: file, Line: p.Line, Column: p.Column}, at.GetMessage(), true
}

// yamlTexts are better texts for the most frequent errors of the parsers.
var yamlTexts = []struct{ has, message, hint string }{
	{"',' or ']' must be specified", `a "," or "]" is missing before this`, "close the list or separate its items"},
	{"sequence end token ']' not found", "the list is not closed", `add "]"`},
	{"',' or '}' must be specified", `a "," or "}" is missing before this`, "close the mapping or separate its entries"},
	{"flow mapping end token '}'", "the mapping is not closed", `add "}"`},
	{"did not find expected ',' or ']'", `a "," or "]" is missing`, "close the list or separate its items"},
	{"did not find expected ',' or '}'", `a "," or "}" is missing`, "close the mapping or separate its entries"},
	{"double-quoted text", "the quoted text is not closed", `add the closing "`},
	{"single-quoted text", "the quoted text is not closed", "add the closing '"},
	{"mapping value", "a second value on one line", `put the text in quotes if it has ": " in it`},
	{"value is not allowed", "this does not belong here", "line its indentation up with the lines above"},
	{"non-map value", "a key without a value", `write it as "key: value"`},
	{"reserved character", "a value cannot begin with this character", "put the value in quotes"},
	{"unknown escape", `unknown escape after "\"`, `write "\\" for a backslash`},
	{"unknown anchor", "YAML anchors and aliases are not supported", `write the value out, or put quotes around a text that begins with "*"`},
	{"block sequence entries", `a list item cannot begin on the line of its key`, "put it on a line of its own"},
	{"alphabetic or numeric character", "a value cannot begin with this character", "put the value in quotes"},
	{"control characters", "a control character in the file", "delete it"},
}

// tabIndented reports whether the indentation of a line contains a tab.
func tabIndented(data []byte, line int) bool {
	lines := strings.Split(string(data), "\n")
	if line > len(lines) {
		return false
	}
	l := lines[line-1]
	return strings.Contains(l[:len(l)-len(strings.TrimLeft(l, " \t"))], "\t")
}

// nesting counts how deep brackets are nested, without regard to quotes.
func nesting(data []byte) int {
	depth, deepest := 0, 0
	for _, c := range data {
		switch c {
		case '[', '{':
			depth++
			deepest = max(deepest, depth)
		case ']', '}':
			depth--
		}
	}
	return deepest
}
