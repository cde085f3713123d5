package sandbox

import (
	"math"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	lua "github.com/yuin/gopher-lua"
)

// Library functions for compiled loops: those of module string, and a few others, that only look at plain values and change
// nothing. A form here does what the function of that name does, or declines: where the function would raise an error,
// convert an argument, or charge the budget for a long string. Then the interpreter runs the row.

// mostPlain is the length from which the functions charge the budget for a string.
const mostPlain = 256

// mostPlainSteps is the number of steps of the pattern matcher from which it charges the budget while it matches.
const mostPlainSteps = 1000

// A PlainCall is a call of such a function.
type PlainCall struct {
	Args    []ecs.Value
	Results []ecs.Value
	Bytes   int64 // what the results allocate
	Cost    int64 // instructions that the call is worth

	match matcher
	buf   []byte
}

// A PlainFunction does a call, and sets Results, Bytes and Cost. It returns false, and declines, where the interpreter has
// to do it.
type PlainFunction func(c *PlainCall) bool

// A Plain describes a function.
type Plain struct {
	Run  PlainFunction
	Most int // results that it may have; some of them may be missing. 1: it has exactly one
}

// PlainFunctions has the functions by name.
var PlainFunctions = map[string]Plain{
	"<":              {plainLess, 1},             // a < b for strings
	"print":          {plainPrint, 1},            // the line
	"gmatch step":    {plainGmatch, math.MaxInt}, // for a string, a pattern and a place: the place behind the next match, and its captures; nil if there is none
	"gsub find":      {plainFind, math.MaxInt},   // a match for string.gsub: see replace.go
	"gsub put":       {plainPut, 1},
	"gsub end":       {plainEnd, 1},
	"string.byte":    {plainByte, math.MaxInt},
	"string.char":    {plainChar, 1},
	"string.find":    {func(c *PlainCall) bool { return c.find(true) }, math.MaxInt},
	"string.format":  {plainFormat, 1},
	"string.gsub":    {plainGsub, 2},
	"string.len":     {plainLen, 1},
	"string.lower":   {func(c *PlainCall) bool { return c.mapBytes(lowerByte) }, 1},
	"string.match":   {func(c *PlainCall) bool { return c.find(false) }, math.MaxInt},
	"string.rep":     {plainRep, 1},
	"string.reverse": {plainReverse, 1},
	"string.sub":     {plainSub, 1},
	"string.upper":   {func(c *PlainCall) bool { return c.mapBytes(upperByte) }, 1},
	"tonumber":       {plainToNumber, 1},
	"tostring":       {plainToString, 1},
}

// text returns an argument that is a string.
func (c *PlainCall) text(i int) (string, bool) {
	if i >= len(c.Args) || c.Args[i].Kind() != ecs.StringValue {
		return "", false
	}
	return c.Args[i].Str(), true
}

// int returns an argument as an integer; otherwise, if it is nil or missing.
func (c *PlainCall) int(i int, otherwise int64) (int64, bool) {
	if i >= len(c.Args) || c.Args[i].Kind() == ecs.NilValue {
		return otherwise, true
	}
	n, ok := c.number(i)
	return toInt(n), ok
}

// number returns an argument that is a number.
func (c *PlainCall) number(i int) (float64, bool) {
	if i >= len(c.Args) || c.Args[i].Kind() != ecs.NumberValue {
		return 0, false
	}
	return c.Args[i].Float(), true
}

func (c *PlainCall) gives(v ecs.Value) { c.Results = append(c.Results, v) }

// made adds a result that is a new string. It declines a long one.
func (c *PlainCall) made(text string) bool {
	if len(text) >= mostPlain {
		return false
	}
	c.Bytes += interp.StringBytes + int64(len(text))
	c.gives(ecs.Text(text))
	return true
}

func plainLess(c *PlainCall) bool {
	a, ok := c.text(0)
	b, also := c.text(1)
	c.gives(ecs.Boolean(a < b))
	return ok && also
}

func plainLen(c *PlainCall) bool {
	s, ok := c.text(0)
	c.gives(ecs.Number(float64(len(s))))
	return ok
}

