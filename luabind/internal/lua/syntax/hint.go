package syntax

import "fmt"

// Hints in syntax errors. When gopher-lua's parser gives up, message.go asks here for a better message than
// "unexpected …". There is no tree then, so the hints look at tokens: the one that was not expected, its
// neighbours, and the blocks that are open there.

// syntaxHint returns a message about the place where the parser gave up, for somebody who knows other languages or
// forgot a word. source is the scanned text. line and column are the place of the last byte of the unexpected
// token, or of the last byte of the file if end is set. The message has no position. It is "" if there is nothing
// better to say than the parser does.
func syntaxHint(source string, line, column int, end bool) string {
	tokens := tokensOf(source)
	at := len(tokens)
	if !end {
		for at > 0 && (tokens[at-1].line > line || tokens[at-1].line == line && tokens[at-1].column > column) {
			at--
		}
		at--
	}
	if at < 0 {
		return ""
	}
	b := blocksBefore(tokens[:at])
	if at == len(tokens) {
		return b.unclosed(tokens)
	}
	t, before, next := tokens[at], token{text: " "}, token{text: " "}
	if at > 0 {
		before = tokens[at-1]
	}
	if at > 1 {
		b.earlier = tokens[at-2]
	}
	if at+1 < len(tokens) {
		next = tokens[at+1]
	}
	for _, hint := range []func(b *blocks, before, t, next token) string{otherOperator, otherStatement, otherForm, keywordName, missingWord, missingInList, missingValue, extraEnd} {
		if text := hint(b, before, t, next); text != "" {
			return text
		}
	}
	return ""
}

// otherOperator recognizes operators and comments of other languages.
func otherOperator(b *blocks, before, t, next token) string {
	adjacent := func(a, b token) bool { return a.line == b.line && a.column+len(a.text) == b.column }
	switch {
	case t.text == "/" && before.text == "/" && adjacent(before, t) && b.first(before):
		return `a comment begins with "--", not with "//"`
	case t.text == "/" && before.text == "/" && adjacent(before, t):
		return `Lua 5.1 has no operator "//"; write math.floor(a / b)`
	case t.text == "/" && next.text == "/" && adjacent(t, next): // the first one cannot stand here
		return `a comment begins with "--", not with "//"`
	case (t.text == "+" || t.text == "-") && next.text == t.text && adjacent(t, next):
		return fmt.Sprintf(`Lua has no operator "%s%s"; write %s = %s %s 1`, t.text, t.text, before.text, before.text, t.text)
	}
	switch t.text {
	case "+", "-", "*", "/", "%", "^":
		if next.text == "=" && adjacent(t, next) {
			name := "a"
			if before.word && !keywords[before.text] {
				name = before.text
			}
			return fmt.Sprintf(`Lua has no operator "%s="; write %s = %s %s …`, t.text, name, name, t.text)
		}
	}
	return ""
}

// otherStatement recognizes statements of other languages.
func otherStatement(_ *blocks, before, t, _ token) string {
	if !before.word {
		return ""
	}
	if before.text == "continue" {
		return `Lua has no "continue"; write "goto continue", and "::continue::" before the "end" of the loop`
	}
	if !t.word {
		return ""
	}
	switch before.text {
	case "let", "var", "const":
		return fmt.Sprintf(`Lua declares a variable with "local", not with %q`, before.text)
	case "fn", "def", "func", "fun":
		return fmt.Sprintf(`Lua declares a function with "local function", not with %q`, before.text)
	case "switch", "match":
		return fmt.Sprintf(`Lua has no %q; write "if … then … elseif … then … end"`, before.text)
	case "elif", "elsif":
		return fmt.Sprintf(`Lua writes "elseif", not %q`, before.text)
	case "foreach":
		return `Lua writes "for k, v in pairs(t) do"`
	case "import", "using", "from":
		return fmt.Sprintf(`Lua has no %q; write local name = require("file")`, before.text)
	case "type", "export":
		return fmt.Sprintf(`scripts have no types: %q declares nothing; leave it out`, before.text)
	case "new", "await", "async", "yield":
		return fmt.Sprintf(`Lua has no %q; call the function itself`, before.text)
	case "class", "struct", "enum", "interface":
		return fmt.Sprintf(`Lua has no %q; use a table, or a component`, before.text)
	}
	return ""
}

