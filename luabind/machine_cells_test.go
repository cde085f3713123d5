package luabind

import "testing"

// Lists of lists are read and written compiled as interpreted.
func TestCompiledListsOfLists(t *testing.T) {
	each := "for e, pos, vel in world:each(\"Position\", \"Velocity\") do "
	for name, body := range map[string]string{
		"constant columns":       "local list = { { 4, 1 }, { 1, 1 }, { 2, 2 } } " + each + "local r = list[pos.x % 3 + 1] pos.y = pos.y - r[1] * r[2] end",
		"computed columns":       "local list = { { 4, 1, 7 }, { 1, 1, 8 }, { 2, 2, 9 } } " + each + "pos.y = list[pos.x % 3 + 1][pos.x % 2 + 1] end",
		"written":                "local list = { { 4, 1 }, { 1, 1 }, { 2, 2 } } " + each + "local y, x = pos.x % 3 + 1, pos.x % 2 + 1 list[y][x] = list[y][x] + pos.x end",
		"a column beyond":        "local list = { { 4, 1 }, { 1, 1 } } print(pcall(function() " + each + "pos.y = list[1][pos.x] end end))",
		"a column that is asked": "local list = { { 4, 1 }, { 1, 1 } } " + each + "if list[2][pos.x] then pos.y = list[2][pos.x] end if list[1][pos.x / 2] == nil then vel.dx = 2 end pos.y = pos.y + (list[1][pos.x - 1] or 7) end",
		"a row beyond":           "local list = { { 4, 1 }, { 1, 1 } } print(pcall(function() " + each + "if list[pos.x][1] then pos.y = 2 end end end))",
		"a row that is asked":    "local list = { { 4, 1 }, { 1, 1 } } " + each + "local r = list[pos.x] if r then pos.y = r[2] end end",
		"a row between":          "local list = { { 4, 1 }, { 1, 1 } } print(pcall(function() " + each + "pos.y = list[pos.x / 4][1] end end))",
		"rows that are one":      "local row = { 1, 2 } local list = { row, row } " + each + "list[1][1] = list[2][1] + pos.x end",
		"ragged":                 "local list = { { 1 }, { 1, 2 } } " + each + "pos.y = list[2][pos.x % 2 + 1] end",
		"names and columns":      "local list = { { 4, 1, n = 3 }, { 1, 1, n = 2 } } " + each + "local r = list[pos.x % 2 + 1] pos.y = r[1] + r.n r.n = r.n + 1 end",
		"a grid from zero":       "local list = {} for y = 0, 3 do list[y] = {} for x = 0, 3 do list[y][x] = y * 10 + x end end " + each + "local y, x = pos.x % 4, pos.x % 3 list[y][x] = list[y][x] + 1 end",
		"a grid":                 "local list = {} for y = 1, 8 do list[y] = {} for x = 1, 8 do list[y][x] = y * 10 + x end end " + each + "local y, x = pos.x % 8 + 1, pos.x % 7 + 1 for i = 1, 2 do list[y][x] = list[y][x] + list[x][y] * 0.5 end pos.y = list[y][8] end",
		"a row that fails":       "local list = { { 4, 1 }, { 1, 1 } } print(pcall(function() " + each + "list[1][2] = pos.x pos.y = list[1][2] if pos.x > 25 then list[2][pos.x] = nil + 1 end end end))",
	} {
		source := "local ecs = require(\"ecs\")\nreturn function(world, dt)\n" + body + showTable + "\nend"
		want, _ := reached(t, source, Lua)
		for _, impl := range []Impl{Closures, Auto} {
			if got, _ := reached(t, source, impl); got != want {
				t.Errorf("%s, %v: got\n%s\nwant\n%s", name, impl, got, want)
			}
		}
	}
}
