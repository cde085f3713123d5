package tests

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
	"github.com/ecsrun/ecsrun/tests/effort"
)

// Random mods change their globals, libraries and modules, load code, and require each other. Each has an environment of its own, which all
// implementations, snapshots and reloads keep.

// A modWriter writes the files of one mod.
type modWriter struct {
	*rand.Rand
	mod string
}

// modStatements are what such code does: at the beginning of a file, or in a frame. $n is a small number.
var modStatements = []string{
	`rawset(_G, "g$n", (rawget(_G, "g$n") or 0) + $n)`,
	`count = count + $n`,
	`_G.count = _G.count * 2 % 1009`,
	`function string.f$n(s) return s .. "$n" .. count % 7 end`,
	`show(("x"):f$n())`,
	`show(pcall(function() return ("x"):f$n() end))`,
	`do local old = string.upper string.upper = function(s) return old(s) .. "$n" end show(("u"):upper()) if $n > 3 then string.upper = old end end`,
	`do local old = math.floor if not kept.floor then kept.floor = old math.floor = function(x) return old(x) + $n end end show(math.floor(2.5)) end`,
	`math.floor = kept.floor or math.floor kept.floor = nil`,
	`table.extra$n = (table.extra$n or 0) + 1`,
	`show(rawget(table, "extra$n"))`,
	`table.extra$n = nil`,
	`package.preload["made$n"] = function(name) return { name = name, n = count, f = function() count = count + 1 return count end } end`,
	`show(pcall(function() local m = require("made$n") m.n = m.n + 1 return m.name, m.n, m.f() end))`,
	`package.loaded["made$n"] = nil`,
	`package.loaded["made$n"] = { name = "put", n = $n, f = function() return $n end }`,
	`show(pcall(function() local m = require("lib.one") m.n = m.n + $n return m.n, m.add(2) end))`,
	`show(pcall(function() return require("lib.two").name, require("lib/two").deep() end))`,
	`package.loaded["lib.two"] = nil`,
	`do local f = load("return (rawget(_G, 'g$n') or 0) + count", "chunk$n") kept[$n] = f show(f()) end`,
	`show(pcall(kept[$n] or error))`,
	`do local f = loadstring("local n = ... return function() n = n + count % 5 return n end") kept["up$n"] = kept["up$n"] or f($n) show(kept["up$n"]()) end`,
	`do local env = kept.env or { n = 0, count = 3 } kept.env = env load("n = n + count", "e", "t", env)() show(env.n, count) end`,
	`load("count = count + $n rawset(_G, 'g$n', count)")()`,
	`show(load("return ("))`,
	`show(pcall(load, "x = nope", "bad"))`,
	`do local parts, i = { "return ", "$n", " + count" }, 0 show(load(function() i = i + 1 return parts[i] end)()) end`,
	`show(pcall(setmetatable, _G, {}))`,
	`show(rawget(_G, "g$n"), love == nil, type(jit))`,
	`do local names = {} for k, v in pairs(string) do names[#names + 1] = k end show(#names) end`,
	`do local n = 0 for k in pairs(_G) do n = n + 1 end show(n) end`,
	`do local t = setmetatable({}, { __index = string }) show(pcall(function() return t.f$n and t.f$n("i") end)) end`,
	`for e, p in world:each("P") do p.x = (p.x + math.floor(count % 10 + 0.5)) % 100 end`,
	`string.pad = function(s, n) return (("0"):rep(n - #s)) .. s end show(("7"):pad($n + 2))`,
	`show(pcall(string.rep))`,
	`show(pcall(function() ecs.own = $n end), pcall(rawset, ecs, "own", $n))`,
	`show(require("string") == string, require("_G") == _G, package.loaded.table == table)`,
	`show(tostring(kept.co ~= nil), select("#", unpack({ 1, nil, $n }, 1, 3)))`,
}

func (w *modWriter) statements(n int, frame bool) string {
	var b strings.Builder
	for range n {
		text := modStatements[w.IntN(len(modStatements))]
		if !frame && strings.Contains(text, "world") {
			continue
		}
		fmt.Fprintf(&b, "  %s\n", strings.ReplaceAll(text, "$n", fmt.Sprint(1+w.IntN(4))))
	}
	return b.String()
}

