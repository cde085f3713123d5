package sandbox

import (
	"testing"

	lua "github.com/yuin/gopher-lua"
)

// benchScript calls what src returns, with the arguments of an update.
func benchScript(b *testing.B, src string) {
	w := newWorld(b)
	w.s.Budget().Reset(0)
	out, err := w.s.CallResults(w.load(src), 1)
	if err != nil {
		b.Fatal(err)
	}
	fn, world, dt := out[0], lua.LValue(w.s.NewUserData(nil, nil)), lua.LValue(lua.LNumber(0.5))
	b.ReportAllocs()
	for b.Loop() {
		if err := w.s.Call(fn, world, dt); err != nil {
			b.Fatal(err)
		}
	}
}

// benchStock calls what src returns in gopher-lua as it comes.
func benchStock(b *testing.B, src string) {
	L := lua.NewState()
	defer L.Close()
	if err := L.DoString(src); err != nil {
		b.Fatal(err)
	}
	fn := L.Get(-1)
	L.SetTop(0)
	b.ReportAllocs()
	for b.Loop() {
		L.Push(fn)
		if err := L.PCall(0, 0, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkScript is this package beside gopher-lua without budget, limits and
// repairs.
func BenchmarkScript(b *testing.B) {
	for _, bb := range []struct{ name, src string }{
		{"call", `return function() end`},
		{"pcall", `local f = function() end return function() pcall(f) end`},
		{"pcall fails", `return function() pcall(error) end`},
		{"loop of 1000", `return function() local s = 0 for i = 1, 1000 do s = s + i * 0.5 end end`},
		{"concat", `local a, b = "abcdef", "xyz" return function() return a .. b end`},
		{"concat a number", `local a, i = "abcdef", 500 return function() return a .. i end`},
		{"append 100", `return function() local t = {} for i = 1, 100 do t[#t + 1] = i end end`},
		{"swap", `return function() local a, b = 1, 2 a, b = b, a end`},
		{"match", `local s = "the quick brown fox" return function() return s:match("(%a+) fox") end`},
		{"gsub", `local s = ("the quick brown fox "):rep(20) return function() return (s:gsub("%a+", "x")) end`},
		{"resume", `local r = coroutine.wrap(function() while true do coroutine.yield() end end) return function() r() end`},
		{"sort 100", `return function() local t = {} for i = 1, 100 do t[i] = (i * 37) % 101 end table.sort(t) end`},
		{"sort 1000 records", `return function() local t = {} for i = 1, 1000 do t[i] = { n = (i * 37) % 101, id = i } end table.sort(t, function(a, b) if a.n ~= b.n then return a.n > b.n end return a.id < b.id end) end`},
		{"sort 1000 records by call", `return function() local t, x = {} for i = 1, 1000 do t[i] = { n = (i * 37) % 101, id = i } end table.sort(t, function(a, b) x = a if a.n ~= b.n then return a.n > b.n end return a.id < b.id end) end`},
		{"make 1000 records", `return function() local t = {} for i = 1, 1000 do t[i] = { n = (i * 37) % 101, id = i } end end`},
		{"ipairs 100", `local t = {} for i = 1, 100 do t[i] = i end return function() for i, v in ipairs(t) do end end`},
		{"tostring", `return function() return tostring(0.1) end`},
	} {
		b.Run(bb.name+"/sandbox", func(b *testing.B) { benchScript(b, bb.src) })
		b.Run(bb.name+"/stock", func(b *testing.B) { benchStock(b, bb.src) })
	}
}

func BenchmarkCompile(b *testing.B) {
	src := "local M = {}\n"
	for range 200 {
		src += "function M.f(a, b)\n  local x, y = a, b\n  x, y = y, x\n  return 'a' .. x, y + 1\nend\n"
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Compile("a.lua", src); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkNewEnv(b *testing.B) {
	s := New(Options{})
	b.ReportAllocs()
	for b.Loop() {
		s.NewEnv(EnvOptions{})
	}
}