// otherForm recognizes types, attributes and other forms of later versions of Lua and of other languages, and calls that
// are not written as ones.
func otherForm(b *blocks, before, t, next token) string {
	adjacent := func(a, b token) bool { return a.line == b.line && a.column+len(a.text) == b.column }
	top := b.top()
	inTable := top != nil && top.head.text == "{"
	inBrackets := top != nil && closing[top.head.text] != "" && top.head.text != "repeat"
	quoted := func(t token) bool { return t.text == "\"" || t.text == "'" }
	switch {
	case inTable && (before.text == ":" && b.earlier.endsValue() || before.word && b.earlier.text == ":"):
		return `a table is written { name = value }, with "=" and not with ":"`
	case inTable && t.text == "=" && quoted(before):
		return `a name in a table stands without quotes, { name = value }; any other text in brackets, { ["a text"] = value }`
	case t.text == "=" && before.text == ":" && adjacent(before, t):
		return `Lua assigns with "=", not with ":="`
	case t.text == ":" && next.word && (before.word || before.text == ")"):
		return fmt.Sprintf(`scripts have no types: leave out ": %s"`, CutName(next.text))
	case t.text == "<" && (next.text == "const" || next.text == "close"):
		return fmt.Sprintf(`Lua 5.1 has no "<%s>"; leave it out`, next.text)
	case (t.text == "<" || t.text == ">") && before.text == t.text && adjacent(before, t):
		shift := map[string]string{"<": "lshift", ">": "rshift"}[t.text]
		return fmt.Sprintf(`Lua 5.1 has no operator "%s%s"; write bit.%s(a, n)`, t.text, t.text, shift)
	case t.text == ">" && (before.text == "=" || before.text == "-") && adjacent(before, t), (t.text == "=" || t.text == "-") && next.text == ">" && adjacent(t, next):
		return `Lua writes a function as "function(x) return x + 1 end"`
	case t.text == "=" && before.text == ")" && !inBrackets && (top == nil || top.wants == ""):
		return "a call cannot be assigned to; assign to a field of what it returns, as in world:get(e, \"Name\").x = 1, or call world:set"
	case before.word && b.earlier.text == ":" && !inTable:
		return fmt.Sprintf(`a call needs brackets: write :%s(…) in line %d`, CutName(before.text), before.line)
	case before.text == "for" && t.text == "(":
		return `a loop is written "for i = 1, n do … end"`
	case t.text == "{" && before.text == ")" && top != nil && top.head.text == "function":
		return `a function ends with "end", and has no braces`
	}
	return ""
}

// keywordName recognizes a keyword as the name of a field.
func keywordName(b *blocks, before, t, next token) string {
	if !keywords[t.text] {
		return ""
	}
	top := b.top()
	switch {
	case before.text == "." && before.line == t.line:
		return fmt.Sprintf(`%q is a keyword of Lua and no name behind "."; write ["%s"]`, t.text, t.text)
	case top != nil && top.head.text == "{" && next.text == "=" && (before.text == "{" || before.text == "," || before.text == ";"):
		return fmt.Sprintf(`%q is a keyword of Lua and no name in a table; write ["%s"] = …`, t.text, t.text)
	}
	return ""
}

// missingWord recognizes an if, while or for without its "then" or "do".
func missingWord(b *blocks, before, t, _ token) string {
	top := b.top()
	if top == nil || top.wants == "" || t.text == top.wants || !t.word || !before.endsValue() {
		return ""
	}
	return fmt.Sprintf(`%q is missing: the %q of line %d needs it after its %s`, top.wants, top.head.text, top.head.line, map[string]string{"then": "condition", "do": "head"}[top.wants])
}

// missingInList recognizes calls and table constructors that lack a comma or their closing bracket.
func missingInList(b *blocks, before, t, _ token) string {
	top := b.top()
	if top == nil || !before.endsValue() && before.text != "," || !t.word && t.text != "\"" && t.text != "'" && !IsDigit(t.text[0]) {
		return ""
	}
	statement := keywords[t.text] && t.text != "nil" && t.text != "true" && t.text != "false" && t.text != "function" && t.text != "not"
	switch {
	case top.head.text == "{" && statement, top.head.text == "(" && (statement || before.line != t.line), top.head.text == "[":
		return fmt.Sprintf(`%q is missing to close the %q of line %d`, closing[top.head.text], top.head.text, top.head.line)
	case before.text == ",":
	case top.head.text == "{":
		return fmt.Sprintf(`"," is missing before %q, between two items of the table of line %d`, CutName(t.text), top.head.line)
	case top.head.text == "(":
		return fmt.Sprintf(`"," or an operator is missing before %q`, CutName(t.text))
	}
	return ""
}

