package luatest

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// Values as Lua code that makes them again: the smallest case of a property.

// mostCode is the largest number of bytes of such code.
const mostCode = 4000

// appendCode appends the code of a value. Tables are on one line, with sorted keys.
func appendCode(b *strings.Builder, v lua.LValue, s *suite) {
	switch v := v.(type) {
	case lua.LString:
		appendString(b, string(v))
	case lua.LNumber:
		b.WriteString(numberCode(float64(v)))
	case *lua.LTable:
		keys := s.sortedKeys(v)
		if len(keys) == 0 {
			b.WriteString("{}")
			return
		}
		b.WriteString("{ ")
		for i, k := range keys {
			if b.Len() > mostCode { // it is cut there
				return
			}
			if i > 0 {
				b.WriteString(", ")
			}
			name, isText := k.(lua.LString)
			if n, ok := k.(lua.LNumber); !ok || int(n) != i+1 { // a list shows no keys
				if isText && isName(string(name)) && !keywords[string(name)] {
					b.WriteString(string(name) + " = ")
				} else {
					b.WriteByte('[')
					appendCode(b, k, s)
					b.WriteString("] = ")
				}
			}
			appendCode(b, sandbox.Get(v, k), s)
		}
		b.WriteString(" }")
	default:
		b.WriteString(s.show(v)) // nil, booleans, and constants that are no data
	}
}

func numberCode(f float64) string {
	switch {
	case math.IsNaN(f):
		return "0/0"
	case math.IsInf(f, 1):
		return "1/0"
	case math.IsInf(f, -1):
		return "-1/0"
	case f == 0 && math.Signbit(f):
		return "-0"
	}
	return exact(f)
}

// appendString appends a string literal. Bytes that are no printable text are written as \ and three digits.
func appendString(b *strings.Builder, text string) {
	b.WriteByte('"')
	for len(text) > 0 {
		r, n := utf8.DecodeRuneInString(text)
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r < ' ' || r >= 0x7f && r < 0xa0 || r == utf8.RuneError:
			for _, c := range []byte(text[:n]) {
				fmt.Fprintf(b, `\%03d`, c)
			}
		default:
			b.WriteString(text[:n])
		}
		text = text[n:]
	}
	b.WriteByte('"')
}

// keywords are the names that a table constructor cannot have as a key without brackets.
var keywords = func() map[string]bool {
	m := map[string]bool{}
	for word := range strings.FieldsSeq("and break do else elseif end false for function goto if in local nil not or repeat return then true until while") {
		m[word] = true
	}
	return m
}()
