package syntax

// Tokens of a text that does not parse, for the hints in hint.go. A text that parses never comes here.

// A token is a word, a number, a string or a sign of a source, with its position.
type token struct {
	text   string // the bytes of the token; of a string only its opening quote or bracket
	line   int
	column int // of the first byte, counted from 1
	word   bool
}

// tokensOf splits a source into tokens. The source has been scanned, so its strings and numbers are well formed.
func tokensOf(source string) []token {
	var out []token
	brackets := &scanner{src: []byte(source)} // only for long brackets
	line, start := 1, 0
	for i := 0; i < len(source); {
		c := source[i]
		from := i
		t := token{line: line, column: i - start + 1}
		switch {
		case c == '\n':
			line++
			start = i + 1
			i++
			continue
		case c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f':
			i++
			continue
		case IsLetter(c):
			for i < len(source) && (IsLetter(source[i]) || IsDigit(source[i])) {
				i++
			}
			t.word = true
		case IsDigit(c) || c == '.' && i+1 < len(source) && IsDigit(source[i+1]):
			for i < len(source) && (IsLetter(source[i]) || IsDigit(source[i]) || source[i] == '.') {
				i++
			}
		case c == '"' || c == '\'':
			i++
			for i < len(source) && source[i] != c {
				if source[i] == '\\' {
					i++
				}
				if i < len(source) && source[i] == '\n' {
					line++
					start = i + 1
				}
				i++
			}
			i++
			t.text = string(c)
			out = append(out, t)
			continue
		case c == '[' && brackets.longLevel(i) >= 0:
			brackets.i, brackets.line, brackets.start = i, line, start
			brackets.long(i, brackets.longLevel(i), "string")
			i, line, start = brackets.i, brackets.line, brackets.start
			t.text = "[["
			out = append(out, t)
			continue
		default:
			i++
		}
		t.text = source[from:min(i, len(source))]
		out = append(out, t)
	}
	return out
}

// keywords are the words that cannot be names.
var keywords = map[string]bool{
	"and": true, "break": true, "do": true, "else": true, "elseif": true, "end": true, "false": true, "for": true, "function": true, "goto": true, "if": true,
	"in": true, "local": true, "nil": true, "not": true, "or": true, "repeat": true, "return": true, "then": true, "true": true, "until": true, "while": true,
}

// endsValue reports whether an expression may end with this token.
func (t token) endsValue() bool {
	switch t.text {
	case ")", "]", "}", "\"", "'", "[[", "nil", "true", "false", "end":
		return true
	}
	return t.word && !keywords[t.text] || IsDigit(t.text[0])
}
