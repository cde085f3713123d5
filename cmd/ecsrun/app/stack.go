package app

import "github.com/ecsrun/ecsrun/luabind"

func stackOf(e *luabind.ScriptError) []string { return e.Stack }