func plainSub(c *PlainCall) bool {
	s, ok := c.text(0)
	i, isInt := c.number(1)
	j, also := c.int(2, -1)
	if !ok || !isInt || !also {
		return false
	}
	from, to := strRange(toInt(i), j, len(s))
	return c.made(s[from:to])
}

func plainByte(c *PlainCall) bool {
	s, ok := c.text(0)
	i, isInt := c.int(1, 1)
	j, also := c.int(2, i)
	if !ok || !isInt || !also {
		return false
	}
	from, to := strRange(i, j, len(s))
	if to-from >= mostPlain {
		return false
	}
	for k := from; k < to; k++ {
		c.gives(ecs.Number(float64(s[k])))
	}
	return true
}

func plainChar(c *PlainCall) bool {
	c.buf = c.buf[:0]
	for i := range c.Args {
		n, ok := c.number(i)
		b := toInt(n)
		if !ok || b < 0 || b > 255 {
			return false
		}
		c.buf = append(c.buf, byte(b))
	}
	return c.made(string(c.buf))
}

func plainRep(c *PlainCall) bool {
	s, ok := c.text(0)
	x, isInt := c.number(1)
	n := toInt(x)
	switch {
	case !ok || !isInt:
		return false
	case n <= 0 || s == "":
		c.gives(ecs.Text(""))
		return true
	case n >= mostPlain || len(s)*int(n) >= mostPlain:
		return false
	}
	return c.made(strings.Repeat(s, int(n)))
}

func plainReverse(c *PlainCall) bool {
	s, ok := c.text(0)
	if !ok || len(s) >= mostPlain {
		return false
	}
	c.buf = c.buf[:0]
	for i := range len(s) {
		c.buf = append(c.buf, s[len(s)-1-i])
	}
	return c.made(string(c.buf))
}

// mapBytes is string.lower or string.upper.
func (c *PlainCall) mapBytes(f func(byte) byte) bool {
	s, ok := c.text(0)
	if !ok || len(s) >= mostPlain {
		return false
	}
	c.buf = append(c.buf[:0], s...)
	for i, b := range c.buf {
		c.buf[i] = f(b)
	}
	return c.made(string(c.buf))
}

func plainToString(c *PlainCall) bool {
	if len(c.Args) == 0 {
		return false
	}
	text, ok := plainText(c.Args[0])
	if ok && c.Args[0].Kind() == ecs.StringValue {
		c.gives(c.Args[0])
		return true
	}
	return ok && c.made(text)
}

// plainText returns a value as tostring shows it.
func plainText(v ecs.Value) (string, bool) {
	switch v.Kind() {
	case ecs.StringValue:
		return v.Str(), true
	case ecs.NumberValue:
		return NumberText(v.Float()), true
	case ecs.BoolValue:
		return lua.LBool(v.Bool()).String(), true
	case ecs.NilValue:
		return "nil", true
	case ecs.TableValue:
		return "table", true
	}
	return "", false
}

// plainPrint gives the line that print would print.
func plainPrint(c *PlainCall) bool {
	line := c.buf[:0]
	for i, v := range c.Args {
		if i > 0 {
			line = append(line, '\t')
		}
		text, ok := plainText(v)
		if !ok || len(line)+len(text) >= mostPlain {
			return false
		}
		c.Cost += int64(len(text) >> 6)
		line = append(line, text...)
	}
	c.buf = line
	c.gives(ecs.Text(string(line)))
	return true
}

func plainToNumber(c *PlainCall) bool {
	if len(c.Args) == 0 {
		return false
	}
	if base, ok := c.int(1, 10); !ok || base != 10 {
		return false
	}
	switch v := c.Args[0]; v.Kind() {
	case ecs.NumberValue:
		c.gives(v)
		return true
	case ecs.StringValue:
		if f, ok := syntax.ParseNumber(v.Str()); ok {
			c.gives(ecs.Number(f))
			return true
		}
	case ecs.NilValue, ecs.BoolValue:
	default:
		return false
	}
	c.gives(ecs.Value{})
	return true
}

func plainFormat(c *PlainCall) bool {
	f, ok := c.text(0)
	if !ok {
		return false
	}
	out, ok := formatPlain(c.buf[:0], f, len(c.Args), func(i int) (ecs.Value, bool) { return c.Args[i], true })
	if !ok {
		return false
	}
	c.buf = out
	return c.made(string(out))
}
