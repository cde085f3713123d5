package luabind

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/tests/effort"
)

// Random scripts that remember things in all ways that there are. A run that is saved at a random frame and resumed must
// print the same lines and have the same digests as one that was never stopped.

// A rememberer writes random scripts.
type rememberer struct {
	*rand.Rand
	b strings.Builder
}

func (g *rememberer) pick(list ...string) string { return list[g.IntN(len(list))] }

func (g *rememberer) line(format string, args ...any) {
	fmt.Fprintf(&g.b, format+"\n", args...)
}

// A thing is something that a file remembers: what declares it, and what each turn does with it. %[1]s is its name, %[2]d a small number,
// %[3]s the name of another table of the file, %[4]s that of another function of the file.
type thing struct{ declare, turn string }

var things = []thing{
	{"local %[1]s = %[2]d", "%[1]s = %[1]s * 2 %% 1000 + %[2]d print('number', %[1]s)"},
	{"local %[1]s = 'x'", "%[1]s = (%[1]s .. world.frame):sub(-%[2]d - 3) print('string', %[1]s)"},
	{"local %[1]s = {}", "%[1]s[#%[1]s + 1] = world.frame if #%[1]s > %[2]d + 3 then table.remove(%[1]s, 1) end print('list', #%[1]s, %[1]s[1])"},
	{"local %[1]s = { a = 1, b = 2, c = 3 }", "%[1]s[KEY(world.frame + %[2]d)] = world.frame %[1]s[KEY(world.frame * 3 + %[2]d)] = nil print('keys', DUMP(%[1]s))"},
	{"local %[1]s = { 1, nil, 3, n = 1 }", "%[1]s[(world.frame * %[2]d) %% 9 + 1] = world.frame %[1]s[(world.frame * 5) %% 9 + 1] = nil %[1]s[#%[1]s + 1] = 'end' print('holes', #%[1]s, DUMP(%[1]s))"},
	{"local %[1]s, %[1]sk = { x = 1, y = 2, z = 3, 10, 20, 30, [1.5] = 'f', [true] = 't' }, nil", "%[1]s['n' .. world.frame %% 7] = world.frame do local v %[1]sk, v = next(%[1]s, %[1]sk) print('next', %[1]sk, v) if %[1]sk and %[2]d %% 2 == 0 then %[1]s[%[1]sk] = nil end end"},
	{"local %[1]s, %[1]sget do local n = %[2]d %[1]s = function(by) n = n + by return n end %[1]sget = function() return n end end", "%[1]s(world.frame) print('shared upvalue', %[1]sget())"},
	{"local %[1]s = {}", "for i = 1, %[2]d %% 3 + 1 do local n = i + world.frame %[1]s[i] = %[1]s[i] or function() n = n + i return n end end for i, f in ipairs(%[1]s) do print('closure', i, f()) end"},
	{"local %[1]s = {} %[1]s.self, %[1]s.of = %[1]s, { %[1]s }", "%[1]s.of[#%[1]s.of + 1] = { back = %[1]s.of, %[1]s } print('cycle', %[1]s.self == %[1]s, %[1]s.of[1].of == %[1]s.of, #%[1]s.of[#%[1]s.of].back)"},
	{"local %[1]s = { mt = {} } %[1]s.mt.__index = function(t, k) return k .. '?' end %[1]s.mt.__newindex = function(t, k, v) rawset(t, k, v * 2) end %[1]s.t = setmetatable({}, %[1]s.mt)", "%[1]s.t['k' .. world.frame %% 4] = world.frame print('meta', %[1]s.t.k1, %[1]s.t.k2, getmetatable(%[1]s.t) == %[1]s.mt)"},
	{"local %[1]s = {} %[1]s.__index = %[1]s function %[1]s.new(n) return setmetatable({ n = n }, %[1]s) end function %[1]s:up() self.n = self.n + 1 return self.n end %[1]s.__add = function(a, b) return %[1]s.new(a.n + b.n) end %[1]s.__call = function(s, x) return s.n * x end %[1]s.__eq = function(a, b) return a.n == b.n end %[1]s.__tostring = function(s) return 'obj ' .. s.n end local %[1]so = %[1]s.new(%[2]d)", "%[1]so:up() if world.frame %% 3 == 0 then %[1]so = %[1]so + %[1]s.new(1) end print('class', tostring(%[1]so), %[1]so(2), %[1]so == %[1]s.new(%[1]so.n))"},
	{"local %[1]s = {}", "do local e = world:spawn{ Position = { x = world.frame, y = %[2]d } } %[1]s[e] = world.frame %[1]s[#%[1]s + 1] = e if #%[1]s > 4 then world:despawn(table.remove(%[1]s, 1)) end local n = 0 for _, e in ipairs(%[1]s) do n = n + %[1]s[e] end print('entities', n, #%[1]s, world:alive(%[1]s[1])) end"},
	{"local %[1]s = {}", "do local e = world:spawn{ Position = { x = world.frame } } %[1]s[#%[1]s + 1] = world:get(e, 'Position') for i, v in ipairs(%[1]s) do v.x = v.x + i print('view', v.x, v == world:get(e, 'Position')) end if #%[1]s > %[2]d %% 4 + 1 then %[1]s = {} end end"},
	{"local %[1]s = {}", "world:send('Hit', { how = 'h' .. world.frame, data = { %[2]d, { a = world.frame } } }) for e in world:read('Hit') do %[1]s[e.how] = e end for k, e in pairs(%[1]s) do print('event', k, e.how, e.data[1], e.data[2].a) end if world.frame %% 5 == 0 then %[1]s = { last = %[1]s.last } end"},
	{"local %[1]s = require('ecs').query{ 'Position', without = { 'Bag' } }", "do local n = 0 for e, p in world:each(%[1]s) do p.x = p.x * 0.5 + %[2]d n = n + p.x end print('query', n) end"},
	{"local %[1]s = { by = %[2]d, n = 0 } local function %[1]sf(x) %[1]s.n = %[1]s.n + 1 return x + %[1]s.by end", "for e, p in world:each('Position') do p.y = %[1]sf(p.y) end print('loop', %[1]s.n)"},
	{"local %[1]s = 0", "for e, p in world:each('Position') do if p.x > %[2]d then %[1]s = %[1]s + p.x else %[1]s = %[1]s - 1 end end print('sum', %[1]s)"},
	{"", "SHARED.n = (SHARED.n or 0) + %[2]d SHARED['k' .. world.frame %% 5] = SHARED.n print('module', SHARED.n, DUMP(SHARED.seen))"},
	{"", "SHARED.calls[#SHARED.calls + 1] = (function(f) return function(x) f = f + x return f end end)(world.frame) if #SHARED.calls > 6 then table.remove(SHARED.calls, 1) end for i, f in ipairs(SHARED.calls) do print('call', i, f(%[2]d)) end"},
	{"rawset(_G, 'g%[1]s', { %[2]d })", "g%[1]s[1] = g%[1]s[1] + 1 g%[1]s.me = g%[1]s print('global', g%[1]s.me[1])"},
	{"local %[1]s = math.random", "print('random', %[1]s(1000), math.floor(%[1]s() * 1000))"},
	{"local %[1]s, %[1]st, %[1]sc = pairs({ a = 1, b = 2, c = 3, 4, 5 })", "%[1]sc = %[1]s(%[1]st, %[1]sc) print('pairs', %[1]sc)"},
	{"local %[1]s = { string.format, math.max, table.concat, print, tostring, pcall }", "%[1]s[4]('library', %[1]s[1]('%%d', %[2]d), %[1]s[2](1, %[2]d), %[1]s[3]({ 1, 2 }, '-'), %[1]s[6] == pcall)"},
	{"local %[1]s = coroutine.wrap(function() return %[2]d end) %[1]s()", "print('dead', pcall(%[1]s))"},
	{"local %[1]s = {} local function %[1]sadd(...) local args = { n = select('#', ...), ... } %[1]s[#%[1]s + 1] = function() return unpack(args, 1, args.n) end end", "%[1]sadd(world.frame, nil, %[2]d) print('varargs', #%[1]s, %[1]s[#%[1]s]()) print(%[1]s[1]())"},
	{"local %[1]s = setmetatable({}, { __mode = 'k' })", "%[1]s[STATE] = (%[1]s[STATE] or 0) + 1 print('table key', %[1]s[STATE])"},
	{"", "STATE.n = (STATE.n or %[2]d) + 1 STATE.deep = { STATE.deep, n = STATE.n } if STATE.n %% 4 == 0 then STATE.deep = nil end print('state', STATE.n, STATE.deep and STATE.deep.n)"},
	{"local %[1]s = {}", "do local e = world:first('Bag') or world:spawn{ Bag = { items = { 'a', { n = %[2]d } } } } local b = world:get(e, 'Bag') if type(e) ~= 'number' then b = e end %[1]s.items = %[1]s.items or b.items b.items[#b.items + 1] = world.frame b.items[2].n = b.items[2].n + 1 print('fields', #%[1]s.items, #b.items, b.items[2].n) end"},
}

