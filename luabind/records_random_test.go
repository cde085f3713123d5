package luabind

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// A recordWriter writes bodies of loops that get, make and change records.
type recordWriter struct {
	*rand.Rand
	names int
}

// one returns one of some texts.
func (w *recordWriter) one(list ...string) string { return list[w.IntN(len(list))] }

// key returns an expression that is a key in each row, or nearly.
func (w *recordWriter) key() string {
	return w.one("u.kind", "u.kind", "u.name", "u.cell", "u.cell", "e", "(u.friend or 3)", "u.age", "u.zero", "k", "k", `(u.on and "on" or "off")`, "u.cell % 5 + 1", `"all"`, "ecs.random(3)", "next()")
}

// number returns a number of the row.
func (w *recordWriter) number() string {
	return w.one("1", "u.age", "u.cell", "n", "u.age * 2", "0.5", "(u.on and 3 or 4)", "u.zero")
}

// constructor returns one for a record.
func (w *recordWriter) constructor() string {
	var fields []string
	for _, f := range []string{"n = NUM", "sum = NUM", "who = u.name", "on = u.on", "top = 0", `last = ""`, "own = e", "more = u.age > 3 and 2 or 1"} {
		if w.IntN(3) == 0 {
			fields = append(fields, strings.ReplaceAll(f, "NUM", w.number()))
		}
	}
	w.Shuffle(len(fields), func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
	return "{ " + strings.Join(fields, ", ") + " }"
}

// use returns a statement that uses the record s.
func (w *recordWriter) use(s string, depth int) string {
	text := w.one("S.n = (S.n or 0) + NUM", "S.n = (S.n or 0) + 1", "S.sum = (S.sum or NUM) + NUM", "S.n = S.n + 1", "S.who = u.name", "S.on = not S.on", `if S.who ~= u.name then S.last = u.name end`,
		"if u.age > (S.top or 0) then S.top = u.age end", "u.age = (S.n or 1) % 31", "n = n + (S.sum or 1)", "bump(S, NUM)", "S.own = e", "if S.last then S.last = S.last end", "if S then n = n + 1 end", "S.n, S.sum = (S.sum or 0), (S.n or 0)",
		"if u.on then USE end", "if S.on then USE else USE end", "for i = 1, 2 do USE end", "if n > 9000 then n = 0 USE end")
	for strings.Contains(text, "USE") {
		inner := "n = n + 1"
		if depth > 0 {
			inner = w.use(s, depth-1)
		}
		text = strings.Replace(text, "USE", inner, 1)
	}
	for strings.Contains(text, "NUM") {
		text = strings.Replace(text, "NUM", w.number(), 1)
	}
	return strings.ReplaceAll(text, "S.", s+".")
}

// between returns a statement that may stand between the making of a record and its storing, mostly none.
func (w *recordWriter) between(t string) string {
	if w.IntN(4) > 0 {
		return ""
	}
	return w.one("n = n + 1", "u.cell = u.cell + 0", "if n > 500 then n = 2 end", "local m = n * 2 n = m % 77", `if T["all"] then n = n + 1 end`, "if u.age > 30 then u.age = nums[9].x end", `u.kind = "fox"`, `if u.age > 30 then goto continue end`)
}

// statement returns a statement about a record.
func (w *recordWriter) statement(depth int) string {
	w.names++
	s, t, k := fmt.Sprint("s", w.names), w.one("by", "by", "other"), w.key()
	text := w.one(
		"local S = T[K] if not S then S = NEW BETWEEN T[K] = S end USE USE",
		"local S = T[K] if not S then S = NEW T[K] = S end USE USE",
		"local S = T[K] if S == nil then T[K] = NEW S = T[K] end USE",
		"local S = T[K] or NEW T[K] = S USE USE",
		"local S = T[K] or NEW USE BETWEEN USE T[K] = S",
		"T[K] = T[K] or NEW local S = T[K] USE USE",
		"if not T[K] then T[K] = NEW end local S = T[K] USE",
		"local S = T[K] if S then USE else S = NEW T[K] = S end",
		"local S = get(T, K) USE USE",
		"local S = T[K] if S then USE end",
		"local S = T[K] local R = T[K] if not S then S = NEW T[K] = S end if R then n = n + 1 end USE",
		"if u.on then MORE end",
		"for i = 1, 2 do local k = u.cell + i MORE end",
		"do MORE MORE end",
		"if T[K] then MORE else n = n + 2 end",
		"k = K",
		"local S = T[K] if not S then S = NEW T[K2] = S end USE",
		"T[K] = NEW",
		"T[K] = T[K2] or NEW",
		"T[K] = T[u.cell % 5 + 1 - 1] or NEW",
		"local S = find(T, u.age) if not S then S = NEW T[K] = S end USE",
		"local S = T[K] while not S do S = NEW T[K] = S end USE",
	)
	for strings.Contains(text, "MORE") {
		more := "n = n + 1"
		if depth > 0 {
			more = w.statement(depth - 1)
		}
		text = strings.Replace(text, "MORE", more, 1)
	}
	for strings.Contains(text, "USE") {
		text = strings.Replace(text, "USE", w.use(s, 1), 1)
	}
	for strings.Contains(text, "NEW") {
		text = strings.Replace(text, "NEW", w.constructor(), 1)
	}
	text = strings.ReplaceAll(text, "BETWEEN", w.between(t))
	return strings.NewReplacer("K2", w.key(), "S ", s+" ", "T[", t+"[", "K]", k+"]", "(T, K)", "("+t+", "+k+")", "= K", "= "+k, "R ", "r"+s+" ").Replace(text + " ")
}

// source writes a script.
func (w *recordWriter) source() string {
	var body strings.Builder
	for range 1 + w.IntN(3) {
		body.WriteString("\n\t\tdo " + w.statement(1) + "end")
	}
	around := w.one(`local by, other = {}, {}`, `local by, other = keptBy, keptOther`, `local by, other = {}, keptOther`, `local by, other = { fox = { n = 2 }, [3] = {}, all = { sum = 1, n = 2 } }, {}`, `local by, other = { fox = 3, own5 = { n = "x" }, [7] = { on = 1 } }, {}`, `local by = {} local other = by`)
	return recordHead + `local keptBy, keptOther, nums, n, k = {}, {}, { 1 }, 0, "k"
local function show(v)
	if type(v) ~= "table" then return type(v) == "userdata" and "view" or tostring(v) end
	local s = "{" for k, x in pairs(v) do s = s .. tostring(k) .. "=" .. show(x) .. ";" end return s .. "#" .. #v .. "}"
end
local function next() n = n + 1 return n % 4 + 1 end
local function get(t, k) local s = t[k] if not s then s = { n = 0 } t[k] = s end return s end
local function find(t, x) if x > 9 then return t[next()] end return t[n % 4 + 1] end
local function bump(s, x) s.sum = (s.sum or 0) + x end
return function(world)
	` + around + `
	local k = "k"
	for e, u in world:each("U") do` + body.String() + `
		::continue::
	end
	print(show(by), show(other), n)
end`
}

// Random loops over records do the same interpreted, as closures and as machine code.
func TestRandomRecords(t *testing.T) {
	t.Parallel()
	machine, tried := 0, 0
	seeds(120, func(seed uint64) {
		source := (&recordWriter{Rand: rand.New(rand.NewPCG(seed, 97))}).source()
		want, _, _ := recordTrace(t, Lua, Limits{}, source, 0)
		for _, impl := range []Impl{Closures, Auto} {
			got, did, _ := recordTrace(t, impl, Limits{}, source, 1)
			if got != want {
				t.Fatalf("seed %d, %v: got\n%.3000s\nwant\n%.3000s\n%s", seed, impl, got, want, source)
			}
			if impl == Auto {
				tried++
				if did.Machine > did.Closures+did.Left {
					machine++
				}
			}
		}
	})
	t.Logf("%d of %d loops are machine code", machine, tried)
	if machine < tried/8 {
		t.Errorf("only %d of %d loops are machine code", machine, tried)
	}
}
