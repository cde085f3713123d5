package luabind

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

// Writing systems from the grammar of modder_grammar_test.go.

// modderVars are the variables that a line of the grammar may need.
var (
	modderVar    = regexp.MustCompile(`(?:^|[^\w.:"])(e|p|h|u|b|a|hit|par|o|oh|i|q|w)\b`)
	modderDecl   = regexp.MustCompile(`(?:for|local|function\(|function loc\()\s*[\w, ]*`)
	modderWord   = regexp.MustCompile(`\b(LEAF|NUM|ENT|STR|ANY|COND|CONDO1?|STATFO?|STAT[OQW]?)\b`)
	modderLeaves = regexp.MustCompile(`\b(goto|break|return)\b`)
	modderText   = regexp.MustCompile(`"[^"]*"`)
)

// A modderLine is a line of the grammar, with the variables that must be there.
type modderLine struct {
	text  string
	needs []string // variables of the row
	uses  []string // of modderThemes
}

// modderThemes are the variables of the file of which a system has a few, so that its statements have to do with each other.
var modderThemes = []string{"list", "nums", "seen", "count", "by", "cells", "prey", "queue", "sides", "state", "best", "worst", "objs", "names", "kept", "at", "tree", "timers", "auto", "strict", "rules", "ACT", "res", "items", "commands", "SPEED", "visit", "pcall", "sources", "related", "near", "weight", "spread", "depth", "lib", "conf"}

var modderLines = func() map[string][]modderLine {
	lines := map[string][]modderLine{}
	for word, text := range modderGrammar {
		for line := range strings.SplitSeq(text, "\n") {
			l := modderLine{text: line}
			bare := modderText.ReplaceAllString(line, `""`)
			declared := strings.Join(modderDecl.FindAllString(bare, -1), " ")
			for _, m := range modderVar.FindAllStringSubmatch(bare, -1) {
				if !regexp.MustCompile(`\b` + m[1] + `\b`).MatchString(declared) {
					l.needs = append(l.needs, m[1])
				}
			}
			for _, theme := range modderThemes {
				if regexp.MustCompile(`\b` + theme + `\b`).MatchString(bare) {
					l.uses = append(l.uses, theme)
				}
			}
			lines[word] = append(lines[word], l)
		}
	}
	return lines
}()

// modderWritten expands the words of the grammar at random, down to a depth, where some variables are there.
func modderWritten(r *rand.Rand, text string, vars map[string]bool, depth int) string {
	with := func(more ...string) map[string]bool {
		all := map[string]bool{}
		for v := range vars {
			all[v] = true
		}
		for _, v := range more {
			all[v] = true
		}
		return all
	}
	return modderWord.ReplaceAllStringFunc(text, func(word string) string {
		if depth <= 0 {
			return modderLeaf(word, vars)
		}
		if kind, ok := strings.CutPrefix(word, "STATF"); ok { // in a function: what leaves the loop cannot stand there
			for {
				if s := modderWritten(r, "STAT"+kind, vars, depth-1); !modderLeaves.MatchString(s) {
					return s
				}
			}
		}
		var fit []string
		inner := vars
		switch word {
		case "STATO", "CONDO":
			inner = with("o", "oh")
		case "CONDO1":
			inner = with("o")
		case "STATQ":
			inner = with("q")
		case "STATW":
			inner = with("w")
		}
		for _, l := range modderLines[word] {
			ok := true
			for _, v := range slices.Concat(l.needs, l.uses) {
				ok = ok && inner[v]
			}
			if ok {
				fit = append(fit, l.text)
			}
		}
		return modderWritten(r, fit[r.IntN(len(fit))], inner, depth-1)
	})
}

// modderLeaf is what a word becomes at the end.
func modderLeaf(word string, vars map[string]bool) string {
	first := func(list ...string) string {
		for i := 0; i < len(list)-1; i += 2 {
			if vars[list[i]] {
				return list[i+1]
			}
		}
		return list[len(list)-1]
	}
	switch word {
	case "STAT", "STATF", "STATFO":
		return "total = total + " + modderLeaf("NUM", vars)
	case "STATO":
		return "oh.now = oh.now + 1"
	case "STATQ":
		return "q.n = q.n + 1"
	case "STATW":
		return "text = w"
	case "COND":
		return modderLeaf("NUM", vars) + " > 3"
	case "CONDO":
		return "oh.now > 3"
	case "CONDO1":
		return "o ~= 3"
	case "STR":
		return first("h", "h.kind", "u", "u.state", "hit", "hit.kind", "w", "w", "text")
	case "ENT":
		return first("o", "o", "e", "e", "hit", "hit.to", "kept", "kept", "ecs.none")
	case "ANY":
		return "last"
	}
	return first("h", "h.now", "p", "p.x", "u", "u.level", "b", "b.n", "hit", "hit.amount", "i", "i", "total")
}

