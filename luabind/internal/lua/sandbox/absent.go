package sandbox

import "strings"

// Globals that scripts expect and do not have: those of other languages, and of other programs that run Lua. Messages about an undeclared
// global say with it what to write. probed.go has those that libraries ask for.

// absent says, for names that are no globals here, what to write instead.
var absent = func() map[string]string {
	out := map[string]string{
		"null":      "Lua writes nil",
		"NULL":      "Lua writes nil",
		"None":      "Lua writes nil",
		"undefined": "Lua writes nil",
		"this":      "name the parameter you mean, such as self",
		"world":     "init and update are given the world; while a file is being loaded there is none",
		"ecs":       "local ecs = require(\"ecs\")",

		"True":  "Lua writes true",
		"False": "Lua writes false",
		"self":  "make it the first parameter, or define the function with a colon",
		"dt":    "update is given it: function(world, dt); elsewhere it is world.dt",
	}
	for _, of := range []struct{ hint, names string }{
		{"init and update are given the world, whose functions are the game: see coming-from.md", "engine"},
		{"a script keeps things in components and in world.resources", "storage global"},
		{"what a mod adds is declared in its manifest and its config: see mods.md", "defines prototypes"},
		{"a system with every: 60 in the config runs every 60 frames; a field that counts down is a timer", "delay timer setTimeout setInterval"},
		{"write world.time; scripts do not reach the clock", "CurTime SysTime GetTime"},
		{"write world:spawn{ … }", "GameObject Instantiate spawn create_entity createEntity CreateEntity"},
		{"write world:despawn(e)", "despawn Destroy"},
		{"write for e, view in world:each(\"Name\") do", "foreach ents Entities"},
		{"write world:alive(e)", "IsValid"},
		{"write world.commands", "commands Commands"},
		{"write world.resources", "resources Resources"},
		{"tests have it, which stand in files *_test.lua: ecsrun test runs them", "describe it before_each after_each pending spy stub mock match"},
		{"a vector is two number fields, such as x and y", "Vector2 Vector3 Vector vector vec2 vec3 Vec2 Vec3 CFrame UDim2"},
		{"write type(x)", "instanceof"},
		{"write #t", "len table_size"},
		{"write tostring(x)", "str"},
		{"write math.floor(x)", "int flr"},
		{"write for i = 1, n do", "range"},
		{"write print(string.format(…))", "printf sprintf"},
		{"write print(text), or ecs.log.info(text)", "log console Debug trace echo puts printh localised_print"},
		{"write print(ecs.describe(world, e)) for an entity, and a loop over pairs for a table", "dump inspect serpent pprint"},
		{"the library is math, in small letters", "Math Mathf"},
		{"write math.random(m, n)", "rnd rand randint"},
		{"scripts do not reach the network", "socket http rcon HttpService"},
		{"the program has no window: see coming-from.md", "graphics rendering gui"},
		{"write require(\"lib.name\")", "include import IncludeFile AddCSLuaFile"},
		{"write pcall(function() … end)", "try catch throw"},
	} {
		for name := range strings.FieldsSeq(of.names) {
			out[name] = of.hint
		}
	}
	return out
}()
