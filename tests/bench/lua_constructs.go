package main

import "fmt"

// perRun is the number of entities of each construct.
const perRun = 2000

// A bar is the most that a construct may take under impl auto.
type bar struct {
	ns float64 // per entity; 0: not an absolute one
	as string  // the construct whose time it may take, with a tenth for noise
}

// bars are those of the constructs. A construct without one may not be slower than under impl lua.
var bars = map[string]bar{
	"append":         {ns: 40},
	"concat":         {ns: 150},
	"count_by_kind":  {ns: 60},
	"dispatch":       {ns: 80},
	"field_by_name":  {ns: 40},
	"format":         {ns: 350},
	"insert":         {ns: 60},
	"ipairs_const":   {ns: 60},
	"lib_call":       {as: "own_call"},
	"lib_local":      {as: "own_call"},
	"lists_of_lists": {ns: 40},
	"lookup_nil":     {ns: 40},
	"make_table":     {ns: 150},
	"object":         {ns: 80},
	"print_rare":     {as: "move"},
	"random_len":     {ns: 40},
	"res_by_name":    {ns: 40},
	"set_bool":       {ns: 60},
	"set_num":        {ns: 60},
	"str_compare":    {ns: 5},
	"str_lookup":     {ns: 25},
	"table_read":     {ns: 100},
	"table_write":    {ns: 300},
}

// noise is what a construct may take more than the one that it is compared with.
const noise = 1.1

// constructLines returns a line of the table for each construct that has a plain twin or a bar, how many bars are met, and how many there are.
func constructLines(report *benchReport, lua, jit map[string]float64) (lines []string, met, barred int) {
	for _, s := range report.Systems {
		name := s.System
		auto := report.turn(name, "auto") / perRun
		if auto == 0 {
			continue
		}
		limit, says := report.turn(name, "lua")/perRun, "≤ impl lua"
		if b, ok := bars[name]; ok && b.as != "" {
			limit, says = report.turn(b.as, "auto")/perRun*noise, "as "+b.as
		} else if ok {
			limit, says = b.ns, fmt.Sprintf("≤ %g", b.ns)
		}
		barred++
		if auto <= limit {
			met++
		}
		lines = append(lines, fmt.Sprintf("| %s | %.4g | %s | %s | %s | %s | %s | %s |", name, auto, figure(lua[name]), figure(jit[name]),
			times(auto, lua[name]), times(auto, jit[name]), says, verdicts[auto <= limit]))
	}
	return lines, met, barred
}
