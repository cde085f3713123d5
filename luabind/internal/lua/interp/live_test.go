package interp

import "testing"

func TestFunctionsThatWriteRegistersFirst(t *testing.T) {
	for src, want := range map[string]bool{
		"local a, b = ... return a + b":                                        true,
		"local a local b = 1 return a, b":                                      true,
		"local a, b = 1 local c = a or b return c and b":                       true,
		"local t = {} for i = 1, 3 do local x t[i] = x or i end return t":      true,
		"local n = 0 while n < 3 do local m = n n = m + 1 end return n":        true,
		"local n = 0 repeat local m m, n = n, n + 1 until m == 2 return n":     true,
		"return f(g(1, h()))":                                                  true,
		"local x = ... for v in x, nil, nil do f(v) end":                       true,
		"local x = ... for v in x do f(v) end":                                 false, // gopher-lua leaves two registers as they are
		"local function f(n) if n > 0 then return f(n - 1) end end return f":   false, // f is captured before it has a value
		"local f = function(n) return n end local g = function() return f end": true,
	} {
		p := compile(t, src)
		if got := writesFirst(p); got != want {
			t.Errorf("%s: %v, want %v", src, got, want)
		}
	}
}

func TestRegisterSetsOfRanges(t *testing.T) {
	for first := -1; first <= 256; first++ {
		for last := first - 2; last <= 256; last++ {
			var one, whole, got registerSet
			for r := range 256 {
				if r >= first && r <= last {
					one[r/64] |= 1 << (r % 64)
				}
				whole[r/64] |= 1 << (r % 64)
			}
			if got.addFrom(first, last); got != one {
				t.Fatalf("from %d to %d: %x, want %x", first, last, got, one)
			}
			got = whole
			got.without(first, last)
			for i := range one {
				if got[i] != ^one[i] {
					t.Fatalf("without %d to %d: %x", first, last, got)
				}
			}
		}
	}
}
