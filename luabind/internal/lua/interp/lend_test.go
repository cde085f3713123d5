package interp

import (
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/parse"
)

// TestLend says how deep the first use of v.f is that could tell stored data from a copy.
func TestLend(t *testing.T) {
	for _, c := range []struct {
		body string
		want int
	}{
		{"return #v.f", never},
		{"local x = v.f if x then return 1 end", never},
		{"return v.f == nil", 0}, // nil stands in a register
		{"return v.f == 1", never},
		{"return v.f", 0},
		{"return v.f == v", 0},
		{"return v.f + 1", 0},
		{"v.f.x = 1", 0},
		{"v.g = v.f", 0},
		{"print(v.f)", 0},
		{"v.f:m()", 0},
		{"v[v.f] = 1", 0},
		{"local x = v.f return function() return x end", 0},
		{"print(v.f.x)", 1},
		{"print(v.f[1].x)", 2},
		{"local x = v.f for i = 1, #x do print(x[i].w) end", 2},
		{"local x = v.f local y = x[1] y.w = 1", 1},
		{"local x = v.f local y = x print(y)", 0},
		{"for i, x in ipairs(v.f) do print(x.w) end", 2},
		{"for i, x in pairs(v.f) do print(i) end", never},
		{"for i, x in pairs(v.f) do x.w = 1 end", 1},
		{"for i, x in other(v.f) do print(i) end", 0},
		{"local s = pairs(v.f) print(s)", 0},
		{"local x = v.f while x do x = x.next end", never},
		{"local x = v.f while x do x = x.next print(x) end", 1},
		{"local x = v.f x = 1 print(x)", never},
		{"local x = v.f if x then x = 1 end print(x)", 0},
		{"return { v.f }", 0},
		{"return v.g or v.f", 0},
	} {
		stmts, err := parse.Parse(strings.NewReader("local v = ... "+c.body), "test")
		if err != nil {
			t.Fatal(err)
		}
		p, err := lua.Compile(stmts, "test")
		if err != nil {
			t.Fatal(err)
		}
		m := &Machine{texts: map[string]lua.LValue{}}
		code, got := m.translate(p, false), -1
		for _, in := range code.ins {
			switch in.op {
			case opGetField, opGetTable, opGetTableK:
				if w := word(p.Code[in.pc]); readsF(p, int(in.pc), w.c()) {
					got = int(code.sites[in.site].field.lends)
				}
			}
		}
		if got != c.want {
			t.Errorf("%s: %d, want %d", c.body, got, c.want)
		}
	}
}

// readsF reports whether the read at pc has the key "f", which may stand in a register.
func readsF(p *lua.FunctionProto, pc, key int) bool {
	if isConstant(key) {
		return p.Constants[key&^constantBit] == lua.LString("f")
	}
	for i := pc - 1; i >= 0; i-- {
		if w := word(p.Code[i]); w.op() == lua.OP_LOADK && w.a() == key {
			return p.Constants[w.bx()] == lua.LString("f")
		}
	}
	return false
}
