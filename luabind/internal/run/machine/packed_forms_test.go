package machine

import (
	"math"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/closures"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/engine"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/memory"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/packing"
)

// Bodies with statements under conditions that few rows meet, or none.
var conditional = []struct{ names, body string }{
	{"A", "if n == 1 then for i = 1, 4 do a.x = a.x + a.y end end"},
	{"A", "if a.y > 3 then for i = 1, 4 do a.x = a.x + a.y end end"},
	{"AB", "if a.y > 3 then for i = 1, 4 do a.x = a.x + b.y end else for i = 1, 2 do b.x = b.x + a.y end end"},
	{"A", "for k = 1, 2 do if a.y > k then for i = 1, 3 do a.x = a.x + a.y end end end"},
	{"A", "if n == 1 then a.x = cap(a.y) end"},
	{"A", "if a.x > 2 then a.x = cap(a.y) a.y = cap(a.x) end"},
	{"A", "if n == 1 then do local v = a.x a.x = a.y a.y = v end end"},
	{"AB", "a.x = cap(a.x) a.y = cap(a.y) b.x = between(b.x) b.y = between(b.y, nil, a.x)"},
	{"A", "local hit if n == 1 then hit = 5 end a.x = hit or 1"},
	{"A", "local hit if a.x > 4 then hit = a.y end a.x = hit or 1 a.y = hit or a.y"},
	{"A", "local p, q if a.x > 4 then p = a.y end if a.y > 4 then q = a.x end a.x = p or 1 a.y = q or 1"},
	{"AB", "local p, q if a.x > 4 then p = a.y end if b.y > 4 then q = a.x end if not p then b.x = 2 end if q and q > 4 then b.y = q end"},
	{"A", "local on if a.x > 4 then on = a.y > 3 end if on then a.x = 1 end if on == nil then a.y = 2 end"},
	{"A", "a.x = rise(a.x) a.y = rise(a.y, a.x)"},
	{"A", "if a.x > 2 then a.x = rise(a.x, 100) end"},
	{"A", "if a.x > 2 then a.x = rise(a.x) else a.y = rise(a.y, 2) end"},
	{"A", "local best for k = 1, n do if a.x == k then best = k end end a.y = best or -1"},
	{"A", "local last for k = 1, 5 do if last and last > a.x then a.y = a.y + last end if a.x > k then last = k end end a.x = last or 0"},
	{"A", "local was for k = 1, 4 do if was then a.y = a.y + 1 end was = a.x > k end"},
	{"A", "for k = 1, 3 do local hit if a.x == k then hit = k end a.y = a.y + (hit or 10) end"},
	{"AC", "local hit for other, q in world:each(\"C\") do if q.x > a.x then hit = q.y end end a.y = hit or 7"},
	{"A", "if \"s\" == \"t\" then a.x = 1 else a.x = 2 end if \"s\" == \"s\" then a.y = 1 else a.y = 2 end"},
	{"A", "if a.x > 3 then if n == 1 then a.x = cap(a.y) end end if n == 2 then a.y = a.x end"},
	{"A", "local t if a.x > 1 then t = a.x end if a.y > 1 then t = a.y end if t then a.x = t end sum = sum + (t or 1)"},
	{"A", "local t t = a.x if a.x > 4 then t = nil end a.y = t or -1"},
	{"A", "a.x = a.x + n a.y = a.y + n if a.x > 4 then a.x = -a.x end if a.y > 4 then a.y = -a.y end"},
	{"AB", "a.x = a.x + b.x a.y = a.y + b.y if a.x > 4 then b.x = cap(b.x) end if a.y > 4 then b.y = cap(b.y) end"},
	{"A", "if best == nil or a.x < best then best = a.x end a.y = a.y + 1"},
	{"A", "if best then a.x = best end if a.x > 4 then best = 1 end a.y = a.y + 1 a.x = a.x + 1"},
	{"A", "if a.x > 4 then best = a.y end a.x = a.x + 1 a.y = a.y + 1"},
	{"AF", "for o, q in world:each(\"F\") do if q.on then a.x = a.x + q.y a.y = a.y + q.z end end"},
	{"AF", "for o, q in world:each(\"F\") do a.x = a.x + q.k a.y = a.y + q.k if q.on then a.y = a.y - 1 end end"},
	{"A", "for i = 1, n * 2 + 1 do a.x = a.x + i a.y = a.y - i end"},
	{"A", "for i = math.max(n, 1), 4 - n do a.x = a.x + i a.y = a.y - i end"},
	{"A", "for i = 1, a.x * 2 do a.y = a.y + i end"},
	{"A", "for i = n - a.x, 3 do a.y = a.y + i end"},
	{"A", "for i = 1, 3, 1 + a.x * a.x do a.y = a.y + i end"},
	{"F", "f.on = f.x > 3 for o, q in world:each(\"A\") do if q.x > 1 then f.on = not f.on end f.k = f.k + q.y end"},
	{"D", "for o, q in world:each(\"A\") do d.x = d.x + q.x d.y = d.y - q.y end"},
	{"A", "if a.x > 4 then last = a.y end a.x = a.x + 1 a.y = a.y + 1"},
}

