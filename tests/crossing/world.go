package main

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
)

//go:embed lib.lua
var library string

// A world is what a seed makes: scripts, their schedule, and limits.
type world struct {
	seed     uint64
	sources  map[string]string // by path
	systems  []luabind.System
	policy   luabind.Policy
	limits   luabind.Limits
	options  ecs.Options
	frames   int
	remember bool // scripts keep values in variables of their files, which a reload begins anew
	state    bool // scripts keep values in their state, which is not taken back when a turn fails
	talks    bool // and suspended coroutines there
	native   bool // Go makes entities, sends events and queues commands between frames
	tight    bool // few instructions
}

// A writer makes the scripts of a world.
type writer struct {
	*rand.Rand
}

func (g *writer) pick(list ...string) string { return list[g.IntN(len(list))] }

// fill replaces the words with $ of a line.
func (g *writer) fill(line string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(line, "$")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		b.WriteString(g.word(after[0]))
		line = after[1:]
	}
}

func (g *writer) word(letter byte) string {
	switch letter {
	case 'n':
		return fmt.Sprint(g.IntN(10))
	case 'f':
		return fmt.Sprint(float64(g.IntN(40)) / 8)
	case 'c':
		return g.pick("Pos", "Hp", "Bag", "Spot", "Belt")
	case 'k':
		return g.pick("Pos", "Hp", "Bag", "Mark", "Spot", "Belt")
	case 'm':
		return g.pick("day", "night", "dusk")
	case 'b':
		return g.pick("box", "crate")
	case 't':
		return g.pick("a", "b", "hot")
	case 'r':
		return g.pick("ChildOf", "OwnedBy", "IsA", "Knows")
	case 'v':
		return g.pick("Hit", "Note")
	case 'e':
		return fmt.Sprintf("lib.nth(world, %d)", g.IntN(40))
	case 'p':
		return fmt.Sprint(4 + g.IntN(4))
	}
	panic("no such word: $" + string(letter))
}

func newWorld(seed uint64) *world {
	g := &writer{rand.New(rand.NewPCG(seed, 36))}
	w := &world{
		seed: seed, sources: map[string]string{"lib.lua": library}, frames: 8 + g.IntN(5),
		policy:   luabind.Policy(g.IntN(3)),
		limits:   luabind.Limits{Instructions: 200_000, Allocations: 1 << 20, Errors: 1 + g.IntN(3)},
		options:  ecs.Options{Seed: seed, MaxEntities: 120, MaxEvents: 150, MaxTags: 150, MaxBytes: 64 << 20},
		remember: g.IntN(3) == 0, state: g.IntN(2) == 0, talks: g.IntN(4) == 0, native: g.IntN(3) == 0, tight: g.IntN(5) == 0,
	}
	if w.tight {
		w.limits.Instructions = 4000 + uint64(g.IntN(20_000))
	}
	w.limits.OnError = w.policy
	w.sources["start.lua"] = g.start()
	w.systems = []luabind.System{{Name: "start", Script: "start.lua", Stage: ecs.Startup}}
	for i := range 2 + g.IntN(4) {
		name := fmt.Sprintf("s%d", i)
		w.sources[name+".lua"] = g.script(name, w)
		s := luabind.System{Name: name, Script: name + ".lua", When: "native:" + name}
		if g.IntN(4) == 0 {
			s.Every = 2 + g.IntN(2)
		}
		if i > 0 && g.IntN(4) == 0 {
			s.Random = "s0"
		}
		switch g.IntN(8) {
		case 0:
			s.In = []string{"mode." + g.word('m')}
		case 1:
			s.Stage, s.Every, s.In = ecs.Enter, 0, []string{"mode." + g.word('m')}
		case 2:
			s.Stage, s.Every, s.In = ecs.Leave, 0, []string{"mode." + g.word('m')}
		}
		w.systems = append(w.systems, s)
	}
	haunted := "lib.haunted(world)"
	if w.tight {
		haunted = "" // a variable has the ghosts: a copy that is restored has other ones, and needs more or fewer instructions to look for them
	}
	w.sources["dump.lua"] = "local lib = require(\"lib\")\nreturn function(world) print(\"> dump \" .. world.frame) lib.dump(world) " + haunted + " end\n"
	w.systems = append(w.systems, luabind.System{Name: "dump", Script: "dump.lua", Stage: ecs.Last})
	return w
}

