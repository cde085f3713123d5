package luabind

import (
	"maps"
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/load/script"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	lua "github.com/yuin/gopher-lua"
)

// Coroutines that a reload leaves suspended: they go on with the code that they began with.

// A keeping finds coroutines among what all scripts remember. It is a heap.Source to which everything can be saved.
type keeping struct {
	*saving
	replaced map[*script.Unit]bool
	found    map[string]bool // names of files
}

// keptBy returns the files that a reload has replaced and whose code some suspended coroutine still runs.
func (r *Runtime) keptBy(n *replacement) []string {
	if !r.state.HasCoroutines() {
		return nil
	}
	k := &keeping{r.saving(), n.replaced, map[string]bool{}}
	_, _ = k.encodeAs(k) // without an error there is nothing to say
	return slices.Sorted(maps.Keys(k.found))
}

// PrototypeOf implements heap.Source.
func (k *keeping) PrototypeOf(*lua.FunctionProto) (file, index int, ok bool) { return 0, 0, true }

// PartsOf implements heap.Source.
func (k *keeping) PartsOf(v lua.LValue) (string, []lua.LValue, error) {
	kind, parts, err := k.saving.PartsOf(v)
	if err != nil { // it cannot be saved, which is no matter
		return "", nil, nil
	}
	return kind, parts, nil
}

// CallsOf implements heap.Source.
func (k *keeping) CallsOf(v lua.LValue) (lua.LValue, []interp.SavedCall, bool) {
	body, calls, ok := k.saving.CallsOf(v)
	if !ok {
		return nil, nil, false
	}
	note := func(fn *lua.LFunction) {
		if fn == nil || fn.IsG {
			return
		}
		if u := script.UnitOf(fn.Proto); u != nil && k.replaced[u] {
			k.found[u.Code.Name] = true
		}
	}
	if fn, ok := body.(*lua.LFunction); ok {
		note(fn)
	}
	for i := range calls {
		note(calls[i].Function)
	}
	return body, calls, true
}
