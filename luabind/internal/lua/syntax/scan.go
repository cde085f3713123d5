package syntax

import (
	"bytes"
	"fmt"
	"strings"
)

// The scanner: the first look at the text of a file, before gopher-lua's lexer and parser. It refuses texts that
// are too large or nested too deeply for them, and blanks what they read differently from Lua 5.1. It is not
// recursive and takes time linear in the text.

// MaxSource is the most bytes that a file may have. The lines of a larger one would not fit into the marks that package sandbox gives them.
const MaxSource = 15 << 20

// Limits of the text of a file. gopher-lua parses and compiles recursively, in parts in quadratic time, and cannot
// be interrupted. Without these limits a short file could take minutes, or end the process by a stack overflow.
const (
	maxNesting = 200 // nesting of brackets and blocks, as in PUC Lua
	maxChain   = 200 // operators in one expression that nest to the right: not, -, #, ^, ..
)

// A scanned is the result of a scan.
type scanned struct {
	clean  string // the text without comments, for the parser; positions are unchanged
	locals []bool // for each word local, in order: whether the word function follows it
}

// scan reads the source once. It checks the limits, and replaces by spaces what gopher-lua's lexer reads
// differently from Lua's: comments, of which it misreads those that start with --[=, a first line with #, a byte
// order mark, and \v and \f between words.
func scan(source string) (*scanned, *Error) {
	if len(source) > MaxSource {
		return nil, &Error{Line: 1, Message: fmt.Sprintf("file too large: %s bytes, at most %s", Grouped(int64(len(source))), Grouped(MaxSource))}
	}
	s := &scanner{src: []byte(source), line: 1}
	if bytes.HasPrefix(s.src, []byte("\xef\xbb\xbf")) {
		s.blank(0, 3)
	}
	if len(s.src) > 0 && s.src[0] == '#' {
		s.i = s.lineEnd(0)
		s.blank(0, s.i)
	}
	s.chain = append(s.chain, 0)
	for s.err == nil && s.i < len(s.src) {
		s.token()
	}
	if s.err != nil {
		return nil, s.err
	}
	return &scanned{clean: string(s.src), locals: s.locals}, nil
}

// A scanner is the state of a scan, at byte i.
type scanner struct {
	src    []byte
	i      int
	line   int
	start  int   // where this line begins
	chain  []int // for each open bracket: nesting operators since the last separator
	blocks int   // blocks that are open
	locals []bool
	wait   bool // the last word was local
	err    *Error
}

// fail keeps the first error, with the current position.
func (s *scanner) fail(format string, args ...any) {
	if s.err == nil {
		s.err = &Error{Line: s.line, Column: s.i - s.start + 1, Message: fmt.Sprintf(format, args...)}
	}
}

// blank replaces bytes by spaces, except line ends.
func (s *scanner) blank(from, to int) {
	for i := from; i < to; i++ {
		if s.src[i] != '\n' && s.src[i] != '\r' {
			s.src[i] = ' '
		}
	}
}

// lineEnd returns where the line ends that has byte i.
func (s *scanner) lineEnd(i int) int {
	for i < len(s.src) && s.src[i] != '\n' && s.src[i] != '\r' {
		i++
	}
	return i
}

// newline moves past one line end: \n, \r, \r\n or \n\r.
func (s *scanner) newline() {
	c := s.src[s.i]
	s.i++
	if s.i < len(s.src) && (s.src[s.i] == '\n' || s.src[s.i] == '\r') && s.src[s.i] != c {
		s.i++
	}
	s.line++
	s.start = s.i
}

// peek returns the byte n bytes ahead, 0 beyond the end.
func (s *scanner) peek(n int) byte {
	if s.i+n < len(s.src) {
		return s.src[s.i+n]
	}
	return 0
}

// token moves past one token, a comment, or white space.
func (s *scanner) token() {
	c := s.src[s.i]
	switch {
	case c == '\n' || c == '\r':
		s.newline()
		return
	case c == ' ' || c == '\t':
		s.i++
		return
	case c == '\v' || c == '\f':
		s.src[s.i] = ' '
		s.i++
		return
	case c == '-' && s.peek(1) == '-':
		s.comment()
		return
	}
	wait := s.wait
	s.wait = false
	switch {
	case IsLetter(c):
		s.word(wait)
	case IsDigit(c) || c == '.' && IsDigit(s.peek(1)):
		s.number()
	case c == '"' || c == '\'':
		s.quoted(c)
	case c == '[':
		if level := s.longLevel(s.i); level >= 0 {
			s.long(s.i, level, "string")
			return
		}
		s.open()
	case c == '(' || c == '{':
		s.open()
	case c == ')' || c == '}' || c == ']':
		s.i++
		if len(s.chain) > 1 {
			s.chain = s.chain[:len(s.chain)-1]
		}
	case c == ',' || c == ';' || c == '=' && s.peek(1) != '=':
		s.i++
		s.chain[len(s.chain)-1] = 0
	case c == '=' || c == '~' || c == '<' || c == '>':
		s.i++
		if s.peek(0) == '=' {
			s.i++
		}
	case c == '-' || c == '#' || c == '^':
		s.i++
		s.nests()
	case c == '.':
		for n := 0; n < 3 && s.peek(0) == '.'; n++ {
			s.i++
		}
		if s.src[s.i-1] == '.' && s.i >= 2 && s.src[s.i-2] == '.' {
			s.nests()
		}
	default:
		s.i++
	}
}

