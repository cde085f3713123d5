package luabind

import "testing"

// Loops with strings they need not put together do as machine code what they do
// interpreted.
func TestMachineCodeOfStrings(t *testing.T) {
	sameAsMachineCode(t, map[string]string{
		"one of two in an event": `for e, pos in world:each("Position") do
			local burnt = pos.x > 12
			world:send("Hit", { target = e, note = burnt and "fire" or "steel" })
		end
		for hit in world:read("Hit") do
			if hit.note == "fire" then world.resources.score = world.resources.score + 1 end
		end`,
		"a variable": `local title = world.resources.title
		for e, pos in world:each("Position") do
			local cause = "none"
			if pos.x > 12 then cause = "fire" elseif pos.x > 5 then cause = title end
			world:send("Hit", { target = e, note = cause })
			if cause == "none" or cause == "untitled" then pos.y = pos.y + 1 end
			if cause == title then pos.x = pos.x + 1 end
		end
		for hit in world:peek("Hit") do
			if hit.note == title then world.resources.score = world.resources.score + 1 end
		end`,
		"a resource": `local last
		for e, pos in world:each("Position") do
			if pos.x == 9 then world.resources.title = "nine" elseif pos.x == 4 then world.resources.title = "four" end
			if world.resources.title == "nine" then pos.y = pos.y + 1 end
			if pos.x > 20 then last = world.resources.title end
		end
		if last == "four" then world.resources.score = world.resources.score + 1 end`,
		"a row that is put back": `for e, pos in world:each("Position") do
			if world.resources.title == "seventeen" then pos.y = pos.y + 100 end
			if pos.x == 17 then
				world.resources.title = "seventeen"
				world.resources.score = 0.5
			end
			if pos.x == 3 then world.resources.title = "three" end
		end`,
		"a return": `local function find()
			for e, pos in world:each("Position") do
				if pos.x > 20 then return e, pos.x > 25 and "far" or "near" end
			end
			return 0, "none"
		end
		local _, found = find()
		world.resources.title = found`,
	})
}
