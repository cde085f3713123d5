package luabind

import (
	"context"
	"strconv"
	"strings"
	"testing"
)

// What explain says of a loop is what the run does: machine code throughout, interpreted, or machine code until something that it names.
func TestExplainIsTrue(t *testing.T) {
	grid := "require(\"ecs\").grid(\"g\", { component = \"A\", x = \"x\", y = \"y\", cell = 3 })\n"
	list := func(n int) string { return "local list = {} for i = 1, " + strconv.Itoa(n) + " do list[i] = i end" }
	for _, c := range []struct{ name, head, body, reason, unless, fell string }{
		{"a list", list(4096), "p.x = list[1]", "", "", ""},
		{"a list that is too long", list(4097), "p.x = list[1]", "", "", ""},
		{"a list of booleans", "local list = { true }", "if list[1] then p.x = 1 end", "", "", ""},
		{"a list that is filled later", "local list = {}", "p.x = list[1]", "", `while the table "list" has an element that is no number`, ""},
		{"a set of entities", "local list = {}", "list[e] = 1", "", "", ""},
		{"an element that may be missing", "local list = { 1, 2 }", "p.x = list[p.y] or 3", "", "", ""},
		{
			"a function that may find nobody", grid + "local function find(world, p) local found for o in world:near(\"g\", p.x + 100, p.y, 1) do found = o end return found end", "local o = find(world, p) if o then p.e = o end", "",
			"", "",
		},
		{"a local that is asked for first", "", "local found if p.x > 1 then found = p.x end if found then p.y = found end", "", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := hostileRuntime(t, hostileLoop(c.head, c.body))
			l := r.Explain()[0]
			if l.Reason != c.reason || strings.Join(l.Unless, ", ") != c.unless {
				t.Errorf("explain says %q, unless %q; want %q, %q", l.Reason, l.Unless, c.reason, c.unless)
			}
			a, _ := r.world.LookupComponent("A")
			if _, err := r.world.Spawn(a); err != nil {
				t.Fatal(err)
			}
			if err := r.Start(context.Background()); err != nil {
				t.Fatal(err)
			}
			_ = r.Frame(context.Background(), 1) // one of them adds nil
			fell := ""
			for _, f := range r.Fallbacks() {
				fell += f.Reason
			}
			if c.reason == "" && (fell == "") != (c.fell == "") || !strings.HasPrefix(fell, c.fell) {
				t.Errorf("it fell back for %q, want %q", fell, c.fell)
			}
		})
	}
}

// The value of a resource is of the type that it is declared with.
func TestExplainKnowsResources(t *testing.T) {
	r := hostileRuntime(t, "require(\"ecs\").resource(\"season\", { type = \"string\" })\nreturn function(world)\nlocal season = world.resources.season\nfor e, p in world:each(\"A\") do p.x = season + 1 end\nend")
	if got := r.Explain()[0].Reason; got != `does arithmetic with a string` {
		t.Errorf("explain says %q", got)
	}
}

// A loop that is interpreted is the only one that is reported: a loop inside it that needs its view has no kernel of its own, and is not tried in each row.
func TestTheLoopAroundHasTheReason(t *testing.T) {
	r := hostileRuntime(t, `local n = 1
return function(world)
  n = coroutine.wrap
  for e, p in world:each("A") do
    if n == 1 then p.x = 1 end
    for o, q in world:each("A") do q.y = q.y + p.x end
  end
end`)
	if all := r.Explain(); len(all) != 2 || all[0].Reason != "" || all[1].Reason != "" {
		t.Errorf("explain does not say that both are compiled: %+v", all)
	}
	a, _ := r.world.LookupComponent("A")
	for range 3 {
		if _, err := r.world.Spawn(a); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := r.Frame(context.Background(), 1); err != nil {
		t.Fatal(err)
	}
	if falls := r.Fallbacks(); len(falls) != 1 || falls[0].Line != 4 || falls[0].Reason != `uses n, which is no number, boolean, string or table of constants when the loop begins (line 5)` {
		t.Errorf("it fell back: %v", falls)
	}
}