// files are those of the mod. exported says that it has a module that others may require.
func (w *modWriter) files(uses string) fstest.MapFS {
	head := fmt.Sprintf(`local ecs = require("ecs")
if not rawget(_G, "count") then rawset(_G, "count", 1) rawset(_G, "kept", {}) end
local function show(...)
  local out = { %q }
  for i = 1, select("#", ...) do local v = (select(i, ...)) out[#out + 1] = type(v) == "function" and "function" or tostring(v) end
  print(table.concat(out, " "))
end
`, w.mod+":")
	files := fstest.MapFS{}
	put := func(name, text string) { files[name] = &fstest.MapFile{Data: []byte(text)} }
	put("lib/one.lua", head+w.statements(3, false)+"local M = { n = 0, name = ... }\nfunction M.add(k) count = count + k M.n = M.n + 1 return count, M.n end\nreturn M\n")
	put("lib/two.lua", head+"local M = { name = ... }\npackage.loaded[...] = M\nlocal one = require(\"lib.one\")\nfunction M.deep() one.n = one.n + 1 return one.n, count end\n"+w.statements(2, false)+"return M\n")
	put("lib/open.lua", head+"local M = {}\nfunction M.touch(k) count = count + k rawset(_G, \"touched\", (rawget(_G, \"touched\") or 0) + 1) return count, rawget(_G, \"touched\"), (\"t\"):upper() end\nreturn M\n")
	uses = strings.ReplaceAll(uses, "$n", fmt.Sprint(1+w.IntN(4)))
	put("main.lua", head+w.statements(6, false)+"local M = { state = { n = 0 } }\nfunction M.update(world)\n  M.state.n = M.state.n + 1\n"+
		w.statements(3+w.IntN(12), true)+uses+"  show(M.state.n, count)\nend\nreturn M\n")
	return files
}

// A modRun is a world with mods that runs.
type modRun struct {
	rt  *luabind.Runtime
	out bytes.Buffer
}

func (r *modRun) Write(p []byte) (int, error) { return r.out.Write(p) }

// open makes the run of some mods, each of which has a system of its name.
func openMods(t *testing.T, impl luabind.Impl, mods []luabind.Mod) *modRun {
	t.Helper()
	w := ecs.NewWorld(ecs.Options{Seed: 5, Memory: luabind.NewMemory()})
	s, err := ecs.NewSchema(ecs.Field{Name: "x", Type: ecs.F64})
	if err != nil {
		t.Fatal(err)
	}
	id, err := w.DeclareComponent("P", s)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := w.Spawn(id); err != nil {
			t.Fatal(err)
		}
	}
	r := &modRun{}
	if r.rt, err = luabind.New(luabind.Options{World: w, Stdout: r, Mods: mods, Limits: luabind.Limits{Instructions: 2_000_000}}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.rt.Close() })
	for _, m := range mods {
		if err := r.rt.Add(luabind.System{Name: m.Name, Script: m.Name + "/main.lua", Impl: impl, Stage: ecs.Update}); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// frames runs up to a frame, and writes what happens: failures, and digests. A failure ends the run, and gives false.
func (r *modRun) frames(to uint64) bool {
	for r.rt.World().Frame() < to {
		err := r.rt.Frame(context.Background(), 1.0/60)
		fmt.Fprintf(&r.out, "frame %d: %v %s\n", r.rt.World().Frame(), err, r.rt.World().Digest())
		if err != nil {
			return false
		}
	}
	return true
}

// begin loads the scripts and starts; it reports whether that went well.
func (r *modRun) begin() bool {
	err := r.rt.Load()
	if err == nil {
		err = r.rt.Start(context.Background())
	}
	fmt.Fprintln(&r.out, "begins:", err)
	return err == nil
}

const modFrames = 5

// TestModsApart runs random mods in all ways.
func TestModsApart(t *testing.T) {
	failing := 0
	n := effort.Of(240)
	for seed := range uint64(n) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { // whose worlds are closed at its end
			write := func(mod, uses string) fstest.MapFS {
				return (&modWriter{rand.New(rand.NewPCG(seed, uint64(len(mod)))), mod}).files(uses)
			}
			one, two := write("one", ""), write("other", "")
			mods := func(names ...string) (out []luabind.Mod) {
				for _, name := range names {
					switch name {
					case "one":
						out = append(out, luabind.Mod{Name: name, Scripts: one, Exports: []string{"lib.open"}})
					case "other":
						out = append(out, luabind.Mod{Name: name, Scripts: two})
					case "asker":
						asks := write(name, "  show(require(\"one.lib.open\").touch($n), rawget(_G, \"touched\"))\n")
						out = append(out, luabind.Mod{Name: name, Scripts: asks, Depends: []string{"one"}})
					}
				}
				return out
			}
			lines := func(impl luabind.Impl, names ...string) string {
				r := openMods(t, impl, mods(names...))
				if r.begin() {
					r.frames(modFrames)
				}
				return r.out.String()
			}
			want := lines(luabind.Lua, "one", "other", "asker")
			if strings.Contains(want, "begins: <nil>") && !strings.Contains(want, fmt.Sprintf("frame %d: <nil>", modFrames)) {
				failing++
			}
			impls := []luabind.Impl{luabind.Closures, luabind.Auto, luabind.Lua}
			for _, impl := range impls[:2] {
				if got := lines(impl, "one", "other", "asker"); got != want {
					t.Fatalf("seed %d, %v:\n%s", seed, impl, differingLine(got, want))
				}
			}
			// Without the others a mod prints the same.
			alone, all := linesOf("other:", lines(impls[seed%3], "other")), linesOf("other:", want)
			if n := min(len(alone), len(all)); !slices.Equal(alone[:n], all[:n]) || len(all) > n {
				t.Fatalf("seed %d: alone\n%s", seed, differingLine(strings.Join(alone, "\n"), strings.Join(all, "\n")))
			}
			modsResumed(t, seed, impls[seed%3], mods("one", "other", "asker"), want)
			var reloads [2]string
			for i, impl := range []luabind.Impl{luabind.Lua, impls[seed%2]} {
				reloads[i] = modsReloaded(t, impl, mods("one", "other", "asker"))
			}
			if reloads[0] != reloads[1] {
				t.Fatalf("seed %d, reloaded, %v:\n%s", seed, impls[seed%2], differingLine(reloads[1], reloads[0]))
			}
		})
	}
	if failing > n/2 {
		t.Errorf("%d of %d programs fail", failing, n)
	}
}

