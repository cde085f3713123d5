package luabind

import (
	"strings"
	"testing"
)

// A change of a table in an event raises an error; it is never lost. A copy can be changed.
func TestTablesInEventsAreReadOnly(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ body, want string }{
		{"ev.list[1] = 7", "an event is read-only: Give.list cannot be changed; change a copy, local list = EVENT.list"},
		{"ev.list[2].x = 7", "an event is read-only"},
		{"ev.list.name = 'x'", "an event is read-only"},
		{"table.insert(ev.list, 3)", "an event is read-only"},
		{"table.remove(ev.list)", "an event is read-only"},
		{"table.sort(ev.list)", "an event is read-only"},
		{"if ev.n == 2 then ev.list[1] = 7 end sum = sum + ev.list[1]", "an event is read-only"},
		{"local list = ev.list list[1] = 7 list[2].x = 4 sum = sum + list[1] + list[2].x + ev.list[1]", "36"},
	} {
		source := `local ecs = require("ecs") ecs.event("Give", { list = "table", n = "f64" })
return { update = function(world)
  for i = 1, 3 do world:send("Give", { list = { 1, { x = 2 } }, n = i }) end
  print(pcall(function() local sum = 0 for ev in world:read("Give") do ` + c.body + ` end return sum end))
end }`
		want, _ := exitTrace(t, source, Lua, Limits{})
		if !strings.Contains(want, c.want) {
			t.Errorf("%s: got\n%s", c.body, want)
		}
		for _, impl := range []Impl{Closures, Auto} {
			if got, _ := exitTrace(t, source, impl, Limits{}); got != want {
				t.Errorf("%s, %v: got\n%s\ninterpreted\n%s", c.body, impl, got, want)
			}
		}
	}
}
