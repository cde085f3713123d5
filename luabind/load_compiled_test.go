package luabind

import (
	"sync"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// Runtimes that share compiled files do what each would alone, also at the same time; a file whose text is another one is compiled anew.
func TestRuntimesShareCompiledFiles(t *testing.T) {
	var shared Compiled
	scripts := map[string]string{"live": `
local list = {}
return function(world)
	list[#list + 1] = world.frame
	world:spawn({ Health = { current = #list } })
	for e, h in world:each("Health") do h.current = h.current * 2 + require("lib").more end
end`, "lib": `local M = { more = 1 } M.more = M.more + 1 return M`}
	digest := func(c *Compiled, more string) (string, *Runtime) {
		own := map[string]string{"live": scripts["live"], "lib": scripts["lib"] + more}
		w := ecs.NewWorld(ecs.Options{Seed: 1})
		declareForTests(t, w)
		r, err := run(t, Options{World: w, Scripts: files(own), Compiled: c}, 8, System{Name: "live", Script: "live.lua"})
		if err != nil {
			t.Error(err)
		}
		return w.Digest().String(), r
	}
	want, _ := digest(nil, "")
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			if got, _ := digest(&shared, ""); got != want {
				t.Error(got, want)
			}
		})
	}
	wait.Wait()
	if len(shared.units) != 2 {
		t.Error(len(shared.units), "units")
	}
	if _, r := digest(&shared, " -- changed"); r != nil && len(shared.units) != 3 {
		t.Error(len(shared.units), "units")
	}
}
