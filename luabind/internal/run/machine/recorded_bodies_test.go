package machine

import (
	"fmt"
	"hash/crc32"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/packing"
)

// recordBody writes one line for a body: checksums of its code in the form that is chosen, and in each form that can be had.
func recordBody(out *strings.Builder, b *bed, names, body string) {
	fmt.Fprintf(out, "%s %s\n ", names, strings.TrimSpace(strings.ReplaceAll(body, "\n", " ")))
	p, _, reason := b.program(body)
	if reason != nil {
		fmt.Fprintf(out, " %v\n", reason)
		return
	}
	for i := -1; i < len(packing.Forms); i++ {
		chosen, anyway := packing.Forms, false
		if i >= 0 {
			chosen, anyway = packing.Forms[i:i+1], true
		}
		u, err := emitFor(p, b.query, b.world, chosen, anyway, 0)
		if err != nil {
			fmt.Fprintf(out, " %v", err)
			continue
		}
		about := fmt.Sprintf("packed %v cost %d steps %d checks %v nanoseconds %.6g", u.Packed, u.Cost, u.Steps, u.FuelChecks, u.Nanoseconds)
		if i < 0 {
			fmt.Fprintf(out, " %d bytes %s:", len(u.Code), about)
		}
		if i < 0 || u.Packed {
			fmt.Fprintf(out, " %08x", crc32.ChecksumIEEE(append([]byte(about), u.Code...)))
		} else {
			fmt.Fprint(out, " -")
		}
	}
	out.WriteByte('\n')
}

// Each kind of condition with each kind of statement under it, for one field and for two that pair, becomes the recorded code in each form.
func TestRecordedBodies(t *testing.T) {
	conditions := []string{
		"a.x > 3", "a.x >= a.y", "a.x == a.y", "a.x ~= 2", "not (a.x < f.y)", "f.on", "not f.on", "f.on == flag", "f.on == (a.x > 1)", "flag", "n == 1", "a.x > 1 and a.y > n", "a.x > 1 or f.on",
		`word == "s"`, "best == nil", "best and best > a.x", "e == last", "h.x < d.x",
	}
	statements := []string{
		"a.x = 1", "a.x = a.y", "a.x = -a.x", "d.x = -d.x", "d.x = a.x", "f.on = true", "f.on = a.x > f.y", "f.k = a.x", "f.n = 1", "a.x = 1 else a.x = 2", "d.x = h.x else f.y = 2", "a.x = 1 elseif a.y > 2 then a.x = 2 else a.y = 3",
		"a.x = 1 elseif a.y > 2 then a.x = 2 elseif a.y > 1 then a.x = 3", "a.x = 1 else a.y = 1 f.y = 2", "sum = sum + a.x", "last = a.x", "best = a.x", "flag = f.on", "if a.y > 1 then a.x = 1 end", "for i = 1, 3 do a.x = a.x + i end",
		"local t = a.x a.x = a.y a.y = t", "a.x = cap(a.y)", "a.x = math.min(a.x, d.x)", "goto next", "f.y = a.x f.z = a.y", "a.y = f.x",
	}
	var out strings.Builder
	write := func(names string, bodies ...string) {
		b := newBed(t, 1, names, func() float64 { return 1 })
		for _, body := range bodies {
			recordBody(&out, b, names, body)
		}
	}
	mirror := strings.NewReplacer(".x", ".y", ".y", ".x")
	for i, c := range conditions {
		for j, s := range statements {
			one := "if " + c + " then " + s + " end"
			tail := " ::next::"
			if strings.Contains(c, "best") { // it is only known where the loop assigns it
				tail = " if a.y > 9 then best = a.y end" + tail
			}
			switch (i + j) % 4 { // alone, with a twin, with a twin and something between, before something that is always done
			case 0:
				write("AFDH", one+tail)
			case 1:
				write("AFDH", one+" "+mirror.Replace(one)+tail)
			case 2:
				write("AFDH", one+" f.z = f.z + 1 "+mirror.Replace(one)+tail)
			case 3:
				write("AFDH", "local u, v = a.x * 2, a.y * 2 "+one+" "+mirror.Replace(one)+" a.x = a.x + u a.y = a.y + v"+tail)
			}
		}
	}
	for _, c := range conditional {
		write(c.names, c.body)
	}
	for _, name := range slices.Sorted(maps.Keys(endingBodies)) {
		b := numberedBed(t, []int{1}, false, nil)
		recordBody(&out, b, "AB", endingBodies[name])
	}
	write("AB", pairedRegisters...)
	write("AFDH", pairedLocals...)
	write("C", triples...)
	write("CG", triplesOfTwo...)
	asRecorded(t, "bodies.txt", out.String())
}

