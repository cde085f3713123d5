package lint

import "testing"

// Layers: places, values and neighbourhoods.
func TestLayers(t *testing.T) {
	for body, want := range map[string]string{
		"ground:set(7, 3, 255) ground:set(k, k, k) ground:add(0, 0, 3000) k = ground:get(k, 3) + 1 ground:fill(0)": "",
		"torus:set(9, -1, true) torus:set(0, 0, k) if torus:get(1, 1) then k = 1 end":                              "",
		"who:set(1, 1, e) who:set(1, 1, nil) if who:get(1, 1) ~= ecs.none then k = who:get(2, 2) end":              "",
		"for x, y, v in ground:around(1, 1, 1, 'neumann') do ground:set(x, y, v) end":                              "",
		"for x, y in ground:around(1, 1, 1, k) do ground:set(x, y, k) end":                                         "",
		"for o in world:around('at', 1, 2, 3, k) do k = o end":                                                     "",

		"ground:set(1, 2, 300)":   "E204:1",
		"ground:set(1, 2, 'x')":   "E204:1",
		"ground:set(1, 2, nil)":   "E204:1",
		"torus:set(1, 2, 1)":      "E204:1",
		"ground:fill(-1)":         "E204:1",
		"k = ground:get(8, 0)":    "E205:1",
		"k = ground:get(k, 4)":    "E205:1",
		"k = ground:get(-1, k)":   "E205:1",
		"k = ground:get(0.5, k)":  "E205:1",
		"ground:add(0, 1e300, 1)": "E205:1",
		"for x, y in ground:around(8, 1, 1) do ground:set(x, y, k) end":                     "E205:1",
		"for x, y in ground:around(1, 1, 1, 'von neumann') do ground:set(x, y, k) end":      "E205:1",
		"for o in world:around('at', 1, 2, 3, 'Moore') do k = o end":                        "E205:1",
		"if who:get(k, k) then k = 1 end":                                                   "W501:1",
		"local w = world.layers.who:get(1, 2) if not w then k = 1 end":                      "W501:1",
		"k = ground:get(1, 2) or 0":                                                         "W502:1",
		"k = who:get(1, 2).hp":                                                              "E203:1",
		"world.commands:send('Hit', {}, { after = 1, key = 'a' })":                          "",
		"world.commands:send('Hit', {}, { after = k, frames = k })":                         "",
		"world.commands:send('Hit', {}, { at = world.frame + 3, key = k })":                 "",
		"world.commands:send('Hit', {}, k)":                                                 "",
		"world.commands:send('Hit', {}, { after = 0 })":                                     "",
		"world.commands:send('Hit', {}, { after = 1, frames = 2 })":                         "E205:1",
		"world.commands:send('Hit', {}, { frames = 1.5 })":                                  "E205:1",
		"world.commands:send('Hit', {}, { frames = 0 })":                                    "E205:1",
		"world.commands:send('Hit', {}, { after = -1 })":                                    "E205:1",
		"world.commands:send('Hit', {}, { after = '1' })":                                   "E205:1",
		"world.commands:send('Hit', {}, { after = 1, key = 5 })":                            "E205:1",
		"world.commands:send('Hit', {}, { after = 1, key = '' })":                           "E205:1",
		"world.commands:send('Hit', {}, { key = 'a' })":                                     "E205:1",
		"world.commands:cancel(k) world.commands:cancel('Hit', k) world.commands:cancel(3)": "",
		"world.commands:cancel('Hit', 'a') world.commands:cancel(f())":                      "",
		"world.commands:cancel('Hit')":                                                      "E205:1",
		"world.commands:cancel('Hit', {})":                                                  "E205:1",
		"world.commands:cancel(3, 'a')":                                                     "E205:1",
	} {
		source := "local ecs = require('ecs') return function(world, dt, k) local e, ground, who, torus = world:first('Bag'), world.layers.ground, world.layers.who, world.layers.torus " + body + " keep(ecs, e, dt, k, ground, who, torus) end"
		if got := check(t, source); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", body, got, want)
		}
	}
}
