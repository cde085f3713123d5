package sandbox

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	lua "github.com/yuin/gopher-lua"
)

// This file is string.format, and its native form for the interpreter. The texts are those of C's printf, the same
// on every platform.

// format is string.format with the verbs of C. Package fmt gets only a verb, flags and a number that were put
// together here: with the script's own text it would print addresses and Go types.
func (s *State) format(L *lua.LState) int {
	f := argString(L, 1)
	var out []byte
	arg := 1
	for i := 0; i < len(f); i++ {
		if f[i] != '%' {
			out = append(out, f[i])
			continue
		}
		i++
		if i < len(f) && f[i] == '%' {
			out = append(out, '%')
			continue
		}
		spec, rest, ok := parseSpec(f[i:])
		if !ok {
			L.RaiseError("invalid format %q to %q", "%"+syntax.CutName(f[i:]), "format")
		}
		i = len(f) - len(rest) - 1
		arg++
		if arg > L.GetTop() {
			argError(L, arg, "no value for %"+spec.text)
		}
		out = s.formatOne(L, out, spec, arg)
		s.limitSize(L, len(out))
	}
	s.checkSize(L, len(out))
	text := lua.LString(out)
	s.inheritFrom(L, text)
	s.pushString(L, text)
	return 1
}

// formatPlain appends the text of a format to out. It has n values: value returns the i-th one, counted from 1, and false if
// it is no plain value. It declines, and returns false, where format would raise an error, convert a value, or charge the
// budget for a long text.
func formatPlain(out []byte, f string, n int, value func(i int) (ecs.Value, bool)) ([]byte, bool) {
	for i, arg := 0, 0; i < len(f); i++ {
		if f[i] != '%' {
			out = append(out, f[i])
			continue
		}
		i++
		if i < len(f) && f[i] == '%' {
			out = append(out, '%')
			continue
		}
		spec, rest, ok := parseSpec(f[i:])
		arg++
		if !ok || arg >= n {
			return nil, false
		}
		i = len(f) - len(rest) - 1
		v, ok := value(arg)
		if !ok {
			return nil, false
		}
		if spec.verb == 's' {
			text, ok := plainText(v)
			if spec.precision >= 0 && spec.precision < len(text) {
				text = text[:spec.precision]
			}
			if !ok || len(text) >= 64 { // what is charged for
				return nil, false
			}
			out = spec.pad(out, text)
			continue
		}
		if v.Kind() != ecs.NumberValue {
			return nil, false
		}
		switch n := v.Float(); {
		case spec.verb == 'd' || spec.verb == 'i':
			out = spec.integer(out, toInt(n), 'd')
		case spec.verb == 'u':
			out = spec.integer(out, uint64Of(n), 'd')
		case strings.IndexByte("oxX", spec.verb) >= 0:
			out = spec.integer(out, uint64Of(n), spec.verb)
		case spec.verb == 'c':
			out = spec.pad(out, string([]byte{byte(toInt(n))}))
		case strings.IndexByte("eEfgG", spec.verb) >= 0:
			out = spec.float(out, n)
		default:
			return nil, false
		}
		if len(out) >= mostPlain {
			return nil, false
		}
	}
	return out, len(out) < mostPlain
}

// nativeFormat is the native form of format, for numbers and strings that need no conversion.
func (s *State) nativeFormat(m *interp.Machine, args []interp.Value) (interp.Value, bool) {
	if len(args) == 0 || s.catches() {
		return interp.Value{}, false
	}
	f, ok := args[0].Ref.(lua.LString)
	if !ok {
		return interp.Value{}, false
	}
	out, ok := formatPlain(s.buf[:0], string(f), len(args), func(i int) (ecs.Value, bool) {
		if text, ok := args[i].Ref.(lua.LString); ok {
			return ecs.Text(string(text)), true
		}
		return ecs.Number(args[i].Num), args[i].IsNumber()
	})
	if !ok || len(out) > s.maxString || !m.Takes(interp.StringBytes+int64(len(out))) {
		return interp.Value{}, false
	}
	text := lua.LString(out)
	s.keepBuffer(out)
	return interp.Of(text), true
}

// spec is one conversion of a format, such as %-5.2f, in parts.
type spec struct {
	text      string // without the %
	flags     string
	width     int
	precision int // -1: none
	verb      byte
}

func parseSpec(f string) (sp spec, rest string, ok bool) {
	i := 0
	for i < len(f) && strings.IndexByte("-+ #0", f[i]) >= 0 {
		i++
	}
	if i > 5 {
		return sp, "", false
	}
	sp.flags, sp.precision = f[:i], -1
	number := func() int {
		n, from := 0, i
		for i < len(f) && i < from+2 && syntax.IsDigit(f[i]) {
			n = n*10 + int(f[i]-'0')
			i++
		}
		return n
	}
	sp.width = number()
	if i < len(f) && f[i] == '.' {
		i++
		sp.precision = number()
	}
	if i >= len(f) || strings.IndexByte("diouxXcsqeEfgG", f[i]) < 0 {
		return sp, "", false
	}
	sp.verb, sp.text = f[i], f[:i+1]
	return sp, f[i+1:], true
}