// pairedRegisters are bodies whose assignments of locals come in pairs that look alike.
var pairedRegisters = []string{
	"local p, q = a.x, a.y a.x = p + q a.y = p - q", "local p, q = a.x > 1, a.y > 1 if p then a.x = 1 end if q then a.y = 1 end", "local p, q = a.x, a.y > 1 if q then a.x = p end",
	"local p, q p, q = a.x, a.y a.x = q a.y = p", "local p, q = 1, 2 p, q = p + a.x, q + a.y a.x = p a.y = q", "local p, q = 1, 2 if a.x > 1 then p = a.x end if a.y > 1 then q = a.y end a.x = q a.y = p",
	"local p, q = a.x > 1, a.y > 1 p, q = q, p if p ~= q then a.x = 2 end", "local p, q if a.x > 1 then p = a.x end if a.y > 1 then q = a.y end a.x = p or 1 a.y = q or 2", "local p, q = sum, sum a.x = p a.y = q", "sum = sum + a.x last = last + a.y",
	"sum, last = a.x, a.y", "sum = a.x a.y = sum a.x = last", "local p = a.x p = p + 1 p = p * 2 a.x = p a.y = p", "a.x = a.x a.y = a.y", "a.x, a.y = a.y, a.x", "a.x, a.y, b.x, b.y = b.x, b.y, a.x, a.y", "a.x = b.x a.y = b.y b.x = 1 b.y = 2",
	"a.x = math.sqrt(b.x) a.y = math.sqrt(b.y)", "a.x = math.sqrt(b.x) a.y = math.abs(b.y)", "a.x = math.max(b.x, 1) a.y = math.min(b.y, 1)", "a.x = b.x / 3 a.y = b.y * 3", "a.x = n a.y = n", "a.x = n a.y = n + 1", "a.x = n + 1 a.y = n + 1", "a.x = 0 a.y = -0",
	"a.x = a.x * 1.5 + 1 a.y = a.y * 2.5 + 2", "a.x = b.y a.y = b.x", "a.y = b.y a.x = b.x", "a.x = b.x b.x = 1 a.y = b.y b.y = 2", "a.x = e == last and 1 or 2 a.y = e == last and 3 or 4", "a.x = flag and 1 or b.x a.y = flag and 2 or b.y",
	"if a.x > 1 then b.x = 1 end if a.y > 1 then b.y = 1 end if a.x > 2 then b.x = 2 end if a.y > 2 then b.y = 2 end", "if a.x > 1 then a.x = 1 end if a.y > 1 then a.y = 1 end b.x = a.x", "b.x = 1 if a.x > 1 then b.x = 2 end if a.y > 1 then b.y = 2 end", "if a.x > 1 then b.x = 1 b.y = 1 end if a.y > 1 then b.y = 2 b.x = 2 end",
	"if a.x > 1 then b.x = 1 else b.x = 2 end if a.y > 1 then b.y = 1 end", "if a.x > 1 then b.x = 1 elseif a.x > 2 then b.x = 2 end if a.y > 1 then b.y = 1 elseif a.y > 2 then b.y = 2 end", "if a.x > 1 then b.x = 1 end if a.y > 1 then b.y = 1 a.y = 2 end",
	"if a.x > 1 and b.x > 1 then b.x = -b.x end if a.y > 1 and b.y > 1 then b.y = -b.y end", "if a.x > 1 then b.x = -b.x end if a.y > 1 then b.y = -a.y end", "if a.x > 1 then b.x = -a.x end if a.y > 1 then b.y = -b.y end", "if a.x > sum then b.x = 1 end if a.y > sum then b.y = 1 end sum = sum + 1",
	"for i = 1, 3 do a.x = a.x + b.x a.y = a.y + b.y end", "for i = 1, n do a.x = a.x + i a.y = a.y - i end", "for i = 1, 2 do if a.x > i then b.x = i end if a.y > i then b.y = i end end", "for i = 3, 1, -1 do for j = 1, i do a.x = a.x + j end end", "for i = 1, 0 do a.x = 1 end", "for i = 1, 1 do a.x = 1 end", "for i = 1, 1.5, 0.5 do a.x = 1 end",
	"if a.x < 0 then b.x = 0 else if a.x > 9 then b.x = 9 end b.x = b.x + 1 end if a.y < 0 then b.y = 0 else if a.y > 9 then b.y = 9 end b.y = b.y + 1 end", "for i = 1, 3 do if a.x > i then sum = i local t = a.x * 2 b.x = t end end", "for i = 1, 3 do if a.x > i then local t = a.x * 2 b.x = t sum = i end end",
	"for i = 1, 3 do if a.x > i then local t = i last = t t = 3 b.x = a.x end end", `if "x" == "y" then a.x = 1 end`, `a.x = ("x" == "y") and 1 or 2`, `if "x" == word then a.x = 1 end if "x" == word then a.y = 1 end`,
	"for i = 1, a.x do b.x = b.x + 1 end", "for i = 1, 3 do local p = a.x p = p + i a.y = p end", "for i = 1, 3 do if i == n then sum = sum + i end end", `for o, q in world:each("B") do a.x = a.x + q.x a.y = a.y + q.y end`, `for o, q in world:each("B") do if q.x > a.x then a.y = q.y end end`, `for o, q in world:each("B") do if o == e then a.x = q.x end end`,
	`for i = 1, 2 do for o, q in world:each("B") do a.x = a.x + q.x end end`, `for o, q in world:each("B") do for i = 1, 2 do a.x = a.x + q.x end end`, `for o, q in world:each("B") do sum = sum + q.x end`, `for o, q in world:each("B") do b.x = b.x + q.x end`,
}

