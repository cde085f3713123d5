package sandbox

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"
)

// TestMatchAgainstStock compares the matcher with gopher-lua's own on random
// patterns of a harmless kind.
func TestMatchAgainstStock(t *testing.T) {
	stock := lua.NewState()
	defer stock.Close()
	w := newWorld(t)
	const src = `local s, p = ... return string.find(s, p)`
	theirs, err := stock.LoadString(src)
	if err != nil {
		t.Fatal(err)
	}
	ours := w.load(src)
	rng := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "b", "c", ".", "%a", "%d", "%s", "%w", "[ab]", "[^a]", "[a-c]", "%.", "%p", "1", " "}
	matched := 0
	for range 20_000 {
		var pat, sub strings.Builder
		if rng.IntN(4) == 0 {
			pat.WriteByte('^')
		}
		open := false
		for range 1 + rng.IntN(5) {
			if !open && rng.IntN(4) == 0 {
				pat.WriteByte('(')
				open = true
			}
			pat.WriteString(pieces[rng.IntN(len(pieces))])
			pat.WriteString([]string{"", "", "*", "+", "-", "?"}[rng.IntN(6)])
			if open && rng.IntN(2) == 0 {
				pat.WriteByte(')')
				open = false
			}
		}
		if open {
			pat.WriteByte(')')
		}
		if rng.IntN(4) == 0 {
			pat.WriteByte('$')
		}
		for range rng.IntN(12) {
			sub.WriteByte("aabbc1 ."[rng.IntN(8)])
		}
		s, p := sub.String(), pat.String()
		w.s.Budget().Reset(0)
		got, err := w.s.CallResults(ours, -1, lua.LString(s), lua.LString(p))
		if err != nil {
			t.Fatalf("find(%q, %q): %v", s, p, err)
		}
		stock.Push(theirs)
		stock.Push(lua.LString(s))
		stock.Push(lua.LString(p))
		if err := stock.PCall(2, lua.MultRet, nil); err != nil {
			continue // it refuses some patterns that Lua takes
		}
		var want []lua.LValue
		for i := 1; i <= stock.GetTop(); i++ {
			want = append(want, stock.Get(i))
		}
		stock.SetTop(0)
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("find(%q, %q) = %v, gopher-lua finds %v", s, p, got, want)
		}
		if len(got) > 1 {
			matched++
		}
	}
	if matched < 5000 {
		t.Errorf("only %d patterns matched", matched)
	}
}

// Checked with PUC Lua 5.1.5.
func TestPatterns(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{`("THE (quick) fox"):find("%((%a+)%)")`, "5\t11\tquick"},
		{`("  trim  "):match("^%s*(.-)%s*$")`, "trim"},
		{`("f(a(b)c)d"):match("%b()")`, "(a(b)c)"},
		{`("THE fox"):gsub("%f[%a]%a", "_")`, "_HE _ox\t2"},
		{`("hello"):find("l", 1, true)`, "3\t3"},
		{`("a.b"):find(".", 2, true)`, "2\t2"},
		{`("hello"):match("()ll()")`, "3\t5"},
		{`("abcabc"):match("(abc)%1")`, "abc"},
		{`("key = val"):match("^(%w+)%s*=%s*(%w+)$")`, "key\tval"},
		{`("x"):find("y")`, "nil"},
		{`("abc"):gsub("%w", "%0%0", 2)`, "aabbc\t2"},
		{`("abc"):gsub("", "-")`, "-a-b-c-\t4"},
		{`("hello world"):gsub("o", {o = "0"})`, "hell0 w0rld\t2"},
		{`("hello"):gsub("l", function() return nil end)`, "hello\t2"},
		{`("abc"):gsub("(a)(b)(c)", "%3%2%1")`, "cba\t1"},
		{`("a]b"):find("[]]")`, "2\t2"},
		{`("a-b"):find("[a%-]", 2)`, "2\t2"},
		{`("a^b"):find("[b^]")`, "2\t2"},
		{`("$x"):gsub("%$", "%%")`, "%x\t1"},
		{`("\0a\0"):find("%z", 2)`, "3\t3"},
	} {
		if got := newWorld(t).must("print(" + tt.src + ")"); got != tt.want {
			t.Errorf("%s = %q, want %q", tt.src, got, tt.want)
		}
	}
}
