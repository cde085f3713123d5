package app

import (
	"testing"

	"github.com/ecsrun/ecsrun/luabind"
)

func TestVerdict(t *testing.T) {
	for want, l := range map[string]luabind.LoopReport{
		"interpreted: calls math.frexp (line 7); use another function of math": {Reason: "calls math.frexp", At: 7, Advice: "use another function of math"},
		"interpreted: there are too many rows that reach a.lua:2 (calls f)":    {Reason: "there are too many rows that reach a.lua:2 (calls f)", At: 2, AtFile: "lua/a.lua"},
		`interpreted: there is no field "z" (line 7)`:                          {Reason: `there is no field "z"`, At: 7},
		"interpreted: there are too many rows in which line 7 finds nil":       {Reason: "there are too many rows in which line 7 finds nil", At: 7},
		"interpreted: after line 70 (line 7)":                                  {Reason: "after line 70", At: 7},
		"compiled (closures)":                                                  {Impls: []luabind.Impl{luabind.Closures}},
		"compiled (machine code, all cores)":                                   {Impls: []luabind.Impl{luabind.Closures, luabind.Auto}},
		"compiled (machine code, one core: it sums)":                           {OneCore: "it sums"},
		"compiled (closures: it compares strings)":                             {Impls: []luabind.Impl{luabind.Auto}, Closures: "it compares strings"},
	} {
		if got := verdict(l); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	auto := luabind.LoopReport{File: "a.lua", Line: 3}
	partly := luabind.LoopReport{File: "a.lua", Line: 3, ByClosures: "calls print (line 4)"}
	left := luabind.LoopFallback{File: "a.lua", Line: 3, Reason: "rows that reach line 5 (calls f)", Advice: "do it", Rows: true, Times: 6}
	for want, c := range map[string]struct {
		loop luabind.LoopReport
		run  luabind.LoopRun
		fall luabind.LoopFallback
	}{
		"compiled (machine code, all cores)": {auto, luabind.LoopRun{Machine: 5, Interpreted: 5}, left},
		"mostly interpreted (rows that reach line 5 (calls f); do it); the others: compiled (machine code, all cores)":                                          {auto, luabind.LoopRun{Machine: 5, Interpreted: 6}, left},
		"mostly interpreted (there are too many rows that reach line 5 (calls f); do it); the others: compiled (machine code, all cores)":                       {auto, luabind.LoopRun{Machine: 5, Interpreted: 6, Rested: 1}, left},
		"mostly interpreted; the others: compiled (machine code, all cores)":                                                                                    {auto, luabind.LoopRun{Machine: 5, Interpreted: 6}, luabind.LoopFallback{}},
		"mostly closures (code cannot do some walks, or costs more than it gains there); the others: compiled (machine code, all cores)":                        {auto, luabind.LoopRun{Machine: 5, Closures: 6}, left},
		"mostly closures (many rows reach what code cannot do); the others: compiled (machine code, all cores; closures do each row that calls print (line 4))": {partly, luabind.LoopRun{Machine: 5, Closures: 6}, left},
	} {
		c.run.File, c.run.Line = "a.lua", 3
		v := &lively{runs: []luabind.LoopRun{c.run}, falls: []luabind.LoopFallback{c.fall}}
		if got := v.headline(0, c.loop); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	within := &lively{runs: []luabind.LoopRun{{File: "a.lua", Line: 3, Interpreted: 4, Inside: 2}}}
	if got := within.headline(0, auto); got != verdict(auto) {
		t.Errorf("inside another loop: %q", got)
	}
	if got := verdict(luabind.LoopReport{}); got != "compiled (machine code, all cores)" {
		t.Errorf("without an impl: %q", got)
	}
}
