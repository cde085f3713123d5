package luabind

import (
	"context"
	"strings"
	"testing"
)

// sameNames are scripts with one loop that machine code has a form for, in which one name stands for two or more variables. Before "|" is what
// stands around the function, then what stands in front of the loop, then the body.
var sameNames = []struct{ name, file, before, body string }{
	{"a number that is assigned, and a view", "", "", `do local f = p.x f = f + 1 p.y = f end do local f = world:get(q.e, "A") if f then p.x = f.y end end`},
	{"a view that is assigned, and one passed on", "", "", `do local f = world:get(q.e, "A") f = nil end do local f = p local g = f g.x = 3 end`},
	{"a table", "local list = { 1, 2, 3 }", "", "do local l = 0 l = l + 1 p.x = l end do local l = list p.y = l[1] end"},
	{"the world", "", "", "do local w = 1 w = w + p.x p.x = w end do local w = world p.y = w.dt end"},
	{"resources and commands", `ecs.resource("r", { type = "f64", default = 1 })`, "", "do local r = 1 r = r + p.x p.x = r end do local r = world.resources r.r = r.r + 1 end do local r = world.commands r:add(e, \"D\") end"},
	{"a function of math", "", "", "do local m = 1 m = m + p.x p.x = m end do local m = math.floor p.y = m(p.y) end"},
	{"a text that is a name", "", "", `do local t = 1 t = t + p.x p.x = t end do local t = "A" local at = world:get(q.e, t) if at then p.y = at.x end end`},
	{"the variable of another loop within", "", "", `do local o = 1 o = o + p.x p.x = o end for o, r in world:each("A") do if o == e then r.y = r.y + 1 end end`},
	{"the view of another loop within", "", "", `do local r = 1 r = r + p.x p.x = r end for o, r in world:each("A") do if o == e then r.y = r.y + 1 end end`},
	{"a loop over neighbours", `ecs.grid("g", { component = "A", x = "x", y = "y", cell = 3 })`, "", `do local o, d = 1, 2 o, d = d, o p.y = o + d end for o, d in world:near("g", 1, 2, 3) do if o == e then p.y = p.y + d end end`},
	{"a loop over numbers", "", "", "do local i = world:get(q.e, \"A\") if i then p.x = i.x end end for i = 1, 3 do i = i + 1 p.y = p.y + i end"},
	{"the variable of the loop, hidden", "", "", "p.y = e do local e = 1 e = e + p.x p.x = e end world:has(e, \"A\")"},
	{"a view of the loop, hidden", "", "", "do local p = q.v p = p + 1 q.v = p end p.x = p.x + 1"},
	{"a local of the same block", "", "", "local f = 1 f = f + p.x local f = p f.x = 2"},
	{"a local that begins with the one it hides", "", "", "local f = p local f = f.x f = f + 1 p.y = f"},
	{"a variable around the loop, hidden", "", "local n, m = 2, 0", "do local n = 1 n = n + p.x p.x = n end p.y = n m = m + 1"},
	{"a table around the loop, hidden", "local conf = { speed = 2 }", "", "do local conf = 1 conf = conf + p.x p.x = conf end p.y = conf.speed"},
	{"the world, hidden", "", "", "do local world = 1 world = world + p.x p.x = world end p.y = world.dt"},
	{"a function, hidden", "local function f(x) return x * 2 end", "", "do local f = 1 f = f + p.x p.x = f end p.y = f(p.y)"},
	{"a function, hidden by one of math", "local function f(x) return x * 2 end", "", "p.y = f(p.y) local f = math.floor p.x = f(p.x)"},
	{"a text around the loop, hidden", `local part = "A"`, "", "do local part = 1 part = part + p.x p.x = part end local at = world:get(q.e, part) if at then p.y = at.x end"},
	{"a parameter", "local function f(v, k) v.x = v.x + k return k end", "", "do local v = 1 v = v + p.x p.x = v end p.y = f(p, 2)"},
	{"a parameter, hidden", "local function f(v) v.y = 2 local v = v.x v = v + 1 return v end", "", "p.x = f(p)"},
	{"parameters of two functions", "local function f(v) v.x = v.x + 1 end local function g(v) v = v + 1 return v end", "", "f(p) p.y = g(p.y)"},
	{"locals of two functions", "local function f(v) local a = v a.x = 2 end local function g(x) local a = 1 a = a + x return a end", "", "f(p) p.y = g(p.y)"},
	{"a local of a function, and one of the loop", "local function g(x) local a = 1 a = a + x return a end", "", `local a = world:get(q.e, "A") p.y = g(p.y) if a then p.x = a.x end`},
	{"a local of a function that has the name of another", "local function f(x) return x * 2 end local function g(x) local f = x f = f + 1 return f end", "", "p.x = f(p.x) + g(p.y)"},
	{"a variable around a function, hidden in the loop", "local k = 2 local function f(x) return x * k end", "", "local k = p.y k = k + 1 p.x = f(k)"},
	{"a variable around a function, hidden in the function", "local k = 2 local function f(x) local k = k k = k + x return k end", "", "p.x = f(p.x) + k"},
	{"a variable that is assigned, hidden in a function", "local function f(x) local n = x return n end", "local n = 0", "n = n + 1 p.x = f(p.x)"},
	{"one that is nil at times", "", "", "do local f if p.x > 1 then f = 1 end f = nil end do local f if p.x > 1 then f = p.x end if f then p.y = f + 1 end end"},
	{"one that may be nil, and one of the loop", "", "local f", "do local f if p.y > 1 then f = 1 end f = nil end if f == nil or p.x < f then f = p.x end"},
	{"a loop in which one is assigned, within another", "", "", "for i = 1, 2 do for i = 1, 2 do i = i + 1 p.x = p.x + i end p.y = p.y + i end"},
	{"one behind repeat", "", "", "local i = 0 repeat i = i + 1 local i = i * 2 i = i + p.y until i > 3 or i ~= i p.x = i"},
	{"two of one statement", "", "", "local f, f = p, 1 f = f + 1 p.x = f"},
	{"a variable that a function uses, hidden from the loop", "local k = 3 local function f(x) return x * k end local k = 2", "", "p.x = f(k)"},
	{"one that it assigns", "local k = 3 local function f(x) k = k + x return k end local k = 2", "", "p.x = f(k) p.y = k"},
	{"one that is hidden in the function of the loop", "local k = 3 local function f(x) return x * k end", "local k = 2", "p.x = f(k)"},
	{"two that are hidden one after the other", "local k = 3 local function f(x) return x * k end local k = 4 local function g(x) return x + k end local k = 5", "local k = 2", "p.x = f(k) p.y = g(k)"},
	{"a table that a function uses, hidden", "local conf = { speed = 2 } local function f(x) return x * conf.speed end local conf = { speed = 3 }", "", "p.x = f(conf.speed)"},
	{"a list that a function stores in, hidden", "local list = { 1, 2 } local function f(x) list[1] = x end local list = { 3, 4 }", "", "f(p.x) p.y = list[1]"},
	{"one that a parameter hides", "local world = { dt = 3 } local function f(x) return x * world.dt end", "", "p.x = f(world.dt)"},
	{"the variable of a loop that is hidden", "local walks = {} for k = 1, 2 do local function f(x) return x * k end local k = 5 walks[k] = f(k) end local k = 3", "", "p.x = k"},
	{"a function that another one calls, hidden", "local function g() return 1 end local function f(x) return x * g() end local function g() return 2 end", "", "p.x = f(g())"},
	{"a global that a function uses, hidden", "local function f(x) return math.floor(x) end local math = 2", "", "p.x = f(p.x) + math"},
	{"a local called math", "", "local math = { floor = 2 } local f = math.floor", "p.x = p.x + f"},
	{"another name for the world", "", "local w = world", `p.y = w.dt if w:has(e, "A") then p.x = world.dt end`},
	{"another name for a function", "local function f(x) return x * 2 end local g = f", "local h = g", "p.x = g(p.x) + h(1) + f(1)"},
	{"another name for math", "", "local lib = math local f = lib.floor", "p.x = f(p.x) + lib.floor(p.y)"},
	{"another name for a name for resources", `ecs.resource("r", { type = "f64", default = 1 })`, "local w = world local res = w.resources local r = res", "p.x = r.r"},
	{"another name for a variable that is assigned", "", "local k = 1 local n = k k = world", "p.x = n * k.dt"},
	{"a variable around the function and one in it", `local k = "text"`, "local function use() return k end local k = 2", "p.x = p.x * k"},
	{"a parameter that a function within the loop's hides", "local function make(k) local function f(x) return x + k end return f end local add = make(2)", "local k = add(1)", "p.x = k"},
	{"a return of a function that a local hides", "local function f(x) return x, 1 end local function g(x) local f = math.floor return f(x) end", "", "p.x, p.y = f(g(p.x))"},
}