// start writes the script of the first entities.
func (g *writer) start() string {
	var b strings.Builder
	b.WriteString("local ecs = require(\"ecs\")\nlocal lib = require(\"lib\")\nreturn function(world)\n")
	for range 3 + g.IntN(8) {
		fmt.Fprintf(&b, "  lib.spawn(world, { %s })\n", g.fill(g.pick(`Pos = { x = $n, y = $n }, "$t"`, `Hp = { now = $n }`, `Pos = { x = $f }, Hp = {}, "Mark"`, `Bag = { items = { $n, $n } }, "$t"`, `ChildOf = lib.nth(world, $n)`)))
	}
	b.WriteString("end\n")
	return b.String()
}

// traceless reports whether turns that fail leave no trace in what the scripts do.
func (w *world) traceless() bool { return w.policy == luabind.Skip && !w.remember && !w.state }

// script writes a system of a world.
func (g *writer) script(name string, w *world) string {
	line := func(list []string) string {
		for {
			text := g.pick(list...)
			if (w.state || !strings.Contains(text, "M.state")) && (w.talks || !strings.Contains(text, "M.state.talk")) {
				return g.fill(text)
			}
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, `local ecs = require("ecs")
local lib = require("lib")
local query = ecs.query{ %s }
local changed = ecs.query{ "Pos", changed = { "Pos", "Hp" } }
local added = ecs.query{ "Label", added = { %s } }
local whole = ecs.query{ "Hp", prefabs = true }
local M = { state = { n = 0, list = {} } }
local WAVES = ecs.data("waves")
`, g.pick(`"Pos", without = { "Mark" }`, `"Hp", tagged = { "a" }`, `any = { "Bag", "Mark" }, "Label"`, `"Pos", optional = { "Hp" }, untagged = { "hot" }`, `"Label", changed = { "Bag" }`),
		g.pick(`"Pos"`, `"Hp", "Bag"`, `"Label"`))
	if w.remember {
		b.WriteString("local kept, view, of, last, walk\nlocal calls = {}\n")
	}
	b.WriteString("function M.init(world)\n")
	if w.traceless() {
		b.WriteString("  lib.open(world)\n")
	}
	for range g.IntN(4) {
		fmt.Fprintf(&b, "  world:on(%s, function(world, e)\n", g.fill(g.pick(observed...)))
		fmt.Fprintf(&b, "    print(\"%s saw\", lib.label(world, e))\n    if not lib.spend(world) then return end\n", name)
		for range 1 + g.IntN(3) {
			fmt.Fprintf(&b, "    %s\n", line(reactions))
		}
		b.WriteString("  end)\n")
	}
	fmt.Fprintf(&b, "end\nfunction M.update(world, dt)\n  print(\"> %s \" .. world.frame)\n  world.resources.fuel = 6\n", name)
	fails := -1
	n := 3 + g.IntN(6)
	if g.IntN(2) == 0 {
		fails = g.IntN(n + 1)
	}
	for i := range n + 1 {
		if i == fails {
			fmt.Fprintf(&b, "  if world.frame > 1 and (world.frame + %d) %% %d == 0 then %s end\n", g.IntN(9), 2+g.IntN(4), g.fill(g.pick(failures...)))
		}
		text := line(updates)
		if w.remember && g.IntN(4) == 0 {
			text = line(memories)
		}
		if g.IntN(3) == 0 {
			text = fmt.Sprintf("if world.frame %% %d == %d then %s end", 2+g.IntN(2), g.IntN(2), text)
		}
		fmt.Fprintf(&b, "  %s\n", text)
	}
	b.WriteString("end\nreturn M\n")
	return b.String()
}
