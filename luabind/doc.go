// Package luabind runs Lua systems over an [ecs.World].
package luabind