// Bodies that compute one number of two that lie side by side, and use it for both.
var aside = []struct{ names, body string }{
	{"AB", "local p, q = n - a.x, 3 - a.y local s = 5 / math.sqrt(p * p + q * q + 1) b.x = b.x + p * s b.y = b.y + q * s"},
	{"AB", "local p, q = n - a.x, 3 - a.y local s = p * p - q * q b.x = (b.x + p * s) * 0.5 b.y = (b.y + q * s) * 0.5"},
	{"AB", "local s = (a.x + b.x) * (a.y + b.y) a.x = b.x * s a.y = b.y * s"},
	{"AB", "local s = math.sqrt(a.x * b.x - a.y * b.y) + n a.x = a.x + s a.y = a.y + s b.x = b.x - a.x b.y = b.y - a.y"},
	{"A", "local s = (a.x * n) * (a.y * n) a.x = s a.y = s"}, // zeros of both signs
	{"A", "local s = a.x * a.y a.x = s a.y = s"},
	{"A", "local s = -a.x * -a.y if s > 4 then a.x = a.x + s a.y = a.y + s end"},
}

// What is computed of two lanes of a vector has the bits of row by row, in all forms.
func TestPackedAside(t *testing.T) {
	for _, c := range aside {
		for i := -1; i < len(packing.Forms); i++ {
			list := []packing.Form{}
			if i >= 0 {
				list = packing.Forms[i : i+1]
			}
			sameConditional(t, c.names, c.body, list)
		}
	}
}

// roundWidths are numbers of rows around the widths of all forms, and some beyond.
var roundWidths = []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 40, 300}

// What stands under a condition is done in all forms of code as closures do it, for
// the rows that meet the condition and no others.
func TestPackedConditions(t *testing.T) {
	used := make([]int, len(packing.Forms))
	for _, c := range conditional {
		for i := -1; i < len(packing.Forms); i++ {
			list := []packing.Form{}
			if i >= 0 {
				list = packing.Forms[i : i+1]
			}
			if sameConditional(t, c.names, c.body, list) && i >= 0 {
				used[i]++
			}
		}
	}
	for i, n := range used {
		if n == 0 {
			t.Errorf("%+v is tried with no body", packing.Forms[i])
		}
	}
}

// sameConditional compares the code of a body in a form with its closures; false when
// it does not have that form.
func sameConditional(t *testing.T, names, body string, list []packing.Form) bool {
	fill := func() *bed {
		v := 0.0
		return newBeds(t, roundWidths, names, func() float64 { v++; return math.Mod(v*5, 13) - 2 })
	}
	for _, n := range []float64{0, 1, 2} {
		inputs := map[string]float64{"n": n, "sum": 0}
		b := fill()
		p, template, reason := b.program(body)
		if reason != nil {
			t.Fatalf("%s\n%v", body, reason)
		}
		want := b.trace(closures.Compile(p, b.budget), p, template, inputs, 0)
		b = fill()
		p, template, _ = b.program(body)
		u, err := emitFor(p, b.query, b.world, list, len(list) > 0, 0)
		if err != nil {
			t.Fatalf("%s\n%v", body, err)
		}
		if len(list) > 0 && !u.Packed {
			return false
		}
		if got := b.trace(b.unchecked(p, u), p, template, inputs, 0); got != want {
			t.Errorf("n = %v, %v\n%s\n%s", n, list, body, differences(want, got))
			return true
		}
	}
	return true
}

// unchecked is the code of a unit, whatever it does.
func (b *bed) unchecked(p *ir.Program, u *abi.Unit) *Kernel {
	b.tb.Helper()
	c, err := engine.Compile(u.Code)
	if err != nil {
		b.tb.Fatal(err)
	}
	b.tb.Cleanup(func() { c.Drop(u.Code) })
	m, _ := memory.For(b.world)
	k, done, err := newKernel(p, u, c, m, b.budget)
	if err != nil {
		b.tb.Fatal(err)
	}
	b.tb.Cleanup(done)
	return k
}