// modderEvents change what a system has, before its loops, in one frame.
var modderEvents = []string{
	`for i = 1, 5000 do list[#list + 1] = i end`, `for i = 1, 4200 do by["k" .. i] = i end`, `SPEED.fire = "fast"`, `SPEED = {}`, `NEXT.fire = nil`, `conf.field = "max"`, `conf.tag = "blue"`, `conf.comp = "Unit"`, `conf.on = false`,
	`nums = {}`, `nums[2] = nil`, `nums[1] = "one"`, `for i = 1, 4200 do nums[i] = i % 9 end`, `rules[1].when = nil`, `rules[2] = nil`, `ACT.idle = ACT.flee`, `ACT.fight = nil`, `lib.clamp = function(x) return x end`, `function Base:step(x) return x end`,
	`Derived.step = nil`, `best = nil`, `total = "none"`, `last = "text"`, `text = 3`, `prey = {}`, `prey[1] = { e = 1, n = 2, hp = false, kind = "f" }`, `KINDS[2] = nil`, `state.vars = {}`, `state = { vars = { n = 1 }, log = {}, phase = "b" }`, `setmetatable(count, { __index = function() return 1 end })`,
	`local e = world:first("Hp") if e then world:despawn(e) end`, `local e = world:first("Hp", "Unit") if e then world:remove(e, "Unit") end`, `if kept and world:alive(kept) then world:despawn(kept) end`, `world:spawn_many(70, { Hp = { now = 2, kind = "new" }, Unit = {}, Pos = { x = 3 } })`,
	`world.resources.stats = { n = "x", counts = {}, list = { 1 } }`, `kept = nil`, `at = vec(0, 0)`, `Vec.__add = function(a, b) return a end`, `seen = { [1] = true, [2] = true }`, `list = nums`, `count = by`, `queue = prey`,
	`for e, h in world:each("Hp") do h.now = 0 end`, `for e in world:each("Hp", "Pos") do world.commands:despawn(e) break end`, `for gone in world:removed("Hp") do kept = gone end`, `tree = { n = 1, sum = function() return 2 end, insert = print, find = print }`,
}

// modderSystem writes a system with one or two loops.
func modderSystem(r *rand.Rand) string {
	var walks strings.Builder
	loops := 1 + r.IntN(2)
	themes := map[string]bool{}
	for _, i := range r.Perm(len(modderThemes))[:4+r.IntN(8)] {
		themes[modderThemes[i]] = true
	}
	for i := range loops {
		fmt.Fprintf(&walks, "local function walk%d(world, dt)\n  local res = world.resources\n", i)
		if r.IntN(4) == 0 {
			fmt.Fprintf(&walks, "  local %s\n", []string{"last", "best, last", "list, seen = {}, {}", "prey, total = {}, 0", "total, text = 0, \"\""}[r.IntN(5)])
		}
		if r.IntN(5) == 0 {
			fmt.Fprintf(&walks, "  %s\n", []string{"prey = {}", "best = nil", "queue = {}", "cells = {}", "sides, cells = {}, {}", "count = {}"}[r.IntN(6)])
		}
		head := modderHeads[r.IntN(len(modderHeads))]
		vars := maps.Clone(themes)
		for v := range strings.FieldsSeq(head.vars) {
			vars[v] = true
		}
		fmt.Fprintf(&walks, "  %s\n    do\n", head.text)
		for range 2 + r.IntN(4) {
			line := modderWritten(r, "STAT", vars, 2+r.IntN(4))
			fmt.Fprintf(&walks, "      do %s end\n", line)
		}
		walks.WriteString("    end\n    ::continue::\n  end\n")
		if r.IntN(6) == 0 {
			fmt.Fprintf(&walks, "  %s\n", []string{`for _, q in ipairs(prey) do total = total + q.hp.now end`, `for k, v in pairs(by) do print(k, v) end`, `if best then print(best.now, best.kind) end`, `print(worst and worst.e)`}[r.IntN(4)])
		}
		walks.WriteString("  return total\nend\n")
	}
	text := walks.String()
	text += "return function(world, dt)\n"
	if r.IntN(3) == 0 {
		text += fmt.Sprintf("  if world.frame == %d then %s end\n", 2+r.IntN(2), modderEvents[r.IntN(len(modderEvents))])
	}
	for i := range loops {
		text += "  " + strings.ReplaceAll([]string{"print(WALK(world, dt))", "print(WALK(world, dt))", "print(pcall(WALK, world, dt))", "print(pcall(WALK, world, dt)) print(pcall(WALK, world, dt))", "print(coroutine.wrap(WALK)(world, dt))"}[r.IntN(5)], "WALK", fmt.Sprint("walk", i)) + "\n"
	}
	shown := "total, type(last) == \"table\" or type(last) == \"userdata\" or last, text"
	for _, name := range []string{"list", "nums", "seen", "count", "by", "prey", "state", "names", "objs", "timers", "auto", "strict", "cells", "sides"} {
		if regexp.MustCompile(`\b` + name + `\b`).MatchString(text) {
			shown += fmt.Sprintf(", show(%s, 0)", name)
		}
	}
	text += "  print(" + shown + ", ecs.random(1000))\nend\n"
	const show = `local function show(t, depth)
  if type(t) ~= "table" then return type(t) == "userdata" and "view" or type(t) == "function" and "function" or tostring(t) end
  local parts, n = {}, 0
  for k, v in next, t do
    n = n + 1
    if n <= 20 then parts[#parts + 1] = tostring(k) .. "=" .. (depth < 2 and show(v, depth + 1) or type(v)) end
  end
  return #t .. "/" .. n .. "{" .. table.concat(parts, " ") .. "}"
end
`
	return "local ecs, lib = require(\"ecs\"), require(\"lib\")\nlocal total, last, text = 0, nil, \"\"\n" + modderHead(text) + show + text
}
