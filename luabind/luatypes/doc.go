// Package luatypes writes what editors and linters need to know of scripts, from the list of functions in package api and the declarations of a world.
//
//   - [Definitions] are LuaCATS definitions for lua-language-server: the module ecs, world, the words of tests, and the components, tags, events and resources
//     of one world.
//   - [TestStub] makes require("ecs.test") known.
//   - [LuacheckConfig] is the .luacheckrc with which luacheck knows the globals of scripts and of tests.
//
// The texts are the same for the same world: names come in the order of declaration.
package luatypes
