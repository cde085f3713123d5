package luatest

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// This file formats Lua values for messages, shortened to a length that a person reads.

const (
	showDepth  = 4   // tables within each other
	showItems  = 12  // of one table
	showString = 120 // bytes
	showValue  = 300 // bytes of a value in a message
)

// show formats a value for a message: 1.5, "poison", 17v2, { cause = "poison", who = 17v2 }.
func (s *suite) show(v lua.LValue) string {
	var b strings.Builder
	s.appendValue(&b, v, nil)
	return cutText(b.String(), showValue)
}

func (s *suite) appendValue(b *strings.Builder, v lua.LValue, path []*lua.LTable) {
	switch v := v.(type) {
	case lua.LString:
		b.WriteString(quote(string(v)))
	case lua.LNumber:
		b.WriteString(s.number(float64(v)))
	case lua.LBool:
		b.WriteString(strconv.FormatBool(bool(v)))
	case *lua.LNilType:
		b.WriteString("nil")
	case *lua.LTable:
		if m := s.matcherOf(v); m != nil {
			b.WriteString(s.showMatcher(m))
			return
		}
		s.appendTable(b, v, path)
	case *lua.LUserData:
		if t, _ := s.surf.Plain(v); t != nil {
			s.appendTable(b, t, path)
			return
		}
		b.WriteString("a " + surface.Kind(v))
	default:
		b.WriteString("a " + v.Type().String())
	}
}

func (s *suite) appendTable(b *strings.Builder, t *lua.LTable, path []*lua.LTable) {
	switch {
	case slices.Contains(path, t):
		b.WriteString("{ itself }")
		return
	case len(path) == showDepth:
		b.WriteString("{ … }")
		return
	}
	if b.Len() > showValue { // it is cut there
		return
	}
	keys := s.sortedKeys(t)
	if len(keys) == 0 {
		b.WriteString("{}")
		return
	}
	path = append(path, t)
	b.WriteString("{ ")
	for i, k := range keys {
		if i == showItems {
			fmt.Fprintf(b, ", … %d more", len(keys)-i)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		if n, ok := k.(lua.LNumber); !ok || int(n) != i+1 { // a list shows no keys
			b.WriteString(s.key(k, "") + " = ")
		}
		s.appendValue(b, sandbox.Get(t, k), path)
	}
	b.WriteString(" }")
}

// key formats a key of a table: as in a constructor or, with a dot before names, as in a path.
func (s *suite) key(k lua.LValue, dot string) string {
	if name, ok := k.(lua.LString); ok && isName(string(name)) {
		return dot + string(name)
	}
	var b strings.Builder
	s.appendValue(&b, k, nil)
	return "[" + cutText(b.String(), showString) + "]"
}

// number formats a number. Entities are numbers to Lua: a number that is a handle whose slot exists is formatted
// as an entity.
func (s *suite) number(f float64) string {
	if e, ok := ecs.EntityFromNumber(f); ok && e != ecs.None && len(s.worlds) > 0 && e.Index() < 1<<24 {
		return e.String()
	}
	return exact(f)
}

// exact formats a number with all significant digits: the 14 digits of Lua may hide the difference.
func exact(f float64) string {
	short := sandbox.NumberText(f)
	if back, err := strconv.ParseFloat(short, 64); err == nil && back != f && !math.IsNaN(f) {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return short
}

// quote returns a string as a literal on one line.
func quote(text string) string { return strconv.Quote(cutText(text, showString)) }

func cutText(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return fmt.Sprintf("%s… (%d bytes)", strings.ToValidUTF8(text[:most], ""), len(text))
}

func isName(text string) bool {
	for i := range len(text) {
		c := text[i]
		if c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return text != ""
}

// sortedKeys returns the keys of a table: numbers, then strings, then the others in the order of the table. It
// charges several instructions per key; a caller that lists many tables checks the budget.
func (s *suite) sortedKeys(t *lua.LTable) []lua.LValue {
	var keys []lua.LValue
	for k, _ := t.Next(lua.LNil); k != lua.LNil; k, _ = t.Next(k) {
		keys = append(keys, k)
	}
	s.state.Budget().Charge(4 * int64(len(keys)))
	slices.SortStableFunc(keys, compareKeys)
	return keys
}

func compareKeys(a, b lua.LValue) int {
	rank := func(v lua.LValue) int {
		switch v.(type) {
		case lua.LNumber:
			return 0
		case lua.LString:
			return 1
		}
		return 2
	}
	if c := cmp.Compare(rank(a), rank(b)); c != 0 {
		return c
	}
	switch x := a.(type) {
	case lua.LNumber:
		return cmp.Compare(float64(x), float64(b.(lua.LNumber)))
	case lua.LString:
		return cmp.Compare(string(x), string(b.(lua.LString)))
	}
	return 0
}

// place returns "poison_test.lua:22".
func place(file string, line int) string { return sandbox.Pos{File: file, Line: line}.String() }