// pairedLocals are bodies over fields of several types: what pairs, and what does not.
var pairedLocals = []string{
	"f.on = not f.on", "f.on = true", "f.on = f.x > 1 f.k = f.x", "f.y = f.z f.z = f.y", "f.y = 1 f.z = 2", "f.x = 1 f.y = 2 f.z = 3", "d.x = a.x d.y = a.y", "d.x = h.x d.y = h.y", "a.x = d.x a.y = d.y", "d.x, d.y = d.y, d.x", "d.x = f.k d.y = f.k", "f.k = d.x", "a.x = f.n a.y = f.n", "if f.on then d.x = 1 d.y = 2 end",
	"if f.on then a.x = -a.x a.y = -a.y end", "if f.on then d.x = -d.x end if not f.on then d.y = -d.y end", "local p = f.on if p then f.y = 1 end if p then f.z = 1 end", "local p, q = f.on, f.on f.on = not p if q then f.z = 1 end", "f.on = f.on and flag or a.x > 1", "local p = d.x p = p + 0.1 d.x = p local q = d.y q = q + 0.1 d.y = q",
	"d.x = d.x + h.x * 0.5 d.y = d.y + h.y * 0.5 a.x = a.x + d.x a.y = a.y + d.y", "sum = sum + d.x f.on = sum > 3", "flag = f.on f.on = flag", "if flag then f.on = false end", "a.x = f.on and d.x or h.x a.y = f.on and d.y or h.y",
}

// triples are bodies over components of three fields, whose rows a form takes two by two as they lie in memory.
var triples = []string{
	"c.x = c.x + 1 c.y = c.y + 1 c.z = c.z + 1", "c.x, c.y, c.z = c.y, c.z, c.x", "c.x = c.y c.y = c.z", "c.x = c.x + c.y * c.z", "if c.x > 1 then c.x = 1 end if c.y > 1 then c.y = 1 end if c.z > 1 then c.z = 1 end", "if c.x > 1 then c.y = -c.y c.z = -c.z end",
	"local p, q, r = c.x, c.y, c.z c.x = p + q c.y = q + r c.z = r + p", "sum = sum + c.x + c.y + c.z", "c.x = c.x + sum c.y = c.y + sum c.z = c.z + sum", "for i = 1, 2 do c.x = c.x + i c.y = c.y + i c.z = c.z + i end", "c.x = 1 c.y = 2", "if n == 1 then c.x = c.y + c.z end",
}

// triplesOfTwo are those of two such components.
var triplesOfTwo = []string{
	"c.x = g.x c.y = g.y c.z = g.z", "c.x = c.x + g.x * n c.y = c.y + g.y * n c.z = c.z + g.z * n", "c.x = g.y c.y = g.z c.z = g.x", "if c.x > g.x then c.x = g.x end if c.y > g.y then c.y = g.y end if c.z > g.z then c.z = g.z end", "c.x = g.x c.y = g.y",
	"if c.x > 1 then g.x = -g.x end if c.y > 1 then g.y = -g.y end if c.z > 1 then g.z = -g.z end c.x = c.x + g.x c.y = c.y + g.y c.z = c.z + g.z", "local d = c.x * g.x + c.y * g.y + c.z * g.z g.x = g.x - d g.y = g.y - d g.z = g.z - d",
}

// The same for more random bodies than TestRecordedForms has, one checksum each.
func TestRecordedRandomBodies(t *testing.T) {
	var out strings.Builder
	for seed := uint64(1000); seed < 1200; seed++ {
		body, names := randomMirrored(seed)
		var one strings.Builder
		recordBody(&one, newBed(t, 1, names, func() float64 { return 1 }), names, body)
		fmt.Fprintf(&out, "%d %08x\n", seed, crc32.ChecksumIEEE([]byte(one.String())))
	}
	asRecorded(t, "random.txt", out.String())
}
