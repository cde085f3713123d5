package luabind

import "testing"

// recordPlaces are loops that look for records, and make those that are not there.
var recordPlaces = []rowsCase{
	{name: "a key that asks for the record", body: `local by = {} for e, p in world:each("P") do local r = by[p.k] if not r then r = { n = 0 } by[by[p.k] and p.k or 1] = r end r.n = r.n + 1 end for k, r in pairs(by) do sum = sum + k * r.n end`, ran: 450, left: 7},
	{name: "a key whose function asks for the record", body: `local by = {} local function key(k) return by[k] and k or 1 end for e, p in world:each("P") do local r = by[p.k] if not r then r = { n = 0 } by[key(p.k)] = r end r.n = r.n + 1 end for k, r in pairs(by) do sum = sum + k * r.n end`, ran: 450, left: 7},
	{name: "a key that asks how many there are", body: `local by = { { n = 0 } } for e, p in world:each("P") do local r = by[p.k] if not r then r = { n = 0 } by[p.k == 2 and p.k or #by + 1] = r end r.n = r.n + 1 end for k, r in pairs(by) do sum = sum + k * r.n end`, ran: 592, left: 8, machine: true},
	{name: "a key that asks for nothing", body: `local by = {} for e, p in world:each("P") do local r = by[p.k] if not r then r = { n = 0 } by[p.k] = r end r.n = r.n + 1 end for k, r in pairs(by) do sum = sum + k * r.n end`, ran: 600, machine: true},
	{name: "another key", body: `local by = {} for e, p in world:each("P") do local r = by[p.k] if not r then r = { n = 0 } by[p.k + 1] = r end r.n = r.n + 1 end for k, r in pairs(by) do sum = sum + k * r.n end`, ran: 456, left: 7},
	{name: "a member of what is not there", leaves: "few", body: `local by = { { n = 1 }, { n = 2, extra = 3 }, { n = 3 } } for e, p in world:each("P") do if by[p.k].extra then sum = sum + 1 end end`, ran: 12, left: 4, machine: true},
	{name: "no member of what is not there", leaves: "few", body: `local by = { { n = 1 }, { n = 2, extra = 3 }, { n = 3 } } for e, p in world:each("P") do if not by[p.k].extra then sum = sum + 1 end by[1].n = p.x end`, ran: 12, left: 4, machine: true},
	{name: "a member of what is not there, or a number", leaves: "few", body: `local by = { { n = 1 }, { n = 2, extra = 3 }, { n = 3 } } for e, p in world:each("P") do by[p.k].n = p.x sum = sum + (by[p.k].extra or 7) end`, ran: 12, left: 4, machine: true},
}

// A key that is evaluated before its record is stored does not find it.
func TestRecordPlaces(t *testing.T) { sameRows(t, recordPlaces) }
