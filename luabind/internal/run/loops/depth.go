package loops

import (
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// Loops that begin deep within calls. A kernel has inlined the functions that its rows call, so it does not notice where the interpreter has
// no room for another call, and raises an error. So a loop is interpreted if its rows may come to that place.

// mostNested is the largest number of calls within one another that a row makes: lower inlines
// eight, and the innermost one may call a function of the library and a function that it gets.
const mostNested = 16

// tooDeep is why such a loop is interpreted.
var tooDeep = refusal{"it begins so deep within calls that a row might find no room for another one", "call the function around the loop from fewer functions within one another"}

// fits reports whether there is room for all calls that a row of the variant makes.
func (v *variant) fits(L *lua.LState, state *sandbox.State) bool {
	return state.Room(L) >= mostNested
}
