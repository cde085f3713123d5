package luatest

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// The texts of failed assertions as luassert has them, for scripts that catch them: "Expected objects to be the same."
// and so on, from the module say, with values as luassert's formatters show them. Reports have texts of their own (show.go).

// say returns the text of a key with values; "assertion failed!" if there is none.
func (s *suite) say(L *lua.LState, key string, shown []phrase) string {
	vars := s.state.NewTable()
	for i, p := range shown {
		vars.RawSetInt(i+1, lua.LString(s.format(L, p)))
	}
	vars.RawSetString("n", lua.LNumber(len(shown)))
	if text, ok := s.sayWith(L, lua.LString(key), vars).(lua.LString); ok {
		return string(text)
	}
	return "assertion failed!"
}

// sayWith calls the module say.
func (s *suite) sayWith(L *lua.LState, key lua.LValue, vars *lua.LTable) lua.LValue {
	say := s.module("say")
	if key == lua.LNil || say == lua.LNil {
		return lua.LNil
	}
	L.Push(say)
	L.Push(key)
	L.Push(vars)
	L.Call(2, 1)
	v := L.Get(-1)
	L.Pop(1)
	return v
}

// format shows a value: with a formatter of the test, or as luassert does.
func (s *suite) format(L *lua.LState, p phrase) string {
	if p.value == nil {
		return p.text
	}
	extra := lua.LValue(lua.LNil)
	if p.path != nil {
		crumbs, t := s.state.NewTable(), s.state.NewTable()
		for i, k := range p.path {
			crumbs.RawSetInt(len(p.path)-i, k)
		}
		t.RawSetString("crumbs", crumbs)
		extra = t
	}
	return s.formatWith(L, p.value, extra)
}

// formatWith shows a value with what luassert's formatters get besides.
func (s *suite) formatWith(L *lua.LState, v, extra lua.LValue) string {
	for i := len(s.formatters) - 1; i >= 0; i-- {
		L.Push(s.formatters[i])
		L.Push(v)
		L.Push(extra)
		L.Call(2, 1)
		text := L.Get(-1)
		L.Pop(1)
		if text != lua.LNil {
			return sandbox.ToString(L, text)
		}
	}
	switch v := v.(type) {
	case lua.LString:
		return "(string) '" + string(v) + "'"
	case lua.LNumber:
		return "(number) " + longNumber(float64(v))
	case lua.LBool:
		return "(boolean) " + v.String()
	case *lua.LNilType:
		return "(nil)"
	case *lua.LTable:
		switch m := s.matcherOf(v); {
		case m != nil:
			return s.formatMatcher(L, m)
		case s.isArgumentList(v):
			return "(values list) (" + strings.Join(s.formatList(L, v), ", ") + ")"
		}
		return s.formatTable(L, v, extra)
	case *lua.LFunction:
		if v.IsG {
			return sandbox.ToString(L, v) + " @ line -1 in =[C]"
		}
		return fmt.Sprintf("%s @ line %d in @%s", sandbox.ToString(L, v), v.Proto.LineDefined, v.Proto.SourceName)
	}
	return fmt.Sprintf("(%s) '%s'", v.Type(), sandbox.ToString(L, v))
}

// formatList shows each value of a list of arguments.
func (s *suite) formatList(L *lua.LState, t *lua.LTable) []string {
	n, _ := t.RawGetString("n").(lua.LNumber)
	list := make([]string, max(0, min(int(n), maxShownArguments)))
	for i := range list {
		list[i] = s.formatWith(L, sandbox.Get(t, lua.LNumber(i+1)), lua.LNil)
	}
	return list
}

// maxShownArguments is how many arguments of a call a text shows.
const maxShownArguments = 200

func (s *suite) formatMatcher(L *lua.LState, m *matcher) string {
	args := make([]string, len(m.args))
	for i, a := range m.args {
		args[i] = s.formatWith(L, a, lua.LNil)
	}
	if m.name == "_" {
		return "(matcher) _ *anything*"
	}
	form := "is."
	if m.negated {
		form = "no."
	}
	return "(matcher) " + form + m.name + "(" + strings.Join(args, ", ") + ")"
}

func longNumber(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Inf"
	case math.IsInf(f, -1):
		return "-Inf"
	}
	return fmt.Sprintf("%.20g", f)
}

// formatTable shows a table with the tables in it, to the depth that the parameter TableFormatLevel allows. The keys of
// extra.crumbs, which lead to the first difference, are marked.
func (s *suite) formatTable(L *lua.LState, t *lua.LTable, extra lua.LValue) string {
	name := "(table) "
	if mt, ok := t.Metatable.(*lua.LTable); !ok || mt.RawGetString("__metatable") == lua.LNil {
		was := t.Metatable
		t.Metatable = lua.LNil
		name = "(" + sandbox.ToString(L, t) + ") "
		t.Metatable = was
	}
	var crumbs *lua.LTable
	if e, ok := extra.(*lua.LTable); ok {
		crumbs, _ = e.RawGetString("crumbs").(*lua.LTable)
	}
	depth, _ := s.parameter("TableFormatLevel").(lua.LNumber)
	mark, _ := s.parameter("TableErrorHighlightCharacter").(lua.LString)
	f := tableFormat{s, L, int(depth), lua.LVAsBool(s.parameter("TableFormatShowRecursion")), string(mark), crumbs, map[*lua.LTable]bool{}}
	var b strings.Builder
	f.append(&b, t, 1, crumbs != nil)
	return name + b.String()
}