// modsResumed saves the run after each frame, and goes on from each save.
func modsResumed(t *testing.T, seed uint64, impl luabind.Impl, mods []luabind.Mod, want string) {
	t.Helper()
	r := openMods(t, impl, mods)
	if !r.begin() {
		return
	}
	for frame := uint64(1); frame < modFrames; frame++ {
		if !r.frames(frame) {
			return
		}
		var file bytes.Buffer
		if err := r.rt.Save(&file); err != nil {
			t.Fatalf("seed %d: save after frame %d: %v", seed, frame, err)
		}
		next := openMods(t, impl, mods)
		if err := next.rt.Load(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if err := next.rt.Restore(&file); err != nil {
			t.Fatalf("seed %d: restore after frame %d: %v", seed, frame, err)
		}
		next.out.Reset()
		next.out.WriteString(r.out.String())
		next.frames(modFrames)
		if got := next.out.String(); got != want {
			t.Fatalf("seed %d, %v, resumed after frame %d:\n%s", seed, impl, frame, differingLine(got, want))
		}
	}
}

// modsReloaded loads all files anew after the second frame.
func modsReloaded(t *testing.T, impl luabind.Impl, mods []luabind.Mod) string {
	t.Helper()
	for i := range mods {
		files := fstest.MapFS{}
		for name, f := range mods[i].Scripts.(fstest.MapFS) {
			files[name] = &fstest.MapFile{Data: slices.Clone(f.Data)}
		}
		mods[i].Scripts = files
	}
	r := openMods(t, impl, mods)
	if !r.begin() {
		return r.out.String()
	}
	if !r.frames(2) {
		return r.out.String()
	}
	for _, m := range mods {
		for _, f := range m.Scripts.(fstest.MapFS) {
			f.Data = append(f.Data, "-- again\n"...)
		}
	}
	_, err := r.rt.Reload(context.Background(), luabind.Change{})
	fmt.Fprintln(&r.out, "reload:", err)
	r.frames(modFrames)
	return r.out.String()
}

func linesOf(prefix, text string) (out []string) {
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(line, prefix) {
			out = append(out, line)
		}
	}
	return out
}

// differingLine returns the first line that differs, with the lines before it.
func differingLine(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(a), len(b)) {
		x, y := "nothing", "nothing"
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if x != y {
			return fmt.Sprintf("%s\n   is %s\nwant %s", strings.Join(a[max(0, min(i, len(a))-5):min(i, len(a))], "\n"), x, y)
		}
	}
	return ""
}

// A module that a turn has loaded needs what scripts had added by then. A snapshot brings it back though it cannot be loaded anew.
func TestModuleOfATurnResumed(t *testing.T) {
	mods := []luabind.Mod{{Name: "m", Scripts: fstest.MapFS{
		"lib/late.lua": {Data: []byte(`local M = { n = #("x"):late() }
function M.next() M.n = M.n + later return M.n end
return M
`)},
		"main.lua": {Data: []byte(`return function(world)
  if world.frame == 2 then
    function string.late(s) return s .. "late" end
    rawset(_G, "later", 3)
  end
  if world.frame > 1 then print("m: " .. require("lib.late").next()) end
end
`)},
	}}}
	r := openMods(t, luabind.Lua, mods)
	if !r.begin() || !r.frames(modFrames) || !strings.Contains(r.out.String(), "m: 17\n") {
		t.Fatal(r.out.String())
	}
	for _, impl := range []luabind.Impl{luabind.Lua, luabind.Auto} {
		modsResumed(t, 0, impl, mods, r.out.String())
	}
}