// missingValue recognizes an operator, or a "=", with a keyword after it where a value should stand.
func missingValue(_ *blocks, before, t, _ token) string {
	switch before.text {
	case "+", "-", "*", "/", "%", "^", "=", "<", ">", "and", "or", "not":
	default:
		return ""
	}
	switch t.text {
	case "nil", "true", "false", "function", "not":
		return ""
	}
	if !keywords[t.text] {
		return ""
	}
	if t.text == "if" && before.line == t.line {
		return `Lua has no "if" in an expression; write condition and a or b`
	}
	return fmt.Sprintf("unexpected %q: a value is missing after %q", t.text, before.text)
}

// extraEnd recognizes words that close a block where no block is open.
func extraEnd(b *blocks, _, t, _ token) string {
	switch t.text {
	case "end", "else", "elseif", "until":
		if b.top() == nil {
			return fmt.Sprintf(`unexpected %q: no block is open here; is there an "end" too many above?`, t.text)
		}
	}
	return ""
}

// closing is the token that closes a block or bracket; all others are closed by "end".
var closing = map[string]string{"(": ")", "{": "}", "[": "]", "repeat": "until"}

// A block is an open block or bracket.
type block struct {
	head   token  // the token that opened it; the last elseif, if the block is an if with one
	indent int    // column of the first token of that line
	wants  string // "then" or "do" that its head still needs; "" after the head
}

// A blocks has the open blocks and brackets at a place of a source, outermost first.
type blocks struct {
	open    []block
	firsts  map[int]int // column of the first token of each line
	earlier token       // the second token before the place
	suspect *block      // the first block whose "end" stands further left than its beginning: the one it was meant for probably is another
}

// top returns the innermost open block, nil if none is open.
func (b *blocks) top() *block {
	if len(b.open) == 0 {
		return nil
	}
	return &b.open[len(b.open)-1]
}

// first reports whether the token begins its line.
func (b *blocks) first(t token) bool { return b.firsts[t.line] == t.column }

// blocksBefore returns the blocks that are open after a list of tokens.
func blocksBefore(tokens []token) *blocks {
	b := &blocks{firsts: map[int]int{}}
	indent := 0
	for i, t := range tokens {
		first := i == 0 || tokens[i-1].line != t.line
		if first {
			indent = t.column
			b.firsts[t.line] = indent
		}
		top := b.top()
		switch t.text {
		case "function", "repeat", "(", "{", "[":
			b.open = append(b.open, block{head: t, indent: indent})
		case "if":
			b.open = append(b.open, block{head: t, indent: indent, wants: "then"})
		case "for", "while":
			b.open = append(b.open, block{head: t, indent: indent, wants: "do"})
		case "elseif":
			if top != nil {
				top.head, top.wants = t, "then"
			}
		case "then", "do":
			if top != nil && top.wants == t.text {
				top.wants = ""
			} else if t.text == "do" {
				b.open = append(b.open, block{head: t, indent: indent})
			}
		case "end", "until", ")", "}", "]":
			if top == nil {
				continue
			}
			if t.text == "end" && first && t.line != top.head.line && t.column < top.indent && b.suspect == nil {
				suspect := *top
				b.suspect = &suspect
			}
			b.open = b.open[:len(b.open)-1]
		}
	}
	return b
}

// unclosed says what is missing at the end of the file. If the indentation shows which block probably lacks its
// "end", it names that block.
func (b *blocks) unclosed(tokens []token) string {
	top := b.top()
	if top == nil {
		if len(tokens) == 0 {
			return ""
		}
		return fmt.Sprintf("unexpected end of file after %q", CutName(tokens[len(tokens)-1].text))
	}
	if word := closing[top.head.text]; word != "" {
		return fmt.Sprintf("unexpected end of file: %q is missing to close the %q of line %d", word, top.head.text, top.head.line)
	}
	text := fmt.Sprintf(`unexpected end of file: an "end" is missing to close the %q of line %d`, top.head.text, top.head.line)
	if b.suspect != nil {
		text = fmt.Sprintf(`unexpected end of file: an "end" is missing; judged by the indentation, it is that of the %q of line %d`, b.suspect.head.text, b.suspect.head.line)
	}
	for i := range tokens[:len(tokens)-1] {
		if t, next := tokens[i], tokens[i+1]; t.text == "else" && next.text == "if" && t.line == next.line {
			return fmt.Sprintf(`%s; "else if" in line %d opens a block of its own: write "elseif"`, text, t.line)
		}
	}
	return text
}
