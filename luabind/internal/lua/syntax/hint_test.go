package syntax

import (
	"strings"
	"testing"
)

// Mistakes of beginners, and of people who know other languages, are named, with what Lua has instead.
func TestSyntaxHints(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"return function(world)\n  for e in world do\n    if true then\n      x = 2\n  end\nend", `:6:4: unexpected end of file: an "end" is missing; judged by the indentation, it is that of the "if" of line 3`},
		{"function f()\n  x = 1", `:2:8: unexpected end of file: an "end" is missing to close the "function" of line 1`},
		{"while true do\n  repeat\n    x = 1\nend", `:4:3: unexpected "end"`},
		{"while true do\n  x = x +\nend", `:3:3: unexpected "end": a value is missing after "+"`},
		{"if x and then end", `unexpected "then": a value is missing after "and"`},
		{"local x =\nlocal y = 1", `unexpected "local": a value is missing after "="`},
		{"repeat\n x = 1", `:2:7: unexpected end of file: "until" is missing to close the "repeat" of line 1`},
		{"print((1)", `:1:10: unexpected end of file: ")" is missing to close the "(" of line 1`},
		{"if a then\n  x = 1\nelse if b then\n  x = 2\nend", `:5:4: unexpected end of file: an "end" is missing to close the "if" of line 1; "else if" in line 3 opens a block of its own: write "elseif"`},
		{"if x == 1\n  print(1)\nend", `:2:7: "then" is missing: the "if" of line 1 needs it after its condition`},
		{"if x then\nelseif y\n  print(1)\nend", `:3:7: "then" is missing: the "elseif" of line 2 needs it after its condition`},
		{"while x < 3\n  x = x + 1\nend", `:2:3: "do" is missing: the "while" of line 1 needs it after its head`},
		{"for i = 1, 3\n  print(i)\nend", `:2:7: "do" is missing: the "for" of line 1 needs it after its head`},
		{"for i = 1, 3 do if i == 2 then continue end end", `:1:43: Lua has no "continue"; write "goto continue", and "::continue::" before the "end" of the loop`},
		{"for i = 1, 3 do\n  if i == 2 then\n    continue\n  end\nend", `:4:5: Lua has no "continue"`},
		{"if d.until > 3 then end", `:1:10: "until" is a keyword of Lua and no name behind "."; write ["until"]`},
		{"local t = { a = 1, end = 2 }", `"end" is a keyword of Lua and no name in a table; write ["end"] = …`},
		{"x = 5 // 2", `:1:8: Lua 5.1 has no operator "//"; write math.floor(a / b)`},
		{"x = 5\n// a comment", `a comment begins with "--", not with "//"`},
		{"hp -= 5", `:1:4: Lua has no operator "-="; write hp = hp - …`},
		{"a.b.hp *= 5", `Lua has no operator "*="; write hp = hp * …`},
		{"i++", `:1:2: Lua has no operator "++"; write i = i + 1`},
		{"world:get(e, 'Health') = { current = 1 }", `:1:24: a call cannot be assigned to; assign to a field of what it returns, as in world:get(e, "Name").x = 1, or call world:set`},
		{"if f(x) = 1 then end", `:1:9: unexpected "="; a comparison is "=="`},
		{"local x: number = 1", `:1:8: scripts have no types: leave out ": number"`},
		{"local function f(a: number, b) end", `:1:19: scripts have no types: leave out ": number"`},
		{"local function f(a): number return 1 end", `scripts have no types: leave out ": number"`},
		{"type Point = { x: number }", `scripts have no types: "type" declares nothing; leave it out`},
		{"local x <const> = 1", `:1:9: Lua 5.1 has no "<const>"; leave it out`},
		{"local x <close> = 1", `Lua 5.1 has no "<close>"; leave it out`},
		{"print(`text {x}`)", "unexpected character \"`\"; a text stands in quotes, and \"…\" .. x joins texts"},
		{"local f = world:spawn\nf()", `:2:1: a call needs brackets: write :spawn(…) in line 1`},
		{"if x then world:spawn end", `a call needs brackets: write :spawn(…) in line 1`},
		{"x = if a then 1 else 2", `Lua has no "if" in an expression; write condition and a or b`},
		{"f = (x) => x + 1", `Lua writes a function as "function(x) return x + 1 end"`},
		{"f = function(x) -> x end", `Lua writes a function as "function(x) return x + 1 end"`},
		{"x = 1 << 2", `Lua 5.1 has no operator "<<"; write bit.lshift(a, n)`},
		{"x = 6 & 3", `Lua writes "and" and "or", and for bits bit.band(a, b) and bit.bor(a, b)`},
		{"x = ~5", `unexpected character "~"; Lua writes "not", and for bits bit.bnot(a) and bit.bxor(a, b)`},
		{"x, y := 1, 2", `Lua assigns with "=", not with ":="`},
		{"f({ current: 5 })", `a table is written { name = value }, with "=" and not with ":"`},
		{"f({ current: x })", `a table is written { name = value }, with "=" and not with ":"`},
		{`f({ "current" = 5 })`, `a name in a table stands without quotes, { name = value }; any other text in brackets, { ["a text"] = value }`},
		{"for (i = 0; i < 5; i++) do end", `a loop is written "for i = 1, n do … end"`},
		{"function f() {\n}", `a function ends with "end", and has no braces`},
		{"fn f() end", `Lua declares a function with "local function", not with "fn"`},
		{"switch x do end", `Lua has no "switch"; write "if … then … elseif … then … end"`},
		{"import x", `Lua has no "import"; write local name = require("file")`},
		{"class A end", `Lua has no "class"; use a table, or a component`},
		{"let x = 5", `:1:5: Lua declares a variable with "local", not with "let"`},
		{"const x = 5", `Lua declares a variable with "local", not with "const"`},
		{"x = a ? b : c", `unexpected character "?"; Lua writes a ? b : c as "a and b or c"`},
		{"if a != b then end", `Lua writes "not", and "~=" for unequal`},
		{"if a = b then end", `unexpected "="; a comparison is "=="`},
		{"x = { a = 1 b = 2 }", `:1:13: "," is missing before "b", between two items of the table of line 1`},
		{"x = { 'a' 'b' }", `"," is missing before "'", between two items of the table of line 1`},
		{"x = {\n  a = 1,\nlocal y = 2", `"}" is missing to close the "{" of line 1`},
		{"print('a'\nlocal x = 1", `:2:5: ")" is missing to close the "(" of line 1`},
		{"print(a b)", `:1:9: "," or an operator is missing before "b"`},
		{"x = 1\nend", `:2:3: unexpected "end": no block is open here; is there an "end" too many above?`},
		{"local s = [[\n]] x = 3 y ==", `unexpected "=="`},
		{"local s = 'a\\\nb' if s x = 1 end", `:2:9: "then" is missing: the "if" of line 2 needs it after its condition`},
	} {
		_, err := Parse("a.lua", c.source)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q\n gives %v\n  want %s", c.source, err, c.want)
		}
	}
}

// A message about syntax takes time linear in the file.
func TestSyntaxHintOfALargeFile(t *testing.T) {
	if _, err := Parse("a.lua", strings.Repeat("x = [[a]]\n", 100_000)+"if x"); err == nil || !strings.Contains(err.Error(), `100001:5: unexpected end of file: an "end" is missing`) {
		t.Error(err)
	}
}
