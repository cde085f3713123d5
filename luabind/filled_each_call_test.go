package luabind

import (
	"testing"
)

// A table that each call of a function makes and fills is no constant, however short it is: there is one kernel for each loop, not one for
// each content.
func TestTablesFilledInEachCall(t *testing.T) {
	for name, body := range map[string]string{
		"lists by key": `local by = {}
			for e, pos in world:each("Position") do
				local k = (pos.x + frame) % 5 .. ":"
				local b = by[k]
				if not b then b = {} by[k] = b end
				b[#b + 1] = { x = pos.x, e = e }
			end
			for e, pos in world:each("Position") do
				local b, best = by[pos.x % 4 .. ":"], nil
				if b then for _, r in ipairs(b) do if not best or r.x > best.x then best = r end end end
				if best then pos.y = best.x end
			end`,
		"a short list": `local near = {}
			for i = 1, 3 do near[i] = (frame * i) % 11 end
			for e, pos in world:each("Position") do for _, n in ipairs(near) do if n == pos.x then pos.y = pos.y + n end end end`,
	} {
		source := "local frame = 0\nreturn function(world, dt)\nframe = frame + 1\n" + body + "\nend"
		want, _ := reached(t, source, Lua)
		for _, impl := range []Impl{Closures, Auto} {
			got, r := reached(t, source, impl)
			if got != want {
				t.Errorf("%s, %v: got\n%s\nwant\n%s", name, impl, got, want)
			}
			if n, loops := r.runner("a.lua").Kernels(), len(r.runner("a.lua").Loops); n > 2*loops {
				t.Errorf("%s, %v: %d kernels for %d loops in six frames", name, impl, n, loops)
			}
		}
	}
}