// tableFormat is one call of formatTable.
type tableFormat struct {
	suite     *suite
	L         *lua.LState
	depth     int // negative: all
	recursion bool
	mark      string
	crumbs    *lua.LTable // the innermost key first
	open      map[*lua.LTable]bool
}

// mostFormat is the largest number of bytes of a shown table.
const mostFormat = 1 << 20

func (f *tableFormat) append(b *strings.Builder, t *lua.LTable, depth int, marked bool) {
	keys := f.keys(t)
	switch {
	case f.recursion && f.open[t]:
		b.WriteString("{ ... recursive }")
		return
	case len(keys) == 0:
		b.WriteString("{ }")
		return
	case depth > f.depth && f.depth >= 0, depth > 100, b.Len() > mostFormat:
		b.WriteString("{ ... more }")
		return
	}
	if !f.suite.state.Budget().Charge(int64(len(keys))) {
		sandbox.Raise(f.L, f.suite.state.Budget().Spent())
	}
	was := f.open[t]
	f.open[t] = true
	crumb := lua.LValue(lua.LNil)
	if marked {
		crumb = f.crumbs.RawGetInt(f.crumbs.Len() - depth + 1)
	}
	b.WriteString("{")
	for _, k := range keys {
		here, mark := marked && crumb != lua.LNil && f.L.RawEqual(k, crumb), ""
		if here {
			mark = f.mark
		}
		fmt.Fprintf(b, "\n%s%s[%s] = ", strings.Repeat(" ", max(0, depth*2-len(mark))), mark, f.text(k))
		switch v := sandbox.Get(t, k).(type) {
		case *lua.LTable:
			f.append(b, v, depth+1, here)
		case lua.LString:
			b.WriteString("'" + string(v) + "'")
		default:
			b.WriteString(f.text(v))
		}
	}
	f.open[t] = was
	b.WriteString(" }")
}

// keys returns the keys of a table: the list, then numbers, booleans, strings and the others.
func (f *tableFormat) keys(t *lua.LTable) []lua.LValue {
	keys, n := f.suite.sortedKeys(t), t.Len()
	rank := func(k lua.LValue) int {
		switch k := k.(type) {
		case lua.LNumber:
			if k >= 1 && int(k) <= n && k == lua.LNumber(int(k)) {
				return 0
			}
			return 1
		case lua.LBool:
			return 2
		case lua.LString:
			return 3
		}
		return 4
	}
	slices.SortStableFunc(keys, func(a, b lua.LValue) int { return rank(a) - rank(b) })
	return keys
}

func (f *tableFormat) text(v lua.LValue) string {
	if n, ok := v.(lua.LNumber); ok {
		return longNumber(float64(n))
	}
	return sandbox.ToString(f.L, v)
}

// defaultParameters are those of luassert.
var defaultParameters = map[string]lua.LValue{
	"TableFormatLevel":             lua.LNumber(3),
	"TableFormatShowRecursion":     lua.LFalse,
	"TableErrorHighlightCharacter": lua.LString("*"),
	"TableErrorHighlightColor":     lua.LString("none"),
}

func (s *suite) parameter(name string) lua.LValue {
	if v, ok := s.parameters[name]; ok {
		return v
	}
	if v, ok := defaultParameters[name]; ok {
		return v
	}
	return lua.LNil
}

func (s *suite) setParameter(L *lua.LState) int {
	s.parameters[string(s.asserted(L, "set_parameter", "name"))] = L.Get(3)
	return 0
}

func (s *suite) addFormatter(L *lua.LState) int {
	if !callable(L, L.Get(2)) {
		sandbox.Raisef(L, "assert:add_formatter takes a function, not %s; it is called with a colon", L.Get(2).Type())
	}
	s.formatters = append(s.formatters[:len(s.formatters):len(s.formatters)], L.Get(2))
	return 0
}

func (s *suite) removeFormatter(L *lua.LState) int {
	var rest []lua.LValue
	for _, fn := range s.formatters {
		if fn != L.Get(2) {
			rest = append(rest, fn)
		}
	}
	s.formatters = rest
	return 0
}

// assertFormat is assert:format(args): it shows the values of a list in place.
func (s *suite) assertFormat(L *lua.LState) int {
	t, ok := L.Get(2).(*lua.LTable)
	if !ok {
		sandbox.Raisef(L, "assert:format takes a list, not %s; it is called with a colon", L.Get(2).Type())
	}
	s.formatArguments(L, t)
	L.Push(t)
	return 1
}

// formatArguments shows the values of a list in place, but for those in its list nofmt.
func (s *suite) formatArguments(L *lua.LState, t *lua.LTable) {
	n := t.Len()
	if v, ok := t.RawGetString("n").(lua.LNumber); ok {
		n = max(0, min(int(v), maxShownArguments))
	}
	as, _ := t.RawGetString("nofmt").(*lua.LTable)
	with, _ := t.RawGetString("fmtargs").(*lua.LTable)
	for i := 1; i <= n; i++ {
		if as != nil && lua.LVAsBool(sandbox.Get(as, lua.LNumber(i))) {
			continue
		}
		extra := lua.LValue(lua.LNil)
		if with != nil {
			extra = sandbox.Get(with, lua.LNumber(i))
		}
		sandbox.Set(t, lua.LNumber(i), lua.LString(s.formatWith(L, sandbox.Get(t, lua.LNumber(i)), extra)))
	}
}