// script writes a file: that of system number i.
func (g *rememberer) script(i int) string {
	g.b.Reset()
	g.line("local SHARED = require(%q)", g.pick("hub", "lib.other"))
	g.line("local STATE = { n = %d }", g.IntN(9))
	g.line("local function KEY(n) n = n %% 9 if n == 0 then return 1.5 elseif n == 1 then return true elseif n == 2 then return 3 end return 'k' .. n end")
	g.line("local function DUMP(t) local out = {} for k, v in pairs(t) do out[#out + 1] = tostring(k) .. '=' .. tostring(v) end return table.concat(out, ' ') end")
	var turns []string
	for k := range 2 + g.IntN(6) {
		x := things[g.IntN(len(things))]
		fill := func(text string) string {
			return strings.NewReplacer("%[1]s", fmt.Sprintf("v%d", k), "%[2]d", strconv.Itoa(g.IntN(9)), "%%", "%").Replace(text)
		}
		g.line("%s", fill(x.declare))
		turns = append(turns, fill(x.turn))
	}
	g.line("print('loading %d')", i)
	g.line("local M = { state = STATE }")
	if g.IntN(2) == 0 {
		kind := g.pick(`"spawned"`, `"added", "Position"`, `"set", "Position"`, `"despawned"`, `"added", "Bag"`)
		g.line("local seen = 0 function M.init(world) world:on(%s, function(w, e, v) seen = seen + 1 SHARED.seen[%d] = seen if seen %% 16 == 0 then print('seen', %d, seen) end end) end", kind, i, i)
	}
	g.line("function M.update(world, dt)")
	for _, turn := range turns {
		if g.IntN(4) == 0 {
			turn = fmt.Sprintf("if world.frame %% %d == 0 then %s end", 2+g.IntN(3), turn)
		}
		g.line("%s", turn)
	}
	g.line("end")
	g.line("return M")
	return g.b.String()
}

