package config

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// maxDepth is how deep lists and mappings may nest; the format itself needs four levels.
const maxDepth = 32

// A node is one value of a config file with its position, in the same form for all three formats. The parsers
// produce nodes, and decode.go reads them.
type node struct {
	kind     kind
	pos      Pos
	text     string  // number, text, plain, other: the value as written, without quotes
	bool     bool    // boolean
	items    []*node // list
	entries  []entry // mapping, in file order, duplicates included
	override bool    // plain: from a flag or a variable, never quoted
}

type entry struct {
	key   string
	pos   Pos // of the key
	value *node
}

type kind int

const (
	kindNull kind = iota
	kindBool
	kindNumber
	kindText
	kindList
	kindMapping
	kindPlain // bare text that is what its reader wants: of a flag, a variable, or after "=" in a field
	kindOther // a date of TOML
)

// describe returns the value for an error message: string "abc", number 3, list.
func (n *node) describe() string {
	switch n.kind {
	case kindBool:
		return strconv.FormatBool(n.bool)
	case kindNumber:
		return "number " + clip(n.text)
	case kindText:
		return "string " + strconv.Quote(clip(n.text))
	case kindList:
		return "a list"
	case kindMapping:
		return "a mapping"
	case kindPlain:
		return strconv.Quote(clip(n.text))
	case kindOther:
		return "date " + clip(n.text)
	default:
		return "nothing"
	}
}

// clip shortens a value that is quoted in an error message.
func clip(s string) string {
	const most = 60
	r := []rune(s)
	if len(r) <= most {
		return s
	}
	return string(r[:most]) + "…"
}

func (n *node) boolean() (value, ok bool) {
	if n.kind == kindPlain {
		switch n.text {
		case "true":
			return true, true
		case "false":
			return false, true
		}
	}
	return n.bool, n.kind == kindBool
}

func (n *node) number() (number, bool) {
	if n.kind != kindNumber && n.kind != kindPlain {
		return number{}, false
	}
	return parseNumber(n.text)
}

// A number keeps its exact integer if it was written as one.
type number struct {
	float    float64
	whole    bool // written without point or exponent, below 2^64 in size
	negative bool
	size     uint64 // if whole
	overflow bool   // beyond float64; float is infinite
}

// parseNumber parses a number of any of the three formats: 7, -7, 0x1f, 0o17, 0b11, 1_000, 1.5e3, .inf, -inf, nan.
// A leading zero is refused, because versions of YAML disagree about the meaning of 010.
func parseNumber(s string) (number, bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	body := strings.TrimLeft(s, "+-")
	negative := strings.HasPrefix(s, "-")
	if len(s)-len(body) > 1 || body == "" || strings.HasPrefix(body, "_") || strings.HasSuffix(body, "_") || strings.Contains(body, "__") {
		return number{}, false
	}
	sign := 1.0
	if negative {
		sign = -1
	}
	switch strings.TrimPrefix(body, ".") {
	case "inf", "infinity":
		return number{float: math.Inf(int(sign)), negative: negative}, true
	case "nan":
		return number{float: math.NaN()}, true
	}
	body = strings.ReplaceAll(body, "_", "")
	if len(body) > 1 && body[0] == '0' && body[1] >= '0' && body[1] <= '9' {
		return number{}, false
	}
	if size, err := strconv.ParseUint(body, 0, 64); err == nil {
		return number{float: sign * float64(size), whole: true, negative: negative && size > 0, size: size}, true
	}
	if strings.ContainsAny(body, "xpn") { // hexadecimal floats and the long names of infinity are Go's, not a format's
		return number{}, false
	}
	f, err := strconv.ParseFloat(body, 64)
	overflow := errors.Is(err, strconv.ErrRange)
	if err != nil && !overflow {
		return number{}, false
	}
	return number{float: sign * f, negative: negative, overflow: overflow}, true
}

// integer returns the number as an int64, also for 1e3 and 600.0.
func (v number) integer() (int64, bool) {
	if v.whole {
		if v.size > math.MaxInt64 {
			return 0, false
		}
		if v.negative {
			return -int64(v.size), true
		}
		return int64(v.size), true
	}
	const exact = 1 << 53
	if v.float != math.Trunc(v.float) || math.Abs(v.float) > exact {
		return 0, false
	}
	return int64(v.float), true
}

// unsigned returns the number as a uint64, exact up to 2^64-1.
func (v number) unsigned() (uint64, bool) {
	if v.whole && !v.negative {
		return v.size, true
	}
	i, ok := v.integer()
	return uint64(max(i, 0)), ok && i >= 0
}
