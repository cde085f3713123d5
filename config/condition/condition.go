// Package condition reads what `when:` of a system says, for everything that looks at it: the config, the checks before a run, and the Runtime.
package condition

import "strings"

// Native returns the NAME of "native:NAME", without spaces around it: the name of a predicate that is registered in Go. The name is empty when there is
// none after the colon. It reports false for everything else, which is an expression of Lua, and for "", which is always.
func Native(when string) (name string, ok bool) {
	name, ok = strings.CutPrefix(strings.TrimSpace(when), "native:")
	if !ok {
		return "", false
	}
	return strings.TrimSpace(name), true
}
