package sandbox

import (
	"testing"

	lua "github.com/yuin/gopher-lua"
)

// endlessLoops are loops that take more instructions than they get, one for each way to jump back.
var endlessLoops = []string{
	`while i < 3000 do i = i + 1 end`,
	`while i <= 3000 do i = i + 1 end`,
	`while 3000 > i do i = i + 1 end`,
	`while not (i > 3000) do i = i + 1 end`,
	`while i ~= 3000 do i = i + 1 end`,
	`while i ~= last do i = i + 1 end`,
	`while true do i = i + 1 if i == 3000 then break end end`,
	`while on do i = i + 1 on = i < 3000 end`,
	`while on == true do i = i + 1 on = i < 3000 end`,
	`while on ~= nil do i = i + 1 if i > 3000 then on = nil end end`,
	`while word ~= "end" do i = i + 1 if i > 3000 then word = "end" end end`,
	`while t.n ~= 3000 do t.n = t.n + 1 end`,
	`while t.n < 3000 do t.n = t.n + 1 end`,
	`while t[1] ~= nil and i < 3000 do i = i + 1 end`,
	`while i < 0 or i < 3000 do i = i + 1 end`,
	`while #t < 3000 do t[#t + 1] = 1 end`,
	`repeat i = i + 1 until i == 3000`,
	`repeat i = i + 1 until 3000 == i`,
	`repeat i = i + 1 until i == last`,
	`repeat i = i + 1 until i >= 3000`,
	`repeat i = i + 1 until i > last`,
	`repeat i = i + 1 until not (i < 3000)`,
	`repeat i = i + 1 on = i < 3000 until not on`,
	`repeat i = i + 1 on = i < 3000 until on == false`,
	`repeat i = i + 1 on = i < 3000 until on ~= true`,
	`repeat i = i + 1 word = i < 3000 and "on" or "end" until word == "end"`,
	`repeat i = i + 1 word = i < 3000 and "on" or nil until word == nil`,
	`repeat i = i + 1 until i ~= i or i == 3000`,
	`repeat i = i + 1 local k = i until k == 3000`,
	`repeat i = i + 1 local k = i local f = function() return k end until f() == 3000`,
	`::again:: i = i + 1 if i ~= 3000 then goto again end`,
	`::again:: i = i + 1 if i < last then goto again end`,
	`::again:: i = i + 1 if i == 3000 then goto done end goto again ::done::`,
	`for k = 1, 3000 do i = i + k end`,
	`for k = 3000, 1, -1 do i = i + k end`,
	`for k = 0, 1, 1 / 3000 do i = i + k end`,
	`for k = 1, last do for l = 1, 2 do end end`,
	`for k = 1, last do if k ~= 3 then i = i + 1 end end`,
	`for k, v in pairs(long) do i = i + v end`,
	`for k, v in ipairs(long) do i = i + v end`,
	`for k, v in next, long do i = i + v end`,
	`for k in function(_, k) k = (k or 0) + 1 if k < 3000 then return k end end do i = i + k end`,
	`local function down(n) if n == 0 then return 0 end return down(n - 1) end down(3000)`,
	`local function down(n) if n ~= 0 then return down(n - 1) end end down(3000)`,
}

// A loop that never ends is ended after as many instructions as under gopher-lua's interpreter, at the same place.
func TestEndlessLoops(t *testing.T) {
	const room = 4000
	for _, loop := range endlessLoops {
		c, err := Compile("test.lua", `local i, last, on, word, t, long = 0, 3000, true, "on", { 1, n = 0 }, LONG `+loop)
		if err != nil {
			t.Fatalf("%v: %s", err, loop)
		}
		theirs, ours := newEngine(true), newEngine(false)
		for _, e := range []*engine{theirs, ours} {
			long := e.s.NewTable()
			for range 3000 {
				long.Append(lua.LNumber(1))
			}
			e.env.Set("LONG", long)
		}
		want, got := theirs.run(c, room), ours.run(c, room)
		if want.err == "" {
			t.Errorf("%s: it ends", loop)
		}
		if got != want {
			t.Errorf("%s: got\n%swant\n%s", loop, got, want)
		}
	}
}
