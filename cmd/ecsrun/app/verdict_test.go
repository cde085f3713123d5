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
		"compiled (closures)":                        {Impls: []luabind.Impl{luabind.Closures}},
		"compiled (machine code, all cores)":         {Impls: []luabind.Impl{luabind.Closures, luabind.Auto}},
		"compiled (machine code, one core: it sums)": {OneCore: "it sums"},
		"compiled (closures: it compares strings)":   {Impls: []luabind.Impl{luabind.Auto}, Closures: "it compares strings"},
	} {
		if got := verdict(l); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := verdict(luabind.LoopReport{}); got != "compiled (machine code, all cores)" {
		t.Errorf("without an impl: %q", got)
	}
}