// A loop in which one name stands for several variables is machine code, and does what the interpreter does.
func TestSameNames(t *testing.T) {
	for _, c := range sameNames {
		t.Run(c.name, func(t *testing.T) {
			source := `local ecs = require("ecs")` + "\n" + c.file + "\nlocal function walk(world)\n" + c.before + "\nfor e, p, q in world:each(\"A\", \"B\") do\n" + c.body +
				"\nend\nlocal f, o, n, v, later = 5, 6, 7, 8, 9 f = f + o + n + v + later\nend\nreturn walk"
			r, err := New(Options{Log: strictLog(t), World: kernelWorld(t, 1), Scripts: files(map[string]string{"a": source})})
			if err == nil {
				err = r.Add(System{Name: "a", Script: "a.lua", Impl: Auto})
			}
			if err == nil {
				err = r.Load()
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range r.Explain() {
				if l.Reason != "" && l.Line < 7 {
					t.Errorf("line %d: %s (line %d)", l.Line, l.Reason, l.At)
				}
			}
			if err := r.Start(context.Background()); err != nil {
				t.Fatal(err)
			}
			_ = r.Frame(context.Background(), 1)
			for _, f := range r.Fallbacks() {
				if strings.HasPrefix(f.Reason, "a row") || strings.HasPrefix(f.Reason, "from a row") {
					continue // what a row does
				}
				t.Errorf("it fell back: %s", f.Reason)
			}
			want, _ := kernelTrace(t, 1, Lua, source)
			for _, impl := range []Impl{Closures, Auto} {
				got, ran := kernelTrace(t, 1, impl, source)
				if got != want || ran == 0 {
					t.Errorf("%v, %d kernels:\n%s\ninterpreted:\n%s", impl, ran, got, want)
				}
			}
		})
	}
}

// A reason names variables as the source has them.
func TestReasonsNameVariablesAsTheSource(t *testing.T) {
	for _, c := range []struct{ file, body, reason string }{
		{"", "local found = 1 do local found = print found = 1 end", `"found" is a function, and assigned`},
		{"", "local found = p found.z = 1", `there is no field "z"`},
		{"", "local at = world:get(q.e, \"A\") p.x = at", `uses the view "at" as a value`},
		{"", "local at = 1 p.x = at.x", "indexes at, which is no view or table of constants"},
		{"", "local at = 1 p.x = at.x.y(3)", "calls at.x.y"},
		{"", "local at = 1 at:go(1)", "calls at:go"},
		{"local function f(v) v.z = 1 end", "f(p)", `there is no field "z"`},
		{"local function f(v) return v end", "p.x = f(p)", `uses the view "v" as a value`},
		{"local function f(x) f = nil return x end", "p.x = f(1)", `"f" is assigned and called`},
	} {
		source := `local ecs = require("ecs")` + "\n" + c.file + "\nreturn function(world)\nfor e, p, q in world:each(\"A\", \"B\") do\n" + c.body + "\nend\nend"
		r, err := New(Options{Log: strictLog(t), World: kernelWorld(t, 1), Scripts: files(map[string]string{"a": source})})
		if err == nil {
			err = r.Add(System{Name: "a", Script: "a.lua", Impl: Closures})
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Load(); err != nil && !strings.Contains(err.Error(), "has no field") {
			t.Errorf("%s: %v", c.body, err)
			continue
		}
		if got := r.Explain()[0].Reason; got != c.reason {
			t.Errorf("%s: %q, want %q", c.body, got, c.reason)
		}
	}
}

// Errors name a variable that was renamed in the tree as the source has it.
func TestErrorsNameRenamedVariables(t *testing.T) {
	for _, c := range []struct{ file, want string }{
		{"local k = {} local function f(x) return x * k end local k = 2", `arithmetic on a table value (local "k")`},
		{"local k = 1 local function f(x) k = x return k.y end local k = 2", `index a number value (local "k")`},
		{"local function g() error({}) end local g2 = g g = nil local function f(x) return g() end local g = 2", `call a nil value (local "g")`},
	} {
		for _, impl := range []Impl{Lua, Auto} {
			source := c.file + "\nreturn function(world)\nfor e, p in world:each(\"A\") do\np.x = f(2)\nend\nend"
			r, err := New(Options{Log: strictLog(t), World: kernelWorld(t, 1), Scripts: files(map[string]string{"a": source})})
			if err == nil {
				err = r.Add(System{Name: "a", Script: "a.lua", Impl: impl})
			}
			if err == nil {
				err = r.Load()
			}
			if err == nil {
				err = r.Start(context.Background())
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Frame(context.Background(), 1); err == nil || !strings.Contains(err.Error(), c.want) || strings.ContainsRune(err.Error(), 0) {
				t.Errorf("%s, %v: %q, want %s", c.file, impl, err, c.want)
			}
		}
	}
}
