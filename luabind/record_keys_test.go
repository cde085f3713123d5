package luabind

import (
	"strings"
	"testing"
)

// drawnKeys are loops over records whose keys are drawn, or counted by a function, so it matters how often and in which order they
// are evaluated.
var drawnKeys = []string{
	`local by = { { n = 1 }, { n = 2 }, { n = 3, extra = 4 } } for e, p in world:each("P") do local r = by[ecs.random(3)] if r.extra then sum = sum + r.extra end r.n = r.n + 1 end sum = sum + by[1].n * 100`,
	`local by = {} for e, p in world:each("P") do local k = ecs.random(5) by[k] = by[k] or { n = 0 } by[k].n = by[k].n + 1 end for k, r in pairs(by) do sum = sum + k * r.n end`,
	`local by = {} for e, p in world:each("P") do local r = by[ecs.random(5)] if not r then r = { n = 1 } by[ecs.random(5)] = r end r.n = r.n + 1 end for k, r in pairs(by) do sum = sum + k * r.n end`,
	`local by = {} for e, p in world:each("P") do by[ecs.random(5)] = by[ecs.random(5)] or { n = p.x } end for k, r in pairs(by) do sum = sum + k * r.n end`,
	`local by = {} for e, p in world:each("P") do local r = by[ecs.random(5)] or { n = 0 } by[p.k] = r r.n = r.n + 1 end for k, r in pairs(by) do sum = sum + k * r.n end`,
	`local by, n = {}, 0 local function next() n = n + 1 return n % 4 end for e, p in world:each("P") do local r = by[next()] if not r then r = { n = 0 } by[n % 4] = r end r.n = r.n + n end for k, r in pairs(by) do sum = sum + k * r.n end`,
	`local by, n = {}, 0 local function next() n = n + 1 return n % 4 end local function find() return by[next()] end for e, p in world:each("P") do local r = find() if r then r.n = r.n + 1 else by[n % 4] = { n = 0 } end end for k, r in pairs(by) do sum = sum + k * r.n end`,
	`local by, n = {}, 0 local function next() n = n + 1 return n % 4 end local function find(a) if a > 2 then return by[next()] end return by[next()] end for e, p in world:each("P") do local r = find(p.k) if not r then r = { n = 0 } by[n % 4] = r end r.n = r.n + 1 end for k, r in pairs(by) do sum = sum + k * r.n end`,
	`local by = { { n = 1 }, { n = 2 } } for e, p in world:each("P") do local r if p.k > 1 then r = by[ecs.random(2)] else r = by[ecs.random(1)] end r.n = r.n + 1 end sum = sum + by[1].n * 100 + by[2].n`,
	`local by = {} for e, p in world:each("P") do local zero = p.k % 2 == 0 and -0.0 or 0 by[zero] = by[p.k * 0] or { n = p.x } end for k, r in pairs(by) do print(k, r.n) end`,
}

// They do the same with every implementation.
func TestRecordKeys(t *testing.T) {
	t.Parallel()
	for _, body := range drawnKeys {
		source := strings.Replace(presenceSource, "BODY", body, 1)
		sameCompiled(t, source, body, byAny)
	}
}
