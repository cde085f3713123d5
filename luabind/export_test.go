package luabind

// SetPlainLoops makes files that are loaded from now on run their loops as they
// are written.
func SetPlainLoops(on bool) { plainLoops = on }
