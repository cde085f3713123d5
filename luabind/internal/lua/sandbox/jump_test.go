package sandbox

import (
	"testing"
)

// Each of these ran again from the top of its function, or for ever.
func TestLoopsThatBeginWithAJump(t *testing.T) {
	for name, source := range map[string]string{
		"break":          "local it = function() return 1 end for e in it do break end",
		"goto":           "local it = function() return 1 end for e in it do goto out end ::out::",
		"block":          "local it = function() return 1 end for e in it do do do break end end end",
		"constant if":    "local it = function() return 1 end for e in it do if true then break end end",
		"repeat":         "repeat break until false",
		"while":          "while true do break end",
		"constant or":    "local it = function(_, x) if not x then return 1 end end for e in it do local x = (8 or e) and it() end",
		"constant while": "local n = 0 while (8 or n) and n < 3 do n = n + 1 end assert(n == 3)",
		"inner loop":     "local it = function() return 1 end for e in it do while true do break end break end",
		"label and goto": "local n = 0 ::top:: goto on ::on:: n = n + 1 if n < 3 then goto top end assert(n == 3)",
		"goto a label":   "local n = 0 for k in pairs{1, 2, 3} do ::again:: goto on ::on:: n = n + 1 end assert(n == 3)",
	} {
		t.Run(name, func(t *testing.T) {
			s := New(Options{})
			c, err := Compile("a.lua", "local turns = 0\nlocal function f()\nturns = turns + 1 assert(turns == 1)\n"+source+"\nend\nf()")
			if err != nil {
				t.Fatal(err)
			}
			s.Budget().Reset(10_000)
			if err := s.Call(s.NewEnv(EnvOptions{}).Load(c, nil)); err != nil {
				t.Error(err)
			}
		})
	}
}