func (s *State) formatOne(L *lua.LState, out []byte, sp spec, arg int) []byte {
	switch sp.verb {
	case 'c':
		return sp.pad(out, string([]byte{byte(argInt(L, arg))}))
	case 'd', 'i':
		return sp.integer(out, argInt(L, arg), 'd')
	case 'u', 'o', 'x', 'X':
		verb := sp.verb
		if verb == 'u' {
			verb = 'd'
		}
		return sp.integer(out, uint64Of(argNumber(L, arg)), verb)
	case 'q':
		str := argString(L, arg)
		s.limitSize(L, len(out)+len(str))
		s.charge(L, int64(len(str)>>4))
		return quote(out, str)
	case 's':
		str := ToString(L, argAny(L, arg))
		if sp.precision >= 0 && sp.precision < len(str) {
			str = str[:sp.precision]
		}
		s.limitSize(L, len(out)+len(str))
		s.charge(L, int64(len(str)>>6))
		return sp.pad(out, str)
	}
	return sp.float(out, argNumber(L, arg))
}

// uint64Of converts a negative number to its two's complement, which C prints with %x.
func uint64Of(f float64) uint64 {
	switch {
	case math.IsNaN(f):
		return 0
	case f < 0:
		return uint64(toInt(f))
	case f >= math.MaxUint64:
		return math.MaxUint64
	}
	return uint64(f)
}

func (sp spec) goFlags(drop string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(drop, r) {
			return -1
		}
		return r
	}, sp.flags)
}

// integer appends v, an int64 or uint64.
func (sp spec) integer(out []byte, v any, verb byte) []byte {
	if sp.flags == "" && sp.precision < 0 {
		if text, ok := plainInteger(v, verb); ok {
			return sp.pad(out, text)
		}
	}
	return sp.flagged(out, v, verb)
}

// plainInteger formats an integer without flags. Package fmt would take several times as long.
func plainInteger(v any, verb byte) (text string, ok bool) {
	var base int
	switch verb {
	case 'd':
		base = 10
	case 'x':
		base = 16
	case 'o':
		base = 8
	default:
		return "", false
	}
	switch v := v.(type) {
	case int64:
		return strconv.FormatInt(v, base), true
	case uint64:
		return strconv.FormatUint(v, base), true
	}
	return "", false
}

// flagged appends an integer with flags or a precision.
func (sp spec) flagged(out []byte, v any, verb byte) []byte {
	flags := sp.flags
	if sp.precision >= 0 || strings.Contains(flags, "-") {
		flags = sp.goFlags("0")
	}
	if u, ok := v.(uint64); ok {
		flags = strings.Map(func(r rune) rune { // signs are for signed verbs
			if r == '+' || r == ' ' {
				return -1
			}
			return r
		}, flags)
		if u == 0 {
			flags = strings.ReplaceAll(flags, "#", "")
		}
	}
	format := "%" + flags
	if sp.width > 0 {
		format += fmt.Sprint(sp.width)
	}
	if sp.precision >= 0 {
		format += "." + fmt.Sprint(sp.precision)
	}
	return fmt.Appendf(out, format+string(verb), v)
}

func (sp spec) float(out []byte, f float64) []byte {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		text := NumberText(f)
		switch {
		case text[0] != '-' && strings.Contains(sp.flags, "+"):
			text = "+" + text
		case text[0] != '-' && strings.Contains(sp.flags, " "):
			text = " " + text
		}
		if sp.verb == 'E' || sp.verb == 'G' {
			text = strings.ToUpper(text)
		}
		return sp.pad(out, text)
	}
	flags := sp.flags
	if strings.Contains(flags, "-") {
		flags = sp.goFlags("0")
	}
	precision := sp.precision
	if precision < 0 {
		precision = 6
	}
	if precision == 0 && (sp.verb == 'g' || sp.verb == 'G') {
		precision = 1
	}
	if sp.flags == "" { // package fmt takes several times as long
		var buf [64]byte
		text := strconv.AppendFloat(buf[:0], f, sp.verb, precision, 64)
		for n := sp.width - len(text); n > 0; n-- {
			out = append(out, ' ')
		}
		return append(out, text...)
	}
	format := fmt.Sprintf("%%%s%d.%d%c", flags, sp.width, precision, sp.verb)
	if sp.width == 0 {
		format = fmt.Sprintf("%%%s.%d%c", flags, precision, sp.verb)
	}
	return fmt.Appendf(out, format, f)
}

// pad adds spaces up to the width. It counts bytes, as C does; package fmt would count runes.
func (sp spec) pad(out []byte, text string) []byte {
	n := sp.width - len(text)
	if strings.Contains(sp.flags, "-") {
		out = append(out, text...)
		for ; n > 0; n-- {
			out = append(out, ' ')
		}
		return out
	}
	for ; n > 0; n-- {
		out = append(out, ' ')
	}
	return append(out, text...)
}

// quote appends a string in the form in which Lua reads it back, for %q.
func quote(out []byte, str string) []byte {
	out = append(out, '"')
	for i := range len(str) {
		switch c := str[i]; c {
		case '"', '\\', '\n':
			out = append(out, '\\', c)
		case '\r':
			out = append(out, `\r`...)
		case 0:
			out = append(out, `\000`...)
		default:
			out = append(out, c)
		}
	}
	return append(out, '"')
}
