package luabind

import "testing"

// A table whose names are assigned right after {} is charged for at the line of each name, by all implementations.
func TestNamesBehindEmptyTablesArePaidFor(t *testing.T) {
	t.Parallel()
	for _, source := range []string{
		"return function(world)\nlocal pad = string.rep('x', 1910)\nlocal g = {}\ng.a = 1\ng.b = 2\ng.c = nil\ng.d = pad\nprint('done') end",
		"local held = {} return function(world)\nlocal pad = string.rep('x', 1850)\nlocal g = {}\ng.a = 1\ng.b = 2\ng.c = world.frame\nheld[1] = g\nlocal o = { x = 1 }\no.y = 2\no.z = 3 end",
		"local C = {} C.__index = C return function(world)\nlocal pad = string.rep('x', 1850)\nlocal g = setmetatable({}, C)\ng.a = 1\ng.b = 2\nprint(g.a) end",
	} {
		for bytes := uint64(1900); bytes < 2200; bytes += 8 {
			want, _ := exitTrace(t, source, Lua, Limits{Allocations: bytes})
			for _, impl := range []Impl{Closures, Auto} {
				if got, _ := exitTrace(t, source, impl, Limits{Allocations: bytes}); got != want {
					t.Errorf("%v, %d bytes: got\n%s\nwant\n%s\n%s", impl, bytes, got, want, source)
				}
			}
		}
	}
}
