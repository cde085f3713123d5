package syntax

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/yuin/gopher-lua/parse"
)

// Messages of syntax errors. An error of gopher-lua's parser comes in, an [Error] with line, column and a sentence
// goes out. hint.go finds what is missing or foreign; this file words the rest.

// parseError turns an error of gopher-lua's parser into an Error. source is the scanned text, whose positions are
// those of the file.
func parseError(err error, source string) *Error {
	var pe *parse.Error
	if !errors.As(err, &pe) {
		return &Error{Message: err.Error()}
	}
	e := &Error{Line: pe.Pos.Line, Column: pe.Pos.Column}
	near := pe.Token
	if pe.Pos.Line < 0 { // at the end of the file
		e.Line, e.Column = endOf(source)
		near = ""
	}
	what := strings.TrimSpace(pe.Message)
	unexpected := what == "syntax error" || what == "parse error"
	if unexpected {
		e.Message = syntaxHint(source, e.Line, e.Column, pe.Pos.Line < 0)
	}
	switch {
	case e.Message != "":
	case unexpected && near == "":
		e.Message = "unexpected end of file"
	case unexpected:
		e.Message = fmt.Sprintf("unexpected %q%s", CutName(near), hint(near, lineOf(source, e.Line)))
	case strings.HasPrefix(what, "Invalid"):
		e.Message = fmt.Sprintf("unexpected character %q%s", near, hint(near, ""))
	default:
		e.Message = what
		if near != "" && !strings.Contains(what, near) {
			e.Message += fmt.Sprintf(" near %q", CutName(near))
		}
	}
	return e
}

// hint returns an addition to a message about a token of other languages, "" for other tokens. line is the text of
// the line of the token.
func hint(near, line string) string {
	switch near {
	case "!":
		return `; Lua writes "not", and "~=" for unequal`
	case "=":
		for _, word := range []string{"if", "elseif", "while", "until", "return"} {
			if slices.Contains(strings.Fields(line), word) {
				return `; a comparison is "=="`
			}
		}
	case "&", "|":
		return `; Lua writes "and" and "or", and for bits bit.band(a, b) and bit.bor(a, b)`
	case "~":
		return `; Lua writes "not", and for bits bit.bnot(a) and bit.bxor(a, b)`
	case "`":
		return `; a text stands in quotes, and "…" .. x joins texts`
	case "?":
		return `; Lua writes a ? b : c as "a and b or c"`
	}
	return ""
}

// lineOf returns line n of a text, counted from 1.
func lineOf(source string, n int) string {
	for range n - 1 {
		_, source, _ = strings.Cut(source, "\n")
	}
	line, _, _ := strings.Cut(source, "\n")
	return line
}

// endOf returns the position of the last character that is not white space.
func endOf(source string) (line, column int) {
	trimmed := strings.TrimRight(source, " \t\r\n\v\f")
	line = strings.Count(trimmed, "\n") + 1
	return line, len(trimmed) - strings.LastIndexByte(trimmed, '\n')
}

// Grouped writes 50000000 as 50,000,000.
func Grouped(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// CutName shortens a name or a token to 60 bytes, for a message.
func CutName(name string) string {
	if len(name) > 60 {
		return name[:57] + "..."
	}
	return name
}
