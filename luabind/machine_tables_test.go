package luabind

import "testing"

// Loops that read and write tables from around them, and resources, do as machine
// code what they do interpreted.
func TestMachineCodeOfTables(t *testing.T) {
	sameAsMachineCode(t, map[string]string{
		"counters": `local n, x = { [0] = 0, 0, 0 }, { [0] = 0, 0, 0 }
		for e, pos in world:each("Position") do
			local i = math.floor(pos.x) % 3
			n[i] = n[i] + 1
			x[i] = x[i] + pos.x
		end
		world.resources.score = n[0] + 7 * n[1] + 50 * n[2] + math.floor(x[0] + x[1] * 2 + x[2] * 3)`,
		"members": `local goals = { { x = 1, y = 2 }, { x = -0.5, y = 0 } }
		for e, pos, vel in world:each("Position", "Velocity") do
			local goal = goals[vel.dx % 2 + 1]
			pos.x = pos.x + goal.x
			goals[2].y = goals[2].y + pos.x
			vel.dy = goals[2].y
		end
		world.resources.score = math.floor(goals[2].y)`,
		"an element that is not there": `local n = { 0, 0, 0 }
		for e, pos in world:each("Position") do
			n[2] = n[2] + 1
			pos.y = pos.y + n[2]
			if pos.x > 28 then
				n[1] = 5
				pos.y = 1000
				n[3] = n[pos.x - 20] + 1
			end
			world.resources.score = n[1] + n[2]
		end`,
		"keys that are no whole numbers": `local n = { 4, 5, 6 }
		for e, pos in world:each("Position") do
			pos.y = pos.y + n[pos.x / 2 % 3 + 1]
		end`,
		"many in a row": `local n = { [0] = 0, 0, 0, 0 }
		for e, pos in world:each("Position") do
			for i = 1, 100 do n[i % 4] = n[i % 4] + pos.x end
			pos.y = n[1] + 2 * n[2] + 3 * n[3]
		end`,
		"more than a row may log": `local n = { 0, 0 }
		for e, pos in world:each("Position") do
			if pos.x > 20 then for i = 1, 6000 do n[2] = n[2] + i end end
			pos.y = n[2]
		end`,
		"a value that does not fit, after a put": `local n = { 0, 0 }
		for e, pos in world:each("Position") do
			n[1] = n[1] + 1
			n[2] = n[2] + pos.x
			if pos.x == 17 then n[2] = n[2] + n[3] end
			pos.y = n[1] + n[2]
		end`,
		"a table and a draw": `local n = { 0, 0 }
		for e, pos in world:each("Position") do
			local i = ecs.random(2)
			n[i] = n[i] + ecs.random()
			if n[i] > 60 then n[i] = n[i] + n[pos.x - 20] end
			pos.y = n[1] - n[2]
		end`,
		"two tables that are one": `local n = { 1, 2 }
		local m = n
		for e, pos in world:each("Position") do
			n[1] = n[1] + m[2]
			pos.y = n[1]
		end`,
		"signs of zeros": `local n = { 1, 2 }
		for e, pos in world:each("Position") do
			n[1] = -(pos.x - pos.x)
			pos.y = 1 / n[1]
			n[2] = n[1]
			if 1 / n[2] > 0 then pos.x = pos.x + 1 end
		end`,
		"a resource": `for e, pos in world:each("Position") do
			world.resources.score = world.resources.score + math.floor(pos.x)
			if pos.x > 29 then world.resources.score = -(pos.y - pos.y) end
			pos.y = 1 / world.resources.score
		end`,
		"a resource that a number does not fit": `for e, pos in world:each("Position") do
			pos.y = pos.y + 1
			world.resources.score = pos.x * 2
			if pos.x == 17 then world.resources.score = pos.y / 4 end
		end`,
		"a resource that is too small": `for e, pos in world:each("Position") do
			world.resources.score = world.resources.score * 2 + 1
			pos.y = world.resources.score
		end`,
	})
}
