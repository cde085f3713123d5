package lint

import "testing"

// Keys and values of arrays, and what is asked of them.
func TestArrays(t *testing.T) {
	for body, want := range map[string]string{
		"bag.w = { 1, 2 } bag.slots = {} bag.w = other.w bag.on = { [2] = true }":                    "",
		"bag.w[1], bag.slots[4], bag.on[i] = dt, e, i > 1 bag.slots[2] = nil bag.slots[i] = dt":      "",
		"bag.w = { 1, 2, 3, k, nil, f() } bag.w = { 1, i, k } bag.w[k] = k bag.w[i] = k":             "",
		"for j, x in ipairs(bag.w) do bag.w[j] = x * 2 + #bag.w + unpack(bag.w) end":                 "",
		"local w = bag.w w[3] = w[1] + w[2] w = other w.x = 1":                                       "",
		"local w = list w[5] = 1 table.insert(w, 1)":                                                 "",
		"arr[20] = arr[1] + arr[i] for j = 1, #arr do arr[j] = 0 end world.resources.arr = list":     "",
		"world:set(e, 'Bag', { w = { 1, 2, 3 }, slots = { nil, e }, on = list })":                    "",
		"if bag.on[1] then bag.on[1] = not bag.on[2] end if bag.slots[1] ~= ecs.none then i = 1 end": "",

		"local w = { 1, 2, 3, 4 } table.remove(w) bag.w = w": "",
		"local w = { 1, 2, 3, 4 } bag.w = w":                 "E204:1",
		"bag.w = 5":                                          "E204:1",
		"bag.w = nil":                                        "E204:1",
		"bag.w = bag":                                        "E204:1",
		"bag.w = { 1, 2, 3, 4 }":                             "E204:1",
		"bag.w = { 1, 'x' }":                                 "E204:1",
		"bag.w = { x = 1 }":                                  "E204:1",
		"bag.on = { [3] = true }":                            "E204:1",
		"bag.w[1] = 'x'":                                     "E204:1",
		"bag.w[i] = nil":                                     "E204:1",
		"bag.on[2] = 1":                                      "E204:1",
		"bag.slots[1] = 'x'":                                 "E204:1",
		"bag.slots[5] = e":                                   "E203:1",
		"bag.slots[0] = e":                                   "E203:1",
		"k = bag.w[1.5]":                                     "E203:1",
		"k = bag.w.x":                                        "E203:1",
		"local w = bag.w w[4] = 1":                           "E203:1",
		"k = bag.slots[1].hp":                                "E203:1",
		"k = bag.w[1] .. {}":                                 "E203:1",
		"table.insert(bag.slots, e)":                         "E205:1",
		"local w = bag.w table.sort(w)":                      "E205:1",
		"world.resources.arr = 5":                            "E204:1",
		"world.resources.arr = { 'x' }":                      "E204:1",
		"arr[21] = 1":                                        "E203:1",
		"arr[1] = true":                                      "E204:1",
		"arr[1] = 3e9":                                       "E204:1",
		"world:spawn{ Bag = { w = { 1, 2, 3, 4 } } }":        "E204:1",
		"world:spawn{ Bag = { w = 3 } }":                     "E204:1",
		"world:set(e, 'Bag', { w = { 'a' } })":               "E204:1",
		"if bag.slots[1] then i = 1 end":                     "W501:1",
		"k = bag.slots[i] and 1":                             "W501:1",
		"k = bag.w[1] or 0":                                  "W502:1",
		"if not bag.slots then i = 1 end":                    "W502:1",
		"if arr[i] == nil then i = 1 end":                    "W502:1",
		"print('who: ' .. bag.slots[1])":                     "W503:1",
		"k = bag.slots[1] % 2":                               "W504:1",
	} {
		source := "local ecs = require('ecs') return function(world, dt, k, list, other) local i, e, arr = world.frame, world:first('Bag'), world.resources.arr local bag = world:get(e, 'Bag') " + body + " keep(ecs, arr, i, e, dt, k, list, other, bag) end"
		if got := check(t, source); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", body, got, want)
		}
	}
}