// remembering returns random scripts.
func randomRemembering(seed uint64) *resumable {
	g := &rememberer{Rand: rand.New(rand.NewPCG(seed, 13))}
	x := &resumable{sources: map[string]string{
		"hub.lua":       "local M = { calls = {}, seen = {} } return M",
		"lib/other.lua": "local hub = require('hub') return setmetatable({ calls = {}, seen = {} }, { __index = hub })",
	}}
	impl := []Impl{Auto, Closures, Lua}[g.IntN(3)]
	for i := range 1 + g.IntN(3) {
		name := fmt.Sprintf("s%d", i)
		x.sources[name+".lua"] = g.script(i)
		x.systems = append(x.systems, System{Name: name, Script: name + ".lua", Impl: impl})
	}
	return x
}

func TestRestoreRandomScripts(t *testing.T) {
	n, from := effort.Of(150), 0
	if text := os.Getenv("RESTORE_SEEDS"); text != "" {
		_, err := fmt.Sscanf(text, "%d+%d", &from, &n)
		if err != nil {
			t.Fatal(err)
		}
	}
	for seed := from; seed < from+n; seed++ {
		t.Run(strconv.Itoa(seed), func(t *testing.T) {
			x := randomRemembering(uint64(seed))
			defer func() {
				if t.Failed() {
					for name, text := range x.sources {
						t.Logf("%s:\n%s", name, text)
					}
				}
			}()
			x.resumes(t, 1+seed%7)
		})
	}
}

// resumedElsewhere is set in the process that TestRestoreInAnotherProcess starts: the seed.
const resumedElsewhere = "ECSRUN_TEST_RESUMED"

// A run goes on in another process as it does in this one.
func TestRestoreInAnotherProcess(t *testing.T) {
	if seed, err := strconv.Atoi(os.Getenv(resumedElsewhere)); err == nil {
		file, err := os.ReadFile(os.Getenv(resumedElsewhere + "_FILE"))
		if err != nil {
			t.Fatal(err)
		}
		tr := randomRemembering(uint64(seed)).restored(t, file, 5)
		fmt.Printf("%s%v\n", &tr.out, tr.digests)
		return
	}
	for seed := range effort.Of(9) {
		x := randomRemembering(uint64(seed))
		file := x.saved(t, 4)
		path := filepath.Join(t.TempDir(), "run.snap")
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(os.Args[0], "-test.run=^TestRestoreInAnotherProcess$")
		cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d", resumedElsewhere, seed), resumedElsewhere+"_FILE="+path, "GODEBUG=randautoseed=1")
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		here := x.restored(t, file, 5)
		if want := fmt.Sprintf("%s%v\n", &here.out, here.digests); !bytes.HasPrefix(out, []byte(want)) {
			t.Errorf("seed %d: in another process\n%s\nhere\n%s", seed, out, want)
		}
	}
}