// open moves past an opening bracket.
func (s *scanner) open() {
	s.i++
	s.chain = append(s.chain, 0)
	s.deep()
}

// deep fails if too many brackets and blocks are open.
func (s *scanner) deep() {
	if len(s.chain)+s.blocks > maxNesting {
		s.fail("more than %d brackets and blocks within each other", maxNesting)
	}
}

// nests counts an operator that nests.
func (s *scanner) nests() {
	s.chain[len(s.chain)-1]++
	if s.chain[len(s.chain)-1] > maxChain {
		s.fail("expression too long: more than %d operators; use several statements", maxChain)
	}
}

// word moves past a name or keyword, and counts blocks. afterLocal says that the word before it is local.
func (s *scanner) word(afterLocal bool) {
	from := s.i
	for s.i < len(s.src) && (IsLetter(s.src[s.i]) || IsDigit(s.src[s.i])) {
		s.i++
	}
	w := string(s.src[from:s.i])
	if afterLocal {
		s.locals[len(s.locals)-1] = w == "function"
	}
	switch w {
	case "and", "or", "nil", "true", "false":
		return
	case "not":
		s.nests()
		return
	case "local":
		s.locals = append(s.locals, false)
		s.wait = true
	case "function", "do", "then", "repeat":
		s.blocks++
		s.deep()
	case "end", "until", "elseif":
		s.blocks = max(0, s.blocks-1)
	case "else":
	case "return", "if", "while", "for", "in", "break", "goto":
	default:
		return
	}
	s.chain[len(s.chain)-1] = 0
}

// number moves past all bytes that C's scanner would take for one number, so that "3x" is one malformed number, as
// in Lua.
func (s *scanner) number() {
	from := s.i
	for s.i < len(s.src) {
		c := s.src[s.i]
		if (c == '+' || c == '-') && !exponent(s.src[from:s.i]) {
			break
		}
		if !IsDigit(c) && !IsLetter(c) && c != '.' && c != '+' && c != '-' {
			break
		}
		if c == '.' && s.peek(1) == '.' { // 1..x is malformed in Lua, too
			break
		}
		s.i++
	}
	if text := string(s.src[from:s.i]); !validNumber(text) {
		s.i = from
		s.fail("malformed number %q", CutName(text))
	}
}

// validNumber reports whether Lua reads a text as a number.
func validNumber(text string) bool {
	_, ok := ParseNumber(text)
	return ok
}

// exponent reports whether a sign may follow these bytes inside a number: they end with the e of a decimal
// exponent.
func exponent(b []byte) bool {
	if len(b) < 2 || bytes.HasPrefix(bytes.ToLower(b), []byte("0x")) {
		return false
	}
	last := b[len(b)-1]
	return last == 'e' || last == 'E'
}

// quoted moves past a string in quotes.
func (s *scanner) quoted(quote byte) {
	at := *s
	s.i++
	for s.i < len(s.src) {
		switch c := s.src[s.i]; c {
		case quote:
			s.i++
			return
		case '\n', '\r':
			s.unfinished(at, "string")
			return
		case '\\':
			s.i++
			if s.i < len(s.src) && (s.src[s.i] == '\n' || s.src[s.i] == '\r') {
				s.newline()
				continue
			}
			if n, width := s.decimalEscape(); n > 255 {
				s.fail("escape sequence too large: \\%d, at most \\255", n)
				return
			} else if width > 0 {
				s.i += width
				continue
			}
			s.i++
		default:
			s.i++
		}
	}
	s.unfinished(at, "string")
}

// decimalEscape returns the value and length of the decimal escape after a backslash; the length is 0 if there is
// none.
func (s *scanner) decimalEscape() (value, width int) {
	for width < 3 && IsDigit(s.peek(width)) {
		value = value*10 + int(s.peek(width)-'0')
		width++
	}
	return value, width
}

// unfinished fails at the place where a string or comment begins.
func (s *scanner) unfinished(at scanner, what string) {
	s.i, s.line, s.start = at.i, at.line, at.start
	s.fail("unfinished %s", what)
}

// longLevel returns the number of = in the long bracket that opens at i; -1 if none opens there.
func (s *scanner) longLevel(i int) int {
	n := i + 1
	for n < len(s.src) && s.src[n] == '=' {
		n++
	}
	if n < len(s.src) && s.src[n] == '[' {
		return n - i - 1
	}
	return -1
}

// long moves past the long bracket that opens at s.i. from is the beginning of the string or comment, for the
// message if it is unfinished.
func (s *scanner) long(from, level int, what string) {
	at := *s
	at.i = from
	closing := "]" + strings.Repeat("=", level) + "]"
	s.i += level + 2
	for s.i < len(s.src) {
		switch c := s.src[s.i]; {
		case c == '\n' || c == '\r':
			s.newline()
		case c == ']' && bytes.HasPrefix(s.src[s.i:], []byte(closing)):
			s.i += len(closing)
			return
		default:
			s.i++
		}
	}
	s.unfinished(at, what)
}

// comment moves past a comment and blanks it.
func (s *scanner) comment() {
	from := s.i
	s.i += 2
	if s.peek(0) == '[' {
		if level := s.longLevel(s.i); level >= 0 {
			s.long(from, level, "comment")
			s.blank(from, s.i)
			return
		}
	}
	s.i = s.lineEnd(s.i)
	s.blank(from, s.i)
}
