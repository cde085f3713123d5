package loops

import "testing"

// A list with holes cannot be copied for a kernel. The loop takes it for a map from then on, and finds each element when
// a row asks for it.
func TestListsWithHoles(t *testing.T) {
	runCases(t, []loopCase{
		{
			"records", "local f = { { d = 1 }, nil, { d = 3 } }",
			"for e, a in world:each('A') do local c = f[a.x] if not c then a.y = a.y + 100 elseif c.d == 1 then a.y = 0 else a.y = a.y + c.d end end local t = {} for e, a in world:each('A') do t[#t + 1] = a.y end print(table.concat(t, ','))",
			"0,110,13\n0,210,16", 3, "",
		},
		{
			"numbers", "local f = { 5, nil, 7 }",
			"for e, a in world:each('A') do local c = f[a.x] a.y = a.y + (c or 1) end local t = {} for e, a in world:each('A') do t[#t + 1] = a.y end print(table.concat(t, ','))",
			"15,11,17\n20,12,24", 3, "",
		},
		{
			"its length", "local f = { 5, nil, 7 }",
			"for e, a in world:each('A') do a.y = #f + (f[1] or 0) end local t = {} for e, a in world:each('A') do t[#t + 1] = a.y end print(table.concat(t, ','))",
			"8,8,8\n8,8,8", 3, "",
		},
		{
			"a hole that appears", "local f = { { d = 1 }, { d = 2 }, { d = 3 } }",
			"for e, a in world:each('A') do local c = f[a.x] if c then a.y = a.y + c.d else a.y = -1 end end local t = {} for e, a in world:each('A') do t[#t + 1] = a.y end print(table.concat(t, ',')) f[2] = nil",
			"11,12,13\n12,-1,16", 3, "",
		},
	})
}
